"""Views, and the wall: what a seat sees does not depend on what is hidden from it."""

from kibitz.engine import generic
from kibitz.engine.compile import INTERPRETED
from kibitz.engine.loop import ONLOOKER, SEEN, WORLD
from kibitz.errors import KibitzError
from kibitz.testing.position import OWN_DICE, Position, differing


def own_view(at: Position) -> None:
    for seat in (*at.viewers, ONLOOKER):
        before = at.state.tobytes()
        pair = at.pair(seat)
        view = pair[SEEN]
        at.require(
            pair[WORLD].tobytes() == before, "`observe` changes the state. It may write only the view beside it."
        )
        at.require(int(view["seat"]) == seat, f"the view of seat {seat} says that it is that of seat {view['seat']}.")
        for name in at.game.stream_fields:
            at.require(
                not view[name].any(),
                f"the view of seat {seat} has the random numbers of `{name}`, from which the future can be computed. "
                f"Let `observe` call show_dice, and set to 0 what else `stream_fields` names.",
            )
        changed = differing(at.pair(seat)[SEEN], view)
        at.require(not changed, f"the same view shown twice differs in {changed}.")
    cheat = at.pair(0, cheats=True)[SEEN]
    for record in (cheat, at.table.open_state()):
        at.require(
            not any(record[name].any() for name in at.game.stream_fields), "who cheats, or looks back, sees streams."
        )
    at.require(int(at.view(ONLOOKER)["dice"]) == 0, "an onlooker's view has `dice`. Let `observe` call show_dice.")
    dice = {int(at.view(seat)["dice"]) for seat in at.viewers}
    at.require(len(dice) == at.players, "seats have the same `dice`, or none. Let `observe` call show_dice.")


def dice_of_others(at: Position) -> None:
    """What one seat rolls changes nothing in what the others see."""
    for changed in at.viewers:
        for viewer in (*at.viewers, ONLOOKER):
            if viewer == changed:
                continue
            for cheats in (False, True):
                mine = at.pair(viewer, cheats)
                other = mine.copy()
                other[WORLD]["streams"][changed] ^= 1
                at.functions.observe(other, viewer, cheats)
                difference = differing(mine[SEEN], other[SEEN])
                at.require(
                    not difference, f"the dice of seat {changed} show in {difference} of what seat {viewer} sees."
                )


def accepted(at: Position) -> None:
    """A client takes every real view that a host sends it."""
    for seat in at.viewers:
        try:
            at.game.check_view(at.view(seat), seat)
        except KibitzError as error:
            at.refuse(
                f"`check_view` refuses the view of seat {seat}: {error} Let `bounds` hold every value there can be, "
                f"and `starts_of` tell how the game of a view began."
            )


def same_in_other_worlds(at: Position) -> None:
    """In a world sampled for a seat, the seat and every onlooker see what they see in the true one."""
    hides_nothing = generic.hides_nothing(at.game.dtype)
    public = at.view(ONLOOKER)
    for seat in at.viewers:
        pair = at.imagined(seat, at.stream(seat))
        if not hides_nothing:
            at.hid.append(bool(differing(pair[WORLD], at.state, OWN_DICE)))
        seen, world = pair[SEEN].copy(), pair.copy()
        world[WORLD]["streams"][seat] = at.state["streams"][seat]
        at.functions.observe(world, seat, False)
        difference = differing(seen, world[SEEN])
        at.require(
            not difference,
            f"seat {seat} sees something else in a world that `sample_world` made from its view: {difference}. Either "
            f"`observe` shows what it must hide, or `sample_world` changes what the seat can see.",
        )
        at.require(
            INTERPRETED or seen.tobytes() == world[SEEN].tobytes(),  # NumPy does not copy bytes between fields
            "views of equal worlds differ in bytes between the fields. Copy whole records, not field by field.",
        )
        at.functions.observe(world, ONLOOKER, False)
        difference = differing(public, world[SEEN])
        at.require(
            not difference,
            f"an onlooker sees something of {difference} that seat {seat} cannot see. An onlooker sees only what all "
            f"see.",
        )


def something_is_hidden(at: Position) -> None:
    at.require(
        not at.hid or any(at.hid),
        "no world that `sample_world` makes ever differs from the true one: `observe` hides nothing, or `sample_world` "
        "looks at the state. A game that hides nothing leaves out `observe`, `sample_world` and `rewind`.",
    )
