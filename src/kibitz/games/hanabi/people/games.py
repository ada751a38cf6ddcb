"""Games of people, read from files: hanab.live JSON, one game per file or per line, and the logs of a study.

A game of hanab.live may name a `person`, who sat in the seat called "person", and their `experience`; otherwise every
player is a person of that name. The logs are those of the public data set of Eger, Martens and Alfaro Córdoba (2017),
in which a person plays with a program: `Treatment: ('program', seed)`, the deck after the deal, and `MOVE:` lines.
"""

import ast
import gzip
import random
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from kibitz.core.formats import UNREADABLE
from kibitz.core.people import EXPERIENCE, UNKNOWN, Choices, Read
from kibitz.core.whole_files import read_small
from kibitz.engine.compile import compiled
from kibitz.engine.loop import SEEN, WORLD
from kibitz.errors import KibitzError, RecordError, unknown
from kibitz.games.hanabi import rules
from kibitz.games.hanabi.cards import COLOURS, RANKS
from kibitz.games.hanabi.formats.hanab_live import (
    COLOUR_CLUE,
    DISCARD,
    END,
    END_BY_VOTE,
    PLAY,
    RANK_CLUE,
    LiveGame,
    check_players,
    dealt,
    deck_of,
    first_player,
    rules_of,
)
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.people.inputs import CONTEXT, WIDEST, read_positions
from kibitz.games.hanabi.state import CARDS, EMPTY_HINTS, LONGEST, STATE
from kibitz.games.hanabi.worlds import observe
from kibitz.text import counted, fit

MOST_BYTES = 256 << 20  # of a file, unpacked
MOST_GAMES = 100_000
LONGEST_LINE = 1_000  # that lists the cards of a deck
PERSON = "person"  # the name of the person's seat, where programs sit in the others
ILLEGAL, OVER = -1, -2


class NamedGame(LiveGame, omit_defaults=True):
    """A game of hanab.live that says who played it."""

    id: str | int = ""
    person: str = ""
    experience: str = ""


@dataclass(frozen=True)
class PlayedGame:
    """A game, replayed and legal, with the seats of people in it."""

    name: str
    start: Any  # an array of one state
    moves: tuple[int, ...]
    people: Mapping[int, str]  # by seat
    experience: int


# Replaying


@compiled
def views_at(pair: Any, moves: Any, views: Any, seats: Any, movers: int) -> int:
    """Replay a game and keep the views of some seats at their turns; returns how many, or why a move is illegal."""
    state, count = pair[WORLD], 0
    for n in range(moves.shape[0]):
        seat = rules.to_move(state)
        if seat < 0:
            return OVER
        if not rules.allowed(state, moves[n]):
            return ILLEGAL
        if movers >> seat & 1:
            observe(pair, seat, False)
            views[count], seats[count] = pair[SEEN], seat
            count += 1
        rules.apply(state, moves[n])
    return count


def replayed(game: PlayedGame) -> tuple[Any, Any]:
    """The views of people in a game, at their turns, and their seats."""
    pair = np.zeros(2, STATE)
    pair[WORLD] = game.start[0]
    views, seats = np.zeros(len(game.moves), STATE), np.zeros(len(game.moves), np.int64)
    movers = sum(1 << seat for seat in game.people)
    count = views_at(pair, np.array(game.moves, np.int64), views, seats, movers)
    if count < 0:
        turn = int(pair[WORLD]["turn"]) + 1
        what = "follows the end of the game" if count == OVER else "is illegal"
        raise RecordError(f"move {turn} {what}.")
    return views[:count], seats[:count]


def choices(games: Sequence[PlayedGame]) -> Choices:
    """Every choice of the people in some games."""
    views, numbers, people, chosen = [], [], [], []
    names: dict[str, int] = {}
    experience: dict[str, int] = {}
    for number, game in enumerate(games):
        seen, seats = replayed(game)
        views.append(seen)
        numbers.append(np.full(len(seen), number))
        for person in game.people.values():
            names.setdefault(person, len(names))
            experience[person] = min(experience.get(person, UNKNOWN), game.experience)
        people.append(np.array([names[game.people[seat]] for seat in seats.tolist()], np.int64))
        chosen.append(np.array([game.moves[turn] for turn in seen["turn"].tolist()], np.int64))
    everything = np.concatenate([np.zeros(0, STATE), *views])
    contexts, starts, moves, kinds, rows = inputs_of(everything)
    wanted = np.repeat(np.concatenate([np.zeros(0, np.int64), *chosen]), np.diff(starts))
    found = np.flatnonzero(moves == wanted)
    return Choices(
        contexts, starts, rows, kinds, moves, found, np.concatenate([np.zeros(0, np.int64), *numbers]),
        np.concatenate([np.zeros(0, np.int64), *people]), tuple(names), tuple(experience[name] for name in names),
    )  # fmt: skip


