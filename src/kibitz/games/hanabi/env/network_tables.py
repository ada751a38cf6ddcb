"""Tables for training a network: its inputs (see `agents.network_inputs`), and the actions of a teacher.

Actions are relative to the seat to move: 0–4 play a card, 5–9 discard one, then ten hints for each other player, the
next player first, in the order of `rules`. Row t of the arrays describes table t.
"""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.agent import CompiledAgent, seats_of
from kibitz.core.agent_faults import naming_the_agent
from kibitz.engine.compile import compiled
from kibitz.engine.loop import ONLOOKER, SEEN, WORLD, has_observers, move_by, notify_observers
from kibitz.engine.seat import Seats, has, take_room
from kibitz.engine.seeds import keys
from kibitz.errors import AgentError
from kibitz.games.hanabi.agents.network_inputs import HINTS, WIDTH, WORDS, put_inputs
from kibitz.games.hanabi.agents.promises import ACCOUNT, keep_account
from kibitz.games.hanabi.cards import holds
from kibitz.games.hanabi.env.batched import check, check_size, compiled_agent
from kibitz.games.hanabi.env.encoding import WORD
from kibitz.games.hanabi.env.tables import FINE, NO_SCORE, DealSettings, deal_game
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.rules import HINT, allowed, apply, legal, score, to_move
from kibitz.games.hanabi.state import STATE
from kibitz.games.hanabi.worlds import observe

keep_public = compiled(keep_account)


class Rows(NamedTuple):
    """A row, or a number, for every table."""

    states: Any
    accounts: Any  # of promises
    games: Any  # the number of the game that is played, among those of the seed
    words: Any  # what the network is shown, as bits: for every other player a row of words
    legal: Any  # actions, true or false each
    advice: Any  # the action of the teacher; −1 without one
    scores: Any  # of the game that the last step ended; −1 where it did not
    memories: Any  # of the teacher, in words


