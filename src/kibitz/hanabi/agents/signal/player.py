"""The player `signal`."""

from kibitz.core.bits import count_bits
from kibitz.core.compile import compiled, struct_dtype
from kibitz.core.weights import Numbers
from kibitz.hanabi.agents import agent
from kibitz.hanabi.agents.choices import discarding, may_discard, playing
from kibitz.core.loop import decision
from kibitz.hanabi.agents.signal.common import COMMON, DRAFT, NOW, START, Common, begin, known_to_fit, sees_truth
from kibitz.hanabi.agents.signal.endgame import END_WORLD, think
from kibitz.hanabi.agents.signal.hand import OWN, least_missed, look, no_spare
from kibitz.hanabi.agents.signal.pace import DISCARDS, HINTS, PLAYS, plan
from kibitz.hanabi.agents.signal.questions import saying_slots, spare_slots
from kibitz.hanabi.agents.signal.reading import catch_up
from kibitz.hanabi.agents.signal.saving import early
from kibitz.hanabi.agents.signal.settings import DISCARD_SUMS, END_DECK, PLAY_SUMS, WEIGHTS
from kibitz.hanabi.agents.signal.silence import after_discard, after_play, says_nothing_fits
from kibitz.hanabi.agents.signal.telling import NO_MOVE, hint_saying, slot_saying
from kibitz.hanabi.cards import ALL, holds
from kibitz.hanabi.state import CARDS, State

PUBLIC = struct_dtype([("tables", COMMON, 3)])
MEMORY = struct_dtype([("tables", COMMON, 3), ("own", OWN), ("world", END_WORLD)])


def watch(view, public):
    if public.tables[START].begun == 0:
        begin(public.tables[START], view)
        public.tables[NOW] = public.tables[START]


@compiled
def shared_or_own(view, public, memory, weights):
    """Whether"""
    if memory.tables[START].begun == 0:
        if public.tables[START].begun == 0:
            begin(public.tables[START], view)
            public.tables[NOW] = public.tables[START]
        shared = public.tables[NOW]
        catch_up(shared, view, weights)
        if shared.doubts == 0 and sees_truth(shared, view):
            return True
        memory.tables[START] = public.tables[START]
        memory.tables[NOW] = memory.tables[START]
    catch_up(memory.tables[NOW], view, weights)
    return False


@agent(
    title="Summing Sasha",
    reasons=("play", "hint", "discard spare", "discard", "stuck"),
    origin="kibitz",
    watch=watch,
    public=PUBLIC,
    memory=MEMORY,
    weights=WEIGHTS,
)
def signal(view: State, public, memory, weights: Numbers) -> int:
    """Sums."""
    if shared_or_own(view, public, memory, weights):
        return decide_with(view, public.tables, memory, weights)
    return decide_with(view, memory.tables, memory, weights)


@compiled
def decide_with(view: State, tables, memory, weights: Numbers) -> int:
    own, c, draft = memory.own, tables[NOW], tables[DRAFT]
    look(own, c, view)
    chosen = plan(own, c, view, weights)
    if CARDS - view.drawn <= weights[END_DECK] and c.dead != ALL:
        least, _ = least_missed(own, c, view, weights)
        chosen = think(memory.world, own, c, view, chosen, least, weights)
    if chosen.act == PLAYS:
        slot = chosen.slot
        fit = known_to_fit(c, view.seat, c.fits)
        if weights[PLAY_SUMS] != 0 and early(c, weights) and count_bits(fit) >= 2 and holds(fit, slot):
            tables[DRAFT] = tables[NOW]
            after_play(draft, view.seat, weights)
            slot = slot_saying(draft, view, fit, weights)
        return playing(view, slot, 0)
    if chosen.act == HINTS:
        move = hint_saying(tables, view, weights)
        if move != NO_MOVE:
            return decision(move, 1)
    slot, cost = least_missed(own, c, view, weights)
    if not may_discard(view):
        return playing(view, slot, 4)
    spare = spare_slots(c, view.seat, weights)
    if chosen.act == HINTS and c.players > 2 and says_nothing_fits(c, view.seat, weights):
        other = no_spare(own, c, view, spare, weights)
        if other >= 0:
            return discarding(view, other, 3)
    slots = saying_slots(c, view.seat, slot, weights)
    if weights[DISCARD_SUMS] != 0 and count_bits(slots) >= 2:
        tables[DRAFT] = tables[NOW]
        after_discard(draft, view.seat, slot, weights)
        slot = slot_saying(draft, view, slots, weights)
    return discarding(view, slot, 2 if spare else 3)
