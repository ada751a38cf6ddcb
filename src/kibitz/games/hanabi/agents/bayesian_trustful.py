"""Trustful with weights tuned by `kibitz tune`, one agent for each number of players.

Jarząbek and Leja tuned theirs for two and for four players by Bayesian optimization with a Gaussian process, which gave
the agents their name. Ours were found in the same way; the TOML files have the commands and the gains.
"""

from dataclasses import replace
from pathlib import Path

from kibitz.core.agent import CompiledAgent
from kibitz.games.hanabi.agents.trustful import trustful

DESCRIPTION = """Takes hints as promises and plays the promised cards, like Trusting Taylor. Its evaluation of hints was
tuned in hundreds of thousands of games with {players} players.

With another number of players it uses the same weights."""


def tuned(players: int, words: str, title: str) -> CompiledAgent:
    name = f"bayesian_trustful{players}"
    return replace(
        trustful,
        name=name,
        title=title,
        description=DESCRIPTION.format(players=words),
        origin="Jarząbek & Leja 2020, section 4.8; weights of kibitz, found with a Gaussian process",
        weights=trustful.weights.from_file(Path(__file__).with_name(f"{name}.toml")),
    )


bayesian_trustful2 = tuned(2, "two", "Tuned Toby")
bayesian_trustful3 = tuned(3, "three", "Tuned Teagan")
bayesian_trustful4 = tuned(4, "four", "Tuned Tamsin")
bayesian_trustful5 = tuned(5, "five", "Tuned Tristan")
