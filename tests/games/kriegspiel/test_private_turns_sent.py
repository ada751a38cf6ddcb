"""At a table with the umpire of the lecture nobody is sent that another attempted or asked something, or how often."""

import pytest

from kibitz.core.agent import Decision
from kibitz.core.table import Table
from kibitz.games.kriegspiel.game import KRIEGSPIEL
from kibitz.server.live.bot_seat import BotSeat
from kibitz.server.live.bot_tempo import BotTempo
from tests.server.host.hosts import Playing, Polite, hosting, line_guest
from tests.server.web.guests import Guest, Message, Parlour, in_parlour

RULES = {"umpire": "lecture"}


async def two_people(here: Parlour, **options: object) -> tuple[Guest, Guest, Guest, dict[str, str]]:
    ada, bo, eve = [await here.guest(name) for name in ("Ada", "Bo", "Eve")]
    seat = await ada.ask(
        "seat", "create", game="kriegspiel", seats=[{"kind": "me"}, {"kind": "open"}], rules=RULES, **options
    )
    where = {"table": seat["table"]}
    await bo.ask("seat", "sit", **where, invitation=seat["invitations"][0]["invitation"])
    eve.say("spectate", **where)
    await eve.hear("view", lambda view: view["state"] == "running")
    await ada.hear("view", lambda view: view["state"] == "running")
    return ada, bo, eve, where


async def play(guest: Guest, where: dict[str, str], turn: int, move: str) -> Message:
    guest.say("move", **where, turn=turn, move=move)
    return await guest.view_at(turn + 1)


@in_parlour(game="kriegspiel")
async def test_others_are_sent_nothing_of_a_private_turn_and_do_not_count_it(here: Parlour) -> None:
    ada, bo, eve, where = await two_people(here, move_seconds=600)
    await play(ada, where, 0, "e2e4")
    await bo.view_at(1)
    live = here.tables[where["table"]]
    timer, listed = live.clock.timer, live.views.listing()
    sent = [len(guest.socket.sent) for guest in (ada, eve)]
    asked = await play(bo, where, 1, "captures?")
    assert asked["view"]["said"][-1]["answer"] is False
    assert await bo.refused("move", **where, turn=2, move="captures?") == "illegal"
    assert await bo.refused("move", **where, turn=1, move="e7e5") == "stale"
    assert await ada.refused("move", **where, turn=1, move="captures?") == "not_your_turn"
    assert [len(guest.socket.sent) for guest in (ada, eve)] == [sent[0] + 1, sent[1]]  # but for the refusal
    assert live.clock.timer is timer  # no new time
    assert live.views.listing() == listed
    assert listed["turn"] == 1
    await play(bo, where, 2, "d7d5")
    for guest in (ada, eve):
        assert (await guest.view_at(2))["to_move"] == 0
    for move, turn in (("e4f5", 2), ("e4d5", 3)):
        await play(ada, where, turn, move)
    past = await bo.ask("history", "history", **where, turn=4, as_=1)  # what Bo counts
    assert past["event"]["text"] == "G1 has moved, a man is captured on d5"
    assert await bo.refused("history", **where, turn=5, as_=1) == "unknown"


@in_parlour(game="kriegspiel")
async def test_when_the_game_is_over_all_turns_are_shown_and_counted(here: Parlour) -> None:
    ada, bo, eve, where = await two_people(here)
    await play(ada, where, 0, "f2f3")
    await bo.view_at(1)
    await play(bo, where, 1, "captures?")
    await play(bo, where, 2, "e7e5")
    await ada.view_at(2)
    await play(ada, where, 2, "g2g4")
    await bo.view_at(4)
    bo.say("move", **where, turn=4, move="d8h4")
    for guest in (ada, bo, eve):
        last = await guest.hear("view", lambda view: view["state"] == "finished")
        assert last["turn"] == 5
        events = guest.every("events")[-1]["events"]
        assert [event["move"] for event in events] == ["f2f3", "captures?", "e7e5", "g2g4", "d8h4"]
        assert [event["turn"] for event in events] == [1, 2, 3, 4, 5]
    past = await ada.ask("history", "history", **where, turn=2, as_="open")
    assert past["event"]["answer"] is False


