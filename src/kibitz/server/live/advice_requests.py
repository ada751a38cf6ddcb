"""What agents would do in somebody's place, one or several of them, and why a bot moved as it did."""

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
from kibitz.server.live.public_explanations import Question, can_be_told, dice_of, question, shared_reason
from kibitz.server.live.request_registry import handles
from kibitz.server.live.session import Session
from kibitz.server.live.table import LiveTable
from kibitz.server.live.table_state import ANY_MOVE, Role

MOST_REASONS = 1000  # that a table remembers
AT_THE_END = "is shown when the game is over"
DEPENDS = f"The reason depends on what you cannot see; it {AT_THE_END}."
LOOKS_AHEAD = f"The reason cannot be told without what you cannot see; it {AT_THE_END}."

Key = tuple[int, int, str, bytes]  # the turn, the reader's seat, the agent, and a digest of the reader's views
REASONS: WeakKeyDictionary[LiveTable, dict[Key, str | None]] = WeakKeyDictionary()


def adviser(session: Session, table: LiveTable, name: str) -> Agent:
    """An agent of the catalogue that may be asked."""
    agent = session.service.agent(table.game, name)
    if agent.traits.cheats:
        raise RefusedError("hidden", f"{agent.title} looks at cards that you may not see, and gives no advice.")
    return agent


@dataclass(frozen=True)
class Place:
    """The position that a question is about: a seat to move, and the game so far."""

    session: Session
    table: LiveTable
    turn: int
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

    def tell(self, request: messages.Request, agent: Agent, **told: Any) -> None:
        self.session.answer(
            "advice", request, table=self.table.id, turn=self.turn, seat=self.seat, agent=agent.name, **told
        )


async def place_asked_for(session: Session, said: messages.Advise | messages.AdviseAll) -> Place:
    """The place that a question is about, if who asks may hear what can be said of it."""
    table, role = await session.table(said.table)
    check_kibitz(table.state)
    turn, seat = asked_about(said, table.state, role)
    past = table.state.at(turn).copy()
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
            told = await place.advice(agent)
        except FailedError as error:
            raise RefusedError("failed", no_advice(agent, error)) from None
        place.tell(said.request, agent, **told)

    session.think(think(), said.request)


@handles(messages.AdviseAll)
async def advise_all(session: Session, said: messages.AdviseAll) -> None:
    """Ask one agent after the other, the quick ones first; each answer says how many are still to come.

    One after the other, as more would not be done sooner: somebody who asks has one thread at a time.
    """
    place = await place_asked_for(session, said)
    agents = [adviser(session, place.table, name) for name in dict.fromkeys(said.agents)]
    agents.sort(key=lambda agent: (agent.traits.searches, is_python(agent)))

    async def think() -> None:
        for left, agent in zip(reversed(range(len(agents))), agents, strict=True):
            try:
                told = await place.advice(agent)
            except FailedError as error:
                told = {"failed": no_advice(agent, error)}
            place.tell(said.request, agent, **told, remaining=left)

    session.think(think(), said.request, len(agents))


# Why a bot moved


def question_about(table: LiveTable, role: Role, turn: int) -> tuple[Question, str]:
    """What somebody wants to know of a turn, from 1, and the name of the agent that moved then."""
    state = table.state
    if role.seat is None:
        raise RefusedError("not_yours", "While people play, reasons are for those who hold a seat.")
    if turn > state.turn:
        raise RefusedError("unknown", f"{state.turn} moves were made at this table; there is no move {turn} yet.")
    made = state.core.turns[turn - 1]
    if made.seat == generic.CHANCE:
        raise RefusedError("bad_message", f"Turn {turn} is a roll of the dice. Ask about a bot's move.")
    holder = state.holder_at(turn - 1, made.seat)
    if made.seat == role.seat or holder["kind"] != "bot":
        raise RefusedError("bad_message", "Only bots can be asked why they moved as they did.")
    return question(state.core, turn, role.seat), holder["agent"]


@handles(messages.Why)
async def why(session: Session, said: messages.Why) -> None:
    """Tell why a bot moved, as far as who asks can know. The reason that the bot gave waits for the end."""
    table, role = await session.table(said.table)
    check_kibitz(table.state)
    asked, name = question_about(table, role, said.turn)
    told = {"table": table.id, "turn": said.turn, "seat": asked.seat, "agent": name}
    agent = session.service.agent(table.game, name) if name != ANY_MOVE else None
    if agent is None or not can_be_told(agent):
        session.answer("why", said.request, **told, unknown=LOOKS_AHEAD)
        return
    assert isinstance(agent, CompiledAgent)
    views = blake2b(asked.views).digest()  # others after a move was taken back
    key, known = (said.turn, asked.reader, name, views), REASONS.setdefault(table, {})

    def tell() -> None:
        reason = known[key]
        session.answer("why", said.request, **told, reason=reason, unknown=None if reason else DEPENDS)

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
