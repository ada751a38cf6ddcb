"""What is done for a visitor, request by request."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

import kibitz
from kibitz.web import bots, catalogue, messages, seats
from kibitz.web.bots import FailedError
from kibitz.web.lab import Lab
from kibitz.web.messages import RefusedError, Request
from kibitz.web.seats import Seat, clean_name, digest, fits
from kibitz.web.tables import AWAY, LiveTable
from kibitz.web.telling import VIEWERS, Manner, Place

if TYPE_CHECKING:
    from kibitz.web.visitors import Visitor

Said = TypeVar("Said", bound=messages.Said)
Answer = Callable[["Visitor", Any], Awaitable[None]]
ANSWERS: dict[type, Answer] = {}
SPOKEN = {word: viewer for viewer, word in VIEWERS.items()}


def answers(said: type[Said]) -> Callable[[Callable[["Visitor", Said], Awaitable[None]]], Answer]:
    def register(answer: Callable[["Visitor", Said], Awaitable[None]]) -> Answer:
        ANSWERS[said] = answer
        return answer

    return register


async def answered(visitor: "Visitor", said: messages.Anything) -> None:
    """Do what a visitor asks for."""
    if not visitor.greeted and not isinstance(said, messages.Hello):
        raise RefusedError("bad_message", "Say hello first: it tells which version you speak.")
    understood = visitor.house.understands
    if understood is not None and type(said) not in understood:
        words = ", ".join(sorted(str(kind.__struct_config__.tag) for kind in understood))
        raise RefusedError("unknown", f"This is not done here. What is: {words}.")
    await ANSWERS[type(said)](visitor, said)


@answers(messages.Hello)
async def hello(visitor: "Visitor", said: messages.Hello) -> None:
    if said.version != messages.VERSION:
        raise RefusedError("version", f"You speak version {said.version}; this server speaks {messages.VERSION}.")
    visitor.greeted = True
    visitor.name = clean_name(said.name)
    visitor.program = visitor.program or said.program
    visitor.manner = Manner.RECORD if said.records else Manner.PAGE
    visitor.answer(
        "welcome", said.request, version=messages.VERSION, server=f"kibitz {kibitz.__version__}",
        programs=visitor.house.programs_port,
    )  # fmt: skip


@answers(messages.Catalogue)
async def list_games(visitor: "Visitor", said: messages.Catalogue) -> None:
    visitor.answer("catalogue", said.request, games=catalogue.games(visitor.house))


@answers(messages.Lobby)
async def lobby(visitor: "Visitor", said: messages.Lobby) -> None:
    if said.on:
        visitor.house.lobby.add(visitor)
        visitor.send(visitor.house.tables_message(request=said.request))
    else:
        visitor.house.lobby.discard(visitor)


# Coming to a table


def seat_told(visitor: "Visitor", table: LiveTable, place: Place, token: str, request: Request) -> None:
    """Tell somebody what is theirs, then show them the table."""
    open_seats = [number for number, seat in enumerate(table.seats) if place.host and seat.kind == "open"]
    invitations = [{"seat": number, "invitation": seats.invitation(token, table.id, number)} for number in open_seats]
    visitor.answer("seat", request, table=table.id, seat=place.seat, token=token, invitations=invitations or None)
    visitor.join(table, place)


@answers(messages.Create)
async def create(visitor: "Visitor", said: messages.Create) -> None:
    check_creations(visitor)
    if not visitor.house.is_ready(said.game):
        visitor.answer("patience", said.request, text="Getting the game ready; the first time takes a minute.")
    table, token, place = await visitor.house.create(said, visitor.name)
    seat_told(visitor, table, place, token, said.request)


@answers(messages.WhatIf)
async def what_if(visitor: "Visitor", said: messages.WhatIf) -> None:
    check_creations(visitor)
    origin = await visitor.house.table(said.table)
    table, token, place = await visitor.house.what_if(said, origin, visitor.name)
    seat_told(visitor, table, place, token, said.request)


def check_creations(visitor: "Visitor") -> None:
    visitor.check_room()
    if not visitor.creations.take():
        raise RefusedError("too_fast", "You open tables too fast; wait a minute.")


@answers(messages.Sit)
async def sit(visitor: "Visitor", said: messages.Sit) -> None:
    visitor.check_room()
    if not said.table:
        visitor.house.seat_anywhere(visitor, said)
        return
    table = await visitor.house.table(said.table)
    async with table.lock:
        number = next((n for n, seat in enumerate(table.seats) if fits(said.invitation, seat.invitation)), None)
        if number is None:
            raise RefusedError("not_yours", "This invitation is not, or no longer, good for a seat at this table.")
        await take_seat(visitor, table, number, said)
    table.poke()


async def take_seat(visitor: "Visitor", table: LiveTable, number: int, said: messages.Sit) -> None:
    """Give somebody an open seat; the lock is held.

    Nobody is shown the table before the new holder's seat is on the disk and the token is on its way.
    """
    token, name = seats.new_token(), clean_name(said.name or visitor.name)
    changed = Seat("person", person=name, program=visitor.program, token=digest(token))
    await table.reseat(number, changed, f"{name} sits down at {table.game.seat_name(number)}.")
    seat_told(visitor, table, Place(number), token, said.request)


@answers(messages.Resume)
async def resume(visitor: "Visitor", said: messages.Resume) -> None:
    visitor.check_room()
    table = await visitor.house.table(said.table)
    number = next((n for n, seat in enumerate(table.seats) if fits(said.token, seat.token)), None)
    host = fits(said.token, table.kept.host)
    if number is None and not host:
        raise RefusedError("not_yours", "This token is not the key to a seat at this table.")
    seat_told(visitor, table, Place(number, host), said.token, said.request)


@answers(messages.Look)
async def look(visitor: "Visitor", said: messages.Look) -> None:
    visitor.check_room()
    table = await visitor.house.table(said.table)
    visitor.join(table, Place())


@answers(messages.Leave)
async def leave(visitor: "Visitor", said: messages.Leave) -> None:
    visitor.at(said.table)
    visitor.leave(said.table)
    visitor.answer("left", said.request, table=said.table)


# Playing


@answers(messages.Move)
async def move(visitor: "Visitor", said: messages.Move) -> None:
    table, place = visitor.at(said.table)
    await table.move(place, said.turn, said.move)


@answers(messages.GiveUp)
async def give_up(visitor: "Visitor", said: messages.GiveUp) -> None:
    table, place = visitor.at(said.table)
    async with table.lock:
        seat = table.person(place)
        check_goes_on(table)
        name = stand_in_for(visitor, table, said.agent)
        changed = msgspec.structs.replace(table.seats[seat], kind="bot", agent=name)
        where = table.game.seat_name(seat)
        await table.reseat(seat, changed, f"{changed.person} gives {where} up. From now on plays: {name}.")
    table.poke()


@answers(messages.Retake)
async def retake(visitor: "Visitor", said: messages.Retake) -> None:
    table, place = visitor.at(said.table)
    async with table.lock:
        check_goes_on(table)
        if place.seat is None:
            raise RefusedError("not_yours", "You hold no seat at this table.")
        if table.seats[place.seat].kind == "person":
            raise RefusedError("bad_message", "You sit there already.")
        if table.missed == (place.seat, table.turn):  # else who never moves could hold up the game for ever
            raise RefusedError(
                "not_your_turn", "You were late; this move is made for you. Take the seat back after it."
            )
        changed = msgspec.structs.replace(table.seats[place.seat], kind="person", agent="")
        where = table.game.seat_name(place.seat)
        await table.reseat(place.seat, changed, f"{changed.person} is back at {where}.")


@answers(messages.StandIn)
async def stand_in(visitor: "Visitor", said: messages.StandIn) -> None:
    table, place = visitor.at(said.table)
    async with table.lock:
        check_goes_on(table)
        if not table.may_pace(place):
            raise RefusedError("not_yours", "Only those who play here can ask a bot to play for somebody.")
        if said.seat >= len(table.seats):
            raise RefusedError("unknown", f"There are {len(table.seats)} seats at this table.")
        check_absent(table, said.seat)
        name = stand_in_for(visitor, table, said.agent)
        changed = msgspec.structs.replace(table.seats[said.seat], kind="bot", agent=name, invitation="")
        await table.reseat(said.seat, changed, f"{name} plays at {table.game.seat_name(said.seat)}.")
    table.poke()


def check_absent(table: LiveTable, seat: int) -> None:
    kind = table.seats[seat].kind
    if kind == "open":
        return
    if kind != "person":
        raise RefusedError("bad_message", "A bot plays there already.")
    if table.connected(seat) or table.seconds_away(seat) < AWAY:
        raise RefusedError(
            "not_yours", f"{table.seats[seat].person} is there, or was less than {AWAY:.0f} seconds ago; wait a little."
        )


def check_goes_on(table: LiveTable) -> None:
    if table.state not in ("running", "waiting"):
        raise RefusedError("over", "The game is over.")


def stand_in_for(visitor: "Visitor", table: LiveTable, name: str) -> str:
    return visitor.house.agent(table.game, name).name if name else table.substitute("")


@answers(messages.Pace)
async def pace(visitor: "Visitor", said: messages.Pace) -> None:
    table, place = visitor.at(said.table)
    if not table.may_pace(place):
        raise RefusedError("not_yours", "The pace is set by those who play here, or who made the table.")
    await table.set_pace(said.milliseconds, said.paused, said.step)


@answers(messages.Note)
async def note(visitor: "Visitor", said: messages.Note) -> None:
    table, place = visitor.at(said.table)
    if place.seat is None:
        raise RefusedError("not_yours", "Notes are for those who hold a seat.")
    await table.note(place.seat, said.card, said.text.strip(), visitor.house.limits.notes)


# Kibitzing, and looking back


def check_kibitz(table: LiveTable) -> None:
    if not table.kept.options.get("kibitz", True) and not table.all_may_be_seen:
        raise RefusedError("switched_off", "The kibitz panel is switched off at this table.")


def asked_about(said: messages.Advise | messages.Odds, table: LiveTable, place: Place) -> tuple[int, int]:
    """The turn and the seat of a question."""
    turn = table.turn if said.turn is None else said.turn
    seat = place.seat if said.seat is None else said.seat
    if seat is None:
        raise RefusedError("not_yours", "You hold no seat at this table. Say whose place you ask about.")
    table.check_sight(place, seat)
    return turn, seat


@answers(messages.Advise)
async def advise(visitor: "Visitor", said: messages.Advise) -> None:
    table, place = visitor.at(said.table)
    check_kibitz(table)
    turn, seat = asked_about(said, table, place)
    agent = visitor.house.agent(table.game, said.agent)
    if agent.traits.cheats:
        raise RefusedError("hidden", f"{agent.name} looks at cards that you may not see, and gives no advice.")
    past = table.at(turn).copy()
    if past.to_move != seat:
        raise RefusedError("not_your_turn", f"At turn {turn} it is not {table.game.seat_name(seat)}'s move.")
    house = visitor.house

    async def think() -> None:
        try:
            decision = await bots.advice(table.game, agent, past, seat, house.thinkers, house.patience)
        except FailedError as error:
            raise RefusedError("failed", f"{agent.name} has no advice: it {error.heard.removeprefix('it ')}.") from None
        visitor.answer(
            "advice", said.request, table=table.id, turn=turn, seat=seat, agent=agent.name,
            move=table.game.move_text(decision.move), reason=decision.reason,
        )  # fmt: skip

    visitor.ask(think(), said.request)


@answers(messages.Odds)
async def odds(visitor: "Visitor", said: messages.Odds) -> None:
    table, place = visitor.at(said.table)
    check_kibitz(table)
    turn, seat = asked_about(said, table, place)
    found = table.game.odds(table.at(turn).view(seat))
    visitor.answer("odds", said.request, table=table.id, turn=turn, seat=seat, odds=found)


@answers(messages.History)
async def history(visitor: "Visitor", said: messages.History) -> None:
    table, place = visitor.at(said.table)
    viewer = SPOKEN[said.viewer] if isinstance(said.viewer, str) else said.viewer
    table.check_sight(place, viewer)
    past = table.at(said.turn)
    visitor.answer(
        "history", said.request, table=table.id, turn=said.turn, **{"as": said.viewer},
        view=table.game.page(table.record(past, viewer)), to_move=None if past.over else past.to_move,
        event=table.event(past, viewer) if past.turns else None,
    )  # fmt: skip


# The laboratory


def laboratory(visitor: "Visitor") -> Lab:
    if visitor.lab is None:
        raise RefusedError("unknown", "There is no laboratory here.")
    return visitor.lab


@answers(messages.Lab)
async def lab(visitor: "Visitor", said: messages.Lab) -> None:
    if said.on:
        laboratory(visitor).listeners.add(visitor)
        visitor.send(laboratory(visitor).runs_message(request=said.request))
    else:
        laboratory(visitor).listeners.discard(visitor)


@answers(messages.LabStart)
async def lab_start(visitor: "Visitor", said: messages.LabStart) -> None:
    check_creations(visitor)
    game = visitor.house.game(said.game)
    for name in said.agents:
        visitor.house.agent(game, name)
    laboratory(visitor).start(said)


@answers(messages.LabCancel)
async def lab_cancel(visitor: "Visitor", said: messages.LabCancel) -> None:
    laboratory(visitor).cancel(said.run)


@answers(messages.LabResume)
async def lab_resume(visitor: "Visitor", said: messages.LabResume) -> None:
    laboratory(visitor).go_on(said.run)
