"""What whoever made a table may change about it: how late spectators see the hands, and what may be said."""

from typing import Any

from kibitz.live import messages
from kibitz.live.messages import ChatMode, RefusedError
from kibitz.live.play_requests import handles
from kibitz.live.session import Handler, Session

REQUESTS: dict[type, Handler] = {}
CHAT_TEXTS: dict[ChatMode, str] = {
    "off": "The chat of this table is off.",
    "quick": "While the game runs, only quick words can be said.",
    "free": "From now on, anything can be said while the game runs. Do not talk about cards.",
}
SHORTEST_DELAY, LONGEST_DELAY = 5, 100  # moves


def check_delay(moves: int) -> None:
    """A player can look on in a second window, so all that protects the game is how late spectators see a hand."""
    if moves and not SHORTEST_DELAY <= moves <= LONGEST_DELAY:
        raise RefusedError(
            "bad_message",
            f"Spectators see the hands {SHORTEST_DELAY} to {LONGEST_DELAY} moves later, or with 0 not before the end.",
        )


def delay_text(moves: int) -> str:
    if moves:
        return f"From now on, spectators see all hands {moves} moves later."
    return "From now on, spectators see no hands before the game is over."


@handles(messages.Options, REQUESTS)
async def choose(session: Session, said: messages.Options) -> None:
    table, role = await session.table(said.table)
    if not role.host:
        raise RefusedError("not_yours", "This is set by who made the table.")
    async with table.changing() as state:
        changed: dict[str, Any] = {}
        texts = []
        if said.spectators is not None and said.spectators != state.spectators:
            state.check_goes_on()
            check_delay(said.spectators)
            changed["spectators"] = said.spectators
            texts.append(delay_text(said.spectators))
        if said.chat is not None and said.chat != state.chat_mode:
            changed["chat"] = said.chat
            texts.append(CHAT_TEXTS[said.chat])
        if said.chat_spectators is not None and said.chat_spectators != state.chat_spectators:
            changed["chat_spectators"] = said.chat_spectators
            texts.append(f"From now on, spectators may {'speak too' if said.chat_spectators else 'not speak'}.")
        if changed:
            await table.choose(changed, *texts)
        now = {"spectators": state.spectators, "chat": state.chat_mode, "chat_spectators": state.chat_spectators}
        session.answer("options", said.request, table=table.id, **now)
