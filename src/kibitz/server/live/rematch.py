"""A rematch: a new table for the players of a finished game, in the same seats and with the same bots.

Each person's seat is reserved for them, and their token of the old game opens it. The first player to ask creates the
table; the others join it.
"""

from typing import Any

import msgspec

from kibitz.core.game import Game
from kibitz.server.live import tokens
from kibitz.server.live.messages import RefusedError, Request
from kibitz.server.live.play_requests import check_one_seat, tell_seat
from kibitz.server.live.session import Session
from kibitz.server.live.storage import Entry
from kibitz.server.live.table import LiveTable
from kibitz.server.live.table_service import TableService, hidden_seed
from kibitz.server.live.table_state import ANY_MOVE, Role, Seat, TableState

# Options of one game, not of how people want to play
OF_ONE_GAME = (
    "origin",
    "rematch_of",
    "seed_chosen",
    "seed_by",
    "seed_hidden",
    "paused",
    "open",
    "deadline",
    "invitations",
)


def role_of(table: LiveTable, token: str) -> Role:
    """The role of a token's holder at a table that is over."""
    if table.state.analysis_board:
        raise RefusedError(
            "bad_message", "Nobody plays at an analysis board, so it has no rematch. Open another one, or a table."
        )
    role = Role(table.state.seat_of(token), tokens.matches(token, table.stored.host))
    if role == Role():
        raise RefusedError("not_yours", "Only those who played here, or who made the table, can ask for a rematch.")
    if not table.state.ended:
        raise RefusedError("bad_message", "This game still goes on. Ask for a rematch when it is over.")
    return role


async def next_table(service: TableService, origin: LiveTable) -> LiveTable | None:
    """The table of the rematch, unless that game is over, too, or the table was deleted."""
    if origin.state.rematch is None:
        return None
    try:
        table = await service.table(origin.state.rematch["table"])
    except RefusedError:
        return None
    return None if table.state.ended else table


async def start(service: TableService, origin: LiveTable, role: Role, token: str, name: str) -> LiveTable:
    """Create the table of a rematch and announce it at the old one, whose lock is held."""
    state, stored = origin.state, origin.stored
    options = {key: value for key, value in stored.options.items() if key not in OF_ONE_GAME}
    options |= {"bot_delay": state.bot_delay, "joinable": state.joinable, "seed_chosen": False}
    dealt, core = service.deal(origin.game, len(state.seats), stored.rules, hidden_seed(), 0, options)
    dealt.options["rematch_of"] = {"table": origin.id, "first": core.to_move}
    seats = [next_seat(service, origin.game, state, number) for number in range(len(state.seats))]
    if role.seat is not None:
        name = state.seats[role.seat].person
        seats[role.seat] = Seat("person", person=name, token=tokens.digest(token))
    # The old table refers to the new one first: if the server is killed in between, no table is orphaned.
    rematch: dict[str, Any] = {"table": dealt.id, "by": name, "seat": role.seat}
    await origin.write(Entry("rematch", rematch))
    table = await service.open_table(dealt, origin.game, core, seats, tokens.digest(token))
    state.rematch = rematch
    if stored.finished is not None:
        await service.storage.finish(origin.id, stored.finished, origin.views.listing())
    origin.views.send_seats()
    service.on_change(origin)
    return table


def next_seat(service: TableService, game: Game, state: TableState, number: int) -> Seat:
    """A seat in the next game: reserved for the same person, or with the same bot."""
    seat = state.seats[number]
    if seat.token and not seat.program:
        return Seat("open", person=seat.person, reserved=seat.token)
    if seat.kind != "bot" or seat.program:
        return Seat("open")  # a program needs a new invitation
    began = msgspec.convert(state.stored.seats[number], Seat)
    agents = (began.agent if began.kind == "bot" else "", seat.agent, state.stand_in())  # one that failed may try again
    for name in agents:
        try:
            return Seat("bot", agent=service.agent(game, name).name)
        except RefusedError:
            continue  # it is no longer offered, or it was the fallback of random legal moves
    return Seat("bot", agent=ANY_MOVE)


async def come(session: Session, table: LiveTable, token: str, request: Request) -> None:
    """Give a person the seat that is reserved for them, or let them return to it."""
    async with table.changing() as state:
        number, host = state.seat_of(token), tokens.matches(token, table.stored.host)
        check_one_seat(session, table, number)
        if number is None and not host:
            number = free_seat(state, token)
            check_one_seat(session, table, number)
            if number is None:
                raise RefusedError(
                    "not_yours", "Your seat was given to somebody else, as you had not come. You can look on there."
                )
            name = state.seats[number].person or session.name
            text = f"{name} joins the rematch at {table.game.seat_name(number)}."
            await table.reseat(number, Seat("person", person=name, token=tokens.digest(token)), text)
        elif number is not None and state.seats[number].kind == "bot" and table.missed != (number, state.public_turn):
            held = msgspec.structs.replace(state.seats[number], kind="person", agent="")
            await table.reseat(number, held, f"{held.person} joins the rematch at {table.game.seat_name(number)}.")
        tell_seat(session, table, Role(number, host), token, request)
    table.schedule_bots()


def free_seat(state: TableState, token: str) -> int | None:
    """The seat reserved for the holder of a token, or one that is open to everybody."""
    reserved = (number for number, seat in enumerate(state.seats) if tokens.matches(token, seat.reserved))
    return next(iter([*reserved, *state.open_seats()]), None)


async def stay(table: LiveTable, token: str) -> None:
    """Note that a person declined; they can change their mind while the seat is free."""
    async with table.changing() as state:
        seats = enumerate(state.seats)
        number = next((number for number, seat in seats if tokens.matches(token, seat.reserved)), None)
        if number is None or state.seats[number].declined:
            return
        seat = msgspec.structs.replace(state.seats[number], declined=True)
        await table.reseat(number, seat, f"{seat.person} declines the rematch. Let a bot play, or open the seat.")