def inputs_of(views: Any) -> tuple[Any, Any, Any, Any, Any]:
    """The inputs of positions: contexts, starts of their rows, moves, kinds and rows."""
    most = len(views) * rules.MOVES // 2
    contexts, counts = np.zeros((len(views), CONTEXT), np.float32), np.zeros(len(views), np.int64)
    moves, kinds = np.zeros(most, np.int8), np.zeros(most, np.int8)
    rows = np.zeros((most, WIDEST), np.float32)  # memory that is never written is never used
    count = read_positions(views, contexts, moves, kinds, rows, counts)
    starts = np.concatenate([[0], np.cumsum(counts)])
    return contexts, starts, moves[:count].copy(), kinds[:count].copy(), rows[:count].copy()


# hanab.live


def text_in(path: Path) -> str:
    """The text of a file, which may be compressed with gzip."""
    try:
        with path.open("rb") as file, gzip.open(file) if path.suffix == ".gz" else file as plain:
            content = plain.read(MOST_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise KibitzError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    if len(content) > MOST_BYTES:
        raise KibitzError(f"{path} has more than {MOST_BYTES >> 20} MB of text; split it.")
    return content.decode("utf-8", errors="replace")


def live_games(text: str) -> Iterator[str]:
    """The games in a text: one, a list, or one per line."""
    stripped = text.strip()
    if stripped.startswith("["):
        try:
            for each in msgspec.json.decode(stripped, type=list[msgspec.Raw]):
                yield bytes(each).decode()
        except UNREADABLE as error:
            raise RecordError(f"it is not a list of games: {error}.") from None
    elif "\n" in stripped and stripped.partition("\n")[0].rstrip().endswith("}"):
        yield from (line for line in stripped.splitlines() if line.strip())
    else:
        yield stripped


def decoded(text: str) -> NamedGame:
    try:
        return msgspec.json.decode(text, type=NamedGame)
    except UNREADABLE as error:
        raise RecordError(f"it is not a game of hanab.live: {error}.") from None


def discards_at_full(game: NamedGame) -> bool:
    """Whether somebody discards with all tokens there, which hanab.live forbids and the study allowed."""
    try:
        played(game, True, "", "")
    except KibitzError as error:
        return "with all tokens" in str(error)
    return False


def played(game: NamedGame, strict: bool, name: str, experience: str) -> PlayedGame:
    """A game of hanab.live with its moves checked, by the rules of hanab.live or by those of the study."""
    players, options = check_players(len(game.players)), game.options or {}
    bits = HANABI.rule_bits(rules_of(options)) & (-1 if strict else EMPTY_HINTS)
    start = dealt(deck_of(game.deck), players, first_player(options, players), bits)
    if game.person:
        people = {seat: game.person for seat, who in enumerate(game.players) if who == PERSON}
        if not people:
            raise RecordError(f'it names a person, but no seat is called "{PERSON}".')
    else:
        people = dict(enumerate(game.players))
    said = game.experience or experience
    if said and said not in EXPERIENCE:
        raise RecordError(f"experience is {said[:40]!r}; it must be {', '.join(EXPERIENCE)}.")
    found = PlayedGame(name, start, moves_of(game, start), people, EXPERIENCE.index(said) if said else UNKNOWN)
    replayed(found)
    return found


def moves_of(game: NamedGame, start: Any) -> tuple[int, ...]:
    """The moves of a game; their legality is checked when it is replayed."""
    state, moves = start[0].copy(), []
    world = np.zeros(1, STATE)
    world[0] = state
    for number, action in enumerate(game.actions, start=1):
        if action.type in (END, END_BY_VOTE):
            break
        if number > LONGEST or rules.to_move(world[0]) < 0:
            raise RecordError(f"move {number} follows the end of the game.")
        move = move_of(action.type, action.target, action.value, world[0], number)
        if not rules.allowed(world[0], move):
            full = rules.DISCARD <= move < rules.HINT and rules.allowed(world[0], move - rules.DISCARD)
            why = "discards with all tokens there" if full else "is illegal"
            raise RecordError(f"move {number} {why}.")
        rules.apply(world[0], move)
        moves.append(move)
    return tuple(moves)


def move_of(kind: int, target: int, value: int | None, state: Any, number: int) -> int:
    """An action of hanab.live as the number of a move."""
    if kind in (PLAY, DISCARD):
        seat = int(state["to_move"])
        hand = state["hands"][seat][: state["held"][seat]].tolist()
        if target in hand:
            return hand.index(target) + (0 if kind == PLAY else rules.DISCARD)
    elif kind in (COLOUR_CLUE, RANK_CLUE) and 0 <= target < int(state["players"]) and value is not None:
        least = 0 if kind == COLOUR_CLUE else 1
        if least <= value < least + 5:
            return rules.HINT + 10 * target + (value if kind == COLOUR_CLUE else 5 + value - 1)
    raise RecordError(f"move {number} is illegal.")


# The logs of the study

STUDY_COLOURS = ("green", "yellow", "white", "blue", "red")
TREATMENT = re.compile(r"Treatment:\s*\('(\w+)',\s*(\d{1,9})\)\s*")
STUDY_HINT_COLOUR, STUDY_HINT_RANK, STUDY_PLAY, STUDY_DISCARD = range(4)
COPIES = (3, 2, 2, 2, 1)


def study_kind(colour: int, rank: int) -> int:
    """One of their cards as a kind."""
    if not (0 <= colour < len(STUDY_COLOURS) and 1 <= rank <= RANKS):
        raise RecordError(f"a card has colour {colour} and rank {rank}.")
    return COLOURS.index(STUDY_COLOURS[colour]) * RANKS + rank - 1


def study_deck(seed: int) -> list[int]:
    """The deck of a seed: their program shuffled it with the function of Python 2."""
    deck = [study_kind(colour, rank + 1) for colour in range(5) for rank in range(RANKS) for _ in range(COPIES[rank])]
    dice = random.Random(seed)
    for place in range(len(deck) - 1, 0, -1):
        other = int(dice.random() * (place + 1))
        deck[place], deck[other] = deck[other], deck[place]
    return deck


def is_log(text: str) -> bool:
    return any(line.startswith("Treatment:") for line in text.splitlines()[:3])


def log_game(text: str, name: str, person: str, experience: int) -> PlayedGame:
    """A game of the study, from its log."""
    lines = text.splitlines()
    heads = [number for number, line in enumerate(lines[:3]) if line.startswith("Treatment:")]
    found = TREATMENT.fullmatch(lines[heads[0]]) if heads else None
    if found is None:
        raise RecordError("it has no line such as Treatment: ('outer', 1234).")
    deck = study_deck(int(found[2]))
    rest = cards_listed(lines[heads[0] + 1] if heads[0] + 1 < len(lines) else "")
    if deck[CARDS - len(rest) :] != rest or len(rest) != CARDS - 10:
        raise RecordError(f"the cards it lists are not those of the seed {found[2]}.")
    start = dealt(deck, 2, 0, 0)
    moves: list[int] = []
    for line in lines:
        if line.startswith("MOVE:"):
            moves.append(log_move(line, len(moves) + 1))
    game = PlayedGame(name, start, tuple(moves[:LONGEST]), {1: person}, experience)
    replayed(game)
    return game


def cards_listed(line: str) -> list[int]:
    try:
        if len(line) > LONGEST_LINE:
            raise ValueError
        cards = ast.literal_eval(line.strip())
        return [study_kind(int(colour), int(rank)) for colour, rank in cards]
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise RecordError("the line behind Treatment does not list the cards of the deck.") from None


def log_move(line: str, number: int) -> int:
    """The move in a line `MOVE: player action card target colour rank`."""
    words = [None if word == "None" else word for word in line.split()[1:7]]
    try:
        _, action, card, target, colour, rank = (int(word) if word is not None else -1 for word in words)
    except ValueError:
        raise RecordError(f"move {number} is not a line such as MOVE: 1 2 4 1 None None.") from None
    if action == STUDY_HINT_COLOUR and 0 <= target < 2 and 0 <= colour < len(STUDY_COLOURS):
        return rules.HINT + 10 * target + COLOURS.index(STUDY_COLOURS[colour])
    if action == STUDY_HINT_RANK and 0 <= target < 2 and 1 <= rank <= RANKS:
        return rules.HINT + 10 * target + 5 + rank - 1
    if action in (STUDY_PLAY, STUDY_DISCARD) and 0 <= card < 5:
        return card + (0 if action == STUDY_PLAY else rules.DISCARD)
    raise RecordError(f"move {number} is illegal.")


def log_names(path: Path) -> str:
    """The id of a game in the name of its log."""
    return path.stem.removeprefix("game")


def first_games(texts: Mapping[str, str]) -> dict[str, str]:
    """By game: the first game of the same person, as far as the logs name it (`Old GID: …`)."""
    before = {}
    for name, text in texts.items():
        head = text.partition("\n")[0]
        if head.startswith("Old GID:"):
            before[name] = fit(head.removeprefix("Old GID:").strip(), 64)
    found = {}
    for name in texts:
        first, seen = name, {name}
        while first in before and before[first] not in seen:
            first = before[first]
            seen.add(first)
        found[name] = first
    return found


def survey(path: Path, first: str) -> int:
    """What a person said in the survey of the study, which lies beside the logs."""
    try:
        content = read_small(path.parent / f"survey{Path(first).name}.log", MOST_BYTES)
    except OSError:
        return UNKNOWN
    for line in content.decode("utf-8", "replace").splitlines():
        words = line.split()
        if len(words) == 2 and words[0] == "exp" and words[1] in EXPERIENCE:
            return EXPERIENCE.index(words[1])
    return UNKNOWN


# All of them

GAMES = ("*.json", "*.jsonl", "*.json.gz", "*.jsonl.gz", "*.log")


def files_in(paths: Iterable[Path]) -> list[Path]:
    """The files of games among paths, which may be folders."""
    found = []
    for path in paths:
        if path.is_dir():
            inside = sorted({each for pattern in GAMES for each in path.rglob(pattern)})
            found += [each for each in inside if each.is_file() and not each.name.startswith("survey")]
        else:
            found.append(path)
    return found


def read(paths: Iterable[Path], experience: str = "") -> Read:
    """All games of people in files and folders; what cannot be used is named, the rest is read."""
    if experience and experience not in EXPERIENCE:
        raise unknown("experience", experience, EXPERIENCE, f"It is one of {', '.join(EXPERIENCE)}.")
    games: list[PlayedGame] = []
    problems: list[str] = []
    logs: dict[str, tuple[Path, str]] = {}
    named = list(paths)
    for path in files_in(named):
        try:
            text = text_in(path)
        except KibitzError as error:
            if path in named:
                raise
            problems.append(str(error))
            continue
        if is_log(text):
            logs[log_names(path)] = path, text
        else:
            read_live(path, text, experience, games, problems)
    firsts = first_games({name: text for name, (_, text) in logs.items()})
    for name, (path, text) in logs.items():
        try:
            games.append(log_game(text, name, firsts[name], survey(path, firsts[name])))
        except KibitzError as error:
            problems.append(f"{path}: {error}")
    if len(games) > MOST_GAMES:
        problems.append(f"Only the first {MOST_GAMES:,} of {counted(len(games), 'game')} are used.")
    return Read(games[:MOST_GAMES], problems)


def read_live(path: Path, text: str, experience: str, games: list[PlayedGame], problems: list[str]) -> None:
    """Read the games of a file in hanab.live's JSON.

    They are played by its rules, unless a game of the file discards with all tokens there: then all are played by the
    rules of the study, which allowed that, and counted the points on the piles of a lost game.
    """
    try:
        texts = list(live_games(text))
    except KibitzError as error:
        problems.append(f"{path}: {error}")
        return
    found: list[tuple[int, NamedGame]] = []
    for number, each in enumerate(texts, start=1):
        try:
            found.append((number, decoded(each)))
        except KibitzError as error:
            problems.append(f"{path}, game {number}: {error}")
            if number == 1 and len(texts) == 1:
                return
    strict = not any(discards_at_full(game) for _, game in found)
    for number, game in found:
        try:
            games.append(played(game, strict, str(game.id) or f"{path.name}:{number}", experience))
        except KibitzError as error:
            problems.append(f"{path}, game {number}: {error}")
