"""The player `signal`: from common knowledge and its view to a move that encodes a sum.

`common_knowledge` holds what everybody knows; `reading`, `implicit_signals` and `saving` infer it from moves.
`questions` and `codes` define what a number means, `hint_selection` finds the move that encodes it. `action_selection`
chooses between a play, a hint and a discard, and `endgame` searches the end of the deck.
"""

from typing import Any

from kibitz.core.weights import Numbers
from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled, struct_dtype
from kibitz.engine.loop import decision, move_of
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.agents.choices import discarding, may_discard, playing
from kibitz.games.hanabi.agents.signal import reasons
from kibitz.games.hanabi.agents.signal.action_selection import HINTS, PLAYS, action
from kibitz.games.hanabi.agents.signal.common_knowledge import (
    COMMON_KNOWLEDGE,
    DRAFT,
    NOW,
    START,
    CommonKnowledge,
    begin,
    consistent_with,
    known_playable,
    mask,
)
from kibitz.games.hanabi.agents.signal.endgame import ENDGAME_WORLD, EndgameBudget, search_endgame
from kibitz.games.hanabi.agents.signal.hint_selection import NO_MOVE, hint_encoding, slot_encoding, touched_by
from kibitz.games.hanabi.agents.signal.implicit_signals import (
    after_discard,
    after_play,
    implies_nothing_playable,
    implies_save,
)
from kibitz.games.hanabi.agents.signal.literal_play import literal_move
from kibitz.games.hanabi.agents.signal.own_hand import OWN_HAND, cheapest_discard, cheapest_indispensable, look
from kibitz.games.hanabi.agents.signal.questions import dispensable_slots, encoding_slots
from kibitz.games.hanabi.agents.signal.reading import catch_up, read, trusting
from kibitz.games.hanabi.agents.signal.saving import before_endgame
from kibitz.games.hanabi.agents.signal.value_network import expected_points
from kibitz.games.hanabi.agents.signal.weights import (
    ENDGAME_CARDS_PER_HINT,
    ENDGAME_DECK,
    ENDGAME_MIN_GAIN,
    ENDGAME_TRIAL_WORLDS,
    ENDGAME_WORLDS,
    MIN_PACE,
    MOD_SUM_DISCARDS,
    MOD_SUM_PLAYS,
    WEIGHTS,
)
from kibitz.games.hanabi.cards import ALL, KINDS, holds
from kibitz.games.hanabi.rules import HINT, allowed, event, legal
from kibitz.games.hanabi.state import CARDS, OPEN, State

PUBLIC = struct_dtype([("tables", COMMON_KNOWLEDGE, 3)])
MEMORY = struct_dtype([("tables", COMMON_KNOWLEDGE, 3), ("own", OWN_HAND), ("world", ENDGAME_WORLD)])
KnowledgeTables = Any  # the three structs of PUBLIC or of MEMORY


@compiled
def start(tables: KnowledgeTables, view: State) -> None:
    if tables[START].begun == 0:
        begin(tables[START], view)
        tables[NOW] = tables[START]


def watch(view: State, public: Any) -> None:
    """Note how the game began. Moves are decoded by the seats that decide, because it takes a view: see `reading`."""
    start(public.tables, view)


@compiled
def weights_fingerprint(weights: Numbers) -> float:
    """A number that shows whether two players use the same weights."""
    fingerprint = 1.0
    for place in range(weights.shape[0]):
        fingerprint += weights[place] * (place * place + 7.1 * place + 1.3)
    return fingerprint


@compiled
def may_share(view: State, public: Any, memory: Any, weights: Numbers) -> bool:
    """Update common knowledge; whether this seat may share it, and need not decode the game itself."""
    if memory.tables[START].begun == 0:
        start(public.tables, view)
        shared, fingerprint = public.tables[NOW], weights_fingerprint(weights)
        if shared.turn == public.tables[START].turn:
            shared.fingerprint = fingerprint
        if shared.fingerprint == fingerprint:
            catch_up(shared, view, weights)
            if view.players == 2 or (shared.contradictions == 0 and consistent_with(shared, view)):
                return True
        memory.tables[START] = public.tables[START]
        memory.tables[NOW] = memory.tables[START]
    catch_up(memory.tables[NOW], view, weights)
    return False


@compiled
def budget(weights: Numbers) -> EndgameBudget:
    worlds, trial_worlds = int(weights[ENDGAME_WORLDS]), int(weights[ENDGAME_TRIAL_WORLDS])
    cards_per_hint = int(weights[ENDGAME_CARDS_PER_HINT])
    return EndgameBudget(worlds, trial_worlds, weights[ENDGAME_MIN_GAIN], weights[MIN_PACE], cards_per_hint)


@compiled
def knowledge_tables(view: State, public: Any, memory: Any, weights: Numbers) -> KnowledgeTables:
    """Common knowledge, up to date."""
    return public.tables if may_share(view, public, memory, weights) else memory.tables


