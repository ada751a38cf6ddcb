"""Results of finished games: they fit the declared width, and everything derived from them agrees."""

from itertools import pairwise

import numpy as np

from kibitz.testing.position import Guarded, Position


def written(at: Position) -> None:
    """`result` writes every column, and no more than `width` numbers."""
    game, rows = at.game, []
    for before in (-1, -2):
        room = Guarded(game.width, np.int64)
        room.array[:] = before
        at.functions.result(at.state, room.array)
        at.require(
            not room.broken(),
            f"`result` writes more than the {game.width} numbers that the game declares. Name all of them in "
            f"`columns`, or set `width`.",
        )
        rows.append(room.array.tolist())
    for name, one, other in zip(game.columns, *rows, strict=False):
        at.require(one == other, f"`result` does not write {name}. It must write all `columns`.")


def agree(at: Position) -> None:
    game, state = at.game, at.state
    rows = np.array([game.row(state)] * 2, np.int64)
    at.require(bool(game.verdict(state)), "`verdict` returns no text for a finished game.")
    if game.competitive:
        masks = [int(mask) for mask in game.winners(rows)]
        at.require(len(masks) == 2 and masks[0] == masks[1], f"`winners` returns {masks} for two equal results.")
        at.require(
            0 <= masks[0] < 1 << at.players, f"`winners` returns {masks[0]}, which is not a mask of {at.players} seats."
        )
    else:
        scores, lost = game.scores(rows)
        at.require(len(scores) == 2 and scores[0] == scores[1], f"`scores` returns {scores} for two equal results.")
        at.require(
            0 <= scores[0] <= game.best, f"the score is {scores[0]}, but must be between 0 and `best`, {game.best}."
        )
        at.require(0 <= lost <= 2, f"`scores` returns {lost} lost games out of 2.")


def payoff(at: Position) -> None:
    if not at.has("payoff"):
        return
    payoffs = [float(at.functions.payoff(at.state, seat)) for seat in at.viewers]
    at.require(
        all(0 <= each <= 1 for each in payoffs), f"`payoff` returns {payoffs} for the seats. It must be from 0 to 1."
    )
    if at.game.competitive:
        winners = int(at.game.winners(at.game.row(at.state)[np.newaxis])[0])
        won = [each for seat, each in enumerate(payoffs) if winners >> seat & 1]
        rest = [each for seat, each in enumerate(payoffs) if not winners >> seat & 1]
        at.require(
            not won or not rest or min(won) >= max(rest),
            f"`payoff` returns {payoffs} for the seats, but `winners` returns the mask {winners}. Winners must have "
            f"the highest payoffs.",
        )


def counts(at: Position) -> None:
    game = at.game
    rows = game.row(at.state)[np.newaxis]
    found = game.count(rows, at.players)
    declared = {each.name: (at.players + 1, each.turns, max(1, len(each.kinds))) for each in game.counts}
    shapes = {name: np.shape(counted) for name, counted in found.items()}
    at.require(
        shapes == declared,
        f"`count` returns arrays of the shapes {shapes}, but `counts` declares {declared}: seats + 1, turns, kinds.",
    )
    table = game.table(rows, list(range(1, at.players + 1)))
    at.require("row" in table, "`table` has no column `row`. Add it: the index of the result that a line belongs to.")
    lengths = [len(column) for column in table.values()]
    at.require(
        all(one == other for one, other in pairwise(lengths)),
        f"the columns of `table` have different lengths: {lengths}.",
    )
