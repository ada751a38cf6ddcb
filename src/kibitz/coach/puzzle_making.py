"""Make puzzles from games: every decision is looked at quickly, promising ones at length, and twice.

Game `n` of a run gives the same puzzles whatever was made before, in any thread. So a run can stop and resume: finished
games are kept in a journal beside the output, and the file is written from it at the end.
"""

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from kibitz import __version__
from kibitz.arena.runs.journal import Journal
from kibitz.coach import puzzles
from kibitz.coach.positions import Position, played
from kibitz.coach.puzzles import Origin, Puzzle
from kibitz.core import registry
from kibitz.core.agent import CompiledAgent
from kibitz.core.game import Game
from kibitz.core.puzzling import KEPT, Answer, Counts, Gap, Source, Value
from kibitz.core.record import Record
from kibitz.core.table import Table
from kibitz.engine import generic
from kibitz.engine.loop import SEEN, WORLD
from kibitz.engine.seeds import keys, number
from kibitz.errors import KibitzError

MOST_A_GAME, MOST_ALIKE = 6, 2  # puzzles of one game, and those of one theme: more would look alike
QUICK, LONG, HIDDEN = range(3)  # streams of a decision
EASIEST, HARDEST, BY_GAP, WIDE_GAP = 900, 2300, 300, 2.0


class MadeGame(msgspec.Struct):
    """What was made of one game."""

    number: int
    decisions: int
    promising: int
    stages: dict[str, int]
    puzzles: list[Puzzle]


@dataclass(frozen=True)
class Making:
    """The plan of a run."""

    game: Game
    seed: int
    records: tuple[Record, ...] = ()  # instead of games that are played; by known agents

    def table(self, n: int) -> tuple[Sequence[str], Record]:
        """Game number `n` with its players."""
        if self.records:
            record = self.records[n]
            return record.seats, record
        part = puzzles.part_of(self.game)
        source: Source = part.sources[n % len(part.sources)]
        rules = self.game.check_rules(source.rules)
        players = [registry.agent(self.game, name).take_seat(self.game, explains=False) for name in source.agents]
        table = Table(self.game, players, self.game.deal(keys(self.seed), n, len(players), rules))
        for _ in table.steps():
            pass
        return source.agents, Record.of(table, list(source.agents), rules, self.seed, n)

    def make(self, n: int) -> MadeGame:
        """The puzzles of game number `n`."""
        part, (agents, record) = puzzles.part_of(self.game), self.table(n)
        stream = number(keys(self.seed).dice, n)
        made = MadeGame(n, 0, 0, {}, [])
        known_agents = set(registry.agent_entries(self.game.name))
        if not set(agents) <= known_agents:
            return made
        replayed = played(record)
        examiners = [part.examiner(agents, seat) for seat in range(record.players)]
        for position in replayed.positions:
            examiner, dice = examiners[position.seat], number(stream, position.turn)
            try:
                known = examiner.see(position.views)
            except KibitzError:
                continue
            made.decisions += 1
            if len(made.puzzles) >= MOST_A_GAME or not examiner.promises(known, position.move, number(dice, QUICK)):
                continue
            made.promising += 1
            examined = examiner.examine(known, number(dice, LONG))
            made.stages[examined.stage] = made.stages.get(examined.stage, 0) + 1
            if examined.stage == KEPT and examined.answer is not None:
                made.puzzles.append(self.puzzle(record, agents, position, examined.answer, number(dice, HIDDEN)))
        return made

    def puzzle(self, record: Record, agents: Sequence[str], position: Position, answer: Answer, stream: int
    ) -> Puzzle:  # fmt: skip
        """A puzzle without words."""
        game, view = self.game, position.views[-1]
        start = game.dump_start(without_secrets(record, view, stream))
        opened = record.opened()
        moves = [int(turn.decision.move) for turn in itertools.islice(moves_of(record, opened), position.turn - 1)]
        found_by = finders(game, position.views, answer.best)
        return Puzzle(
            id=puzzles.identity(game.name, record.players, start, moves, position.seat), game=game.name,
            players=record.players, rules=record.rules, seats=list(agents), seat=position.seat, start=start,
            moves=moves,
            values=[(each.move, round(each.value, 3), round(each.error, 3)) for each in answer.values],
            gap=(round(answer.gap.points, 3), round(answer.gap.error, 4)),
            confirmed=(round(answer.confirmed.points, 3), round(answer.confirmed.error, 4)), measure=answer.measure,
            theme="", rating=first_rating(game, answer, found_by), found_by=found_by, text="",
            exact=answer.exact,
        )  # fmt: skip


def moves_of(record: Record, table: Table) -> Iterator[Any]:
    for after in record.steps(table):
        yield after.turns[-1]


def without_secrets(record: Record, view: Any, stream: int) -> Any:
    """The start of the game as the seat could imagine it: what it cannot know is sampled from its view."""
    table = record.opened()
    if generic.hides_nothing(table.game.dtype):
        return table.start[0]
    pair = np.zeros(2, table.game.dtype)
    pair[SEEN] = view
    generic.sample_world(pair, stream)
    generic.rewind(table.start, pair)
    return pair[WORLD]


