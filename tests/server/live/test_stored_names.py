"""Tables that earlier versions stored, with the names they used."""

from pathlib import Path

from kibitz.server.live.storage import Entry, StoredTable, current_listing
from tests.server.web.guests import THREE_BOTS, parlour, played


def test_options_and_rows_of_earlier_versions_are_read_under_their_present_names() -> None:
    stored = StoredTable(
        id="k3v9qm2x", game="hanabi", rules={}, start=None, dice=0, seats=[], host="", created=0.0,
        options={"pace": 600, "free_line": True, "kibitz": False}, summary={"state": "left", "undone": 2},
    )  # fmt: skip
    assert stored.options == {"bot_delay": 600, "analysis_board": True, "kibitz": False}
    assert stored.summary == {"state": "abandoned", "undo_count": 2}
    assert current_listing({"state": "running"}) == {"state": "running"}


def test_a_log_with_the_former_name_of_the_bot_delay_opens() -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada = await here.guest()
            view = await ada.opened(seats=THREE_BOTS)
            table = here.tables[view["table"]]
            await table.write(Entry("pace", {"pace": 700, "paused": True}))
        async with parlour(folder) as here:
            restored = await here.site.tables.table(view["table"])
            assert (restored.state.bot_delay, restored.state.paused) == (700, True)

    played(scenario)