@compiled
def action_of(move: int, seat: int, players: int) -> int:
    if move < HINT:
        return move
    return HINT + HINTS * (((move - HINT) // 10 - seat - 1) % players) + (move - HINT) % 10


@compiled
def move_of_action(action: int, seat: int, players: int) -> int:
    if action < HINT:
        return action
    return HINT + 10 * ((seat + 1 + (action - HINT) // HINTS) % players) + (action - HINT) % HINTS


@compiled
def notify_all(states: Any, table: int, accounts: Any, teachers: Seats, pair: Any, memories: Any) -> None:
    """Update the account of promises and the memories of the teachers after a move."""
    pair[WORLD] = states[table]
    observe(pair, ONLOOKER, False)
    keep_public(pair[SEEN], accounts[table])
    if has_observers(teachers):
        take_room(teachers.seats, teachers.watches, memories.ctypes.data + table * memories.strides[0])
        notify_observers(pair, teachers)


@compiled
def move_all(rows: Rows, chosen: Any, first: int, end: int, terms: DealSettings, teachers: Seats, pair: Any) -> None:
    """Make an action at every table, or deal its game if the action is −1. A finished game is followed by the next."""
    states, accounts, games, _, _, _, scores, memories = rows
    for table in range(first, end):
        state, account, dealing = states[table], accounts[table], chosen[table] < 0
        scores[table] = NO_SCORE
        if not dealing:
            apply(state, move_of_action(chosen[table], state.to_move, state.players))
            if to_move(state) < 0:
                scores[table] = score(state)
                games[table] += terms.stride
                dealing = True
        if dealing:
            deal_game(state, terms, games[table])
            account.promised = account.alone = account.act = account.slot = 0
            memories[table, :] = 0
        notify_all(states, table, accounts, teachers, pair, memories)


@compiled
def observe_all(rows: Rows, first: int, end: int, teachers: Seats, pair: Any) -> int:
    """Write the inputs, the legal actions and the teacher's action for the seat to move.

    Returns the first table where the teacher's move is illegal, or FINE.
    """
    states, accounts, _, words, actions, advice, _, memories = rows
    structs = teachers.seats
    for table in range(first, end):
        pair[WORLD] = states[table]
        state, view = pair[WORLD], pair[SEEN]
        seat, players, moves = state.to_move, state.players, legal(state)
        observe(pair, seat, False)
        for step in range(1, players):
            put_inputs(view, accounts[table], step, words[table, step - 1])
        for action in range(actions.shape[1]):
            actions[table, action] = holds(moves, move_of_action(action, seat, players))
        if structs.shape[0] > 0:
            take_room(structs, teachers.watches, memories.ctypes.data + table * memories.strides[0])
            if has(teachers.cheats, seat):
                observe(pair, seat, True)
            move = move_by(structs[seat], view)
            if not allowed(state, move):
                return table
            advice[table] = action_of(move, seat, players)
    return FINE


class NetworkTables:
    """Tables that all move in every step; a finished game is followed by the next.

    Table t plays games t, t + tables, t + 2 × tables … of the seed, like `BatchedHanabi`, by default with the rules of
    a match. The next step overwrites the arrays.
    """

    def __init__(
        self,
        tables: int,
        players: int = 2,
        *,
        seed: int = 0,
        first_game: int = 0,
        rules: Mapping[str, str] | None = None,
        teacher: str | CompiledAgent | None = None,
        threads: int = 1,
    ) -> None:
        self._asked = {
            "tables": tables, "players": players, "seed": seed, "first_game": first_game, "rules": rules,
            "teacher": teacher, "threads": threads,
        }  # fmt: skip
        check_size(players)
        check(tables >= 1, f"There must be at least one table, not {tables}.")
        self.tables, self.players, self.others = tables, players, players - 1
        self.actions = HINT + HINTS * self.others
        self.teacher = compiled_agent(teacher, "A teacher") if teacher is not None else None
        self._terms = DealSettings(players, HANABI.rule_bits(HANABI.check_rules(dict(rules or {}))), keys(seed), tables)
        bounds = np.linspace(0, tables, min(threads, tables) + 1).astype(int).tolist()
        teachers = [self.teacher] * players if self.teacher else []
        self._workspaces = [
            (first, end, seats_of(HANABI, teachers, players), np.zeros(2, STATE)) for first, end in pairwise(bounds)
        ]
        self._workers = ThreadPoolExecutor(len(self._workspaces)) if len(self._workspaces) > 1 else None
        self.rows = Rows(
            states=np.zeros(tables, STATE),
            accounts=np.zeros(tables, ACCOUNT),
            games=first_game + np.arange(tables),
            words=np.zeros((tables, self.others, WORDS), np.int64),
            legal=np.zeros((tables, self.actions), np.bool_),
            advice=np.full(tables, -1),
            scores=np.full(tables, NO_SCORE),
            memories=np.zeros((tables, len(self._workspaces[0][2].room)), np.int64),
        )
        self._move(np.full(tables, -1))

    def step(self, actions: Any) -> None:
        """Make an action, which must be legal, at every table."""
        chosen = np.ascontiguousarray(actions, np.int64)
        check(
            chosen.shape == (self.tables,) and bool(self.rows.legal[np.arange(self.tables), chosen].all()),
            f"A step takes a legal action for each of the {self.tables} tables.",
        )
        self._move(chosen)

    def _move(self, chosen: Any) -> None:
        def work(workspace: tuple[int, int, Seats, Any]) -> int:
            first, end, teachers, pair = workspace
            with naming_the_agent(HANABI, [self.teacher] * len(teachers.seats), pair, teachers):
                move_all(self.rows, chosen, first, end, self._terms, teachers, pair)
                return int(observe_all(self.rows, first, end, teachers, pair))

        in_every_workspace: Any = map if self._workers is None else self._workers.map
        for table in in_every_workspace(work, self._workspaces):
            who = self.teacher.name if self.teacher else ""
            check(table == FINE, f"{who} advised an illegal move at table {table}.", AgentError)

    @property
    def packed(self) -> Any:
        """The inputs of the network, eight bits per number: for every table a row for each other player."""
        return self.rows.words[:, :, : WORDS - 1].astype(np.uint32).view(np.uint8)

    def __getstate__(self) -> dict[str, Any]:
        """The pickled state: the arguments and the tables."""
        return {"asked": self._asked, "rows": self.rows}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state["asked"])  # type: ignore[misc]
        for mine, theirs in zip(self.rows, state["rows"], strict=True):
            mine[:] = theirs


def unpacked(packed: Any) -> Any:
    """Packed inputs as numbers, zeros and ones."""
    return np.unpackbits(packed, axis=-1, count=WIDTH, bitorder="little").astype(np.float32)


assert WORD == 32  # as `packed` takes for granted
