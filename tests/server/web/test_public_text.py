"""What visitors read of an error never names a path of the server; its log does."""

import logging
from pathlib import Path
from typing import Any

import pytest

from kibitz.errors import KibitzError
from kibitz.server.live.public_text import public_text
from kibitz.server.web.lab import Run, public
from tests.server.web.guests import parlour, played

BOTS = [{"kind": "me"}, {"kind": "bot", "agent": "erratic"}]


@pytest.mark.parametrize(
    ("text", "public"),
    [
        (
            "[Errno 28] No space left on device: '/home/ada/data/tables.sqlite'",
            "[Errno 28] No space left on device: '…'",
        ),
        ("cannot import name 'x' from 'y' (/usr/lib/y.py)", "cannot import name 'x' from 'y' (…)"),
        ("open C:\\Users\\ada\\tables.sqlite: no", "open …: no"),
        ("https://hanab.live/replay-json/5 is no record", "https://hanab.live/replay-json/5 is no record"),
        ("not a position: 8/8/4k3/8 w - -; 1/2", "not a position: 8/8/4k3/8 w - -; 1/2"),
    ],
)
def test_paths_are_left_out_and_nothing_else(text: str, public: str) -> None:
    assert public_text(text) == public


def test_a_full_disk_is_reported_to_visitors_without_a_path_and_to_the_log_with_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada = await here.guest()
            table = (await ada.opened(seats=BOTS))["table"]
            writing = here.site.store.writing
            [pages] = writing.execute("pragma page_count").fetchone()
            writing.execute(f"pragma max_page_count = {pages}")
            here.guests.append(ada)
            refused: list[Any] = []
            while not refused:
                ada.say("chat", table=table, word=1)
                ada.say("note", table=table, mark=999)
                await ada.hear("error")
                refused = [each["message"] for each in ada.every("error") if "save" in each["message"]]
            assert refused == [
                "The server could not save this: its disk is full. Nothing was changed. Try again later."
            ]
            assert str(folder) not in "".join(ada.socket.sent)
            assert str(folder) in caplog.text
            writing.execute("pragma max_page_count = 1000000")
            ada.say("move", table=table, turn=0, move="discard 1")
            await ada.view_at(2)

    with caplog.at_level(logging.ERROR):
        played(scenario)


@pytest.mark.parametrize("error", [KibitzError, OSError, RuntimeError])
def test_whatever_is_raised_at_a_request_names_no_path(monkeypatch: pytest.MonkeyPatch, error: type[Exception]) -> None:
    async def scenario(folder: Path) -> None:
        def fails(*_: object) -> None:
            raise error(f"something about {folder / 'tables.sqlite'}")

        async with parlour(folder) as here:
            ada = await here.guest()
            monkeypatch.setattr(here.site.store, "load", fails)
            monkeypatch.setattr(here.site.lab, "run", fails)
            for type, fields in (
                ("spectate", {"table": "k3v9qm2x"}),
                ("lab_games", {"run": "x", "row": "a", "column": "b"}),
            ):
                await ada.refused(type, **fields)
            assert str(folder) not in "".join(ada.socket.sent)

    played(scenario)


def test_a_run_that_failed_names_no_path(tmp_path: Path) -> None:
    run = Run(
        run="a", what="match", game="hanabi", agents=["trustful"], players=2, games=1, seed=0, rules={}, created=0.0,
        state="failed", total=1, error=f"FileNotFoundError: {tmp_path / 'games.csv'}",
    )  # fmt: skip
    assert public(run)["error"] == "FileNotFoundError: …"
