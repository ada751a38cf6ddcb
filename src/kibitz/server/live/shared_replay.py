"""Shared replays: one person leads through a finished game, and the others at the table see the same turn."""

from kibitz.server.live import messages, tokens
from kibitz.server.live.messages import RefusedError
from kibitz.server.live.play_requests import VIEWER_NAMED
from kibitz.server.live.replay_leader import GRACE, ReplayLeader
from kibitz.server.live.request_registry import handles
from kibitz.server.live.session import Session
from kibitz.server.live.table import LiveTable
from kibitz.server.live.table_state import Role

MOST_ASKING = 20  # requests for the lead


def called(session: Session, table: LiveTable, role: Role) -> str:
    return session.name if role.seat is None else table.state.seats[role.seat].person or session.name


@handles(messages.ReplayLeader)
async def lead_replay(session: Session, said: messages.ReplayLeader) -> None:
    table, role = await session.table(said.table)
    views = table.views
    held = views.lead if views.lead is not None and views.lead.reserved else None
    name = called(session, table, role)
    if held is not None and said.key and tokens.matches(said.key, tokens.digest(held.key)):
        held.leader = session  # back on another connection
    elif said.to is not None or not said.on:
        check_leads(held, session)
        views.lead = handed_over(table, held, said.to) if held is not None and said.to is not None else None
    elif not table.state.all_may_be_seen:
        raise RefusedError(
            "hidden", "A replay is led when the game is over: while people play, each sees something else."
        )
    elif held is None:
        views.lead = ReplayLeader(session, name, table.state.turn, "open")
    elif held.leader is None:
        raise RefusedError(
            "full", f"{held.name} led and lost the connection. Wait {GRACE:.0f} seconds for them to come back."
        )
    elif held.leader is not session:
        ask(held, session, name)
    views.send_lead()
    session.answer("ok", said.request, table=table.id)


def check_leads(held: ReplayLeader | None, session: Session) -> None:
    if held is None or held.leader is not session:
        raise RefusedError("not_yours", "You do not lead the replay at this table.")


def ask(held: ReplayLeader, session: Session, name: str) -> None:
    """Ask the leader to pass the lead."""
    if any(each is session for each, _ in held.asking.values()):
        raise RefusedError("bad_message", f"You have already asked to lead; {held.name} can accept.")
    if len(held.asking) >= MOST_ASKING:
        raise RefusedError("full", "Too many people ask for the lead.")
    held.asking[held.asked] = session, name
    held.asked += 1


def handed_over(table: LiveTable, held: ReplayLeader, number: int) -> ReplayLeader:
    if number not in held.asking:
        raise RefusedError("unknown", "Nobody of that number asks for the lead any more.")
    leader, name = held.asking[number]
    return ReplayLeader(leader, name, held.turn, held.viewer)


@handles(messages.ReplayCursor)
async def set_cursor(session: Session, said: messages.ReplayCursor) -> None:
    table, role = await session.table(said.table)
    held = table.views.lead
    check_leads(held, session)
    assert held is not None
    viewer = VIEWER_NAMED[said.viewer] if isinstance(said.viewer, str) else said.viewer
    table.state.check_sight(role, viewer, said.turn)
    if max(said.turn, said.event or 0) > table.state.turn:
        raise RefusedError("unknown", f"{table.state.turn} moves were made at this table.")
    held.turn, held.viewer, held.event = said.turn, said.viewer, said.event
    table.views.send_lead(but=session)
