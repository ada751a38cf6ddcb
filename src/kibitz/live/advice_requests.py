"""What agents would do in somebody's place: one of them, or several that answer as each is done."""

from dataclasses import dataclass
from typing import Any

from kibitz.core.agent import Agent
from kibitz.core.table import Table
from kibitz.live import bot_seat, messages
from kibitz.live.bot_seat import FailedError, is_python
from kibitz.live.messages import RefusedError
from kibitz.live.play_requests import asked_about, check_kibitz, handles
from kibitz.live.session import Handler, Session
from kibitz.live.table import LiveTable

ADVICE_REQUESTS: dict[type, Handler] = {}


def adviser(session: Session, table: LiveTable, name: str) -> Agent:
    """An agent of the catalogue that may be asked."""
    agent = session.service.agent(table.game, name)
    if agent.traits.cheats:
        raise RefusedError("hidden", f"{agent.name} looks at cards that you may not see, and gives no advice.")
    return agent


@dataclass(frozen=True)
class Place:
    """The place in a game that advice is asked for: a seat to move, and the game up to there."""

    session: Session
    table: LiveTable
    turn: int
    seat: int
    past: Table

    async def advice(self, agent: Agent) -> dict[str, Any]:
        """What an agent would do there, and why, as it is told; a FailedError says that it does not know."""
        game, service = self.table.game, self.session.service
        advised = await bot_seat.advice(
            game, agent, self.past, self.seat, self.session.id, service.bot_threads, service.bot_seconds
        )
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
    return f"{agent.name} has no advice: it {error.heard.removeprefix('it ')}."


@handles(messages.Advise, ADVICE_REQUESTS)
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


@handles(messages.AdviseAll, ADVICE_REQUESTS)
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
            place.tell(said.request, agent, **told, left=left)

    session.think(think(), said.request, len(agents))
