"""The rules that people play by when they choose none."""

from kibitz.core import registry
from tests.server.web.guests import Parlour, in_parlour


@in_parlour()
async def test_a_table_of_people_is_played_by_the_usual_rules_and_a_chosen_rule_holds(here: Parlour) -> None:
    ada = await here.guest()
    usual = await ada.opened(rules={})
    assert usual["options"]["rules"] == registry.game("hanabi").check_rules({
        "lost_game": "zero", "full_discard": "forbidden"
    })  # fmt: skip
    assert await ada.refused("move", table=usual["table"], turn=0, move="discard 1") == "illegal"
    chosen = await ada.opened(rules={"full_discard": "allowed"})
    assert chosen["options"]["rules"]["lost_game"] == "zero"
    ada.say("move", table=chosen["table"], turn=0, move="discard 1")
    await ada.hear("event")