@compiled
def decide(view: State, tables: KnowledgeTables, memory: Any, weights: Numbers) -> int:
    """The decision of a seat, from common knowledge and its view."""
    own, c = memory.own, tables[NOW]
    look(own, c, view)
    tables[DRAFT].asked_for = 0
    if not trusting(c):
        return literal_move(own, c, view, weights)
    chosen = action(own, c, view, weights)
    if CARDS - view.drawn <= weights[ENDGAME_DECK] and c.useless != ALL:
        least, _ = cheapest_discard(own, c, view, weights)
        chosen = search_endgame(memory.world, own, c, view, chosen, least, budget(weights))
    if chosen.act == PLAYS:
        return play(view, tables, memory, chosen.slot, weights)
    if chosen.act == HINTS:
        move = hint_encoding(tables, view, weights)
        if move != NO_MOVE:
            return decision(move, reasons.SAVE if implies_save(c, view.seat, weights) else reasons.HINT)
    return discard(view, tables, memory, chosen.act == HINTS, weights)


@compiled
def play(view: State, tables: KnowledgeTables, memory: Any, slot: int, weights: Numbers) -> int:
    """Play a card; of several that are publicly playable, the one that encodes the sum."""
    c = tables[NOW]
    fit = known_playable(c, view.seat, c.playable)
    if weights[MOD_SUM_PLAYS] != 0 and before_endgame(c, weights) and count_bits(fit) >= 2 and holds(fit, slot):
        tables[DRAFT] = tables[NOW]
        after_play(tables[DRAFT], view.seat, weights)
        return playing(view, slot_encoding(tables[DRAFT], view, fit, weights), reasons.PLAY_ENCODING)
    return playing(view, slot, reasons.PLAY if memory.own.kinds[slot] & ~c.playable == 0 else reasons.GAMBLE)


@compiled
def discard(view: State, tables: KnowledgeTables, memory: Any, instead: bool, weights: Numbers) -> int:
    """Discard a card; of several that cost about as little, the one that encodes the sum.

    `instead` means in place of a hint, when none encodes the sum.
    """
    own, c = memory.own, tables[NOW]
    slot, _ = cheapest_discard(own, c, view, weights)
    if not may_discard(view):
        return playing(view, slot, reasons.STUCK)
    dispensable = dispensable_slots(c, view.seat, weights)
    if instead and c.players > 2 and implies_nothing_playable(c, view.seat, weights):
        other = cheapest_indispensable(own, c, view, dispensable, weights)
        if other >= 0:
            return discarding(view, other, reasons.DISCARD)
    slots = encoding_slots(c, view.seat, slot, weights)
    if weights[MOD_SUM_DISCARDS] != 0 and count_bits(slots) >= 2:
        tables[DRAFT] = tables[NOW]
        after_discard(tables[DRAFT], view.seat, slot, weights)
        return discarding(view, slot_encoding(tables[DRAFT], view, slots, weights), reasons.DISCARD_ENCODING)
    return discarding(view, slot, reasons.DISCARD_DISPENSABLE if dispensable else reasons.DISCARD)


# For search over this player as a blueprint


def truthful_moves(view: State, public: Any, memory: Any, weights: Numbers) -> int:
    """The moves after which common knowledge is still true."""
    tables = knowledge_tables(view, public, memory, weights)
    rest, true = legal(view), 0
    while rest:
        move = lowest_bit(rest)
        rest &= rest - 1
        true |= int(not trusting(tables[NOW]) or is_truthful(view, tables, move, weights)) << move
    return true


@compiled
def is_truthful(view: State, tables: KnowledgeTables, move: int, weights: Numbers) -> bool:
    """Whether everything read into a move is true, as far as the mover sees."""
    tables[DRAFT] = tables[NOW]
    draft = tables[DRAFT]
    touched = 0
    if move >= HINT:
        touched = touched_by(view, (move - HINT) // 10, (move - HINT) % 10)
    read(draft, view, event(move, touched, 0), weights)
    return draft.contradicted == 0 and consistent_with(draft, view)


def infer(view: State, public: Any, memory: Any, weights: Numbers) -> None:
    """Restrict the viewer's hand to the kinds that common knowledge allows."""
    c = knowledge_tables(view, public, memory, weights)[NOW]
    for slot in range(view.held[view.seat]):
        view.hinted_kinds[view.seat][slot] &= mask(c, view.seat, slot)


@compiled
def known_in(state: State, public: Any, memory: Any, weights: Numbers) -> CommonKnowledge:
    """Common knowledge in a state with all cards face up, as the player to move reads it."""
    state.seat = state.to_move
    tables = knowledge_tables(state, public, memory, weights)
    state.seat = OPEN
    return tables[NOW]


def estimate(state: State, public: Any, memory: Any, weights: Numbers) -> float:
    """The expected payoff of a state if all players continue with this agent."""
    return expected_points(state, known_in(state, public, memory, weights), weights) / KINDS


@agent(
    title="Summing Sasha",
    reasons=reasons.REASONS,
    reason_variables=reasons.words,
    origin="kibitz; after Cox et al. 2015 and later programs that encode information in hints",
    watch=watch,
    public=PUBLIC,
    memory=MEMORY,
    weights=WEIGHTS,
    truthful_moves=truthful_moves,
    infer=infer,
    estimate=estimate,
)
def signal(view: State, public: Any, memory: Any, weights: Numbers) -> int:
    """Encodes a number in every move: the sum of what all other players should know. Each of them subtracts what the
    others should know and is left with its own part.

    With partners who follow other conventions it soon takes hints literally.
    """
    tables = knowledge_tables(view, public, memory, weights)
    made = decide(view, tables, memory, weights)
    return made if allowed(view, move_of(made)) else decision(lowest_bit(legal(view)), reasons.ANYTHING)
