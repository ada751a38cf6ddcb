"""The check that every game must pass, built-in or not."""

import itertools
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from kibitz.core.game import Game
from kibitz.errors import KibitzError
from kibitz.testing import declared, notation, pages, records, results, rules, sampling, spectators, views
from kibitz.testing.position import CheckError, Position, random_game, values
from kibitz.text import error_text

HERE = Path(__file__).parent
LOOKS = 10  # the number of positions per game that get all checks, besides the first and last ones

AtPosition = Callable[[Position], None]
DECLARED = (declared.declarations, declared.pieces, declared.levels)
EVERYWHERE: dict[str, tuple[AtPosition, ...]] = {
    "rules": (
        rules.whose_turn, rules.the_past, rules.legal_moves, rules.every_move, rules.what_chance_does, rules.going_back,
    ),
    "views and the wall": (views.own_view, views.dice_of_others, views.same_in_other_worlds),
    "sampling": (
        sampling.from_the_view_alone, sampling.back_and_forth, sampling.dice, sampling.information_key,
        sampling.move_probabilities, sampling.horizon,
    ),
    "views from elsewhere": (views.accepted,),
    "notation": (notation.both_ways, notation.refused, notation.sentences),
    "records": (records.starts, records.sampled_starts, records.whole_games, records.formats_of_others),
    "spectators": (spectators.delayed_views,),
    "pages": (pages.views, pages.events, pages.choices, pages.wire),
}  # fmt: skip
EVERY_TURN: dict[str, tuple[AtPosition, ...]] = {"rules": (rules.whose_turn, rules.legal_moves)}
AT_THE_END: dict[str, tuple[AtPosition, ...]] = {
    "rules": (rules.dealt_again,),
    "results": (results.written, results.agree, results.payoff, results.counts),
}


@dataclass
class Report:
    """The number of checks, and a digest of the games: the same in machine code and in plain Python."""

    game: str
    games: int = 0
    moves: int = 0
    longest: int = 0  # moves of the longest game
    checks: dict[str, int] = field(default_factory=dict)
    digest: str = ""


def ways_to_play(game: Game) -> Iterator[tuple[int, dict[str, str]]]:
    """Every number of players with every choice of rules."""
    chosen = [[(rule.name, choice) for choice in rule.choices] for rule in game.rules]
    for players in game.players:
        for choices in itertools.product(*chosen):
            yield players, dict(choices)


def check_game(
    game: Game, *, games: int = 1, seed: int = 0, progress: Callable[[Report], None] | None = None
) -> Report:
    """Play `games` random games per number of players and choice of rules, and check everything.

    A CheckError says in a sentence what is wrong. `progress` is called after each game.
    """
    report, digest = Report(game.name), blake2b(digest_size=8)
    for check in DECLARED:
        check(game)
    report.checks["declarations"] = len(DECLARED)
    hid: list[bool] = []
    had_past: list[bool] = []
    for (players, chosen), number in itertools.product(ways_to_play(game), range(games)):
        for position in guarded_game(game, players, chosen, number, seed):
            over = position.table.over
            look = over or looked_at(len(position.moves), game.longest)
            run(EVERYWHERE if look else EVERY_TURN, position, report)
            if over:
                run(AT_THE_END, position, report)
        hid += position.hid
        had_past += position.had_past
        report.games += 1
        report.moves += len(position.moves)
        report.longest = max(report.longest, len(position.moves))
        digest.update(repr(values(position.state)).encode())
        if progress is not None:
            progress(report)
    position.hid, position.had_past = hid, had_past  # must hold in some position, not in each
    run({"views and the wall": (views.something_is_hidden,)}, position, report)
    run({"spectators": (spectators.worlds_have_a_past,)}, position, report)
    report.digest = digest.hexdigest()
    return report


def looked_at(turn: int, longest: int) -> bool:
    return turn < 3 or turn % max(1, longest // LOOKS) == 0


def guarded_game(game: Game, players: int, chosen: dict[str, str], number: int, seed: int) -> Iterator[Position]:
    """A random game; exceptions of its rules become CheckErrors."""
    positions = random_game(game, players, chosen, number, seed)
    position = None
    while True:
        try:
            position = next(positions)
        except StopIteration:
            return
        except CheckError:
            raise
        except Exception as error:
            where = position.where() if position else f"{game.title} with {players} players, before the first move"
            raise fault(where, "playing a legal move", error) from error
        yield position


def run(sections: Mapping[str, tuple[AtPosition, ...]], position: Position, report: Report) -> None:
    for section, check in ((section, check) for section, checks in sections.items() for check in checks):
        try:
            check(position)
        except CheckError:
            raise
        except Exception as error:
            raise fault(position.where(), f"{section} ({check.__name__.replace('_', ' ')})", error) from error
        report.checks[section] = report.checks.get(section, 0) + 1


def fault(where: str, doing: str, error: Exception) -> CheckError:
    """A CheckError for an exception in the game's own code, with the line that raised it."""
    frames = [each for each in traceback.extract_tb(error.__traceback__) if Path(each.filename).parent != HERE]
    line = f", in {Path(frames[-1].filename).name} line {frames[-1].lineno}" if frames else ""
    hint = " Make the array larger, or lower the declared limit." if isinstance(error, IndexError) else ""
    reason = str(error) if isinstance(error, KibitzError) else f"{error_text(error)}{line}.{hint}"
    return CheckError(f"{where}: {doing} failed: {reason}")
