"""Views and the wall: what a seat sees does not depend on what is hidden from it."""

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
            pair[WORLD].tobytes() == before, "`observe` changes the state. It may only write the view, pair[SEEN]."
        )
        at.require(
            int(view["seat"]) == seat, f"`seat` is {view['seat']} in the view of seat {seat}. Set it in `observe`."
        )
        for name in at.game.stream_fields:
            at.require(
                not view[name].any(),
                f"the view of seat {seat} contains the random numbers of `{name}`, which reveal the future. Call "
                f"observe_dice in `observe`, and set the other fields named in `stream_fields` to 0.",
            )
        changed = differing(at.pair(seat)[SEEN], view)
        at.require(not changed, f"calling `observe` twice for the same state gives different {changed}.")
    cheat = at.pair(0, cheats=True)[SEEN]
    for record in (cheat, at.table.open_state()):
        at.require(
            not any(record[name].any() for name in at.game.stream_fields),
            "the view of a player that cheats, or an open state, contains random streams.",
        )
    at.require(int(at.view(ONLOOKER)["dice"]) == 0, "an onlooker's view has `dice`. Call observe_dice in `observe`.")
    dice = {int(at.view(seat)["dice"]) for seat in at.viewers}
    at.require(len(dice) == at.players, "seats see the same `dice`, or none. Call observe_dice in `observe`.")


def dice_of_others(at: Position) -> None:
    """A seat's dice have no effect on what others see."""
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
                    not difference, f"{difference} in the view of seat {viewer} depends on the dice of seat {changed}."
                )


def accepted(at: Position) -> None:
    """A client accepts every real view that a host sends."""
    for seat in at.viewers:
        try:
            at.game.check_view(at.view(seat), seat)
        except KibitzError as error:
            at.refuse(
                f"`check_view` refuses the view of seat {seat}: {error} Let `bounds` include all possible values, and "
                f"let `starts_of` yield the start of the view's game."
            )


def same_in_other_worlds(at: Position) -> None:
    """In a world sampled for a seat, the seat and onlookers see the same as in the true world."""
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
            f"in a world that `sample_world` made from its view, seat {seat} sees different {difference}. Either "
            f"`observe` shows something it must hide, or `sample_world` changes something the seat can see.",
        )
        at.require(
            INTERPRETED or seen.tobytes() == world[SEEN].tobytes(),  # NumPy does not copy bytes between fields
            "views of equal worlds differ in the padding between fields. Copy whole structs, not field by field.",
        )
        at.functions.observe(world, ONLOOKER, False)
        difference = differing(public, world[SEEN])
        at.require(
            not difference,
            f"an onlooker sees something in {difference} that seat {seat} cannot see. An onlooker may only see what "
            f"all seats see.",
        )


def something_is_hidden(at: Position) -> None:
    at.require(
        not at.hid or any(at.hid),
        "sampled worlds never differ from the true one: `observe` hides nothing, or `sample_world` reads the state. A "
        "game that hides nothing leaves out `observe`, `sample_world` and `rewind`.",
    )
