"""`python -m kibitz.games.hanabi.agents.signal`: learn what states are worth, see `learning`."""

from kibitz.games.hanabi.agents.signal.value_training import main

main()
