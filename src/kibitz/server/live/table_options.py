"""Options of a running table: the delay of spectators, and the chat."""

from typing import Any

from kibitz.server.live import messages
from kibitz.server.live.delay import check_delay, delay_text
from kibitz.server.live.messages import ChatMode, RefusedError
from kibitz.server.live.request_registry import handles
from kibitz.server.live.session import Session
from kibitz.server.live.table_state import TableState

CHAT_TEXTS: dict[ChatMode, str] = {
    "off": "The chat of this table is off.",
    "quick": "While the game runs, only quick words can be said.",
    "free": "From now on, anything can be said while the game runs. Do not talk about cards.",
}


def check_not_lowered(state: TableState, moves: int) -> None:
    """After the first move a delay can only grow: its creator may be playing and spectating as well."""
    if state.touched and moves and (not state.spectators or moves < state.spectators):
        least = f"{state.spectators} moves or more, or 0" if state.spectators else "0"
        raise RefusedError(
            "bad_message", f"During the game the delay of spectators can only be made longer: {least} until the end."
        )


@handles(messages.Options)
async def choose(session: Session, said: messages.Options) -> None:
    table, role = await session.table(said.table)
    if not role.host:
        raise RefusedError("not_yours", "Only the creator of the table can change this.")
    async with table.changing() as state:
        changed: dict[str, Any] = {}
        texts = []
        if said.spectators is not None and said.spectators != state.spectators:
            state.check_goes_on()
            check_delay(table.game, said.spectators)
            check_not_lowered(state, said.spectators)
            changed["spectators"] = said.spectators
            texts.append(delay_text(table.game, said.spectators))
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
