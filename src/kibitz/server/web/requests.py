"""Handlers of requests beside playing: the catalogue, the lobby, new tables, the laboratory."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from kibitz.core.record import nth_game
from kibitz.server.live import advice_requests, chat, ladder_requests, messages, rematch, request_registry

from kibitz.server.live import shared_replay, table_options, undo  # isort: skip
from kibitz.server.live.analysis_board import analysis_board, lead_on
from kibitz.server.live.messages import RefusedError
from kibitz.server.live.play_requests import greet, tell_seat
from kibitz.server.live.session import Session
from kibitz.server.web.lab_games import games_of, record_of
from kibitz.server.web.lobby import Page
from kibitz.server.web.my_games import my_games

if TYPE_CHECKING:
    from kibitz.server.web.site import Site

Asked = TypeVar("Asked", bound=messages.Message)
WebHandler = Callable[["Site", Session, Asked], Awaitable[None]]
SOON = 0.7  # seconds that a new table may take before its creator hears why
WEB_REQUESTS = request_registry.extended()
REGISTERED = advice_requests, chat, ladder_requests, shared_replay, table_options, undo  # by importing them


def handles(message: type[Asked]) -> Callable[[WebHandler[Asked]], WebHandler[Asked]]:
    """Register a handler that needs the site."""

    def register(handler: WebHandler[Asked]) -> WebHandler[Asked]:
        async def handle(session: Session, asked: Asked) -> None:
            await handler(session.sessions.server, session, asked)

        request_registry.handles(message, WEB_REQUESTS)(handle)
        return handler

    return register


@handles(messages.Hello)
async def hello(site: "Site", session: Session, said: messages.Hello) -> None:
    greet(session, said, programs=site.programs_port, quick_words=chat.WORDS)


@handles(messages.Catalogue)
async def list_games(site: "Site", session: Session, said: messages.Catalogue) -> None:
    session.answer("catalogue", said.request, games=site.catalogue)


@handles(messages.Lobby)
async def lobby(site: "Site", session: Session, said: messages.Lobby) -> None:
    if not said.on:
        site.lobby.unsubscribe(session)
    elif said.search:
        check_searches(site, session)
        await site.lobby.search(session, Page(said.which, said.page), said.search, said.request)
    else:
        site.lobby.subscribe(session, Page(said.which, said.page), said.request)


@handles(messages.MyGames)
async def list_my_games(site: "Site", session: Session, said: messages.MyGames) -> None:
    check_searches(site, session)
    session.answer("my_games", said.request, **my_games(site.tables, site.store, said, site.limits.listed))


def check_searches(site: "Site", session: Session) -> None:
    if not site.searches.take(session.address):
        raise RefusedError("too_fast", "Too many searches from your address. Wait a moment.")


# New tables


@handles(messages.Create)
async def create(site: "Site", session: Session, said: messages.Create) -> None:
    check_creations(site, session)
    creating = asyncio.ensure_future(site.create(said, session.name))
    await asyncio.wait([creating], timeout=SOON)
    if not creating.done() and not site.tables.is_ready(said.game):
        session.answer("pending", said.request, text="Preparing the game. The first time takes up to half a minute.")
    table, token, role = await creating
    tell_seat(session, table, role, token, said.request)


@handles(messages.WhatIf)
async def what_if(site: "Site", session: Session, said: messages.WhatIf) -> None:
    check_creations(site, session)
    table, token, role = await site.what_if(said, session.name)
    tell_seat(session, table, role, token, said.request)


@handles(messages.Rematch)
async def rematch_of(site: "Site", session: Session, said: messages.Rematch) -> None:
    session.check_room()
    session.check_seats()
    async with site.tables.holding(said.table) as origin, origin.changing():
        role = rematch.role_of(origin, said.token)
        table = await rematch.next_table(site.tables, origin)
        if table is None and said.answer != "propose":
            raise RefusedError("over", "That rematch is over, or its table was deleted. Ask for a new one.")
        if table is None:
            check_creations(site, session)
            table = await rematch.start(site.tables, origin, role, said.token, session.name)
    if said.answer == "decline":
        await rematch.stay(table, said.token)
        session.answer("ok", said.request, table=said.table)
    else:
        await rematch.come(session, table, said.token, said.request)


@handles(messages.AnalysisBoard)
async def open_analysis_board(site: "Site", session: Session, said: messages.AnalysisBoard) -> None:
    check_creations(site, session)
    origin = await site.tables.table(said.table)
    table, token, role = await analysis_board(site.tables, origin, said.turn)
    lead_on(session, origin, table)
    tell_seat(session, table, role, token, said.request)


def check_creations(site: "Site", session: Session) -> None:
    """Check the limits on new tables. A session's first few tables do not count towards its address."""
    session.check_room()
    session.check_seats()
    if not session.creations.take():
        raise RefusedError("too_fast", "You are creating tables too fast. Wait a minute.")
    session.created += 1
    if session.created > site.limits.free_tables and not site.creations.take(session.address):
        raise RefusedError("too_fast", "Too many new tables from your address. Wait a minute.")


# The laboratory


@handles(messages.Lab)
async def lab(site: "Site", session: Session, said: messages.Lab) -> None:
    if said.on:
        site.lab.subscribe(session, said.request)
    else:
        site.lab.unsubscribe(session)


@handles(messages.LabStart)
async def lab_start(site: "Site", session: Session, said: messages.LabStart) -> None:
    check_creations(site, session)
    game = site.tables.game(said.game)
    for name in said.agents:
        site.tables.agent(game, name)
    run, token = site.lab.start(said, session.address)
    session.answer("lab_started", said.request, run=run.run, token=token)


@handles(messages.LabGames)
async def lab_games(site: "Site", session: Session, said: messages.LabGames) -> None:
    run = site.lab.run(said.run)

    async def listed() -> None:
        found = await site.worked_out(session.address, lambda: games_of(run, said.row, said.column))
        session.answer("lab_games", said.request, run=run.run, **found)

    session.think(listed(), said.request)


@handles(messages.LabOpen)
async def lab_open(site: "Site", session: Session, said: messages.LabOpen) -> None:
    run = site.lab.run(said.run)
    check_creations(site, session)

    async def opened() -> None:
        record = await site.worked_out(
            session.address, lambda: record_of(run, said.row, said.column, said.match, said.number)
        )
        table = await site.take_in(record, session.address, nth_game(record, 0).seats)
        session.answer("lab_opened", said.request, run=run.run, table=table.id)

    session.think(opened(), said.request)


@handles(messages.LabCancel)
async def lab_cancel(site: "Site", session: Session, said: messages.LabCancel) -> None:
    site.lab.cancel(said.run, said.token)


@handles(messages.LabResume)
async def lab_resume(site: "Site", session: Session, said: messages.LabResume) -> None:
    site.lab.resume(said.run, said.token)
