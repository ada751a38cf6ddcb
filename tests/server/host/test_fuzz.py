"""Whatever is sent to a host, in whatever order: it has nothing to be alarmed of, and plays on."""

import json
import socket
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.server.host.hosts import SOON, Hosted, LinePeer, Peer, Playing, Polite, PoliteWire, WirePeer, hosting

awkward = st.sampled_from(
    ["", "x", "G1 (Ada)", "G2 (hajdu_v2)", "é\u202e", "\x00", "discard 1", "hint 1 to G2", "9" * 30]
)
scalars: Any = awkward | st.none() | st.booleans() | st.integers() | st.floats()
values: Any = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(awkward, inner, max_size=3),
    max_leaves=6,
)
MINE = "mine"  # what the seat was given instead
words = awkward | st.just(MINE)
numbers = st.integers(-1, 100) | scalars
messages = st.one_of(
    st.fixed_dictionaries({"type": st.just("hello"), "version": st.just(2) | numbers, "structs": st.booleans()}),
    st.fixed_dictionaries({"type": st.just("sit")}, optional={"table": words, "invitation": words, "name": words}),
    st.fixed_dictionaries({"type": st.just("resume"), "table": words, "token": words}),
    st.fixed_dictionaries({"type": st.sampled_from(["reclaim_seat", "leave", "spectate"]), "table": words}),
    st.fixed_dictionaries({"type": st.just("move"), "table": words, "turn": numbers, "move": words}),
    st.fixed_dictionaries({"type": words}, optional={"request": values, "table": words}),
)
wire_moves = st.fixed_dictionaries(
    {
        "player": st.just(MINE) | words,
        "type": st.sampled_from(["play", "discard", "hint color", "hint value"]) | values,
    },
    optional={
        "card": st.integers(-1, 6) | values,
        "hinted": st.just("G2 (hajdu_v2)") | values,
        "color": st.sampled_from(["red", "white"]) | values,
        "value": st.integers(0, 6) | values,
    },
)
FEW = settings(max_examples=100)


def crowded() -> Any:
    """A host with an open seat, which waits for nobody."""
    return hosting("open,hajdu_v2", games=100_000, at_once=8, deadline=SOON, substitute="hajdu_v2")


def said(peer: Peer, text: bytes) -> None:
    """Say something, then hang up and listen until the host does, too."""
    try:
        peer.send(text)
        peer.socket.shutdown(socket.SHUT_WR)
        while peer.piece():
            pass
    except OSError:
        pass  # it was sent away before it had said all
    finally:
        peer.socket.close()


def plays_on(host: Hosted) -> None:
    [view] = Playing(Polite("Bo"), host.where).ends()
    assert view["state"] == "finished"


def mine(message: Any, known: dict[str, Any]) -> bytes:
    """A message in which what was given to the seat is filled in."""
    filled = {key: known.get(key, value) if value == MINE else value for key, value in message.items()}
    return json.dumps(filled).encode()


def test_any_bytes_may_be_sent() -> None:
    begins = st.sampled_from([b"", b"Ada\n", b"Ada\n{", b'{"type":"hello","version":2}\n', b"{", b"\n"])

    with crowded() as host:

        @FEW
        @given(begins, st.binary(max_size=60), st.sampled_from([b"", b"\n", b"}", b'"}\n{}']))
        def fuzzed(begin: bytes, middle: bytes, end: bytes) -> None:
            said(Peer(host.port), begin + middle + end)

        fuzzed()
        plays_on(host)


def test_any_json_may_be_sent_in_lines() -> None:
    with crowded() as host:

        @FEW
        @given(st.lists(values, max_size=4))
        def fuzzed(sent: list[Any]) -> None:
            said(LinePeer(host.port), b"".join(json.dumps(value).encode() + b"\n" for value in sent))

        fuzzed()
        plays_on(host)


def test_any_messages_may_be_sent_in_any_order() -> None:
    with crowded() as host:

        @FEW
        @given(st.lists(messages, max_size=8), st.booleans())
        def fuzzed(sent: list[Any], sits: bool) -> None:
            peer = LinePeer(host.port)
            known: dict[str, Any] = {"move": "discard 1", "turn": 0}
            if sits:
                known |= peer.sits()
            said(peer, b"".join(mine(message, known) + b"\n" for message in sent))

        fuzzed()
        plays_on(host)


def test_any_objects_may_be_sent_over_the_wire() -> None:
    with crowded() as host:

        @FEW
        @given(st.lists(wire_moves | st.dictionaries(awkward, values, max_size=4), min_size=1, max_size=4))
        def fuzzed(sent: list[Any]) -> None:
            peer = WirePeer(host.port)
            known = {"player": peer.is_seated()}
            said(peer, b"".join(mine(move, known) for move in sent))

        fuzzed()
        plays_on(host)
        PoliteWire("Bo").play(host.where)
