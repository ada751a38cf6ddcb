"""Agents for tic-tac-toe."""

from kibitz.games.toys.tictactoe.rules import PLACES, move_text
from kibitz.search.players import random_player, searcher

random = random_player("tictactoe", "Scribbling Sid")
two_plies = searcher("tictactoe", move_text, "two_plies", depth=2, title="Hasty Hana")
perfect = searcher("tictactoe", move_text, "perfect", depth=PLACES, title="Perfect Pia")
