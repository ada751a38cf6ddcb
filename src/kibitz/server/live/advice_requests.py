"""Advice: the moves agents would make in a player's position, and explanations of bots' moves."""

from dataclasses import dataclass
from hashlib import blake2b
from typing import Any
from weakref import WeakKeyDictionary

from kibitz.core.agent import Agent, CompiledAgent
from kibitz.core.table import Table
from kibitz.engine import generic
from kibitz.server.live import bot_seat, messages
from kibitz.server.live.bot_seat import FailedError, failure, is_python
from kibitz.server.live.limits import OWN_SECONDS
from kibitz.server.live.messages import RefusedError
from kibitz.server.live.play_requests import asked_about, check_kibitz
from kibitz.server.live.public_explanations import Question, can_be_explained, dice_of, question, shared_reason
from kibitz.server.live.request_registry import handles
from kibitz.server.live.session import Session
from kibitz.server.live.table import LiveTable
from kibitz.server.live.table_state import ANY_MOVE, Role

MOST_REASONS = 1000  # that a table remembers
AT_THE_END = "is shown when the game is over"
DEPENDS = f"The reason depends on what you cannot see; it {AT_THE_END}."
LOOKS_AHEAD = f"The reason depends on what you cannot see; it {AT_THE_END}."

Key = tuple[int, int, str, bytes]  # the turn, the reader's seat, the agent, and a digest of the reader's views
REASONS: WeakKeyDictionary[LiveTable, dict[Key, str | None]] = WeakKeyDictionary()


def adviser(session: Session, table: LiveTable, name: str) -> Agent:
    """An agent of the catalogue that may give advice."""
    agent = session.service.agent(table.game, name)
    if agent.traits.cheats:
        raise RefusedError("hidden", f"{agent.title} looks at cards that you may not see, and gives no advice.")
    return agent


@dataclass(frozen=True)
class Place:
    """The position of a question: the seat to move, and the game so far."""

    session: Session
    table: LiveTable
    turn: int  # as the client counts it
    seat: int
    past: Table

    async def advice(self, agent: Agent) -> dict[str, Any]:
        """An agent's move and reason, as sent to the client; a FailedError if it has none."""
        game, service = self.table.game, self.session.service
        advised = await bot_seat.advice(
            game, agent, self.past, self.seat, self.session.id, service.bot_threads, service.processes,
            service.bot_seconds,
        )  # fmt: skip
        move = game.move_text(advised.move)
        choices = game.choices(self.past.view(self.seat))
        found = advised.expects
        return {
            "move": move,
            "reason": advised.reason,
            "choice": next((choice for choice in choices if choice["move"] == move), None),
            "expects": {"text": game.expectation_text(found), **found._asdict()} if found else None,
        }

    def send(self, request: messages.Request, agent: Agent, **fields: Any) -> None:
        self.session.answer(
            "advice", request, table=self.table.id, turn=self.turn, seat=self.seat, agent=agent.name, **fields
        )


async def place_asked_for(session: Session, said: messages.Advise | messages.AdviseAll) -> Place:
    """The position of a question, if the client may see what an answer reveals."""
    table, role = await session.table(said.table)
    check_kibitz(table.state)
    turn, place, seat = asked_about(said, table.state, role)
    past = table.state.at(place).copy()
    if past.to_move != seat:
        raise RefusedError("not_your_turn", f"At turn {turn} it is not {table.game.seat_name(seat)}'s move.")
    return Place(session, table, turn, seat, past)


def no_advice(agent: Agent, error: FailedError) -> str:
    return f"{agent.title} has no advice: it {error.heard.removeprefix('it ')}."


@handles(messages.Advise)
async def advise(session: Session, said: messages.Advise) -> None:
    place = await place_asked_for(session, said)
    agent = adviser(session, place.table, said.agent)

    async def think() -> None:
        try:
            advice = await place.advice(agent)
        except FailedError as error:
            raise RefusedError("failed", no_advice(agent, error)) from None
        place.send(said.request, agent, **advice)

    session.think(think(), said.request)


@handles(messages.AdviseAll)
async def advise_all(session: Session, said: messages.AdviseAll) -> None:
    """Ask one agent after the other, the quick ones first; each answer includes the number still to come.

    Parallel requests would not finish sooner: a client has one thread at a time.
    """
    place = await place_asked_for(session, said)
    agents = [adviser(session, place.table, name) for name in dict.fromkeys(said.agents)]
    agents.sort(key=lambda agent: (agent.traits.searches, is_python(agent)))

    async def think() -> None:
        for left, agent in zip(reversed(range(len(agents))), agents, strict=True):
            try:
                advice = await place.advice(agent)
            except FailedError as error:
                advice = {"failed": no_advice(agent, error)}
            place.send(said.request, agent, **advice, remaining=left)

    session.think(think(), said.request, len(agents))


# Why a bot moved


def question_about(table: LiveTable, role: Role, number: int) -> tuple[Question, str]:
    """The question about a turn, from 1 as the client counts, and the name of the agent that moved in it."""
    state = table.state
    if role.seat is None:
        raise RefusedError("not_yours", "While people play, reasons are for those who hold a seat.")
    if number > (made_so_far := state.turn_for(role)):
        raise RefusedError("unknown", f"{made_so_far} moves were made at this table; there is no move {number} yet.")
    turn = state.counted_turn(role, number)
    made = state.core.turns[turn - 1]
    if made.seat == generic.CHANCE:
        raise RefusedError("bad_message", f"Turn {number} is a roll of the dice. Ask about a bot's move.")
    holder = state.holder_at(turn - 1, made.seat)
    if made.seat == role.seat or holder["kind"] != "bot":
        raise RefusedError("bad_message", "Only bots can be asked why they moved as they did.")
    return question(state.core, turn, role.seat), holder["agent"]


@handles(messages.Why)
async def why(session: Session, said: messages.Why) -> None:
    """Explain a bot's move as far as the viewer's knowledge allows. The bot's own reason follows after the game."""
    table, role = await session.table(said.table)
    check_kibitz(table.state)
    asked, name = question_about(table, role, said.turn)
    fields = {"table": table.id, "turn": said.turn, "seat": asked.seat, "agent": name}
    agent = session.service.agent(table.game, name) if name != ANY_MOVE else None
    if agent is None or not can_be_explained(agent):
        session.answer("why", said.request, **fields, unknown=LOOKS_AHEAD)
        return
    assert isinstance(agent, CompiledAgent)
    views = blake2b(asked.views).digest()  # others after a move was taken back
    key, known = (said.turn, asked.reader, name, views), REASONS.setdefault(table, {})

    def tell() -> None:
        reason = known[key]
        session.answer("why", said.request, **fields, reason=reason, unknown=None if reason else DEPENDS)

    if key in known:
        tell()
        return

    async def think() -> None:
        stream, threads = dice_of(table.id, said.turn, asked.reader), session.service.bot_threads
        call = lambda: shared_reason(table.game, agent, asked, stream)  # noqa: E731
        try:
            reason = await threads.run(threads.advice, session.id, call, OWN_SECONDS)
        except Exception as error:
            raise RefusedError("failed", f"{agent.title} could not be asked: it {failure(error).heard}.") from None
        if len(known) >= MOST_REASONS:
            known.clear()
        known[key] = reason
        tell()

    session.think(think(), said.request)
