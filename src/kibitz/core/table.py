"""One game in progress with any mix of players. It can be copied, and continued from any of its turns."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.core.agent import CompiledAgent, Decision, Player, seats_of
from kibitz.core.agent_faults import called, illegal, naming_the_agent, where, why_stopped
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
    """A move, the seat that made it, and its reason."""

    number: int  # from 1
    seat: int
    decision: Decision


def own_copy(structs: Any) -> Any:
    """A copy of an array's only struct, in one step; NumPy copies field by field."""
    return np.frombuffer(bytearray(structs.tobytes()), structs.dtype)[0]


class Table:
    def __init__(self, game: Game, players: Sequence[Player], start: Any, rolls: bool = True) -> None:
        """Seat the players at a start position, an array of one state (see `Game.deal` and `Game.load_start`).

        A table without players replays moves. If `rolls` is false, the caller also makes the moves of chance.
        """
        self.game = game
        self.rules = generic.rules_of(game.dtype)
        self.players = list(players)
        self.start = start.copy()
        self.pair = np.zeros(2, game.dtype)
        self.pair[WORLD] = start[0]
        self.turns: list[Turn] = []
        self._rolls = rolls
        if not self._roll():
            self._notify()

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
        """The view of a seat, or of an ONLOOKER, as a separate struct."""
        return self.seen(seat, cheats=False)

    def seen(self, seat: int, cheats: bool) -> Any:
        """The view that a player gets; it includes the player's own hand if the player cheats."""
        self.rules.observe(self.pair, seat, cheats)
        return own_copy(self.pair[SEEN : SEEN + 1])

    def open_state(self) -> Any:
        """The state with all cards open but without random streams, as a separate struct.

        The streams of one game would reveal those of all other games of the same seed.
        """
        struct = own_copy(self.pair[WORLD : WORLD + 1])
        for name in self.game.stream_fields:
            struct[name] = 0
        return struct

    @property
    def rolls(self) -> bool:
        """Whether the table makes the moves of chance itself."""
        return self._rolls

    def start_rolling(self) -> None:
        """Let the table make the moves of chance from now on, including one that is due."""
        self._rolls = True
        self._roll()

    def stop_rolling(self) -> None:
        """Leave the moves of chance to the caller from now on."""
        self._rolls = False

    def roll_once(self) -> None:
        """Make the moves of chance that are due now, even if the table does not roll."""
        rolls = self._rolls
        self.start_rolling()
        self._rolls = rolls

    def _roll(self) -> bool:
        """Make the moves of chance that are due, if the table rolls; whether there were any."""
        made = False
        while self._rolls and self.to_move == generic.CHANCE:
            self.make_legal(Decision(int(chance_moves_now(self.pair))))
            made = True
        return made

    def _notify(self) -> None:
        if self.to_move == generic.CHANCE:
            return  # players see a roll together with the move before it
        for seat, player in enumerate(self.players):
            if player.remembers and self.learns(seat):
                player.observe(self.seen(seat, player.agent.traits.cheats))

    def learns(self, viewer: int) -> bool:
        """Whether a seat, or an ONLOOKER, learns of the last turn; a private one only its player learns of."""
        if not self.turns or not generic.has_private_turns(self.game.dtype):
            return True
        last = self.turns[-1]
        return viewer == last.seat or not self.is_private(last)

    def is_private(self, turn: Turn) -> bool:
        """Whether only the player who made a turn learns of it."""
        return bool(self.rules.is_private(self.state, turn.number - 1))

    def decide(self) -> Decision:
        """The decision of the player to move. Making it may change the player's memory."""
        seat = self.to_move
        player = self.players[seat]
        return player.decide(self.seen(seat, player.agent.traits.cheats))

    def allows(self, move: int) -> bool:
        """Whether a move is legal for the seat to move."""
        return bool(may_move(self.pair, move))

    def make(self, decision: Decision) -> Turn:
        """Make a move for the seat to move and notify all players; raise an error if it is illegal."""
        seat, number = self.to_move, int(turns_made(self.pair)) + 1
        if self.over:
            raise KibitzError("The game is over; no move can be made.")
        if not make_move(self.pair, decision.move):
            if seat == generic.CHANCE:
                rolled = self.game.move_text(decision.move)
                raise KibitzError(f"Turn {number}: {rolled!r} is not a possible roll.")
            who = called(self.players[seat].agent) if self.players else "The player"
            why = illegal(self.game, decision.move, self.state)
            raise AgentError(f"{where(self.game, who, seat, number - 1)} {why}")
        return self._note(Turn(number, seat, decision))

    def make_legal(self, decision: Decision) -> Turn:
        """Make a move that `allows` has accepted, and notify all players."""
        turn = Turn(int(turns_made(self.pair)) + 1, self.to_move, decision)
        apply_move(self.pair, decision.move)
        return self._note(turn)

    def _note(self, turn: Turn) -> Turn:
        self.turns.append(turn)
        if turn.seat == generic.CHANCE or not self._roll():
            self._notify()
        return turn

    def step(self) -> Turn:
        """Let the player to move make one move."""
        return self.make(self.decide())

    def text(self, turn: Turn) -> str:
        """Describe a turn in one sentence."""
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
        """An independent copy, including the players' memories."""
        other = object.__new__(Table)
        other._rolls = self._rolls
        other.game, other.rules, other.start, other.turns = self.game, self.rules, self.start, list(self.turns)
        other.players = [player.copy() for player in self.players]
        other.pair = self.pair.copy()
        return other

    def at_turn(self, moves: int, players: Sequence[Player]) -> "Table":
        """The table after a number of moves, with new players who have seen those moves."""
        return self.replayed(players, self.start, moves)

    def replayed(self, players: Sequence[Player], start: Any, moves: int | None = None) -> "Table":
        """Repeat the moves, or the first `moves` of them, from another start, where they must be legal too.

        If the other start lies later in the game, only the remaining moves are made.
        """
        already = int(self.rules.turns(start[0])) - int(self.rules.turns(self.start[0]))
        return self.continued(players, start, self.turns[already:moves])

    def continued(self, players: Sequence[Player], start: Any, turns: Iterable[Turn]) -> "Table":
        """These turns from another start."""
        other = Table(self.game, players, start, rolls=False)
        for turn in turns:
            other.make(turn.decision)
        other._rolls = self._rolls
        if players:
            other._roll()
        return other

    def from_the_start(self) -> Iterator["Table"]:
        """One table without players, before the first move of this game and after each of its moves."""
        past = self.at_turn(0, [])
        past.stop_rolling()
        yield past
        for turn in self.turns:
            past.make(turn.decision)
            yield past

    def sample_world(self, seat: int, players: Sequence[Player], stream: int) -> "Table":
        """This game in a world sampled from a seat's view, with new players in every seat.

        They see the sampled world from the start of the game (or of the round), so none remembers the true world.
        """
        self.rules.observe(self.pair, seat, False)
        pair = self.pair.copy()
        self.rules.sample_world(pair, stream)
        self.rules.rewind(self.start, pair)
        # A seat has not learned of others' private turns, so its view and its worlds may have fewer.
        left = int(self.rules.turns(self.pair[SEEN])) - int(self.rules.turns(pair[WORLD]))
        return self.continued(players, pair[WORLD : WORLD + 1].copy(), self.turns[len(self.turns) - left :])

    def continuations(self, seat: int, agents: Sequence[CompiledAgent], streams: Any, first_move: int = -1) -> Any:
        """Let agents finish the game in worlds sampled from a seat's view: one row of results per stream.

        With a first move, the seat to move makes it before the agents take over. Its legality is checked in the
        sampled worlds, because the true one is hidden.
        """
        game = self.game
        self.rules.observe(self.pair, seat, False)
        results = np.zeros((len(streams), game.width), np.int64)
        pair, seats, log = self.pair.copy(), seats_of(game, agents), np.zeros(game.longest, np.int64)
        with naming_the_agent(game, agents, pair, seats):
            done = continue_games(self.start, pair, seats, first_move, streams, results, log)
        if done == ILLEGAL:
            raise KibitzError(f"In some worlds that {game.seat_name(seat)} considers possible, that move is illegal.")
        if done < len(streams):
            raise AgentError(why_stopped(game, agents, [called(agent) for agent in agents], pair, seats, log))
        return results
