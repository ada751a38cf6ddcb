"""The map of elites for pages: what is sent of it, and that its agents can be seated by name and nothing else can."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from kibitz.core import registry
from kibitz.errors import KibitzError
from kibitz.server.live.messages import RefusedError
from kibitz.server.web import elite_maps
from tests.server.web.guests import parlour, played

HANABI = registry.game("hanabi")
ELITES: Any = HANABI.elites


def test_the_map_is_small_and_says_of_everybody_who_it_is() -> None:
    sent = elite_maps.as_json(HANABI)
    assert len(gzip.compress(sent)) < 40_000
    answer = json.loads(sent)
    assert len(answer["elites"]) == len(ELITES.map.elites)
    assert [axis["name"] for axis in answer["axes"]] == ["communicativeness", "risk_aversion"]
    for elite in answer["elites"]:
        assert elite["name"] in ELITES
        assert elite["does"]


def test_a_game_without_a_map_says_so() -> None:
    with pytest.raises(RefusedError, match="Love Letter has no map of elites"):
        elite_maps.as_json(registry.game("loveletter"))


def test_an_elite_is_seated_by_its_name() -> None:
    name = ELITES.name(ELITES.map.elites[-1].cell)

    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada = await here.guest()
            seats = [{"kind": "me"}, {"kind": "bot", "agent": name}]
            opened = await ada.opened(seats=seats, seed=3)
            assert opened["seats"][1]["agent"] == name
            assert here.site.tables.title(HANABI, name) == f"Elite {name[6:10]} · {name[11:]}"

    played(scenario)


@pytest.mark.parametrize(
    "name", ["elite-0.51-0.90", "elite-9.00-0.50", "elite-0.50", "elite-0.50-0.90.toml", "../elites"]
)
def test_names_that_are_no_elites_are_refused(name: str) -> None:
    assert not registry.is_known(HANABI, name)
    with pytest.raises(KibitzError):
        registry.agent(HANABI, name)
