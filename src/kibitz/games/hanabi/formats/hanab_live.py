"""Games of hanab.live: its JSON and its short replay links, read and written.

Its standard game is ours with other names. The suits are red, yellow, green, blue and purple, which is
our white; the deck is listed in the order it is drawn, whole hands are dealt in the order of the seats,
and a card is named by its place in the deck. A discard with all 8 tokens there is forbidden and a lost
game scores nothing: these are the rules of a game that comes from there.
"""

import re
import string
from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote

import msgspec
import numpy as np

from kibitz.core.agent import Decision
from kibitz.core.formats import UNREADABLE, Format
from kibitz.core.record import Record
from kibitz.core.table import Table
from kibitz.errors import KibitzError, RecordError
from kibitz.games.hanabi import rules
from kibitz.games.hanabi.cards import COLOURS, RANKS
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.moves import Move, discard, hint, play
from kibitz.games.hanabi.start_positions import lay_deck
from kibitz.games.hanabi.state import STATE, TOKENS

STANDARD = "No Variant"
STANDARD_ID = "0"  # the same, in a link
PLAY, DISCARD, COLOUR_CLUE, RANK_CLUE, END, END_BY_VOTE = range(6)
# Options by which another game is played than ours.
CHANGES = {
    "deckPlays": "the last card of the deck may be played unseen",
    "oneExtraCard": "hands have a card more",
    "oneLessCard": "hands have a card less",
    "allOrNothing": "the game goes on when the deck is empty",
    "detrimentalCharacters": "players have handicaps",
    "cardCycle": "cards change their places in the hands",
}
# Those that can be read. A clock, and giving up when 25 points are out of reach, only stop a game sooner.
KEPT = ("variant", "emptyClues", "startingPlayer", "timed", "timeBase", "timePerTurn", "speedrun")

# A link does not say who played; hanab.live then calls the players so.
NAMES = ("Alice", "Bob", "Cathy", "Donald", "Emily")
ADDRESS = "https://hanab.live/replay-json/"
LINK = re.compile(r"(?:https?://)?(?:www\.)?hanabi?\.live/([^/?#\s]*)/?([^/?#\s]*)\S*", re.IGNORECASE)
BARE = re.compile(r"\d{3}[A-Za-z0-9-]{20,},[A-Za-z0-9-]*,[0-9-]+(?:,[A-Za-z0-9-]*)?")
LETTERS = string.ascii_lowercase + string.digits + string.ascii_uppercase
LINE = 20  # letters between the hyphens of a link, which only let it wrap


class Card(msgspec.Struct, rename="camel"):
    suit_index: int
    rank: int


class Action(msgspec.Struct):
    type: int
    target: int  # of a clue the player, of a play or discard the card's place in the deck
    value: int | None = None  # of a clue the suit or the rank


STUDY_RULES = {"lost_game": "piles", "full_discard": "allowed"}
STUDY_PROGRAMS = {"outer": "eger_outer"}  # `outer` is another agent here


class LiveGame(msgspec.Struct, omit_defaults=True):
    """A game as hanab.live writes it; what is not here (notes, seed, number in its archive) is not read."""

    players: list[str]
    deck: list[Card]
    actions: list[Action]
    options: dict[str, Any] | None = None
    person: str = ""  # not of theirs: games of the study behind `kibitz people` name the person


# From theirs to ours


def record_of(theirs: LiveGame) -> Record:
    """Their game as a record, every action checked. One that was broken off there is one without a result here."""
    players, options = check_players(len(theirs.players)), theirs.options or {}
    played_by = {**rules_of(options), **(STUDY_RULES if theirs.person else {})}
    start = dealt(deck_of(theirs.deck), players, first_player(options, players), HANABI.rule_bits(played_by))
    table = Table(HANABI, [], start)
    for number, action in enumerate(theirs.actions, start=1):
        if action.type in (END, END_BY_VOTE):
            if number < len(theirs.actions):
                raise RecordError(f"Action {number} ends the game, but {len(theirs.actions) - number} more follow it.")
            break
        if table.over:
            raise RecordError(f"The game is over after {number - 1} actions, but action {number} follows.")
        try:
            move = HANABI.move(move_of(action, table.state), table.state)
        except KibitzError as error:
            raise RecordError(f"Action {number} cannot be made: {error}") from None
        table.make(Decision(move))
    names = [STUDY_PROGRAMS.get(name, name) if theirs.person else name for name in theirs.players]
    return Record.of(table, names, played_by, None, None)


def check_players(players: int) -> int:
    if players not in HANABI.players:
        few, many = HANABI.players[0], HANABI.players[-1]
        raise RecordError(f"The game has {players} players; Hanabi is for {few} to {many} here.")
    return players


