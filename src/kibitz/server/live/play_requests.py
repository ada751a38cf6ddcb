"""Handlers of requests at tables: joining, playing, asking for advice, viewing earlier turns."""

import asyncio
from typing import Any

import msgspec

import kibitz
from kibitz.server.live import messages, tokens
from kibitz.server.live.audience import ViewFormat
from kibitz.server.live.messages import RefusedError, Request
from kibitz.server.live.request_registry import handles
from kibitz.server.live.session import Session
from kibitz.server.live.storage import Note
from kibitz.server.live.table import LiveTable
from kibitz.server.live.table_state import Role, Seat, TableState, clean_name
from kibitz.server.live.view_sender import VIEWERS

AWAY = 60.0  # seconds after which others may let a bot play for a player who left
VIEWER_NAMED = {name: viewer for viewer, name in VIEWERS.items()}


@handles(messages.Hello)
async def hello(session: Session, said: messages.Hello) -> None:
    greet(session, said)


def greet(session: Session, said: messages.Hello, **more: Any) -> None:
    """Begin a session; the welcome also has the fields of `more`."""
    if said.version != messages.VERSION:
        raise RefusedError(
            "version",
            f"You speak version {said.version} of the protocol; this server speaks version {messages.VERSION}. "
            f"Update your program, or reload the page.",
        )
    session.greet(clean_name(said.name))
    session.program = session.program or said.program
    session.format = ViewFormat.STRUCT if said.structs else ViewFormat.PAGE
    session.answer("welcome", said.request, version=messages.VERSION, server=f"kibitz {kibitz.__version__}", **more)


@handles(messages.Ping)
async def ping(session: Session, said: messages.Ping) -> None:
    session.answer("pong", said.request)


# Joining a table


def tell_seat(session: Session, table: LiveTable, role: Role, token: str, request: Request) -> None:
    """Send a client its seat and token, then the table."""
    invitations = [
        {"seat": number, "invitation": table.state.invitation(number) or tokens.invitation(token, table.id, number)}
        for number in (table.state.open_seats() if role.host else ())
    ]
    session.answer(
        "seat", request, table=table.id, seat=role.seat, token=token,
        host=role.host or None, invitations=invitations or None,
    )  # fmt: skip
    session.join(table, role)


def check_one_seat(session: Session, table: LiveTable, number: int | None) -> None:
    """A connection has one seat at a table, also after leaving it: from another it would see its own cards."""
    held = session.held.get(table.id, number)
    if number is not None and held is not None and held != number and not table.state.all_may_be_seen:
        where = table.game.seat_name(held)
        raise RefusedError(
            "not_yours",
            f"You hold {where} at this table, and from another seat you would see its cards. Resume {where}.",
        )


def invited_to(table: LiveTable, invitation: str) -> int:
    """The seat an invitation is valid for; at a table open to everybody none is needed."""
    if not invitation and table.state.joinable:
        if not table.state.open_seats():
            raise RefusedError("not_yours", "Every seat at this table is taken. You can look on.")
        return table.state.open_seats()[0]
    if not invitation:
        raise RefusedError("not_yours", "Only those who are invited can sit down at this table. You can look on.")
    seats = enumerate(table.state.seats)
    number = next((number for number, seat in seats if tokens.matches(invitation, seat.invitation)), None)
    if number is None:
        raise RefusedError("not_yours", "This invitation is not, or no longer, good for a seat at this table.")
    return number


@handles(messages.Invitation)
async def invitation(session: Session, said: messages.Invitation) -> None:
    table = await session.service.table(said.table)
    names = [seat.called(table.state.title) for seat in table.state.seats]
    session.answer(
        "invitation", said.request, table=table.id, seat=invited_to(table, said.invitation),
        game=table.game.name, title=table.game.title, names=list(filter(None, names)), **table.state.known_deal(),
    )  # fmt: skip


@handles(messages.Sit)
async def sit(session: Session, said: messages.Sit) -> None:
    session.check_room()
    session.check_seats()
    if not said.table:
        raise RefusedError("bad_message", "Say at which table, and the invitation you were given.")
    table = await session.service.table(said.table)
    async with table.changing():
        number = invited_to(table, said.invitation)
        check_one_seat(session, table, number)
        if not said.invitation:
            check_joins(session)
        await take_seat(session, table, number, said)
    table.schedule_bots()


def check_joins(session: Session) -> None:
    """Check a seat without an invitation: the rate limit of the address, and no programs."""
    if session.program:
        raise RefusedError("not_yours", "A program sits down with an invitation; anybody at the table can give it one.")
    if not session.sessions.joins.take(session.address):
        raise RefusedError("too_fast", "Many seats were taken from your address without an invitation; wait a minute.")


async def take_seat(session: Session, table: LiveTable, number: int, said: messages.Sit) -> None:
    """Give a client an open seat; the lock is held.

    The table is sent to nobody before the seat is on the disk and the token is on its way to its new holder.
    """
    token, name = tokens.new_token(), clean_name(said.name or session.name)
    changed = Seat("person", person=name, program=session.program, token=tokens.digest(token))
    await table.reseat(number, changed, f"{name} sits down at {table.game.seat_name(number)}.")
    tell_seat(session, table, Role(number), token, said.request)


