"""The chat of a table: texts, but only quick words while people play, because these cannot reveal a card."""

import time
from typing import Any, Literal

from kibitz.server.live import messages
from kibitz.server.live.messages import RefusedError
from kibitz.server.live.request_registry import handles
from kibitz.server.live.session import Session
from kibitz.server.live.table_state import Role, TableState, clean_line

LONGEST = 200  # characters
# Sent as numbers: add new ones at the end. None may mean a card, a move, a yes or a no.
WORDS = (
    "Hello!", "Good luck!", "One moment, please", "Thinking …", "I am back", "Well played!", "Thanks!", "Sorry!",
    "Good game!", "I have to go",
)  # fmt: skip


def speaks(state: TableState, role: Role) -> Literal["", "quick", "free"]:
    """The chat allowed to a client now: nothing, quick words, or texts as well.

    Texts are allowed when they cannot leak a card to a player. At a table that still waits for players, the cards are
    already dealt and seen. Players do not receive chat of spectators who see the hands.
    """
    if state.chat_mode == "off":
        return ""
    if state.all_may_be_seen:
        return "free"
    if role.seat is None and (state.spectators or not state.chat_spectators):
        return ""
    return state.chat_mode


def check_speaks(state: TableState, role: Role, text: bool) -> None:
    may = speaks(state, role)
    if may == "free" or (may == "quick" and not text):
        return
    if may == "quick":
        raise RefusedError(
            "hidden", "Until the game is over, only quick words can be said here: a text may give cards away."
        )
    if state.chat_mode == "off":
        raise RefusedError("switched_off", "The chat of this table is off. The creator of the table can switch it on.")
    if state.spectators:
        raise RefusedError("hidden", "You may see the hands, so you cannot speak to those who play before the end.")
    raise RefusedError(
        "not_yours",
        "Only players may speak during the game. The creator of the table can let spectators speak.",
    )


def cleaned(text: str) -> str:
    line = clean_line(text)
    if not line:
        raise RefusedError("bad_message", "The text is empty. Write something, or choose a quick word.")
    if len(line) > LONGEST:
        raise RefusedError("bad_message", f"That has {len(line)} characters; {LONGEST} are the most.")
    return line


@handles(messages.Chat)
async def chat(session: Session, said: messages.Chat) -> None:
    table, role = await session.table(said.table)
    if said.word is not None and said.word >= len(WORDS):
        raise RefusedError("unknown", f"There are {len(WORDS)} quick words, from 0.")
    async with table.changing() as state:
        check_speaks(state, role, said.word is None)
        text = cleaned(said.text) if said.word is None else WORDS[said.word]
        if state.chat_lines >= session.limits.chat_lines:
            raise RefusedError(
                "full", f"{session.limits.chat_lines} lines were said at this table, and no more can be."
            )
        if not session.chat.take():
            raise RefusedError("too_fast", "Too many lines of chat; wait a little.")
        name = session.name if role.seat is None else state.seats[role.seat].person
        line: dict[str, Any] = {"number": state.chat_lines, "name": name, "text": text, "at": int(time.time())}
        if role.seat is not None:
            line["seat"] = role.seat
        await table.say(line)
    session.answer("ok", said.request, table=table.id)