def finders(game: Game, views: Sequence[Any], best: int) -> list[str]:
    """The reference agents that find the best move."""
    found = []
    for name in puzzles.part_of(game).references:
        agent = registry.agent(game, name)
        assert isinstance(agent, CompiledAgent)
        player = agent.take_seat(game, explains=False)
        if player.remembers:
            for view in views:
                player.observe(view)
        if player.decide(views[-1]).move == best:
            found.append(name)
    return found


def first_rating(game: Game, answer: Answer, found_by: Sequence[str]) -> int:
    """Harder the fewer reference agents find it, and the closer the second move is."""
    part = puzzles.part_of(game)
    share = len(found_by) / max(len(part.references), 1)
    least = part.least_gap if answer.measure != "perfect" else 0.1
    width = min((answer.gap.points - least) / (WIDE_GAP * least), 1.0)
    return round(HARDEST - (HARDEST - EASIEST - BY_GAP) * share - BY_GAP * width)


# Runs


def making(plan: Making, first: int, games: int, jobs: int) -> Iterator[MadeGame]:
    """Make the puzzles of some games, in their order."""
    with ThreadPoolExecutor(jobs) as workers:
        numbers = iter(range(first, first + games))
        waiting = [workers.submit(plan.make, n) for n in itertools.islice(numbers, 2 * jobs)]
        try:
            while waiting:
                made = waiting.pop(0).result()
                waiting += [workers.submit(plan.make, n) for n in itertools.islice(numbers, 1)]
                yield made
        except BaseException:
            workers.shutdown(wait=False, cancel_futures=True)
            raise


def resume(plan: Making, games: int, output: Path, jobs: int) -> Iterator[MadeGame]:
    """Yield what was made of every game; finished games come from the journal beside the output."""
    header = {"game": plan.game.name, "seed": plan.seed, "records": len(plan.records), "version": __version__}
    journal = Journal(output.with_name(output.name + ".run"), header, "puzzles of another run")
    decoder, done = msgspec.json.Decoder(MadeGame), 0
    for line in journal.lines():
        if done >= games:
            break
        yield decoder.decode(line)
        done += 1
    for made in making(plan, done, games - done, jobs):
        journal.add(msgspec.json.encode(made) + b"\n")
        yield made


def reworded(puzzle: Puzzle, seed: int) -> Puzzle | None:
    """The puzzle with theme and answer, made from nothing but what it shows; None if it has no theme."""
    game = registry.game(puzzle.game)
    examiner = puzzles.part_of(game).examiner(puzzle.seats, puzzle.seat)
    answer = Answer(
        tuple(Value(*each) for each in puzzle.values), Gap(*puzzle.gap), Gap(*puzzle.confirmed), puzzle.measure,
        puzzle.exact,
    )  # fmt: skip
    try:
        known = examiner.see(puzzle.views)
    except KibitzError:
        return None
    words = examiner.explain(known, answer, number(keys(seed).dice, int(puzzle.id, 16)))
    return msgspec.structs.replace(puzzle, theme=words.theme, text=words.text) if words.theme else None


def worded(made: Sequence[MadeGame], seed: int, jobs: int) -> Iterator[tuple[int, Puzzle | None]]:
    """All puzzles of a run with words, by the number of their game; None for those that are dropped."""
    found = [(each.number, puzzle) for each in made for puzzle in each.puzzles]
    with ThreadPoolExecutor(jobs) as workers:
        words = workers.map(lambda puzzle: reworded(puzzle, seed), [puzzle for _, puzzle in found])
        yield from zip([number for number, _ in found], words, strict=True)


def chosen(game: Game, found: Sequence[tuple[int, Puzzle | None]], most: int | None) -> list[Puzzle]:
    """The puzzles of a file, in the order of their games: no position twice, no theme beyond its share.

    A game gives at most two puzzles of a theme, or one if the theme's share is limited.
    """
    part = puzzles.part_of(game)
    alike: Counter[tuple[int, str]] = Counter()
    distinct: dict[str, Puzzle] = {}
    for number_of, puzzle in found:
        if puzzle is None:
            continue
        limit = MOST_ALIKE if part.themes[puzzle.theme].share == 1.0 else 1
        alike[number_of, puzzle.theme] += 1
        if alike[number_of, puzzle.theme] <= limit:
            distinct[puzzle.id] = puzzle
    wanted = min(most or len(distinct), len(distinct))
    room = {name: max(int(theme.share * wanted), 1) for name, theme in part.themes.items()}
    kept: list[Puzzle] = []
    for puzzle in distinct.values():
        if room[puzzle.theme] > 0 and len(kept) < wanted:
            room[puzzle.theme] -= 1
            kept.append(puzzle)
    return kept


def origin_of(plan: Making, command: str, made: Sequence[MadeGame], kept: int) -> Origin:
    counts = Counts()
    for each in made:
        counts.add(Counts(1, each.decisions, each.promising, each.stages))
    return Origin(
        plan.game.name, command, plan.seed, __version__, counts.games, counts.decisions, counts.promising,
        counts.stages, sum(puzzle.exact for each in made for puzzle in each.puzzles), kept,
    )  # fmt: skip
