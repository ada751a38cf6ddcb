"""Thousands of Hanabi tables as one environment with arrays of actions and observations."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from kibitz.core import registry
from kibitz.core.agent import Agent, CompiledAgent, Traits, seats_of
from kibitz.core.agent_faults import naming_the_agent
from kibitz.core.table import own_copy
from kibitz.engine.loop import SEEN, WORLD
from kibitz.engine.seat import has_memory
from kibitz.engine.seeds import Keys, keys
from kibitz.errors import AgentError, KibitzError
from kibitz.games.hanabi.env.actions import action_count, action_names, move_of_action
from kibitz.games.hanabi.env.encoding import numbers_of_bytes, observation_width, word_count
from kibitz.games.hanabi.env.tables import (
    FINE,
    DealSettings,
    TableArrays,
    Workspace,
    advise_all,
    begin_all,
    first_illegal,
    observe_all,
    sample_all,
    step_all,
)
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.moves import Move
from kibitz.games.hanabi.state import STATE
from kibitz.games.hanabi.view import View
from kibitz.games.hanabi.worlds import observe

# The rules of the Hanabi Learning Environment where they differ from our defaults.
RULES: Mapping[str, str] = {"lost_game": "zero", "full_discard": "forbidden"}
DTYPES = ("uint8", "int8", "float32", "float64")
LEARNER = Agent("learner", HANABI.name, "The caller of `step`.", "", Traits())


class Batch(NamedTuple):
    """The tables after a step: one row or number each.

    The next step overwrites the arrays; use `copy` to keep them.
    """

    observations: Any  # of the seat to move (see `encoding`); rows of length 0 with observe=False
    rewards: Any  # the change of the score since the learner's last turn at the table
    done: Any  # whether the game ended; all but reward and score then describe the table's next game
    legal: Any  # the legal actions, as booleans
    seats: Any  # the seats to move
    scores: Any  # of the finished game; −1 if none finished

    def copy(self) -> "Batch":
        return Batch(*(each.copy() for each in self))


Policy = Callable[[Batch], Any]  # from a batch to one action per table


class BatchedHanabi:
    """Tables with equal numbers of players that all move in every step. A finished game is followed by the next.

    Table t plays games t, t + tables, t + 2 × tables … of the seed, with the same deals on any number of threads.

    The learner moves in every seat without a partner. Partners are compiled agents by seat, as names or
    as agents: `partners={1: "trustful"}`. They move within a step, and its reward includes their points.
    """

    def __init__(
        self,
        tables: int = 4096,
        players: int = 2,
        *,
        seed: int = 0,
        rules: Mapping[str, str] | None = None,
        partners: Mapping[int, str | CompiledAgent] | None = None,
        observe: bool = True,
        dtype: Any = np.uint8,
        threads: int = 1,
    ) -> None:
        check_size(players)
        check(tables >= 1, f"An environment must have at least one table, not {tables}.")
        check(threads >= 1, f"There must be at least one thread, not {threads}.")
        check(
            np.dtype(dtype).name in DTYPES,
            f"Observations are arrays of {', '.join(DTYPES)}, not of {np.dtype(dtype).name}.",
        )
        self._asked = {
            "tables": tables, "players": players, "seed": seed, "rules": rules, "partners": partners,
            "observe": observe, "dtype": dtype, "threads": threads,
        }  # fmt: skip
        self.tables, self.players, self.seed = tables, players, seed
        self.rules = complete_rules(rules)
        self.actions: int = action_count(players)
        self.action_names = action_names(players)
        self.width = observation_width(players)
        self.dtype = np.dtype(dtype)
        self.partners = seated_partners(partners or {}, players)
        self._agents = [self.partners.get(seat, LEARNER) for seat in range(players)]
        self._all = TableArrays(
            states=np.zeros(tables, STATE),
            games=np.arange(tables),
            moves=np.zeros(tables, np.int64),
            observations=np.zeros((tables, self.width if observe else 0), self.dtype),
            legal=np.zeros((tables, self.actions), np.bool_),
            seats=np.zeros(tables, np.int64),
            rewards=np.zeros(tables, np.float32),
            done=np.zeros(tables, np.bool_),
            scores=np.full(tables, -1, np.int64),
        )
        bounds = np.linspace(0, tables, min(threads, tables) + 1).astype(int).tolist()
        self._slices = [slice(first, end) for first, end in pairwise(bounds)]
        self._parts = [TableArrays(*(each[mine] for each in self._all)) for mine in self._slices]
        self._workspaces = [self._workspace(len(part.states)) for part in self._parts]
        self._workers = ThreadPoolExecutor(len(self._parts)) if len(self._parts) > 1 else None
        self._terms = self._terms_of(keys(seed))
        self.reset()

    def _workspace(self, tables: int) -> Workspace:
        seats = seats_of(HANABI, self._agents)
        return Workspace(
            pair=np.zeros(2, STATE),
            partners=seats if self.partners else None,
            memories=np.zeros((tables if has_memory(seats) else 0, len(seats.room)), np.int64),
            log=np.zeros(HANABI.longest, np.int64),
            words=np.zeros(word_count(self.players), np.int64),
            bytes_as_numbers=numbers_of_bytes(self.dtype),
        )

    # Playing

    def reset(self, seed: int | None = None) -> Batch:
        """Deal the first games of the seed, or of a new one."""
        if seed is not None:
            self.seed = self._asked["seed"] = seed
            self._terms = self._terms_of(keys(seed))
        self._all.games[:] = np.arange(self.tables)
        self._partners_moved(self._in_every_workspace(lambda part, workspace: begin_all(part, self._terms, workspace)))
        return self.batch

    def step(self, actions: Any) -> Batch:
        """Make an action at every table (see `actions`), then the partners' moves up to the learner's next turn.

        If an action is illegal, no table changes.
        """
        chosen = self._checked(actions)
        done = self._in_every_workspace(
            lambda part, workspace, mine: step_all(part, mine, self._terms, workspace), chosen
        )
        self._partners_moved(done)
        return self.batch

    @property
    def batch(self) -> Batch:
        """The present state of the tables."""
        every = self._all
        return Batch(every.observations, every.rewards, every.done, every.legal, every.seats, every.scores)

    @property
    def games(self) -> Any:
        """The number of the current game of each table."""
        return self._all.games.copy()

    def sample(self) -> Any:
        """A random legal action for every table, as the agent `random_legal` would choose."""
        actions = np.empty(self.tables, np.int64)
        self._in_every_workspace(lambda part, workspace, mine: sample_all(part, mine), actions)
        return actions

    def advise(self, agent: str | CompiledAgent) -> Any:
        """The actions of an agent in the seats to move, as a teacher or for comparison.

        An agent with a memory replays the games so far each time, which takes longer.
        """
        adviser = compiled_agent(agent, "An adviser")
        actions = np.empty(self.tables, np.int64)

        def advise(part: TableArrays, workspace: Workspace, mine: Any) -> Any:
            seats = seats_of(HANABI, [adviser] * self.players)
            with naming_the_agent(HANABI, [adviser] * self.players, workspace.pair, seats):
                return advise_all(part, mine, self._terms, seats, workspace.pair, np.zeros(1, STATE))

        done = self._in_every_workspace(advise, actions)
        for table in done:
            check(table == FINE, f"{adviser.name} decided on an illegal move at table {table}.", AgentError)
        return actions

    def play(self, policy: Policy) -> Any:
        """Play games 0 to `tables` − 1 of the seed with a policy, one per table, and return their scores.

        The tables are reset first; afterwards they are in the middle of later games.
        """
        scores = np.full(self.tables, -1)
        batch = self.reset()
        while (scores < 0).any():
            batch = self.step(policy(batch))
            scores = np.where(scores < 0, batch.scores, scores)
        return scores

    # Looking

    def observe(self, seats: Any) -> Any:
        """A new array of the observations of one seat at all tables, or of one seat per table."""
        wanted = np.array(np.broadcast_to(np.asarray(seats, np.int64), self.tables))
        for table in np.flatnonzero((wanted < 0) | (wanted >= self.players))[:1]:
            raise KibitzError(
                f"There is no seat {wanted[table]} (table {table}): the seats are 0 to {self.players - 1}."
            )
        rows = np.empty((self.tables, self.width), self.dtype)
        self._in_every_workspace(
            lambda part, workspace, mine, row: observe_all(part, mine, workspace, row), wanted, rows
        )
        return rows

    def view(self, table: int, seat: int | None = None) -> View:
        """The view of a seat (by default the seat to move) at a table, as Python agents get it."""
        check(0 <= table < self.tables, f"There is no table {table}: they are 0 to {self.tables - 1}.")
        viewer = int(self._all.seats[table]) if seat is None else seat
        check(viewer in range(self.players), f"There is no seat {viewer}: the seats are 0 to {self.players - 1}.")
        pair = np.zeros(2, STATE)
        pair[WORLD] = self._all.states[table]
        observe(pair, viewer, False)
        return View(own_copy(pair[SEEN:]))

    # Within

    def _terms_of(self, key: Keys) -> DealSettings:
        return DealSettings(self.players, HANABI.rule_bits(self.rules), key, self.tables)

    def _in_every_workspace(self, work: Callable[..., Any], *arrays: Any) -> list[int]:
        """Run work on all tables, each worker on its own; the table numbers returned refer to the whole."""

        def job(place: int) -> int:
            mine = self._slices[place]
            workspace, agents = self._workspaces[place], self._agents
            with naming_the_agent(HANABI, agents, workspace.pair, workspace.partners):
                found = work(self._parts[place], workspace, *(array[mine] for array in arrays))
            return FINE if found is None or found == FINE else mine.start + int(found)

        if self._workers is None:
            return [job(0)]
        return list(self._workers.map(job, range(len(self._slices))))

    def _checked(self, actions: Any) -> Any:
        chosen = np.asarray(actions)
        check(
            chosen.shape == (self.tables,) and chosen.dtype.kind in "iu",
            f"A step takes a whole number for each of the {self.tables} tables, not an array of {chosen.dtype.name} "
            f"of shape {chosen.shape}.",
        )
        chosen = np.ascontiguousarray(chosen, np.int64)
        table = int(first_illegal(self._all, chosen))
        if table != FINE:
            legal = np.flatnonzero(self._all.legal[table])
            raise KibitzError(f"Table {table}: {why_not(int(chosen[table]), self._all.states[table], legal)}")
        return chosen

    def _partners_moved(self, done: list[int]) -> None:
        for table in done:
            who = " or ".join(dict.fromkeys(agent.name for agent in self.partners.values()))
            check(table == FINE, f"The partner {who} decided on an illegal move at table {table}.", AgentError)

    def __getstate__(self) -> dict[str, Any]:
        """The pickled and copied state: the arguments and the tables."""
        return {
            "asked": self._asked,
            "all": self._all,
            "memories": [workspace.memories for workspace in self._workspaces],
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state["asked"])  # type: ignore[misc]
        for mine, theirs in zip(self._all, state["all"], strict=True):
            mine[:] = theirs
        for workspace, memories in zip(self._workspaces, state["memories"], strict=True):
            workspace.memories[:] = memories


def check(holds: bool, otherwise: str, error: type[KibitzError] = KibitzError) -> None:
    if not holds:
        raise error(otherwise)


def check_size(players: int) -> None:
    first, last = HANABI.players[0], HANABI.players[-1]
    check(players in HANABI.players, f"Hanabi is for {first} to {last} players, not {players}.")


def complete_rules(chosen: Mapping[str, str] | None) -> dict[str, str]:
    """All rules: the chosen ones, else those of the Hanabi Learning Environment."""
    return HANABI.check_rules({**RULES, **(chosen or {})})


def why_not(action: Any, state: Any, legal: Any) -> str:
    """Why an action is illegal, and which actions are legal."""
    seat, names = int(state["to_move"]), action_names(int(state["players"]))
    if action in range(len(names)):
        move = Move(int(move_of_action(int(action), seat, int(state["players"]))))
        said = f"action {action} ({names[action]}) is not legal now: {HANABI.why_not(move, state)}"
    else:
        said = f"there is no action {action}: they are the whole numbers from 0 to {len(names) - 1}"
    choices = ", ".join(f"{each} ({names[each]})" for each in legal)
    return f"{said}. {HANABI.seat_name(seat)} is to move and may choose among {choices}."


def compiled_agent(agent: str | CompiledAgent, what: str) -> CompiledAgent:
    found = registry.agent(HANABI, agent) if isinstance(agent, str) else agent
    if not isinstance(found, CompiledAgent):
        raise KibitzError(
            f"{what} must be a compiled agent, but {found.name} is not. `kibitz agents hanabi` lists them; "
            f"docs/how-to/compiled-agent.md shows how to write one."
        )
    return found


def seated_partners(partners: Mapping[int, str | CompiledAgent], players: int) -> dict[int, CompiledAgent]:
    for seat in partners:
        check(seat in range(players), f"There is no seat {seat} for a partner: the seats are 0 to {players - 1}.")
    check(len(partners) < players, "Partners sit in every seat; leave at least one for the learner.")
    return {seat: compiled_agent(agent, "A partner") for seat, agent in partners.items()}
