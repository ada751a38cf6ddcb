"""One game in progress, with any mix of players, that can be copied and played on from any turn."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.core.agent import CompiledAgent, Decision, Player, seats_of
from kibitz.core.game import Game
from kibitz.engine import generic
from kibitz.engine.loop import (
    ILLEGAL,
    SEEN,
    WORLD,
    apply_move,
    chance_moves_now,
    continue_games,
    make_move,
    may_move,
    turns_made,
    whose_turn,
)
from kibitz.errors import AgentError, KibitzError


@dataclass(frozen=True)
class Turn:
    """A move that was made, by whom, and why."""

    number: int  # from 1
    seat: int
    decision: Decision


def own_copy(structs: Any) -> Any:
    """The one struct of an array, in memory of its own; NumPy's copies go field by field."""
    return np.frombuffer(bytearray(structs.tobytes()), structs.dtype)[0]


class Table:
    def __init__(self, game: Game, players: Sequence[Player], start: Any, rolls: bool = True) -> None:
        """Seat the players at a start, an array of one state (see `Game.deal` and `Game.load_start`).

        Without players the table is one to replay at. Unless it `rolls`, the moves of chance are made by hand, too.
        """
        self.game = game
        self.rules = generic.rules_of(game.dtype)
        self.players = list(players)
        self.start = start.copy()
        self.pair = np.zeros(2, game.dtype)
        self.pair[WORLD] = start[0]
        self.turns: list[Turn] = []
        self.rolls = rolls
        if not self.settle():
            self._tell()

    @property
    def state(self) -> Any:
        return self.pair[WORLD]

    @property
    def to_move(self) -> int:
        """The seat to move; OVER when the game is over, or CHANCE (see `generic.to_move`)."""
        return int(whose_turn(self.pair))

    @property
    def over(self) -> bool:
        return self.to_move == generic.OVER

    def view(self, seat: int) -> Any:
        """What a seat, or an ONLOOKER, may see, as a struct of its own."""
        return self.seen(seat, cheats=False)

    def seen(self, seat: int, cheats: bool) -> Any:
        """What a player in a seat is shown: its own hand too, if it is one that cheats."""
        self.rules.observe(self.pair, seat, cheats)
        return own_copy(self.pair[SEEN : SEEN + 1])

    def open_state(self) -> Any:
        """The state for those from whom no card is hidden any more, as a struct of its own.

        It has no streams: from that of one game of a seed, those of the other games could be computed.
        """
        struct = own_copy(self.pair[WORLD : WORLD + 1])
        for name in self.game.stream_fields:
            struct[name] = 0
        return struct

    def settle(self) -> bool:
        """Let chance make its moves, if it is to move and the table rolls; whether it made any."""
        made = False
        while self.rolls and self.to_move == generic.CHANCE:
            self.make_legal(Decision(int(chance_moves_now(self.pair))))
            made = True
        return made

    def _tell(self) -> None:
        if self.to_move == generic.CHANCE:
            return  # what chance does is seen together with the move before it
        for seat, player in enumerate(self.players):
            if player.remembers:
                player.observe(self.seen(seat, player.agent.traits.cheats))

    def decide(self) -> Decision:
        """What the player to move would do now. It is the player's own thought: memories may change."""
        seat = self.to_move
        player = self.players[seat]
        return player.decide(self.seen(seat, player.agent.traits.cheats))

    def allows(self, move: int) -> bool:
        """Whether the seat to move may make a move."""
        return bool(may_move(self.pair, move))

    def make(self, decision: Decision) -> Turn:
        """Make a move of the seat to move and let everybody see it; an illegal one is refused."""
        seat, number = self.to_move, int(turns_made(self.pair)) + 1
        if self.over:
            raise KibitzError("The game is over; no move can be made.")
        if not make_move(self.pair, decision.move):
            if seat == generic.CHANCE:
                rolled = self.game.move_text(decision.move)
                raise KibitzError(f"Turn {number}: {rolled!r} is nothing that can be rolled.")
            who = self.players[seat].agent.name if self.players else "The player"
            raise AgentError(f"{who} at seat {self.game.seat_name(seat)}, turn {number}, decided on an illegal move.")
        return self._note(Turn(number, seat, decision))

    def make_legal(self, decision: Decision) -> Turn:
        """Make a move that `allows` has been asked about, and let everybody see it."""
        turn = Turn(int(turns_made(self.pair)) + 1, self.to_move, decision)
        apply_move(self.pair, decision.move)
        return self._note(turn)

    def _note(self, turn: Turn) -> Turn:
        self.turns.append(turn)
        if turn.seat == generic.CHANCE or not self.settle():
            self._tell()
        return turn

    def step(self) -> Turn:
        """One move by the player whose turn it is."""
        return self.make(self.decide())

    def text(self, turn: Turn) -> str:
        """What happened in a turn, in a sentence."""
        return self.game.event_text(self.state, turn.number - 1)

    def steps(self) -> Iterator[Turn]:
        while not self.over:
            yield self.step()

    def run(self) -> dict[str, int]:
        """Play to the end and return the result."""
        for _ in self.steps():
            pass
        return self.result()

    def result(self) -> dict[str, int]:
        return self.game.result(self.state)

    def copy(self) -> "Table":
        """The same table with the same memories, to be played on in another way."""
        other = object.__new__(Table)
        other.rolls = self.rolls
        other.game, other.rules, other.start, other.turns = self.game, self.rules, self.start, list(self.turns)
        other.players = [player.copy() for player in self.players]
        other.pair = self.pair.copy()
        return other

    def at_turn(self, moves: int, players: Sequence[Player]) -> "Table":
        """The table as it was after so many moves, with fresh players who saw them: to play on from there."""
        return self.replayed(players, self.start, moves)

    def replayed(self, players: Sequence[Player], start: Any, moves: int | None = None) -> "Table":
        """The same moves, or the first of them, at another start, where they must be legal too.

        A start that some of the moves already led to is gone on from with the others.
        """
        other = Table(self.game, players, start, rolls=False)
        already = int(turns_made(other.pair)) - int(self.rules.turns(self.start[0]))
        for turn in self.turns[already:moves]:
            other.make(turn.decision)
        other.rolls = self.rolls
        if players:
            other.settle()
        return other

    def from_the_start(self) -> Iterator["Table"]:
        """One table that nobody sits at, before the first move of this game and after each."""
        past = self.at_turn(0, [])
        past.rolls = False
        yield past
        for turn in self.turns:
            past.make(turn.decision)
            yield past

    def sample_world(self, seat: int, players: Sequence[Player], stream: int) -> "Table":
        """This game in a world sampled from what a seat sees, with fresh players in every seat.

        They live through the sampled world from its start (of this round, in a game of rounds), so none
        remembers the true one.
        """
        self.rules.observe(self.pair, seat, False)
        pair = self.pair.copy()
        self.rules.sample_world(pair, stream)
        self.rules.rewind(self.start, pair)
        return self.replayed(players, pair[WORLD : WORLD + 1].copy())

    def continuations(self, seat: int, agents: Sequence[CompiledAgent], streams: Any, first_move: int = -1) -> Any:
        """How the game goes on with these agents, each time in a fresh world sampled from what a seat sees.

        One row of results for every stream. With a first move, the seat to move
        makes it before the agents take over; whether it is legal is judged in the sampled worlds, as
        the true one is not known to who asks.
        """
        game = self.game
        self.rules.observe(self.pair, seat, False)
        results = np.zeros((len(streams), game.width), np.int64)
        done = continue_games(
            self.start, self.pair.copy(), seats_of(game, agents), first_move, streams, results,
            np.zeros(game.longest, np.int64),
        )  # fmt: skip
        if done == ILLEGAL:
            raise KibitzError(f"{game.seat_name(seat)} can imagine worlds in which the first move is not legal.")
        if done < len(streams):
            names = ", ".join(agent.name for agent in agents)
            raise AgentError(f"One of {names} decided on a move that is not legal, in continuation {done}.")
        return results
