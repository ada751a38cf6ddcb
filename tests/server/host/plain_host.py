"""A host as somebody else would write it: from the text of the protocol alone, with lists and dictionaries.

It shares no code with kibitz, writes its objects in its own ways where the protocol leaves room, and does not forgive.
"""

import json
import random
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from operator import itemgetter
from typing import Any

COLOURS = ["red", "green", "white", "blue", "yellow"]
VALUES = [1, 2, 3, 4, 5]
COPIES = {1: 3, 2: 2, 3: 2, 4: 2, 5: 1}

Write = Callable[[dict[str, Any]], bytes]


class PlainGame:
    def __init__(self, names: list[str], dice: random.Random) -> None:
        self.names = names
        self.deck = [(colour, value) for colour in COLOURS for value in VALUES for _ in range(COPIES[value])]
        dice.shuffle(self.deck)
        self.drawn_from = self.deck[::-1]
        self.hands: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
        for name in names:
            for _ in range(5 if len(names) < 4 else 4):
                self.draw(name)
        self.piles = dict.fromkeys(COLOURS, 0)
        self.gone: list[dict[str, Any]] = []
        self.hints, self.fuse, self.round, self.final, self.turn = 8, 3, 1, -1, 0
        self.last: dict[str, Any] | None = None

    def draw(self, name: str) -> None:
        colour, value = self.deck.pop()
        self.hands[name].append(
            {"color": colour, "value": value, "possible_colors": list(COLOURS), "possible_values": list(VALUES)}
        )

    @property
    def current(self) -> str:
        return self.names[self.turn % len(self.names)]

    @property
    def over(self) -> bool:
        done = self.final > 0 and self.round == self.final + 1
        return self.fuse == 0 or sum(self.piles.values()) == 25 or done

    @property
    def score(self) -> int:
        return sum(self.piles.values()) if self.fuse else 0

    def seen_by(self, name: str) -> dict[str, Any]:
        hands = {other: [dict(card) for card in hand] for other, hand in self.hands.items()}
        for card in hands[name]:
            card["color"] = card["color"] if len(card["possible_colors"]) == 1 else None
            card["value"] = card["value"] if len(card["possible_values"]) == 1 else 0
        return {
            "discarded": self.gone, "hints": self.hints, "deck": len(self.deck), "fuse": self.fuse, **self.piles,
            "current": self.current, "round": self.round, "final": self.final, "lastaction": self.last, **hands,
        }  # fmt: skip

    def make(self, move: dict[str, Any]) -> None:
        name = self.current
        assert move["player"] == name, f"{move} is not of {name}"
        if move["type"] in ("play", "discard"):
            self.use(name, int(move["card"]), move["type"] == "play")
        else:
            self.tell(name, move)
        self.last = move
        self.round += 1
        self.turn += 1

    def use(self, name: str, index: int, play: bool) -> None:
        assert 0 <= index < len(self.hands[name]), f"no card {index}"
        card = self.hands[name].pop(index)
        if play and self.piles[card["color"]] == card["value"] - 1:
            self.piles[card["color"]] += 1
            self.hints += card["value"] == 5 and self.hints < 8
        else:
            self.gone.append(card)
            self.fuse -= play
            self.hints += not play and self.hints < 8
        if self.deck:
            self.draw(name)
            if not self.deck:
                self.final = self.round + len(self.names)

    def tell(self, name: str, move: dict[str, Any]) -> None:
        assert self.hints > 0, "no token"
        assert move["hinted"] != name, "a hint to oneself"
        what = {"hint color": "color", "hint value": "value"}[move["type"]]
        touched = [card[what] == move[what] for card in self.hands[move["hinted"]]]
        assert any(touched), "a hint that touches nothing"
        self.hints -= 1
        for card, touches in zip(self.hands[move["hinted"]], touched, strict=True):
            key = f"possible_{what}s"
            card[key] = [each for each in card[key] if (each == move[what]) == touches]


def plainly(state: dict[str, Any]) -> bytes:
    return json.dumps(state).encode()


def unusually(state: dict[str, Any]) -> bytes:
    """With 3.0 for 3, other orders, keys that nobody asked for, and white space."""
    dice = random.Random(state["round"])

    def other(value: Any) -> Any:
        if isinstance(value, dict):
            items = [(key, other(each)) for key, each in value.items()]
            dice.shuffle(items)
            return {**dict(items), "note": 'a "}" in a string \\'}
        if isinstance(value, list):
            mixed = [other(each) for each in value]
            if not any(isinstance(each, dict) for each in mixed):
                dice.shuffle(mixed)
            return mixed
        return float(value) if type(value) is int else value

    return b" " + json.dumps(other(state), indent=1, ensure_ascii=False).encode() + b"\r\n"


