"""The start of a game as text: a whole deck to deal from, or a position set up card by card (see `positions`).

A position uses exactly the 50 cards of the deck. Cards it does not name are in the draw pile, shuffled unless their
order is given.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from kibitz.core.game import start_as
from kibitz.engine.seeds import keys, number
from kibitz.errors import KibitzError, RecordError
from kibitz.games.hanabi import rules
from kibitz.games.hanabi.cards import ALL, COLOURS, DECK, KINDS, RANKS, pile_heights
from kibitz.games.hanabi.moves import ALL_KINDS, kind_named, move_named
from kibitz.games.hanabi.state import CARDS, COLOUR_MARK, LIVES, RANK_MARK, STATE, TOKENS

Pile = dict[str, int]


class Start(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """The start in a record: `deck` alone for an ordinary deal, else a position."""

    deck: str = ""  # for a deal all 50 cards; for a position the draw pile, from its top
    hands: list[str] = []
    piles: Pile = {}
    discards: str = ""
    hints: list[str] = []  # given before the start at no cost, like "blue to G2"
    knowledge: list[str] = []  # or what hints said of every card, hand by hand: see `knowledge_text`
    tokens: int = TOKENS
    lives: int = LIVES
    to_move: int = 1
    turns_left: int | None = None  # once the draw pile is empty; by default one for each player


FORMER_KEYS = {"told": "knowledge"}  # as records from before the first release call them


def read(text: Any) -> Start:
    """The start in a record, of whatever version."""
    if isinstance(text, dict):
        text = {FORMER_KEYS.get(key, key): value for key, value in text.items()}
    return start_as(Start, text)


def cards_text(kinds: Any) -> str:
    return " ".join(ALL_KINDS[int(kind)].short for kind in kinds)


def cards_named(text: str) -> list[int]:
    return [kind_named(word).index for word in text.split()]


def dump(state: Any) -> Start:
    """The start that gives this state; a state in mid-game becomes a position without its history."""
    players = int(state["players"])
    expected = np.zeros(1, STATE)
    expected[0]["deck"] = state["deck"]
    rules.set_up(expected[0], players, int(state["rules"]))
    expected[0]["streams"] = state["streams"]
    if expected.tobytes() == state.tobytes():
        return Start(deck=cards_text(state["deck"]))
    hands = [state["hands"][seat][: state["held"][seat]] for seat in range(players)]
    copies = [int(mask) for mask in state["discarded"]]
    return Start(
        deck=cards_text(state["deck"][state["drawn"] :]),
        hands=[cards_text(state["deck"][place] for place in hand) for hand in hands],
        piles=pile_heights(int(state["played"])),
        discards=cards_text(kind for mask in copies for kind in range(KINDS) if mask >> kind & 1),
        knowledge=[knowledge_text(state, seat) for seat in range(players)],
        tokens=int(state["tokens"]),
        lives=int(state["lives"]),
        to_move=int(state["to_move"]) + 1,
        turns_left=int(state["countdown"]) if state["countdown"] >= 0 else None,
    )


def knowledge_text(state: Any, seat: int) -> str:
    """What hints said of a hand, a word per card: `c` and `r` if colour and rank are hinted, the kinds left in hex."""
    words = []
    for slot in range(state["held"][seat]):
        marks = int(state["marks"][seat][slot])
        properties = "c" * bool(marks & COLOUR_MARK) + "r" * bool(marks & RANK_MARK)
        kinds = int(state["hinted_kinds"][seat][slot])
        words.append(f"{properties}:{kinds:x}")
    return " ".join(words)


def know(state: Any, seat: int, text: str) -> None:
    words = text.split()
    held = int(state["held"][seat])
    if len(words) != held:
        raise RecordError(f"knowledge has {len(words)} words for a hand of {held} cards; it needs one per card.")
    for slot, word in enumerate(words):
        found = re.fullmatch(r"(c?)(r?):([0-9a-f]{1,7})", word)
        kinds = int(found[3], 16) & ALL if found else 0
        if found is None or not kinds >> int(state["deck"][state["hands"][seat][slot]]) & 1:
            raise RecordError(
                f"knowledge has {word!r} for a card: that is not of the form 'c:1f', or rules out the card itself."
            )
        state["hinted_kinds"][seat][slot] = kinds
        state["marks"][seat][slot] = COLOUR_MARK * bool(found[1]) | RANK_MARK * bool(found[2])


def load(start: Start, players: int, rule_bits: int) -> Any:
    """The start as an array of one state."""
    state = np.zeros(1, STATE)
    try:
        if start.hands:
            set_position(state[0], start, players, rule_bits)
        elif start != Start(deck=start.deck):
            raise RecordError("a position names the hands; a start without hands consists of a deck only")
        else:
            lay_deck(state[0], cards_named(start.deck))
            rules.set_up(state[0], players, rule_bits)
    except RecordError:
        raise
    except KibitzError as error:
        raise RecordError(f"The start of the game is invalid: {error}") from error
    return state


def lay_deck(state: Any, deck: list[int]) -> None:
    extra = Counter(deck) - Counter(DECK)
    missing = Counter(DECK) - Counter(deck)
    if extra or missing:
        says = [f"{n} too many {ALL_KINDS[kind]}" for kind, n in extra.items()]
        says += [f"{n} missing {ALL_KINDS[kind]}" for kind, n in missing.items()]
        raise RecordError(f"The cards are not the {CARDS} of the deck: {', '.join(says[:5])}.")
    state["deck"] = deck


def set_position(state: Any, start: Start, players: int, rule_bits: int) -> None:
    hands = [cards_named(hand) for hand in start.hands]
    most = rules.hand_size(players)
    if len(hands) != players or not all(len(hand) <= most for hand in hands):
        raise RecordError(f"{players} players need {players} hands of 1 to {most} cards.")
    check_range("tokens", start.tokens, 0, TOKENS)
    check_range("lives", start.lives, 1, LIVES)
    check_range("to_move", start.to_move, 1, players)
    played = pile_cards(start.piles)
    discards = cards_named(start.discards)
    laid = played + discards + [card for hand in hands for card in hand]
    named = cards_named(start.deck)
    rest = sorted((Counter(DECK) - Counter(laid + named)).elements())
    lay_deck(state, laid + named + rest)

    lay_out(state, players, rule_bits, played, discards, [len(hand) for hand in hands])
    state["tokens"], state["lives"], state["to_move"] = start.tokens, start.lives, start.to_move - 1
    if not named:
        rules.shuffle(state, len(laid), number(keys(0).deal, 0))
    last_round = len(laid) == CARDS
    if start.turns_left is not None and not last_round:
        raise RecordError("turns_left applies once the draw pile is empty, but there are cards left to draw.")
    if any(not hand and (seat == start.to_move - 1 or not last_round) for seat, hand in enumerate(hands)):
        raise RecordError(
            f"{players} players need {players} hands of 1 to {most} cards. A hand may be empty only in the last round, "
            f"and not that of the player to move."
        )
    if last_round:
        left = players if start.turns_left is None else start.turns_left
        check_range("turns_left", left, 1, players)
        state["countdown"] = left
    if len(start.knowledge) > players:
        raise RecordError(f"knowledge has {len(start.knowledge)} hands; there are {players}.")
    for seat, text in enumerate(start.knowledge):
        know(state, seat, text)
    for text in start.hints:
        move = move_named(text)
        if not move.is_hint or move.target >= players:
            raise RecordError(f"{text!r} is not a hint to one of {players} players, like 'blue to G2'.")
        rules.give_hint(state, move.target, (move - rules.HINT) % 10)
    if rules.to_move(state) == rules.GAME_OVER:
        raise RecordError("The position is already the end of a game.")


def lay_out(
    state: Any, players: int, rule_bits: int, played: Sequence[int], discards: Sequence[int], held: Sequence[int]
) -> None:
    """Deal a position: the deck begins with the piles, then the discards, then hands of these sizes."""
    rules.set_up(state, players, rule_bits)
    state["held"], state["drawn"] = 0, len(played) + len(discards)
    state["played"] = sum(1 << kind for kind in played)
    for kind in discards:
        rules.count_discard(state, kind)
    for seat, cards in enumerate(held):
        for _ in range(cards):
            rules.draw(state, seat)
        state["values"][seat] = rules.held_values(state, seat)


def pile_cards(piles: Pile) -> list[int]:
    cards = []
    for colour, height in piles.items():
        if colour not in COLOURS:
            raise RecordError(f"{colour!r} is not a colour. Colours are {', '.join(COLOURS)}.")
        check_range(f"{colour} pile", height, 0, RANKS)
        cards += [COLOURS.index(colour) * 5 + rank for rank in range(height)]
    return cards


def check_range(what: str, number: int, least: int, most: int) -> None:
    if not least <= number <= most:
        raise RecordError(f"{what} is {number}; it must be {least} to {most}.")