@handles(messages.Resume)
async def resume(session: Session, said: messages.Resume) -> None:
    session.check_room()
    table = await session.service.table(said.table)
    number = table.state.seat_of(said.token)
    host = tokens.matches(said.token, table.stored.host)
    if number is None and not host:
        raise RefusedError("not_yours", "This token is not the key to a seat at this table.")
    check_one_seat(session, table, number)
    role = Role(number, host, played=number is None and table.id in session.held)
    tell_seat(session, table, role, said.token, said.request)


@handles(messages.Spectate)
async def spectate(session: Session, said: messages.Spectate) -> None:
    session.check_room()
    session.join(await session.service.table(said.table), Role(played=said.table in session.held))


@handles(messages.Leave)
async def leave(session: Session, said: messages.Leave) -> None:
    if said.table not in session.roles:
        await session.table(said.table)
    session.leave(said.table)
    session.answer("ok", said.request, table=said.table)


@handles(messages.Delete)
async def delete(session: Session, said: messages.Delete) -> None:
    if said.token:
        table = await session.service.table(said.table)
        role = Role(table.state.seat_of(said.token), tokens.matches(said.token, table.stored.host))
    else:
        table, role = await session.table(said.table)
    state = table.state
    if not role.host:
        raise RefusedError("not_yours", "Only the creator of a table can delete it.")
    others = [seat.person for number, seat in enumerate(state.seats) if seat.kind == "person" and number != role.seat]
    if state.status == "running" and others and not state.analysis_board:
        raise RefusedError("not_yours", f"{' and '.join(others)} still play here. Wait until the game is over.")
    present = [each for each in table.audience.subscribers if isinstance(each, Session)]
    await session.service.delete(table)
    for each in {*present, session}:
        each.roles.pop(table.id, None)
        each.answer("deleted", said.request if each is session else None, table=table.id)


# Playing


@handles(messages.Move)
async def move(session: Session, said: messages.Move) -> None:
    table, role = await session.table(said.table)
    await table.move(role, said.turn, said.move, said.reason)


@handles(messages.HandToBot)
async def hand_to_bot(session: Session, said: messages.HandToBot) -> None:
    table, role = await session.table(said.table)
    async with table.changing() as state:
        seat = state.person(role)
        state.check_goes_on()
        name = stand_in_for(session, table, said.agent)
        changed = msgspec.structs.replace(state.seats[seat], kind="bot", agent=name)
        await table.reseat(seat, changed, f"{state.title(name)} now plays for {changed.person}.")
    table.schedule_bots()


@handles(messages.ReclaimSeat)
async def reclaim_seat(session: Session, said: messages.ReclaimSeat) -> None:
    table, role = await session.table(said.table)
    async with table.changing() as state:
        state.check_goes_on()
        if role.seat is None:
            raise RefusedError("not_yours", "You hold no seat at this table.")
        if state.seats[role.seat].kind == "person":
            raise RefusedError("bad_message", "You sit there already.")
        if table.missed == (
            role.seat,
            state.public_turn,
        ):  # otherwise a player who never moves could block the game forever
            raise RefusedError(
                "not_your_turn", "You were late; this move is made for you. Take the seat back after it."
            )
        changed = msgspec.structs.replace(state.seats[role.seat], kind="person", agent="")
        where = table.game.seat_name(role.seat)
        await table.reseat(role.seat, changed, f"{changed.person} is back at {where}.")


@handles(messages.StandIn)
async def stand_in(session: Session, said: messages.StandIn) -> None:
    table, role = await session.table(said.table)
    async with table.changing() as state:
        state.check_goes_on()
        if not state.may_control(role):
            raise RefusedError("not_yours", "Only those who play here can ask a bot to play for somebody.")
        check_absent(table, said.seat)
        name = stand_in_for(session, table, said.agent)
        held = state.seats[said.seat]
        if held.reserved:  # an invited player who has not answered may still come and replace the bot
            held = Seat("open") if held.declined else Seat("open", person=held.person, token=held.reserved)
        changed = msgspec.structs.replace(held, kind="bot", agent=name, invitation="")
        await table.reseat(said.seat, changed, f"{state.title(name)} plays at {table.game.seat_name(said.seat)}.")
    table.schedule_bots()


@handles(messages.OpenSeat)
async def open_seat(session: Session, said: messages.OpenSeat) -> None:
    table, role = await session.table(said.table)
    async with table.changing() as state:
        state.check_goes_on()
        if not state.may_control(role):
            raise RefusedError("not_yours", "Only those who play here can open a seat to others.")
        check_absent(table, said.seat)
        held = state.seats[said.seat]
        if not held.reserved:
            raise RefusedError("bad_message", "That seat is not reserved for anybody.")
        changed = Seat("open", invitation=tokens.digest(state.invitation(said.seat)))
        text = f"{table.game.seat_name(said.seat)} is now open to others. It was reserved for {held.person}."
        await table.reseat(said.seat, changed, text)


