"""1,000 games of two agents as a frame of scores."""

import kibitz

result = kibitz.match("hanabi", ["trustful", "piers"], games=1000, seed=0)
print(result.frame)
print(result.mean, result.interval)
