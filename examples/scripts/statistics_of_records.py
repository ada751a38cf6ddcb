"""Statistics over a file of records: how many hints a game has, by its score."""

from collections import defaultdict

import kibitz

hints = defaultdict[int, list[int]](list)
for record in kibitz.records("games.jsonl"):
    if record.result:
        hints[record.result["score"]].append(sum(made.move.startswith("hint") for made in record.moves))
print({score: sum(counts) / len(counts) for score, counts in sorted(hints.items())})