@pytest.mark.parametrize("asks", [False, True])
@in_parlour(game="kriegspiel")
async def test_the_history_of_seats_shows_no_private_turn_between_two_changes(here: Parlour, asks: bool) -> None:
    ada, bo, _, where = await two_people(here)
    await play(ada, where, 0, "e2e4")
    await bo.view_at(1)
    ada.say("bot_delay", **where, paused=True)
    await ada.ask("pong", "ping")
    for turn in (1, 2):
        bo.say("hand_to_bot", **where)
        bo.say("reclaim_seat", **where)
        await bo.ask("pong", "ping")
        if asks and turn == 1:
            await play(bo, where, 1, "captures?")
    late = await here.guest("Late")
    late.say("spectate", **where)
    await late.hear("view")
    history = late.every("events")[-1]["seat_history"]
    assert [each["turn"] for each in history] == [0, 1]
    assert [seat["kind"] for each in history for seat in each["seats"]] == ["person"] * 4


def scripted(monkeypatch: pytest.MonkeyPatch, *moves: str) -> tuple[list[str], list[float]]:
    """Bots make these moves: when they begin and have moved, and the delays that their turns wait for."""
    script, times, waits = iter(moves), list[str](), list[float]()

    async def think(bot: BotSeat, core: Table) -> Decision:
        return Decision(KRIEGSPIEL.move(next(script), core.state))

    def rest(tempo: BotTempo, delay: float) -> float:
        waits.append(delay)
        return 0.0

    monkeypatch.setattr(BotSeat, "_think", think)
    monkeypatch.setattr(BotTempo, "begin", lambda tempo: times.append("begin"))
    monkeypatch.setattr(BotTempo, "note_move", lambda tempo: times.append("move"))
    monkeypatch.setattr(BotTempo, "rest", rest)
    return times, waits


async def with_a_bot(here: Parlour, umpire: str) -> tuple[Guest, dict[str, str]]:
    ada = await here.guest("Ada")
    seats = [{"kind": "me"}, {"kind": "bot", "agent": "heuristic"}]
    seat = await ada.ask("seat", "create", game="kriegspiel", seats=seats, rules={"umpire": umpire}, bot_delay=700)
    return ada, {"table": seat["table"]}


@in_parlour(game="kriegspiel")
async def test_a_bots_private_turns_take_no_time_of_their_own(here: Parlour, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only its move waits for the delay, from the move before and from when the bot began to think."""
    times, waits = scripted(monkeypatch, "a7b6", "captures?", "e7e5")
    ada, where = await with_a_bot(here, "lecture")
    await play(ada, where, 0, "e2e4")
    assert (await ada.view_at(2))["to_move"] == 0
    assert len(here.tables[where["table"]].state.core.turns) == 4
    assert (times, waits) == (["move", "begin", "move"], [0.7])


@in_parlour(game="kriegspiel")
async def test_a_bots_illegal_attempt_is_not_paced_like_a_move(here: Parlour, monkeypatch: pytest.MonkeyPatch) -> None:
    """All hear of it from the umpire of the clubs: it waits only so that nobody learns how long the bot thought."""
    _, waits = scripted(monkeypatch, "e7e5", "e5e4", "b8c6")
    ada, where = await with_a_bot(here, "club")
    await play(ada, where, 0, "e2e4")
    await ada.view_at(2)
    await play(ada, where, 2, "g1f3")
    assert (await ada.view_at(5))["to_move"] == 0
    assert waits == [0.7, 0.0, 0.7]


def test_programs_play_an_ending_in_which_turns_are_private() -> None:
    """Two games over the network: one player gets structs and counts them to the end, the other pages, and asks."""
    with hosting("open,open", "kriegspiel", rules={"start": "rook_ending"}, games=2) as host:
        hunter = line_guest("believer", "kriegspiel")
        playing = Playing(hunter, host.where, games=2)
        host.offers(1)
        ends = Polite("King").play(host.where, 2)
        playing.ends()
    assert hunter.home.results[0]["winners"] == 1
    assert len(hunter.home.results) == 2
    assert [view["state"] for view in ends] == ["finished", "finished"]
