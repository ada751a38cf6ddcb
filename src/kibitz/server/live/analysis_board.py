"""Analysis boards: one person continues a game from any turn, moving for every seat with all hands open."""

import time

import msgspec

from kibitz.server.live.messages import RefusedError
from kibitz.server.live.replay_leader import ReplayLeader
from kibitz.server.live.session import Session
from kibitz.server.live.table import LiveTable
from kibitz.server.live.table_service import TableService
from kibitz.server.live.table_state import Role, Seat
from kibitz.server.live.tokens import digest, new_id, new_token


async def analysis_board(tables: TableService, origin: LiveTable, turn: int) -> tuple[LiveTable, str, Role]:
    """A table that continues from a turn of another, with its creator's token and role."""
    state = origin.state
    if not state.all_may_be_seen:
        raise RefusedError("hidden", "People still play there, and would learn the cards. Wait until the game is over.")
    past = state.at(turn).copy()
    past.start_rolling()  # nobody can move while chance is to roll
    if past.over:
        raise RefusedError("over", "The game is over at that turn. Choose an earlier one.")
    token = new_token()
    names = [seat.called(state.title) or origin.game.seat_name(number) for number, seat in enumerate(state.seats)]
    stored = msgspec.structs.replace(
        origin.stored, id=new_id(), created=time.time(), finished=None, summary=None, put_away=None, host=digest(token),
        seats=[msgspec.to_builtins(Seat("person", person=name)) for name in names],
        options={"analysis_board": True, "open": True, "origin": {"table": origin.id, "turn": turn}},
    )  # fmt: skip
    table = LiveTable(tables, stored, origin.game, past)
    await tables.add(table)
    return table, token, Role(host=True)


def lead_on(session: Session, origin: LiveTable, table: LiveTable) -> None:
    """Make the leader of a replay the leader at the new analysis board, too, and send its id to the others."""
    lead = origin.views.lead
    if lead is not None and lead.leader is session:
        lead.line = table.id
        origin.views.send_lead()
        table.views.lead = ReplayLeader(session, lead.name, table.state.turn, "open")
