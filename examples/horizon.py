"""The horizon effect on a draughts position: what a search believes that stops in the middle of an exchange.

python examples/horizon.py
python examples/horizon.py "W:W23,24,25,30:B14,15,16,21" --depth 5
"""

import argparse

from kibitz.games.draughts.evaluation import MATERIAL
from kibitz.games.draughts.game import DRAUGHTS
from kibitz.search.alphabeta import Options
from kibitz.search.move_values import MoveValue, value_moves

POSITION = "W:W16,17,24,25,30:B5,8,9,10,15"  # five men each, White to move


def looked(state, depth, quiets) -> dict[int, MoveValue]:
    found = value_moves(DRAUGHTS, state, depth, MATERIAL, Options(quiets=quiets))
    return {each.move: each for each in found}


def line(found: MoveValue) -> str:
    return f"{found.value:+6.0f}  {' '.join(map(DRAUGHTS.move_text, found.line))}"


def main() -> None:
    chosen = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    chosen.add_argument("position", nargs="?", default=POSITION, help="a FEN")
    chosen.add_argument("--depth", type=int, default=3, help="plies that both searches look ahead")
    chosen.add_argument("--far", type=int, default=15, help="plies of the search that is believed")
    chosen.add_argument("--variant", default="brazilian", choices=DRAUGHTS.rules[0].choices)
    options = chosen.parse_args()
    state = DRAUGHTS.set_up(options.position, 2, {"variant": options.variant})[0]
    stops, quiet = looked(state, options.depth, False), looked(state, options.depth, True)
    far = looked(state, options.far, True)
    print(f"{options.position}, points of 100 a man, {options.depth} plies")
    for title, search in (("stops at the horizon", stops), ("goes on until nothing can be taken", quiet)):
        best = next(iter(search))
        print(f"\n{title}: plays {DRAUGHTS.move_text(best)}, in truth {far[best].value:+.0f} ({options.far} plies)")
        for each in search.values():
            print(f"  {line(each)}")


if __name__ == "__main__":
    main()
