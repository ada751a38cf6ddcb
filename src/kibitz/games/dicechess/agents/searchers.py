"""Searching players: algorithms from `kibitz.search`, evaluation from `search_position`."""

from kibitz.games.chess.fen import move_text
from kibitz.games.dicechess.search_position import WEIGHTS
from kibitz.search import expectimax
from kibitz.search.players import flat_searcher, look_ahead_at_dice, searcher, tree_searcher

expectiminimax = searcher(
    "dicechess", move_text, "expectiminimax", look_ahead_at_dice, needs=expectimax.NEEDS, depth=2, weights=WEIGHTS,
    title="Weighing Wim", origin="Michie 1966, Ballard 1983",
)  # fmt: skip
monte_carlo = flat_searcher("dicechess", "monte_carlo", 1000, title="Rambling Rolf")
mcts = tree_searcher("dicechess", "mcts", 1000, title="Climbing Clio")
