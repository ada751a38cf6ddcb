"""The models of `guest`: agents that a partner may play like, one per style, with people of every experience,
and the mean score of each pair."""

import json
from collections.abc import Sequence
from pathlib import Path

from kibitz.core.agent import CompiledAgent
from kibitz.games.hanabi.agents.aimless import erratic, stopped_clock
from kibitz.games.hanabi.agents.bot1 import bot1
from kibitz.games.hanabi.agents.bot2 import bot2, bot2_conventions
from kibitz.games.hanabi.agents.convention.player import convention2
from kibitz.games.hanabi.agents.distrustful import distrustful
from kibitz.games.hanabi.agents.hajdu import hajdu_v1, hajdu_v2, hajdu_v3, hajdu_v4
from kibitz.games.hanabi.agents.hat_information import hat_information
from kibitz.games.hanabi.agents.hat_recommend import hat_recommend
from kibitz.games.hanabi.agents.partner import partner
from kibitz.games.hanabi.agents.random_legal import random_legal
from kibitz.games.hanabi.agents.reinforced.agents import reinforced2, reinforced4
from kibitz.games.hanabi.agents.rule_lists import flawed, iggi, internal, outer, piers, van_den_bergh
from kibitz.games.hanabi.agents.signal.player import signal
from kibitz.games.hanabi.agents.simple_distrustful import simple_distrustful
from kibitz.games.hanabi.agents.trustful import trustful
from kibitz.games.hanabi.agents.typical_people import TYPICAL

PAIRS = Path(__file__).with_name("guest_pairs.json")  # made by benchmarks/guest_pairs.py
KNOWN = (
    trustful, distrustful, simple_distrustful, signal, convention2, reinforced2, reinforced4, bot2_conventions, bot2,
    bot1, piers, iggi, van_den_bergh, outer, internal, hajdu_v1, hajdu_v2, hajdu_v3, hajdu_v4, hat_information,
    hat_recommend, stopped_clock, erratic, flawed, random_legal, partner, *TYPICAL,
)  # fmt: skip


def known_pairs(agents: Sequence[CompiledAgent]) -> dict[int, list[float]]:
    """By number of players: the mean score of each agent among copies of each."""
    measured = json.loads(PAIRS.read_text("utf-8"))
    order = [measured["agents"].index(agent.name) for agent in agents]
    return {
        int(players): [means[own][other] for own in order for other in order]
        for players, means in measured["means"].items()
    }
