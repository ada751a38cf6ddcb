"""Agents for three sets."""

from kibitz.games.toys.three_sets.rules import move_text
from kibitz.search import expectimax
from kibitz.search.players import look_ahead_at_dice, random_player, searcher

random = random_player("three_sets", "Careless Cory")
expectiminimax = searcher(
    "three_sets", move_text, "expectiminimax", look_ahead_at_dice, needs=expectimax.NEEDS, depth=2, title="Wary Wanda",
)  # fmt: skip
