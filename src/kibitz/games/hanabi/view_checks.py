"""Views from outside: checks before compiled code reads them, and the possible starts of their games."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.game import plain
from kibitz.errors import RecordError
from kibitz.games.hanabi import rules
from kibitz.games.hanabi.cards import ALL, COPIES, KINDS, RANKS
from kibitz.games.hanabi.start_positions import lay_out
from kibitz.games.hanabi.state import CARDS, FACE_DOWN, HAND, LIVES, NO_FULL_DISCARD, STATE, TOKENS

NO_COUNTDOWN = -1
Fields = dict[str, Any]  # of a view, as plain numbers and lists
SUBSETS = [[slot for slot in range(HAND) if chosen >> slot & 1] for chosen in range(1 << HAND)]


def check(view: Any) -> None:
    """Refuse a view from which a world could not be sampled."""
    fields = plain(view)
    players, drawn, deck = fields["players"], fields["drawn"], fields["deck"]
    moves, details = view["history"] & 63, view["history"] >> 6 & 31  # as `rules.event` packs them
    real = moves.max() < rules.MOVES and details[moves < rules.HINT].max(initial=0) < KINDS
    require(bool(real), "has only moves of the game in its history")
    most = rules.hand_size(players)
    require(max(fields["held"][:players]) <= most, f"has hands of at most {most} cards at {players} players")
    held = [place for seat in range(players) for place in hand(fields, seat)]
    require(len(set(held)) == len(held) and max(held, default=-1) < drawn, "has a card in one hand or none")
    own = hand(fields, fields["seat"])
    face_down = {place for place, kind in enumerate(deck) if kind == FACE_DOWN}
    require(face_down == {*own, *range(drawn, CARDS)}, "hides the viewer's hand and the draw pile, and no more")
    seen = Counter(deck)
    unseen = [COPIES[kind % RANKS] - seen[kind] for kind in range(KINDS)]
    require(min(unseen) >= 0, "has no card more often than there are copies of it")
    require(
        can_be_held(fields["hinted_kinds"][fields["seat"]][: len(own)], unseen), "has hints that some hand agrees with"
    )


def require(holds: bool, promise: str) -> None:
    if not holds:
        raise RecordError(f"A view of Hanabi {promise}, but this one does not.")


def hand(fields: Fields, seat: int) -> list[int]:
    """The cards of a hand, as places in the deck."""
    places: list[int] = fields["hands"][seat][: fields["held"][seat]]
    return places


def can_be_held(hinted: Sequence[int], unseen: Sequence[int]) -> bool:
    """Whether the unseen cards allow a hand with these kinds left open by hints, by Hall's marriage theorem."""
    left = [1 << kind for kind, count in enumerate(unseen) for _ in range(count)]
    for slots in SUBSETS[1 : 1 << len(hinted)]:
        kinds = 0
        for slot in slots:
            kinds |= hinted[slot]
        if kinds != ALL and sum(1 for card in left if card & kinds) < len(slots):
            return False
    return len(hinted) <= len(left)


class Beginning(NamedTuple):
    """What the history of a view says about its start."""

    played: list[int]
    discards: list[int]
    held: list[int]  # by seat
    tokens: int
    lives: int
    to_move: int
    countdown: int


def starts(view: Any) -> Iterator[Any]:
    """The starts that are consistent with the history of a view: an ordinary deal, or a position set up by hand."""
    fields = plain(view)
    players = fields["players"]
    began = beginning(fields)
    if began is None:
        return
    if began == Beginning([], [], [rules.hand_size(players)] * players, TOKENS, LIVES, 0, NO_COUNTDOWN):
        deal = np.zeros(1, STATE)
        rules.set_up(deal[0], players, fields["rules"])
        yield deal
    position = np.zeros(1, STATE)
    lay_out(position[0], players, fields["rules"], began.played, began.discards, began.held)
    for name in ("tokens", "lives", "to_move", "countdown"):
        position[0][name] = getattr(began, name)
    if know_as_now(position[0], fields):
        yield position


def beginning(fields: Fields) -> Beginning | None:
    """The start before the history of a view, or None if there can be none."""
    players, now, turn = fields["players"], fields["to_move"], fields["turn"]
    history = fields["history"][:turn]
    # The move that drew the last card: the countdown began at the number of players and falls with every move.
    emptied = turn if fields["countdown"] < 0 else turn - 1 - players + fields["countdown"]
    played, held, lives = fields["played"], list(fields["held"][:players]), fields["lives"]
    discards = Counter(kind for mask in fields["discarded"] for kind in range(KINDS) if mask >> kind & 1)
    for number, happened in enumerate(history):
        if rules.event_move(happened) >= rules.HINT:
            continue
        kind, misplayed = rules.event_detail(happened), rules.event_misplayed(happened)
        if rules.event_move(happened) < rules.DISCARD and not misplayed:
            played &= ~(1 << kind)
        else:
            discards[kind] -= 1
            lives += misplayed
        held[(now - turn + number) % players] += number > emptied
    countdown = fields["countdown"] + turn if emptied < 0 else NO_COUNTDOWN
    tokens = tokens_before(history, fields["tokens"], fields["rules"])
    least = 1 if countdown == NO_COUNTDOWN else 0
    to_move = (now - turn) % players
    if (
        tokens is None
        or not 1 <= lives <= LIVES
        or min(discards.values(), default=0) < 0
        or not least <= min(held) <= max(held) <= rules.hand_size(players)
        or held[to_move] == 0
        or countdown == 0
        or played == ALL
    ):
        return None
    gone, piles = list(discards.elements()), [kind for kind in range(KINDS) if played >> kind & 1]
    if sorted(gone + piles) != sorted(fields["deck"][: len(gone) + len(piles)]):  # where `lay_out` puts them
        return None
    return Beginning(piles, gone, held, tokens, lives, to_move, countdown)


def tokens_before(history: Sequence[int], now: int, options: int) -> int | None:
    """The largest possible number of tokens before these moves, or None."""
    for start in range(TOKENS, -1, -1):
        tokens = start
        for happened in history:
            move = rules.event_move(happened)
            if move >= rules.HINT:
                tokens -= 1
            elif move >= rules.DISCARD:
                if tokens == TOKENS and options & NO_FULL_DISCARD:
                    break
                tokens = min(tokens + 1, TOKENS)
            elif rules.event_detail(happened) % RANKS == RANKS - 1 and not rules.event_misplayed(happened):
                tokens = min(tokens + 1, TOKENS)
            if tokens < 0:
                break
        else:
            if tokens == now:
                return start
    return None


def know_as_now(start: Any, fields: Fields) -> bool:
    """Copy today's knowledge about the cards held at the start to the start; whether it agrees with the cards."""
    for seat in range(fields["players"]):
        first = int(start["hands"][seat][0])
        for slot, place in enumerate(hand(fields, seat)):
            kind, kinds = fields["deck"][place], fields["hinted_kinds"][seat][slot]
            if kind != FACE_DOWN and not kinds >> kind & 1:
                return False
            if 0 <= place - first < start["held"][seat]:
                start["hinted_kinds"][seat][place - first] = kinds
                start["marks"][seat][place - first] = fields["marks"][seat][slot]
    return True
