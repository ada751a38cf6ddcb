"""Handlers of requests to the coach: reviews of finished games, puzzles, the daily deal, the progress of visitors."""

import asyncio
from typing import TYPE_CHECKING

from kibitz.core.record import Record
from kibitz.server.live import messages, tokens
from kibitz.server.live.play_requests import tell_seat
from kibitz.server.live.session import Session
from kibitz.server.live.table import LiveTable
from kibitz.server.web import progress, visitor_puzzles
from kibitz.server.web.requests import check_creations, check_searches, handles

if TYPE_CHECKING:
    from kibitz.server.web.site import Site


@handles(messages.Review)
async def review(site: "Site", session: Session, said: messages.Review) -> None:
    def record_of(table: LiveTable) -> Record:
        """The record, in which people are not called like agents."""
        record = site.record(table)
        if not table.stored.options.get("imported"):
            people = table.state.held_by_people
            record.seats = ["?" if seat in people else name for seat, name in enumerate(record.seats)]
        return record

    await site.reviews.ask(session, said, record_of)


@handles(messages.Progress)
async def list_progress(site: "Site", session: Session, said: messages.Progress) -> None:
    check_searches(site, session)
    key = said.key or tokens.new_token()
    visitor = progress.visitor_of(key)
    if said.table:
        async with site.tables.holding(said.table) as table:
            seat = progress.seat_there(table, said.token)
            game = progress.game_of(table, seat, site.coach.review(table.id, ""))
        await site.coach.keep_game(visitor, said.table, game["ended"] or 0.0, game)
    session.answer("progress", said.request, key=None if said.key else key, **progress.shown(site.coach, visitor))


@handles(messages.ForgetProgress)
async def forget_progress(site: "Site", session: Session, said: messages.ForgetProgress) -> None:
    visitor = progress.visitor_of(said.key)
    await site.coach.forget_visitor(visitor)
    session.answer("progress", said.request, **progress.shown(site.coach, visitor))


# Puzzles


@handles(messages.Puzzle)
async def puzzle(site: "Site", session: Session, said: messages.Puzzle) -> None:
    check_searches(site, session)
    solver = await solver_of(site, said.game, said.key)
    found = solver.next(said)
    asked = visitor_puzzles.question(site.tables, found)
    session.answer("puzzle", said.request, **asked, **solver.overview(), me=solver.shown())


@handles(messages.Solve)
async def solve(site: "Site", session: Session, said: messages.Solve) -> None:
    check_searches(site, session)
    solver = await solver_of(site, said.game, said.key)
    found = solver.named(said.puzzle)
    move = visitor_puzzles.move_of(found, said.move)
    before = solver.progress.rating.rating
    counts = await solver.answered(found, found.solves(move))
    answer = visitor_puzzles.answer(found, move)
    session.answer("solved", said.request, **answer, counts=counts, before=before, me=solver.shown())


async def solver_of(site: "Site", game: str, key: str) -> visitor_puzzles.Solver:
    await site.tables.ready(site.tables.game(game))
    await asyncio.to_thread(visitor_puzzles.all_puzzles, game)  # a file that is read once
    return visitor_puzzles.Solver(site.coach, progress.visitor_of(key) if key else "", game)


# The deal of the day


@handles(messages.Daily)
async def daily(site: "Site", session: Session, said: messages.Daily) -> None:
    check_searches(site, session)
    deal = site.daily.deal(said.game)
    visitor = progress.visitor_of(said.key) if said.key else ""
    found = await site.daily.shown(said.game, visitor)
    if not found["played"]:
        session.answer("daily", said.request, **found)
        return

    async def studied() -> None:
        study = await site.worked_out(session.address, lambda: site.daily.study(deal))
        session.answer("daily", said.request, **found, **study)

    session.think(studied(), said.request)


@handles(messages.PlayDaily)
async def play_daily(site: "Site", session: Session, said: messages.PlayDaily) -> None:
    visitor = progress.visitor_of(said.key)
    check_creations(site, session)
    table, token, role = await site.daily.play(said.game, visitor, session.name)
    tell_seat(session, table, role, token, said.request)
