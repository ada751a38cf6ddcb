"""`python -m kibitz.hanabi.agents.signal`: learn what states are worth, see `learning`."""

from kibitz.hanabi.agents.signal.learning import main

main()
