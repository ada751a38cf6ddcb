"""How long a bot thinks can depend on hidden cards: where people play, the moment of its move does not."""

import asyncio
from pathlib import Path

import pytest

from kibitz.core.agent import Decision
from kibitz.core.table import Table
from kibitz.games.hanabi.rules import DISCARD
from kibitz.server.live import table
from kibitz.server.live.bot_seat import BotSeat
from kibitz.server.live.bot_tempo import BotTempo, beat
from tests.server.web.guests import parlour, played

LIVE: list[table.LiveTable] = []  # the table of the latest `moments`
PAUSES: list[asyncio.Task[None]] = []  # kept from being collected


@pytest.mark.parametrize(
    ("first", "thought", "moment"),
    [(0.1, 0.0, 0.1), (0.1, 0.1, 0.1), (0.1, 0.11, 0.2), (0.1, 0.5, 0.8), (0.7, 0.69, 0.7), (0.7, 3.0, 5.6)],
)
def test_a_move_waits_for_the_next_beat(first: float, thought: float, moment: float) -> None:
    assert beat(first, thought) == pytest.approx(moment)


class Clock(BotTempo):
    """A tempo of which the time passes only while a bot thinks and while the table waits."""

    time = 0.0
    moves: list[float]

    def __init__(self, grid: float) -> None:
        super().__init__(grid, lambda: Clock.time)

    def note_move(self) -> None:
        super().note_move()
        Clock.moves.append(round(self.moved, 6))

    async def wait(self, seconds: float, nudged: asyncio.Event) -> None:
        Clock.time += seconds


def moments(monkeypatch: pytest.MonkeyPatch, thoughts: list[float], pace: int) -> list[float]:
    """When moves are made at a table of a person and a bot that thinks so long about one move after the other."""
    thinking = iter(thoughts)

    async def think(self: BotSeat, core: Table) -> Decision:
        Clock.time += next(thinking)
        return Decision(DISCARD)

    monkeypatch.setattr(Clock, "time", 0.0)
    monkeypatch.setattr(Clock, "moves", [], raising=False)
    monkeypatch.setattr(table, "BotTempo", lambda grid: Clock(0.1 if grid else 0.0))
    monkeypatch.setattr(BotSeat, "_think", think)

    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada = await here.guest()
            view = await ada.opened(seats=[{"kind": "me"}, {"kind": "bot", "agent": "bot1"}], bot_delay=pace)
            LIVE[:] = here.tables.values()
            for turn in range(0, 2 * len(thoughts), 2):
                ada.say("move", table=view["table"], turn=turn, move="discard 1")
                await ada.view_at(turn + 2)

    played(scenario)
    return Clock.moves


def test_a_bot_moves_at_least_the_delay_after_the_move_before(monkeypatch: pytest.MonkeyPatch) -> None:
    made = moments(monkeypatch, [0.001, 0.2, 0.99], 700)
    assert all(bots - persons > 0.6999 for persons, bots in zip(made[::2], made[1::2], strict=True))


@pytest.mark.parametrize("pace", [0, 700])
def test_a_quick_bot_moves_at_the_same_moments_whatever_it_thinks_about(
    pace: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick, slow = (moments(monkeypatch, [each] * 3, pace) for each in (0.001, 0.099))
    assert len(quick) == 6
    assert quick == slow


def test_a_slow_bot_tells_only_which_beat_it_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert moments(monkeypatch, [0.21, 0.3], 0) == moments(monkeypatch, [0.39, 0.22], 0)
    assert moments(monkeypatch, [0.3], 0) != moments(monkeypatch, [0.5], 0)


def test_a_pause_does_not_tell_whether_a_bot_was_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    """It still moves at the beat it was ready for, and not sooner because it need not think again."""
    undisturbed = moments(monkeypatch, [0.21], 0)
    paused: list[bool] = []

    async def wait(self: Clock, seconds: float, nudged: asyncio.Event) -> None:
        if paused:
            Clock.time += seconds
            return
        paused.append(True)
        Clock.time += 0.04
        [live] = LIVE
        await live.set_bot_delay(None, True, False)
        PAUSES.append(asyncio.create_task(live.set_bot_delay(None, False, False)))

    LIVE.clear()
    monkeypatch.setattr(Clock, "wait", wait)
    assert moments(monkeypatch, [0.21], 0) == undisturbed
    assert paused
