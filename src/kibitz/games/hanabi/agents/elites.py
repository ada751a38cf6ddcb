"""The map of elites that comes with Hanabi: rule lists by how much they tell and how sure they are when they play.

`elites.json` says by which command it was made. `docs/explanation/elites.md` says what it shows.
"""

from pathlib import Path

from kibitz.core.elites import Archive
from kibitz.games.hanabi.agents.breeding import RULE_LISTS
from kibitz.games.hanabi.behaviour import BEHAVIOUR

ELITES = Archive(Path(__file__).with_name("elites.json"), RULE_LISTS, BEHAVIOUR)
