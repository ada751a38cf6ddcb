"""Undo: a person who plays with bots only takes back their last move; the record keeps what they have seen since."""

from kibitz.engine import generic
from kibitz.server.live import messages
from kibitz.server.live.messages import RefusedError
from kibitz.server.live.request_registry import handles
from kibitz.server.live.session import Session
from kibitz.server.live.table_state import Role, TableState

MOST = 1000  # undos at one table: each adds to its log
LONGEST_LOG = 20_000  # entries of an analysis board


@handles(messages.Undo)
async def undo(session: Session, said: messages.Undo) -> None:
    table, role = await session.table(said.table)
    async with table.changing() as state:
        check_undo(state, role, said.turn)
        if state.analysis_board:
            await table.take_back(decided_at(state, said.turn), "")
            return
        times = state.turn_for(role) - said.turn
        what = "the last move" if times == 1 else f"the last {times} moves"
        await table.take_back(
            state.counted_turn(role, said.turn), f"{state.seats[state.person(role)].person} takes {what} back."
        )
    table.schedule_bots()


def check_undo(state: TableState, role: Role, turn: int) -> None:
    """Check an undo back to a turn: it must be the player's own last decision."""
    seat = state.person(role)
    if state.analysis_board:
        check_line(state, turn)
        return
    if state.over or state.forfeit:
        raise RefusedError("over", "The game is over, and its result stays. Try another move with “What if …”.")
    if state.held_by_people != {seat}:
        raise RefusedError("not_yours", "Moves can be taken back only where nobody but you and bots ever played.")
    if state.seats[seat].program:
        raise RefusedError("not_yours", "A program cannot take moves back.")
    own = [each.number - 1 for each in state.core.turns if each.seat == seat]
    first = state.stored.options.get("origin", {}).get("turn", 0)
    if not own or own[-1] < first:
        raise RefusedError("bad_message", "You have made no move here that could be taken back.")
    if turn != (last := state.number(seat, own[-1])):
        raise RefusedError(
            "stale", f"The table has changed: your last move came after {last} others, not after {turn}."
        )
    if len(state.taken_back) >= MOST:
        raise RefusedError("full", f"{MOST} moves were taken back at this table, and no more can be.")


def decided_at(state: TableState, turn: int) -> int:
    """The last turn up to this one with a player to move: rolls are not repeated."""
    chance = [each.seat == generic.CHANCE for each in state.core.turns]
    return next((at for at in range(turn, -1, -1) if not chance[at]), chance.index(False))


def check_line(state: TableState, turn: int) -> None:
    """On an analysis board one can go back any number of moves, also from its end."""
    if turn >= state.turn or all(each.seat == generic.CHANCE for each in state.core.turns):
        raise RefusedError(
            "stale", f"{state.turn} moves were made here: there is nothing after move {turn} to take back."
        )
    if state.entries >= LONGEST_LOG:
        raise RefusedError("full", "This analysis board keeps no more moves. Open another.")