class PlainHost(threading.Thread):
    """Plays a number of games, each with the next clients, seated by their names, and keeps the scores."""

    def __init__(
        self, players: int, games: int = 1, *, seed: int = 0, write: Write = plainly, shuffled: bool = False,
        in_pieces: bool = False, together: bool = False, breaks_at: int = 0, says: bytes = b"",
    ) -> None:  # fmt: skip
        super().__init__(daemon=True)
        self.players, self.games, self.write, self.shuffled = players, games, write, shuffled
        self.in_pieces, self.together = in_pieces, together  # how bytes are sent
        self.breaks_at, self.says = breaks_at, says  # a round in which it says something and goes away
        self.dice = random.Random(seed)
        self.scores: list[int] = []
        self.decks: list[list[tuple[str, int]]] = []  # in the order in which the cards are drawn
        self.turns: list[list[dict[str, Any]]] = []
        self.failure: BaseException | None = None
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.where = f"127.0.0.1:{self.listening.getsockname()[1]}"

    def __enter__(self) -> "PlainHost":
        self.start()
        return self

    def __exit__(self, *failure: object) -> None:
        if failure[0] is None:
            self.join(60)
            assert not self.is_alive(), "the host still waits for somebody"
            assert self.failure is None, self.failure

    def run(self) -> None:
        try:
            for _ in range(self.games):
                self.one_game()
        except BaseException as failure:
            self.failure = failure
        finally:
            self.listening.close()

    def one_game(self) -> None:
        guests = [self.listening.accept()[0] for _ in range(self.players)]
        try:
            for guest in guests:
                guest.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            given = sorted(((self.read_line(guest), guest) for guest in guests), key=itemgetter(0))
            if self.shuffled:
                self.dice.shuffle(given)
            self.play({f"G{seat} ({name})": guest for seat, (name, guest) in enumerate(given, start=1)})
        finally:
            for guest in guests:
                guest.close()

    def play(self, guests: dict[str, socket.socket]) -> None:
        game = PlainGame(list(guests), self.dice)
        self.decks.append(game.drawn_from)
        unsent = {name: name.encode() + b"\n" for name in guests}
        turns: list[dict[str, Any]] = []
        while True:
            if self.breaks_at == game.round:
                for guest in guests.values():
                    guest.sendall(self.says)
                return
            for name, guest in guests.items():
                unsent[name] += self.write(game.seen_by(name))
                if not self.together or game.over or name == game.current:
                    self.send(guest, unsent[name], game.round)
                    unsent[name] = b""
            if game.over:
                break
            move = self.read_object(guests[game.current])
            turns.append(move)
            game.make(move)
        self.scores.append(game.score)
        self.turns.append(turns)

    def send(self, guest: socket.socket, text: bytes, round: int) -> None:
        """In one piece, or byte by byte at first and in odd pieces then."""
        place = 0
        while place < len(text):
            size = len(text) if not self.in_pieces else 1 if round <= 2 else self.dice.randint(1, 900)
            guest.sendall(text[place : place + size])
            place += size

    def read_line(self, guest: socket.socket) -> str:
        text = b""
        while not text.endswith(b"\n"):
            piece = guest.recv(1)
            assert piece, "a guest went away"
            text += piece
        return text.decode().rstrip("\n")

    def read_object(self, guest: socket.socket) -> dict[str, Any]:
        """The moves are short: try whether it is complete after every piece."""
        text = b""
        while True:
            piece = guest.recv(4096)
            assert piece, "a guest went away"
            text += piece
            try:
                move: dict[str, Any] = json.loads(text)
            except ValueError:
                continue
            return move


def plain_guest(where: str, name: str = "Plain", games: int = 1) -> threading.Thread:
    """Somebody at a host who plays what likely fits, hints while tokens last, else discards: no kibitz here either."""

    def sit() -> None:
        host, _, port = where.partition(":")
        with suppress(OSError), socket.create_connection((host, int(port))) as connection:
            connection.sendall(name.encode() + b"\n")
            said, me = b"", ""
            while piece := connection.recv(65536):
                said += piece
                if not me and b"\n" in said:
                    first, _, said = said.partition(b"\n")
                    me = first.decode()
                while me and (found := first_object(said)):
                    state, said = found
                    goes_on = state.get("current") == me and state["fuse"] and not 0 < state["final"] < state["round"]
                    if goes_on:
                        connection.sendall(json.dumps(simple_move(me, state)).encode())

    def sit_again() -> None:
        for _ in range(games):
            sit()

    thread = threading.Thread(target=sit_again, daemon=True)
    thread.start()
    return thread


def first_object(said: bytes) -> tuple[dict[str, Any], bytes] | None:
    """A state and what follows it, if it is complete."""
    text = said.decode(errors="ignore").lstrip()
    try:
        state, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return (state, text[end:].encode()) if isinstance(state, dict) else None


def most_piles(state: dict[str, Any]) -> int:
    """The height at which most piles stand."""
    heights = [state[colour] for colour in COLOURS]
    return int(max(heights, key=heights.count))


def simple_move(me: str, state: dict[str, Any]) -> dict[str, Any]:
    for index, card in enumerate(state[me]):
        fits = card["value"] == state[card["color"]] + 1 if card["color"] else card["value"] == 1 + most_piles(state)
        if fits:
            return {"player": me, "type": "play", "card": index}
    seats = sorted(key for key in state if key.startswith("G"))
    after = seats[(seats.index(me) + 1) % len(seats)]
    if state["hints"] > 3:
        return {"player": me, "type": "hint value", "hinted": after, "value": state[after][0]["value"]}
    return {"player": me, "type": "discard", "card": 0}
