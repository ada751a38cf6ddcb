"""What each search technique saves in the position on the board: the ladder of `kibitz explain`, for the page.

It is for games without hidden information, so it reveals nothing. A step that takes too long is stopped and marked.
"""

from collections.abc import Sequence
from typing import Any

from kibitz.core.game import Game
from kibitz.engine.seat import Budget
from kibitz.search import drawn_tree, ladder
from kibitz.search.ladder import Step
from kibitz.search.players import usual_weights
from kibitz.server.live import messages
from kibitz.server.live.bot_seat import failure
from kibitz.server.live.limits import OWN_SECONDS
from kibitz.server.live.messages import RefusedError
from kibitz.server.live.play_requests import asked_about, check_kibitz
from kibitz.server.live.request_registry import handles
from kibitz.server.live.session import Session

MOST = Budget(2_000_000, 1_000)  # positions and milliseconds per step
LEVELS = 2  # of the tree, and fewer where moves are many
MOST_LEAVES = 120  # of a drawing beside a board
CHEAP = 300_000  # positions: where alpha-beta visits more, the tree is not drawn


@handles(messages.Ladder)
async def climb(session: Session, said: messages.Ladder) -> None:
    table, role = await session.table(said.table)
    check_kibitz(table.state)
    turn, place, seat = asked_about(said, table.state, role)
    game, state = table.game, table.state.at(place).copy().state
    ladder.check_position(game, state, said.depth)
    threads = session.service.bot_threads

    async def think() -> None:
        call = lambda: explained(game, state, said.depth)  # noqa: E731
        try:
            found = await threads.run(threads.advice, session.id, call, OWN_SECONDS)
        except Exception as error:
            raise RefusedError("failed", f"This position could not be searched: it {failure(error).heard}.") from None
        session.answer("ladder", said.request, table=table.id, turn=turn, seat=seat, depth=said.depth, **found)

    session.think(think(), said.request)


def explained(game: Game, state: Any, depth: int) -> dict[str, Any]:
    """The steps, the main line, and the first levels of the tree as SVG, if that is not too large."""
    weights = usual_weights(game)
    steps = list(ladder.climb(game, state, depth, weights, most=MOST))
    line = [game.move_text(move) for move in steps[-1].line or (steps[-1].move,) if move >= 0]
    return {
        "steps": [step_fields(game, step) for step in steps],
        "line": line,
        "tree": tree_of(game, state, depth, weights, steps),
    }


def step_fields(game: Game, step: Step) -> dict[str, Any]:
    fields = step._asdict() | {"move": game.move_text(step.move) if step.move >= 0 else None}
    del fields["line"]
    return fields if step.finished else fields | {"value": None, "move": None}


def tree_of(game: Game, state: Any, depth: int, weights: Any, steps: Sequence[Step]) -> str | None:
    pruned = steps[1]
    if not pruned.finished or pruned.nodes > CHEAP:
        return None
    for levels in range(min(LEVELS, depth), 0, -1):
        root = drawn_tree.grow(game, state, depth, levels, weights)
        if root.leaves <= MOST_LEAVES:
            return drawn_tree.svg(root, f"The first moves of {depth} plies; ✂ is cut off")
    return None
