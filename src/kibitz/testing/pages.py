"""Pages, events and wire messages are small JSON objects that can be read back."""

from typing import Any

import msgspec

from kibitz.engine.loop import ONLOOKER
from kibitz.testing.position import Position

MOST_BYTES = 60_000  # of a page or of the choices: a table sends one to every viewer after each move


def sent(at: Position, what: str, value: Any) -> bytes:
    try:
        text = msgspec.json.encode(value)
        msgspec.json.decode(text)
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError) as error:
        at.refuse(f"`{what}` returns something that JSON cannot represent: {error}.")
    at.require(len(text) <= MOST_BYTES, f"`{what}` returns {len(text):,} bytes of JSON; the limit is {MOST_BYTES:,}.")
    return text


def views(at: Position) -> None:
    game = at.game
    records = [at.view(seat) for seat in (*at.viewers, ONLOOKER)] + [at.table.open_state()]
    for record in records:
        page = sent(at, "page", game.page(record))
        at.require(page.startswith(b"{"), "`page` must return a JSON object.")
        at.require(page == sent(at, "page", game.page(record)), "`page` returns different results for the same view.")
        odds = game.odds(record)
        at.require(isinstance(odds, list), "`odds` must return a list.")
        sent(at, "odds", odds)
    explained = game.turns_explained(at.state)
    at.require(
        0 <= explained <= len(at.moves),
        f"`turns_explained` returns {explained}, but must return 0 to {len(at.moves)}, the number of turns.",
    )
    at.require(
        explained == len(at.moves) or not at.table.over,
        "`turns_explained` still hides reasons although the game is over. Return the number of turns then.",
    )


def events(at: Position) -> None:
    if not at.moves:
        return
    texts = []
    for seat in (*at.viewers, ONLOOKER):
        if not at.table.learns(seat):
            continue
        view = at.view(seat)
        turn = int(at.functions.turns(view)) - 1
        event = at.game.event(view, turn)
        texts.append(sent(at, "event", event))
        at.require({"turn", "move", "text"} <= event.keys(), f"`event` lacks turn, move or text: {event}.")
        at.require(
            event["turn"] == turn + 1,
            f"`event` numbers the last turn {event['turn']} instead of {turn + 1}. Turns count from 1.",
        )
    at.require(
        not at.game.moves_are_open or len(set(texts)) == 1,
        "`moves_are_open` is set, but `event` differs from seat to seat. Unset it, or show every seat the same.",
    )


def choices(at: Position) -> None:
    if at.table.over:
        return
    view = at.view(at.table.to_move)
    offered = at.game.choices(view)
    sent(at, "choices", offered)
    moves = [int(at.game.move(each["move"], view)) for each in offered]
    at.require(
        sorted(moves) == sorted(at.legal()),
        f"`choices` offers the moves {moves}, but the legal moves are {at.legal()}.",
    )


def wire(at: Position) -> None:
    """On the wire, every seat's state is a JSON object."""
    agreed = at.game.wire
    if agreed is None or at.game.check_rules(agreed.rules) != at.rules:
        return
    names = [agreed.full_name(seat, "Ada") for seat in at.viewers]
    for seat in at.viewers:
        state = msgspec.json.decode(agreed.state(at.view(seat), names))
        at.require(isinstance(state, dict), "`wire.state` must return a JSON object.")
