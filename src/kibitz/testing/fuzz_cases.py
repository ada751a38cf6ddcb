"""The cases of `fuzz`, tried one after another in a separate process.

    python -m kibitz.testing.fuzz_cases GAME SEED FIRST END [AGENT …]

Each case is a mutated view, record or text of another format. It must be refused with a sentence, or describe a legal
game in which an agent makes a legal move.
"""

import os
import random
import sys
from collections.abc import Sequence
from enum import IntEnum, auto
from itertools import islice
from typing import Any

import numpy as np

from kibitz.core import registry
from kibitz.core.agent import Agent, CompiledAgent, CompiledPlayer, Decision, Player
from kibitz.core.game import Game
from kibitz.core.record import Record, parse
from kibitz.core.retrace import same_view
from kibitz.core.table import Table
from kibitz.engine import generic
from kibitz.engine.loop import SEEN, WORLD
from kibitz.engine.seat import Budget
from kibitz.engine.seeds import keys
from kibitz.errors import KibitzError, RecordError
from kibitz.testing.check import ways_to_play
from kibitz.testing.mutants import changed_json, changed_text, changed_view
from kibitz.testing.plain_python import named_game
from kibitz.text import error_text, fit

COUNTS = "KIBITZ_FUZZ_COUNTS"  # names the file with the progress, which outlives a crash
WAYS = 8  # combinations of players and rules to play games with
VIEWS = 12  # per game
QUICK_AGENTS = 3  # agents that play by default
ITERATIONS, DEPTH = 8, 1  # the limit for searching agents
MOST_FAULTS = 10  # per run
TEXTS = 0.1  # the fraction of cases that are records or texts


class Count(IntEnum):
    READY = 0
    TRIED = auto()
    REFUSED = auto()
    ACCEPTED = auto()
    DECIDED = auto()


class FaultError(Exception):
    """A broken promise, in a sentence."""


