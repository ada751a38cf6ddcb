"""The horizon effect in chess: a bishop that is lost, and a search that does not want to see it.

python examples/bishop.py
python examples/bishop.py "R7/b5p1/1p3pP1/1P6/4K3/8/8/7k b - - 0 1" --depth 7
"""

import argparse

import numpy as np

from kibitz.games.chess.board import BISHOP, BLACK
from kibitz.games.chess.fen import move_text, read_fen
from kibitz.games.chess.search_position import apply, position_of
from kibitz.search import alphabeta
from kibitz.search.alphabeta import Options
from kibitz.search.book import no_book
from kibitz.search.clock import ENDLESS, Limit

# The rook attacks the bishop, which has no square to go to. A check by the pawn on f6 puts the loss off by two plies.
POSITION = "R7/b5p1/1p3pP1/1P6/4K3/8/8/7k b - - 0 1"
TABLE_BITS = 18


def searched(position, depth, options):
    """The value for the player to move, and the main line."""
    me = int(position["side"])
    workspace = alphabeta.workspace_for(position, me, options, np.zeros(0), TABLE_BITS, no_book())
    found = alphabeta.search(workspace, Limit(ENDLESS, np.inf, 0.0), depth, True)
    frame = workspace.frames[0]
    return found, [int(move) for move in frame["line"][: int(frame["length"])]], int(workspace.run[0]["nodes"])


def loses_bishop(position, line) -> bool:
    """Whether Black has no bishop at the end of a line."""
    here = np.array([position])
    for move in line:
        apply(here[0], move)
    return not int(here[0]["pieces"][BISHOP] & here[0]["sides"][BLACK])


def main() -> None:
    chosen = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    chosen.add_argument("position", nargs="?", default=POSITION, help="a FEN")
    chosen.add_argument("--depth", type=int, default=8, help="the depth of the deepest search, in plies")
    chosen.add_argument("--singular", type=float, default=0.0, help="extend moves with this lead in score; 0: none")
    options = chosen.parse_args()
    position = position_of(read_fen(options.position)[0])[0]
    print(f"{options.position}, hundredths of a pawn\n\nplies  value  positions  expects")
    for depth in range(1, options.depth + 1):
        found, line, nodes = searched(position, depth, Options(singular=options.singular))
        ends = "the bishop is lost" if loses_bishop(position, line) else "the bishop lives"
        print(f"{depth:5}  {found.value:+5.0f}  {nodes:9,}  {' '.join(map(move_text, line))} ({ends})")


if __name__ == "__main__":
    main()
