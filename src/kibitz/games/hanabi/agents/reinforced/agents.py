"""The trained learners: tables in data files in this folder.

The training of each, and its scores on holdout deals, are in the JSON file of the same name.
"""

from pathlib import Path

import numpy as np

from kibitz.core.agent import CompiledAgent
from kibitz.core.weights import Weights
from kibitz.games.hanabi.agents.reinforced.player import player
from kibitz.games.hanabi.agents.reinforced.situations import WEIGHTS


def shipped(name: str, title: str, description: str) -> CompiledAgent:
    weights = Weights(np.zeros(WEIGHTS)).from_file(Path(__file__).with_name(f"{name}.npz"))
    return player(name, weights, title, description)


reinforced2 = shipped(
    "reinforced2",
    "Schooled Skyler",
    "Taught itself in games of two: it judges plays, discards and hints by what became of such moves before.",
)
reinforced4 = shipped(
    "reinforced4",
    "Seasoned Sawyer",
    "Taught itself in games of four: it judges plays, discards and hints by what became of such moves before.",
)
reinforced_guest = shipped(
    "reinforced_guest",
    "Adaptable Avery",
    "Taught itself as the only learner among trusting players, whose promises it came to understand and to make.",
)
reinforced_all = shipped(
    "reinforced_all",
    "Versatile Val",
    "Taught itself in games of two to five players in turn, with one set of tables for all of them.",
)