class Cases:
    def __init__(self, game: Game, seed: int, names: Sequence[str]) -> None:
        self.game, self.seed = game, seed
        self.rules = generic.rules_of(game.dtype)
        self.agents = [with_small_budget(registry.agent(game, name)) for name in names] or quick_agents(game)
        self.players: dict[tuple[str, int], Player] = {}
        self.views: list[Any] = []  # each an array of one
        self.records: list[str] = []
        self.texts: list[tuple[Any, str]] = []  # with their formats
        dice = random.Random(f"games {seed}")
        ways = list(ways_to_play(game))
        for number, (players, rules) in enumerate(dice.sample(ways, min(WAYS, len(ways)))):
            self.keep(self.played(number, players, rules, dice), players, rules, dice)
        self.decisions = 0
        for agent in self.agents:  # compiles everything before the first case
            for view in self.views[:: max(1, len(self.views) // WAYS)]:
                seat = int(view[0]["seat"])
                self.decide(agent, self.table_of_view(view[0], seat), view[0], seat)

    def played(self, number: int, players: int, rules: dict[str, str], dice: random.Random) -> Table:
        """A game of agents or of random moves."""
        game, table = self.game, None
        start = game.deal(keys(self.seed), number, players, rules)
        quick = [agent for agent in self.agents if is_quick(agent)]
        if quick and number % 2:
            table = Table(game, [dice.choice(quick).take_seat(game) for _ in range(players)], start)
            for _ in islice(table.steps(), dice.randint(1, game.longest)):
                pass
            return table
        table = Table(game, [], start)
        while not table.over:
            legal = game.legal(table.view(table.to_move))
            table.make(Decision(int(dice.choice(list(legal)))))
        return table

    def keep(self, table: Table, players: int, rules: dict[str, str], dice: random.Random) -> None:
        """Keep views of a game, its record, and its texts in other formats."""
        pasts = range(len(table.turns) + 1)
        kept = set(dice.sample(pasts, min(VIEWS, len(pasts))))
        for turn, past in enumerate(table.from_the_start()):
            if turn in kept and past.to_move != generic.CHANCE:
                view = past.view(dice.choice([past.to_move if not past.over else 0, dice.randrange(players)]))
                self.views.append(np.frombuffer(bytearray(view.tobytes()), self.game.dtype))
        record = Record.of(table, ["somebody"] * players, rules, 1, 0)
        self.records.append(record.dump().decode())
        for each in self.game.formats:
            try:
                self.texts.append((each, each.write(record)))
            except RecordError:
                continue  # this format cannot represent the game

    def refuses(self, number: int) -> bool:
        """Whether a case is refused; a FaultError if it leads neither to that nor to a legal move."""
        dice = random.Random(f"{self.seed} {number}")
        try:
            if dice.random() < TEXTS:
                return self.refused_text(dice)
            view = changed_view(self.views, dice)
            seat = int(view[0]["seat"]) if dice.random() < 0.8 else dice.randrange(self.game.most_seats)
            return self.refused(view, seat, dice)
        except FaultError:
            raise
        except Exception as error:
            raise FaultError(f"it raises {error_text(error)}") from error

    def refused(self, views: Any, seat: int, dice: random.Random) -> bool:
        view = views[0]
        try:
            self.game.check_view(view, seat)
        except RecordError as error:
            if not str(error):
                raise FaultError("a view is refused without an explanation") from None
            return True
        if self.agents:
            self.decide(dice.choice(self.agents), self.table_of_view(view, seat), view, seat)
        return False

    def table_of_view(self, view: Any, seat: int) -> Table:
        """A table in a world consistent with a view; without a past if the game is not `retraceable`."""
        pair = np.zeros(2, self.game.dtype)
        pair[SEEN] = view
        self.rules.sample_world(pair, 1)
        now = pair[WORLD].copy()
        if not self.game.retraceable:
            return Table(self.game, [], pair[WORLD : WORLD + 1].copy(), rolls=False)
        for start in self.game.starts_of(view):
            again = pair.copy()
            self.rules.rewind(start, again)
            table = Table(self.game, [], again[WORLD : WORLD + 1].copy(), rolls=False)
            try:
                for turn in range(self.rules.turns(table.state), self.rules.turns(now)):
                    table.make(Decision(int(self.rules.move_at(now, turn))))
            except KibitzError:
                continue
            if same_view(table.view(seat), view):
                return table
        raise FaultError("a view is accepted, and no legal game leads to it")

    def decide(self, agent: Agent, table: Table, view: Any, seat: int) -> None:
        """Show an agent the game of a view, and let it decide if it is its turn."""
        player = self.player(agent, int(view["players"]))
        if player.remembers and self.game.retraceable:
            for past in table.from_the_start():
                if past.to_move != generic.CHANCE and len(past.turns) < len(table.turns):
                    player.observe(past.view(seat))
        if player.remembers:
            player.observe(view)
        if table.to_move == seat:
            move = player.decide(view).move
            self.decisions += 1
            if not table.allows(move):
                raise FaultError(f"{agent.name} decides on an illegal move")

    def player(self, agent: Agent, players: int) -> Player:
        """An agent in a seat, without memories. Compiled agents are reused with cleared memories."""
        known = self.players.get((agent.name, players))
        if not isinstance(known, CompiledPlayer):
            known = self.players[agent.name, players] = agent.take_seat(self.game)
        if isinstance(known, CompiledPlayer):
            for seats in known.seats.values():
                seats.room[:] = 0
        return known

    def refused_text(self, dice: random.Random) -> bool:
        """Read and replay a mutated record or text; agents then make some moves from its start."""
        record: Record | None = None
        try:
            if self.texts and dice.random() < 0.4:
                format, text = dice.choice(self.texts)
                record = format.read(changed_text(text, dice))
            else:
                record = parse(changed_json(dice.choice(self.records), self.records, dice).encode())
            record.replay()
        except RecordError:
            refused = True
        else:
            refused = False
        if record is None or record.game != self.game.name:
            return refused
        try:
            table = record.opened()
        except RecordError:
            return True
        if self.agents and not refused:
            table.start_rolling()
            for _ in range(3):
                if not table.over:
                    seat = table.to_move
                    self.decide(dice.choice(self.agents), table, table.view(seat), seat)
                    table.make(Decision(int(dice.choice(list(self.game.legal(table.view(seat)))))))
        return refused


def with_small_budget(agent: Agent) -> Agent:
    """The agent with a minimal search budget, so that many cases can be tried."""
    if not isinstance(agent, CompiledAgent) or agent.budget is None:
        return agent
    iterations = min(agent.budget.iterations or ITERATIONS, ITERATIONS)
    return agent.with_budget(Budget(iterations, depth=min(agent.budget.depth, DEPTH)))


def honest_agents(game: Game) -> list[Agent]:
    """The agents that can play at another program's host."""
    listed = registry.agents(game) if game.name in registry.game_entries() else []
    return [with_small_budget(agent) for agent in listed if type(agent) is not Agent and not agent.traits.cheats]


def is_quick(agent: Agent) -> bool:
    return isinstance(agent, CompiledAgent) and not agent.traits.searches


def quick_agents(game: Game) -> list[Agent]:
    """Some agents of a game, including agents that remember; no slow agents if there are others."""
    listed = sorted(honest_agents(game), key=lambda agent: agent.traits.remembers)
    listed = [agent for agent in listed if is_quick(agent)] or listed
    step = max(1, len(listed) // QUICK_AGENTS)
    return listed[::step][:QUICK_AGENTS]


def main(where: str, seed: str, first: str, end: str, *names: str) -> None:
    counts: Any = np.zeros(len(Count), np.int64)
    if COUNTS in os.environ:
        counts = np.memmap(os.environ[COUNTS], np.int64, "r+", shape=len(Count))
    cases = Cases(named_game(where), int(seed), names)
    cases.decisions = 0
    counts[Count.READY] = 1
    faults = 0
    for number in range(int(first), int(end)):
        if faults == MOST_FAULTS:
            break
        try:
            counts[Count.REFUSED if cases.refuses(number) else Count.ACCEPTED] += 1
        except FaultError as fault:
            print(f"{number} {fit(str(fault), 300)}", flush=True)
            faults += 1
        counts[Count.TRIED] += 1
        counts[Count.DECIDED] = cases.decisions


if __name__ == "__main__":
    main(*sys.argv[1:])
