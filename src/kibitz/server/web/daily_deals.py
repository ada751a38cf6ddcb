"""The deal of the day: one public seed for everybody, a list of results on this server, and the bots' results.

A visitor's first table counts; later ones are practice. What says something about the cards (the bots' results, how
hard the deal is, the tables of others) is sent only to those who have played it, or when its day is over.
"""

from datetime import timedelta

from kibitz.coach import deals
from kibitz.coach.daily import DailyDeal, daily_deal
from kibitz.core.game import Game
from kibitz.errors import KibitzError
from kibitz.server.live.messages import RefusedError, SeatSpec
from kibitz.server.live.table import LiveTable
from kibitz.server.live.table_service import TableService
from kibitz.server.live.table_state import Role
from kibitz.server.web.coach_store import CoachStore
from kibitz.server.web.sqlite_store import SqliteStore
from kibitz.server.web.visitor_puzzles import Fields, today

LISTED = 50  # results that are sent
SEAT = 0  # of the visitor
KEPT_DAYS = 31


class DailyDeals:
    def __init__(self, tables: TableService, kept: SqliteStore, store: CoachStore) -> None:
        self.tables, self.kept, self.store = tables, kept, store
        self.studied: dict[tuple[str, str], Fields] = {}  # by day and game

    def deal(self, name: str) -> DailyDeal:
        game = self.tables.game(name)
        try:
            return daily_deal(game, today())
        except KibitzError as error:
            raise RefusedError("unknown", str(error)) from None

    async def play(self, name: str, visitor: str, called: str) -> tuple[LiveTable, str, Role]:
        """A table with the deal of the day, with strong bots and without advice."""
        deal = self.deal(name)
        await self.tables.ready(deal.game)
        level = list(deal.game.lineups)[-1]
        seats = [
            SeatSpec("me"),
            *(SeatSpec("bot", agent=bot) for bot in deal.game.lineup(level).seats(deal.players - 1)),
        ]
        day = deal.day.isoformat()
        options = {"kibitz": False, "seed_chosen": True, "seed_by": f"the daily deal of {day}", "daily": day}
        table, token, role = await self.tables.set_up(deal.game, seats, deal.rules, deal.seed, 0, options, called)
        oldest = (deal.day - timedelta(days=KEPT_DAYS)).isoformat()
        await self.store.begin_daily(day, deal.game.name, visitor, table.id, called, oldest)
        return table, token, role

    async def shown(self, name: str, visitor: str) -> Fields:
        """The deal of the day as a visitor may know it."""
        deal = self.deal(name)
        rows = await self.results(deal)
        mine = next((row for row in rows if row["visitor"] == visitor), None)
        played = mine is not None and "points" in mine
        ranked = sorted((row for row in rows if "points" in row), key=lambda row: (-row["points"], row["undo"]))
        level = list(deal.game.lineups)[-1]
        return {
            "game": deal.game.name, "day": deal.day.isoformat(), "seed": deal.seed, "players": deal.players,
            "level": level, "command": deal.command, "attempts": len(rows), "finished": len(ranked), "played": played,
            "mine": mine["table"] if mine else None,
            "results": [
                {
                    **{name: row[name] for name in ("name", "points", "undo", "bot", "table")}, "mine": row is mine,
                }
                for row in ranked[:LISTED]
            ] if played else [],
        }  # fmt: skip

    async def results(self, deal: DailyDeal) -> list[Fields]:
        """The first attempts, with the results of those that are over."""
        day, game = deal.day.isoformat(), deal.game.name
        found = self.store.daily(day, game)
        pending = [table for _, table, _, result in found if result is None]
        kept = {row.id: row.finished is not None for row in self.kept.kept(pending)}
        rows = []
        for visitor, table, name, result in found:
            if result is None and kept.get(table):
                result = await self.result_of(table)
                await self.store.end_daily(table, result)
            row = {"visitor": visitor, "table": table, "name": name, **(result or {})}
            rows.append(row if result or table in kept else {**row, "table": None})  # it was deleted
        return rows

    async def result_of(self, id: str) -> Fields:
        async with self.tables.holding(id) as table:
            state = table.state
            if not state.over:
                return {"forfeit": True}
            bots = any(seats[SEAT]["kind"] == "bot" for seats in state.holders.values())
            return {"points": next(iter(state.core.result().values())), "undo": len(state.taken_back), "bot": bots}

    def study(self, deal: DailyDeal) -> Fields:
        """The bots' results, and how hard the deal is. It takes seconds the first time on a day."""
        key = deal.day.isoformat(), deal.game.name
        if key not in self.studied:
            self.studied = {other: kept for other, kept in self.studied.items() if other[0] == key[0]}
            bots = sorted(deal.bots().items(), key=lambda bot: -bot[1])
            self.studied[key] = {
                "bots": [
                    {"agent": name, "title": self.tables.title(deal.game, name), "points": points}
                    for name, points in bots
                ],
                **difficulty_of(deal.game, deal.start),
            }
        return self.studied[key]


def difficulty_of(game: Game, start: object) -> Fields:
    """How hard a deal is, for a page."""
    try:
        found = deals.difficulty(game, start)
        best = deals.open_cards(game, start)
    except KibitzError:
        return {}
    return {
        "percentile": round(found.percentile, 1), "deals": found.deals, "possible": best.answer,
        "scores": {name: {"here": score, "usual": found.usual[name]} for name, score in found.scores.items()},
    }  # fmt: skip