def rules_of(options: dict[str, Any]) -> dict[str, str]:
    """The rules of their standard game; options that make it another game are refused."""
    variant = options.get("variant") or STANDARD
    if variant != STANDARD:
        raise RecordError(f"The game is of the variant {variant!r}; only {STANDARD!r}, the standard game, can be read.")
    for option, on in options.items():
        if on and option not in KEPT:
            what = CHANGES.get(option, "it is not known here")
            raise RecordError(
                f"The game was played with the option {option}, and games with it cannot be read: {what}."
            )
    empty = "allowed" if options.get("emptyClues") else "forbidden"
    return {"lost_game": "zero", "empty_hint": empty, "full_discard": "forbidden"}


def first_player(options: dict[str, Any], players: int) -> int:
    first = options.get("startingPlayer") or 0
    if type(first) is not int or not 0 <= first < players:
        raise RecordError(f"startingPlayer is {first!r}; {players} players are counted from 0 to {players - 1}.")
    return first


def deck_of(cards: list[Card]) -> list[int]:
    """The kinds of their cards, in the order of the deck."""
    for place, card in enumerate(cards):
        if not (0 <= card.suit_index < len(COLOURS) and 1 <= card.rank <= RANKS):
            raise RecordError(
                f"Card {place} of the deck has suitIndex {card.suit_index} and rank {card.rank}. The standard game has "
                f"the suits 0 to {len(COLOURS) - 1} and the ranks 1 to {RANKS}."
            )
    return [card.suit_index * RANKS + card.rank - 1 for card in cards]


def dealt(deck: list[int], players: int, first: int, rule_bits: int) -> Any:
    """The start of a game with this deck, as an array of one state."""
    start = np.zeros(1, STATE)
    try:
        lay_deck(start[0], deck)
    except RecordError as error:
        raise RecordError(f"{error} White stands for hanab.live's purple.") from None
    rules.set_up(start[0], players, rule_bits)
    start[0]["to_move"] = first
    return start


def move_of(action: Action, state: Any) -> Move:
    """The move that an action means at a table."""
    players, seat = int(state["players"]), int(state["to_move"])
    if action.type in (PLAY, DISCARD):
        hand = state["hands"][seat][: state["held"][seat]].tolist()
        if action.target not in hand:
            raise KibitzError(
                f"it names card {action.target} of the deck, and player {seat} holds {', '.join(map(str, hand))}."
            )
        if action.value:
            raise KibitzError(f"a play or a discard has no value, and this one has {action.value}.")
        slot = hand.index(action.target)
        return play(slot) if action.type == PLAY else discard(slot)
    if action.type not in (COLOUR_CLUE, RANK_CLUE):
        raise KibitzError(f"its type is {action.type}, and types are {PLAY} to {END_BY_VOTE}.")
    if not 0 <= action.target < players:
        raise KibitzError(f"it is a clue to player {action.target}, and players are 0 to {players - 1}.")
    least = 0 if action.type == COLOUR_CLUE else 1
    if action.value is None or not least <= action.value < least + 5:
        what = "colour" if action.type == COLOUR_CLUE else "rank"
        raise KibitzError(f"it is a {what} clue with the value {action.value}, and those are {least} to {least + 4}.")
    return hint(action.target, COLOURS[action.value] if action.type == COLOUR_CLUE else action.value)


# From ours to theirs


