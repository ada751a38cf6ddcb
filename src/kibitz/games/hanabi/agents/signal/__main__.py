"""`python -m kibitz.games.hanabi.agents.signal`: learn what states are worth, see `learning`."""

from kibitz.games.hanabi.agents.signal.learning import main

main()
