"""Hanabi's map of elites: evolved rule lists by how often they hint and how certain they are when they play.

`elites.json` names the command that made it; `docs/explanation/elites.md` explains it.
"""

from pathlib import Path

from kibitz.core.elites import Archive
from kibitz.games.hanabi.agents.breeding import RULE_LISTS
from kibitz.games.hanabi.behaviour import BEHAVIOUR

ELITES = Archive(Path(__file__).with_name("elites.json"), RULE_LISTS, BEHAVIOUR)
