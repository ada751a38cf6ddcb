"""What visitors may do to a server: too much, too fast, nonsense, and nothing of it hurts anybody else."""

import asyncio
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.server.live import messages, session
from kibitz.server.live.rate_limit import TokenBucket
from kibitz.server.web.requests import WEB_REQUESTS
from tests.server.web.guests import QUICK, Guest, Parlour, in_parlour, parlour, played

SEATS = [{"kind": "me"}, {"kind": "bot", "agent": "hajdu_v1"}]
TYPES = [struct.__struct_config__.tag for struct in messages.MESSAGES]


def test_every_message_of_the_protocol_has_an_answer_and_a_line_in_the_documentation() -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            assert set(here.site.sessions.handlers) == set(messages.MESSAGES)

    played(scenario)
    page = (Path(__file__).parents[3] / "docs/reference/protocol.md").read_text()
    assert [type for type in TYPES if f'{{"type": "{type}"' not in page] == []


def test_the_messages_of_the_documentation_are_messages() -> None:
    page = (Path(__file__).parents[3] / "docs/reference/protocol.md").read_text()
    said, server = page.split("## Requests")[1].split("## Server messages")
    read = 0
    for block in said.split("```json\n")[1:]:
        text, decoder = block.partition("```")[0].strip(), json.JSONDecoder()
        while text:
            message, end = decoder.raw_decode(text)
            messages.decode(json.dumps(message))
            text, read = text[end:].strip(), read + 1
    assert read >= len(TYPES)
    for block in server.split("```json\n")[1:]:
        text, decoder = block.partition("```")[0].strip(), json.JSONDecoder()
        while text:
            _, end = decoder.raw_decode(text)
            text = text[end:].strip()


@in_parlour()
async def test_hello_comes_first_and_in_a_version_both_speak(here: Parlour) -> None:
    guest = Guest(here.site)
    here.guests.append(guest)
    assert await guest.refused("catalogue") == "bad_message"
    assert await guest.refused("hello", version=1) == "version"
    welcome = await guest.ask("welcome", "hello", version=2)
    assert await guest.ask("pong", "ping")
    assert welcome["version"] == 2


GARBAGE = [
    "", "{", "null", "[]", "17", '"hello"', "{}", '{"type": 3}', '{"type": "dance"}', '{"type": "move"}',
    '{"type": "move", "table": 5, "turn": 0, "move": "play 1"}',
    '{"type": "move", "table": "x", "turn": -1, "move": ""}',
    '{"type": "move", "table": "x", "turn": 1e300, "move": ""}',
    '{"type": "note", "table": "x", "mark": 1e9, "text": ""}',
    '{"type": "create", "game": "hanabi", "seats": {}}', '{"type": "history", "table": "x", "turn": 0, "as": "god"}',
    '{"type": "spectate", "table": "' + "x" * 5000 + '"}',
    '{"type":"hello","version":2,"name":"\\ud800"}', "[" * 50_000,
    '{"type": "spectate", "table": "../../etc/passwd"}', '{"type": "spectate", "table": "\' or 1=1 --"}',
]  # fmt: skip


@pytest.mark.parametrize("text", GARBAGE, ids=range(len(GARBAGE)))
@in_parlour()
async def test_nonsense_is_answered_with_what_is_wrong_and_nothing_happens(here: Parlour, text: str) -> None:
    ada = await here.guest()
    ada.send(text)
    error = await ada.hear("error")
    assert error["code"] in ("bad_message", "unknown", "not_yours")
    assert error["message"]
    assert await ada.ask("welcome", "hello", version=2)


@in_parlour()
async def test_bytes_are_no_messages(here: Parlour) -> None:
    ada = await here.guest()
    ada.socket.incoming.put_nowait(b"\x00\x01")
    assert (await ada.hear("error"))["code"] == "bad_message"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
FIELDS = ("table", "turn", "move", "seat", "seats", "game", "agent", "agents", "token", "invitation", "as", "on", "run",
          "what", "players", "games", "seed", "rules", "mark", "text", "milliseconds", "paused", "step", "request",
          "name", "version", "level", "bot_delay", "kibitz")  # fmt: skip
PLAUSIBLE = st.sampled_from(["hanabi", "trustful", "play 1", "discard 1", "match", "here", 0, 1, 2, True, [], {}])
MESSAGES = st.builds(
    lambda word, fields: {"type": word, **fields},
    st.sampled_from(TYPES),
    st.dictionaries(st.sampled_from(FIELDS), PLAUSIBLE | JSON, max_size=6),
)


@settings(max_examples=25)
@given(st.lists(MESSAGES, min_size=10, max_size=40))
@in_parlour()
async def test_whatever_is_said_the_server_lives_and_never_fails_at_it(
    here: Parlour, said: list[dict[str, object]]
) -> None:
    ada = await here.guest()
    view = await ada.opened(seats=SEATS)
    for message in said:
        if message.get("table") == "here":
            message["table"] = view["table"]
        if message["type"] != "lab_start":
            ada.send(json.dumps(message, allow_nan=True))
    assert await ada.ask("welcome", "hello", version=2)
    assert not [error for error in ada.every("error") if "The server failed" in error["message"]]


