"""Trustful with other weights, tuned for a number of players each: `kibitz tune` found them.

Jarząbek and Leja tuned theirs at two and at four players. How ours were found, and what they gain, stands in the files.
"""

from dataclasses import replace
from pathlib import Path

from kibitz.core.agent import CompiledAgent
from kibitz.games.hanabi.agents.trustful import trustful

DESCRIPTION = """Takes hints for promises and plays what was promised, as Trusting Taylor does. What it finds a hint
worth was tuned by hundreds of thousands of games at tables of {players}.

With another number of players it plays by the same values."""


def tuned(players: int, words: str, title: str) -> CompiledAgent:
    name = f"bayesian_trustful{players}"
    return replace(
        trustful,
        name=name,
        title=title,
        description=DESCRIPTION.format(players=words),
        origin="Jarząbek & Leja 2020, section 4.8; weights of kibitz",
        weights=trustful.weights.from_file(Path(__file__).with_name(f"{name}.toml")),
    )


bayesian_trustful2 = tuned(2, "two", "Tuned Toby")
bayesian_trustful3 = tuned(3, "three", "Tuned Teagan")
bayesian_trustful4 = tuned(4, "four", "Tuned Tamsin")
bayesian_trustful5 = tuned(5, "five", "Tuned Tristan")