def live_game(record: Record) -> LiveGame:
    """A record as their game, if it can be played there."""
    table = record.opened()
    start, turns = table.state.copy(), record.replay().turns
    players, first = int(start["players"]), int(start["to_move"])
    expected = dealt(start["deck"].tolist(), players, first, int(start["rules"]))
    expected[0]["streams"] = start["streams"]
    if expected.tobytes() != start.tobytes():
        raise RecordError("The game begins with a position; a game of hanab.live begins with a whole deck.")
    if not turns:
        raise RecordError("The game has no moves yet; hanab.live shows only games with moves.")
    actions = []
    for turn in turns:
        move = Move(turn.decision.move)
        if move.is_discard and table.state["tokens"] == TOKENS:
            raise RecordError(
                f"Move {turn.number} is a discard with all {TOKENS} tokens there, which hanab.live forbids. Games by "
                f"the rule full_discard=forbidden have none."
            )
        actions.append(action_of(move, table.state))
        table.make(turn.decision)
    options: dict[str, Any] = {"variant": STANDARD}
    if first:
        options["startingPlayer"] = first
    if record.rules.get("empty_hint") == "allowed":
        options["emptyClues"] = True
    deck = [Card(kind // RANKS, kind % RANKS + 1) for kind in start["deck"].tolist()]
    return LiveGame(list(record.seats), deck, actions, options)


def action_of(move: Move, state: Any) -> Action:
    if not move.is_hint:
        card = int(state["hands"][state["to_move"]][move.slot])
        return Action(PLAY if move.is_play else DISCARD, card, 0)
    if isinstance(move.value, int):
        return Action(RANK_CLUE, move.target, move.value)
    return Action(COLOUR_CLUE, move.target, COLOURS.index(move.value))


# Short links. Commas divide three parts: the number of players, the lowest and the highest rank and a letter for each
# card; the lowest and the highest type of action and two letters for each action; the number of the variant. A fourth
# part, the seed on hanab.live, is not read.


def shrunk(game: LiveGame) -> str:
    deck = letters(card.suit_index * RANKS + card.rank - 1 for card in game.deck)
    types = [action.type for action in game.actions]
    low, high = min(types), max(types)
    codes = (
        code
        for action in game.actions
        for code in (((action.value or 0) + 1) * (high - low + 1) + action.type - low, action.target)
    )
    text = f"{len(game.players)}1{RANKS}{deck},{low}{high}{letters(codes)},{STANDARD_ID}"
    return "-".join(text[place : place + LINE] for place in range(0, len(text), LINE))


def expanded(text: str) -> LiveGame:
    """The game of a short link, with its actions unchecked."""
    parts = [part.replace("-", "") for part in text.split(",")[:3]]
    if len(parts) < 3:
        raise RecordError(f"The link has {len(parts)} of the three parts between commas; it was cut off.")
    deck, actions, variant = parts
    if variant != STANDARD_ID:
        raise RecordError(
            f"The game is of variant number {variant}; only number {STANDARD_ID}, the standard game, can be read."
        )
    [players, *ranks] = head(deck, 3)
    if ranks != [1, RANKS]:
        raise RecordError(f"The link has cards of the ranks {ranks[0]} to {ranks[1]}, not 1 to {RANKS}.")
    [low, high] = head(actions, 2)
    if low > high:
        raise RecordError(f"The link has actions of the types {low} to {high}; no action has them.")
    codes, targets = codes_of(actions[2::2]), codes_of(actions[3::2])
    if len(codes) != len(targets):
        raise RecordError("The link ends in the middle of an action; it was cut off.")
    made = []
    for code, target in zip(codes, targets, strict=True):
        value, type = divmod(code, high - low + 1)
        made.append(Action(low + type, target, value - 1 if value else None))
    cards = [Card(code // RANKS, code % RANKS + 1) for code in codes_of(deck[3:])]
    return LiveGame([*NAMES[: check_players(players)]], cards, made)


def head(part: str, count: int) -> list[int]:
    """The digits at the beginning of a part."""
    if len(part) < count or not (part[:count].isascii() and part[:count].isdigit()):
        raise RecordError(f"A part of the link begins with {part[:count]!r}, and not with {count} digits.")
    return [int(digit) for digit in part[:count]]


def letters(codes: Iterable[int]) -> str:
    return "".join(LETTERS[code] for code in codes)


def codes_of(text: str) -> list[int]:
    for letter in text:
        if letter not in LETTERS:
            raise RecordError(f"The link has {letter!r} in it, which stands for nothing there.")
    return [LETTERS.index(letter) for letter in text]


class LiveJson(Format):
    name = "hanab.live"
    title = "hanab.live JSON"

    def recognises(self, text: str) -> bool:
        try:
            keys = msgspec.json.decode(text, type=dict[str, msgspec.Raw]).keys()
        except UNREADABLE:
            return False
        return len(keys & {"players", "deck", "actions"}) > 1

    def read(self, text: str) -> Record:
        try:
            return record_of(msgspec.json.decode(text, type=LiveGame))
        except UNREADABLE as error:
            raise RecordError(f"This is not a game of hanab.live: {error}.") from None

    def write(self, record: Record) -> str:
        return msgspec.json.encode(live_game(record)).decode()


class LiveLink(Format):
    name = "hanab.live-link"
    title = "hanab.live link"
    link = True

    def recognises(self, text: str) -> bool:
        return bool(LINK.fullmatch(text.strip()) or BARE.fullmatch(text.strip()))

    def read(self, text: str) -> Record:
        return record_of(expanded(self.letters(text.strip())))

    def letters(self, text: str) -> str:
        """The part of a link that holds the game."""
        found = LINK.fullmatch(text)
        if found is None:
            return text
        page, game = found[1].lower(), unquote(found[2])
        if page in ("replay-json", "shared-replay-json"):
            return game
        if page in ("replay", "shared-replay", "export") and game.isdecimal():
            raise RecordError(
                f"This link only names game {game} of hanab.live, and nothing is fetched from there. Open "
                f"https://hanab.live/export/{game} in a browser, save what it shows, and read that."
            )
        raise RecordError(f"This link of hanab.live does not hold a game; one that does begins with {ADDRESS}.")

    def write(self, record: Record) -> str:
        game = live_game(record)
        if first := (game.options or {}).get("startingPlayer"):
            raise RecordError(
                f"{HANABI.seat_name(first)} begins this game, and in a short link the first seat does. Write it as "
                f"{LiveJson.name}, which can say who begins."
            )
        text = shrunk(game)
        try:
            record_of(expanded(text))
        except RecordError as error:
            raise RecordError(
                f"In this game a hint touches no card, and a short link cannot say that such hints are allowed. Write "
                f"it as {LiveJson.name}, which can. ({error})"
            ) from None
        return ADDRESS + text


FORMATS = (LiveJson(), LiveLink())