def test_who_talks_too_fast_is_warned_and_then_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(folder: Path) -> None:
        limits = replace(QUICK, messages_per_second=0.001, messages_at_once=5)
        async with parlour(folder, limits=limits) as here:
            ada, bo = await here.guest("Ada"), await here.guest("Bo")
            for number in range(8):
                ada.say("catalogue", request=number)
            error = await ada.hear("error")
            assert (error["code"], error["request"]) == ("too_fast", 4)
            for _ in range(30):
                ada.say("catalogue")
            await asyncio.wait_for(ada.task, 30)
            assert ada.socket.closed is not None
            assert ada.socket.closed[0] == 1008
            await bo.opened(seats=SEATS)

    monkeypatch.setattr(session, "GONE_TOO_FAR", 10)
    played(scenario)


def test_the_limit_fills_up_again_with_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("kibitz.server.live.rate_limit.time.monotonic", lambda: now[0])
    bucket = TokenBucket(rate=2, burst=3)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now[0] += 0.5
    assert [bucket.take() for _ in range(2)] == [True, False]
    now[0] += 100
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


@in_parlour(limits=replace(QUICK, unread=20))
async def test_who_does_not_read_is_let_go_and_may_come_back(here: Parlour) -> None:
    ada, bo = await here.guest("Ada"), await here.guest("Bo")
    seats = [{"kind": "me"}, {"kind": "open"}]
    seat = await ada.ask("seat", "create", game="hanabi", seats=seats)
    [invitation] = seat["invitations"]
    his = await bo.ask("seat", "sit", table=seat["table"], invitation=invitation["invitation"])
    bo.socket.free.clear()
    for _ in range(30):
        bo.say("catalogue")
    await asyncio.wait_for(bo.task, 30)
    assert bo.socket.closed is not None
    assert bo.socket.closed[0] == 1013
    await ada.hear("seats", lambda message: not message["seats"][1]["connected"])
    back = await here.guest("Bo")
    await back.ask("seat", "resume", table=seat["table"], token=his["token"])


def test_only_a_few_questions_are_thought_about_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.server.web import unruly

    async def scenario(folder: Path) -> None:
        async with parlour(folder, agents=["tests.server.web.unruly:Sleeping"]) as here:
            ada = await here.guest()
            view = await ada.opened(seats=SEATS)
            for _ in range(4):
                ada.say("advise", table=view["table"], agent="tests.server.web.unruly:Sleeping", request="well?")
            assert (await ada.hear("error"))["code"] == "too_fast"
            ada.say("move", table=view["table"], turn=0, move="discard 1")  # one goes on playing meanwhile
            await ada.view_at(1)
            await asyncio.to_thread(gate.write_bytes, b"now")
            assert (await ada.hear("advice"))["move"] == "discard 1"

    gate = unruly.known_file("gate")
    os.mkfifo(gate)
    try:
        played(scenario)
    finally:
        gate.unlink()


def test_a_failure_of_the_server_is_reported_without_its_insides(monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(session: object, message: object) -> None:
        raise RuntimeError("a secret")

    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada = await here.guest()
            assert await ada.refused("catalogue") == "failed"
            assert not any("a secret" in text for text in ada.socket.sent)

    handlers: dict[Any, Any] = dict(WEB_REQUESTS)
    monkeypatch.setattr("kibitz.server.web.site.WEB_REQUESTS", {**handlers, messages.Catalogue: broken})
    played(scenario)


@in_parlour()
async def test_a_visitor_who_hangs_up_leaves_every_table(here: Parlour) -> None:
    ada = await here.guest()
    view = await ada.opened(seats=SEATS)
    await ada.ask("tables", "lobby")
    await ada.ask("runs", "lab")
    await ada.gone()
    assert here.tables[view["table"]].audience.subscribers == {}
    assert not here.site.lobby.subscribers
    assert not here.lab.subscribers


def test_the_catalogue_names_every_game_and_agent() -> None:
    from kibitz.core import registry

    async def scenario(folder: Path) -> None:
        async with parlour(folder, agents=["tests.server.web.unruly:Slow"]) as here:
            ada = await here.guest()
            found = {game["name"]: game for game in (await ada.ask("catalogue", "catalogue"))["games"]}
            assert set(found) == {game.name for game in registry.games()}
            agents = [agent["name"] for agent in found["hanabi"]["agents"]]
            assert agents == [*sorted(registry.agent_entries("hanabi")), "tests.server.web.unruly:Slow"]
            assert found["hanabi"]["players"] == [2, 3, 4, 5]
            assert found["hanabi"]["levels"][0]["name"] == "beginner"

    played(scenario)


@in_parlour()
async def test_what_is_sent_is_valid_json_without_surprises(here: Parlour) -> None:
    ada = await here.guest("</script><b>")
    await ada.opened(seats=SEATS)
    for text in ada.socket.sent:
        assert "type" in msgspec.json.decode(text)
