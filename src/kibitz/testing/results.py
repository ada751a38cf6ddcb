"""Results of finished games: as wide as declared, and all that is said of them agrees."""

from itertools import pairwise

import numpy as np

from kibitz.testing.position import Guarded, Position


def written(at: Position) -> None:
    """`result` writes every column, and no more numbers than the game declares."""
    game, rows = at.game, []
    for before in (-1, -2):
        room = Guarded(game.width, np.int64)
        room.array[:] = before
        at.functions.result(at.state, room.array)
        at.require(
            not room.broken(),
            f"`result` writes more than the {game.width} numbers that the game declares. Name them in `columns`, or "
            f"say with `width` how many there are.",
        )
        rows.append(room.array.tolist())
    for name, one, other in zip(game.columns, *rows, strict=False):
        at.require(one == other, f"`result` does not write {name}. Let it write every one of the `columns`.")


def agree(at: Position) -> None:
    game, state = at.game, at.state
    rows = np.array([game.row(state)] * 2, np.int64)
    at.require(bool(game.verdict(state)), "`verdict` says nothing of a finished game.")
    if game.competitive:
        masks = [int(mask) for mask in game.winners(rows)]
        at.require(len(masks) == 2 and masks[0] == masks[1], f"`winners` gives {masks} for the same result twice.")
        at.require(0 <= masks[0] < 1 << at.players, f"`winners` is {masks[0]}, no mask of {at.players} seats.")
    else:
        scores, lost = game.scores(rows)
        at.require(len(scores) == 2 and scores[0] == scores[1], f"`scores` gives {scores} for the same result twice.")
        at.require(0 <= scores[0] <= game.best, f"a score is {scores[0]}, and has to be 0 to `best`, {game.best}.")
        at.require(0 <= lost <= 2, f"`scores` counts {lost} lost games of 2.")


def payoff(at: Position) -> None:
    if not at.has("payoff"):
        return
    worth = [float(at.functions.payoff(at.state, seat)) for seat in at.viewers]
    at.require(all(0 <= each <= 1 for each in worth), f"`payoff` is {worth}; it goes from 0 to 1.")
    if at.game.competitive:
        winners = int(at.game.winners(at.game.row(at.state)[np.newaxis])[0])
        won = [each for seat, each in enumerate(worth) if winners >> seat & 1]
        rest = [each for seat, each in enumerate(worth) if not winners >> seat & 1]
        at.require(
            not won or not rest or min(won) >= max(rest),
            f"`payoff` is {worth}, and `winners` says that others won, with the mask {winners}.",
        )


def counts(at: Position) -> None:
    game = at.game
    rows = game.row(at.state)[np.newaxis]
    found = game.count(rows, at.players)
    declared = {each.name: (at.players + 1, each.turns, max(1, len(each.kinds))) for each in game.counts}
    shapes = {name: np.shape(counted) for name, counted in found.items()}
    at.require(
        shapes == declared,
        f"`count` gives arrays of {shapes}; `counts` declares {declared}: seats and nobody, turns, kinds.",
    )
    table = game.table(rows, list(range(1, at.players + 1)))
    at.require("row" in table, "`table` has no column `row`, that says which result a line is about.")
    lengths = [len(column) for column in table.values()]
    at.require(all(one == other for one, other in pairwise(lengths)), f"the columns of `table` have {lengths} lines.")
