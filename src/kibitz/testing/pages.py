"""What goes to browsers and programs is JSON, small, and reads back."""

from typing import Any

import msgspec

from kibitz.engine.loop import ONLOOKER
from kibitz.testing.position import Position

MOST_BYTES = 60_000  # of a page or of the choices: a table sends one to everybody after every move


def sent(at: Position, what: str, value: Any) -> bytes:
    try:
        text = msgspec.json.encode(value)
        msgspec.json.decode(text)
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError) as error:
        at.refuse(f"`{what}` gives what JSON cannot hold: {error}.")
    at.require(len(text) <= MOST_BYTES, f"`{what}` gives {len(text):,} bytes; {MOST_BYTES:,} are the most.")
    return text


def views(at: Position) -> None:
    game = at.game
    records = [at.view(seat) for seat in (*at.viewers, ONLOOKER)] + [at.table.open_state()]
    for record in records:
        page = sent(at, "page", game.page(record))
        at.require(page.startswith(b"{"), "`page` gives something else than a JSON object.")
        at.require(page == sent(at, "page", game.page(record)), "`page` gives something else the second time.")
        odds = game.odds(record)
        at.require(isinstance(odds, list), "`odds` gives something else than a list.")
        sent(at, "odds", odds)
    explained = game.turns_explained(at.state)
    at.require(0 <= explained <= len(at.moves), f"`turns_explained` is {explained}, of {len(at.moves)} turns.")
    at.require(
        explained == len(at.moves) or not at.table.over, "`turns_explained` hides reasons of a game that is over."
    )


def events(at: Position) -> None:
    if not at.moves:
        return
    turn = len(at.moves) - 1
    texts = []
    for seat in (*at.viewers, ONLOOKER):
        event = at.game.event(at.view(seat), turn)
        texts.append(sent(at, "event", event))
        at.require({"turn", "move", "text"} <= event.keys(), f"`event` lacks turn, move or text: {event}.")
        at.require(event["turn"] == turn + 1, f"`event` of turn {turn} says {event['turn']}; it counts from 1.")
    at.require(
        not at.game.moves_are_open or len(set(texts)) == 1,
        "`moves_are_open` says that everybody sees the same of every move, and `event` differs from seat to seat.",
    )


def choices(at: Position) -> None:
    if at.table.over:
        return
    view = at.view(at.table.to_move)
    offered = at.game.choices(view)
    sent(at, "choices", offered)
    moves = [int(at.game.move(each["move"], view)) for each in offered]
    at.require(sorted(moves) == sorted(at.legal()), f"`choices` offers the moves {moves}; legal are {at.legal()}.")


def wire(at: Position) -> None:
    """A state over a plain connection is a JSON object, for every seat."""
    agreed = at.game.wire
    if agreed is None or at.game.check_rules(agreed.rules) != at.rules:
        return
    names = [agreed.full_name(seat, "Ada") for seat in at.viewers]
    for seat in at.viewers:
        state = msgspec.json.decode(agreed.state(at.view(seat), names))
        at.require(isinstance(state, dict), "`wire.state` gives something else than a JSON object.")