@handles(messages.Joinable)
async def joinable(session: Session, said: messages.Joinable) -> None:
    table, role = await session.table(said.table)
    table.state.check_goes_on()
    if not table.state.may_control(role):
        raise RefusedError("not_yours", "Only the players and the creator of the table decide who may join.")
    async with table.changing() as state:
        if said.on and state.known_deal():
            raise RefusedError(
                "bad_message", "Somebody may know the cards of this table, so it is for those who are invited only."
            )
        if said.on != state.joinable:
            await table.choose({"joinable": said.on})


def check_absent(table: LiveTable, seat: int) -> None:
    """Check that a seat may be given to others: it is free, or its holder is away."""
    if seat >= len(table.state.seats):
        raise RefusedError("unknown", f"There are {len(table.state.seats)} seats at this table.")
    held = table.state.seats[seat]
    if held.kind == "open":
        asked = table.audience.seconds_away(seat)  # by a monotonic clock
        if held.reserved and not held.declined and asked < AWAY:
            raise RefusedError(
                "not_yours",
                f"{held.person} was asked {asked:.0f} seconds ago and has not answered; wait {AWAY:.0f} seconds.",
            )
        return
    if held.kind != "person":
        raise RefusedError("bad_message", "A bot plays there already.")
    if table.audience.connected(seat) or table.audience.seconds_away(seat) < AWAY:
        raise RefusedError(
            "not_yours", f"{held.person} is there, or was less than {AWAY:.0f} seconds ago; wait a little."
        )


def stand_in_for(session: Session, table: LiveTable, name: str) -> str:
    """The agent that plays for a person: the one named, or one of the table's level."""
    if not name:
        return table.state.stand_in()
    agent = session.service.agent(table.game, name)
    if agent.traits.cheats:
        raise RefusedError(
            "hidden", f"{agent.title} looks at cards that a player may not see, and plays for nobody. Choose another."
        )
    return agent.name


@handles(messages.BotDelay)
async def set_bot_delay(session: Session, said: messages.BotDelay) -> None:
    table, role = await session.table(said.table)
    if not table.state.may_control(role):
        raise RefusedError("not_yours", "Only the players and the creator of the table control its bots.")
    await table.set_bot_delay(said.milliseconds, said.paused, said.step)


@handles(messages.Note)
async def note(session: Session, said: messages.Note) -> None:
    table, role = await session.table(said.table)
    if role.seat is None:
        raise RefusedError("not_yours", "Notes are for those who hold a seat.")
    text = said.text.strip()
    if text and said.mark not in table.game.note_marks(table.views.view(table.state.core, role.seat)):
        raise RefusedError("unknown", "You have nothing here that this note could mark.")
    await table.note(Note(role.seat, said.mark, text, table.state.turn), session.limits.notes)


# Advice, and earlier turns


def check_kibitz(state: TableState) -> None:
    if not state.stored.options.get("kibitz", True) and not state.all_may_be_seen:
        raise RefusedError("switched_off", "The kibitz panel is switched off at this table.")


def asked_about(
    said: messages.Advise | messages.AdviseAll | messages.Odds | messages.Ladder, state: TableState, role: Role
) -> tuple[int, int, int]:
    """The turn of a question, as the client counts it and as the table does, and the seat."""
    turn = state.turn_for(role) if said.turn is None else said.turn
    place = state.counted_turn(role, turn)
    seat = role.seat if said.seat is None else said.seat
    if seat is None:
        raise RefusedError("not_yours", "You hold no seat at this table. Say whose place you ask about.")
    state.check_sight(role, seat, place)
    return turn, place, seat


@handles(messages.Odds)
async def odds(session: Session, said: messages.Odds) -> None:
    table, role = await session.table(said.table)
    check_kibitz(table.state)
    turn, place, seat = asked_about(said, table.state, role)
    # In a thread, because a game may search for them and other tables must not wait.
    found = await asyncio.to_thread(table.game.odds, table.state.at(place).view(seat))
    session.answer("odds", said.request, table=table.id, turn=turn, seat=seat, odds=found)


@handles(messages.History)
async def history(session: Session, said: messages.History) -> None:
    table, role = await session.table(said.table)
    viewer = VIEWER_NAMED[said.viewer] if isinstance(said.viewer, str) else said.viewer
    turn = table.state.counted_turn(role, said.turn)
    table.state.check_sight(role, viewer, turn)
    await table.views.prepare(table.state.at(turn), viewer)
    table.state.check_sight(role, viewer, turn)  # moves may have been made or taken back meanwhile
    past = table.state.at(turn)
    session.answer(
        "history", said.request, table=table.id, turn=said.turn, **{"as": said.viewer},
        view=table.game.page(table.views.view(past, viewer)), to_move=past.to_move if past.to_move >= 0 else None,
        event=table.views.event_at(past, viewer, said.turn),
    )  # fmt: skip
