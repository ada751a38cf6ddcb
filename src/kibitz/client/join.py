"""A kibitz agent at any host: with lines of JSON at a kibitz host, with bare JSON objects at others."""

from collections.abc import Callable

from kibitz.client.address import Address, HostError
from kibitz.client.agent_seat import LineAgentSeat, Participant, WireAgentSeat, unanswered
from kibitz.client.client import HELLO_SECONDS
from kibitz.client.handshake import RefusedError, first_answer
from kibitz.client.stream import SILENCE, ByteStream, shown
from kibitz.core.game import Game
from kibitz.errors import KibitzError

LINES, UNIBO = "lines", "unibo"


def join(
    where: str, name: str, game: Game, participant: Participant, *, games: int, wait: float,
    dice: Callable[[int], int], protocol: str | None = None,
) -> None:  # fmt: skip
    """Play games at a host, with the given protocol, by default with the one detected.

    `dice` returns the player's random numbers for a game, by its number, where the host does not send them.
    """
    address = Address.read(where)
    wire = None if address.table or protocol == LINES else game.wire
    if protocol != UNIBO:
        join_any(address, name, game, participant, games, wait, dice, may_be_bare=wire is not None)
    elif address.table:
        raise KibitzError(f"An invitation is not taken by the protocol {UNIBO}. Leave out --protocol.")
    elif wire is None:
        raise KibitzError(f"{game.title} is not played by the protocol {UNIBO}. Leave out --protocol.")
    else:
        WireAgentSeat(name, wire, participant, dice, wait).play(where, games)


def join_any(
    address: Address, name: str, game: Game, participant: Participant, games: int, wait: float,
    dice: Callable[[int], int], may_be_bare: bool,
) -> None:  # fmt: skip
    """Say hello in a line of JSON, and continue with the protocol of the answer.

    A host of bare objects takes the hello for a name and answers with a full name made from it, perhaps only when every
    seat is taken. The first game is then played under that name, the others under the plain one.
    """
    lines = LineAgentSeat(name, game, participant)
    # Only a host of bare objects may wait for other players before it answers.
    with ByteStream.open(address, wait, None if may_be_bare else HELLO_SECONDS) as stream:
        stream.send(lines.hello())
        if stream.is_silent(SILENCE):
            participant.notice(unanswered(stream.where))
        try:
            answer = first_answer(stream)
        except RefusedError as error:
            hint = f" If it speaks in bare objects: --protocol {UNIBO} gives it a plain name." if may_be_bare else ""
            raise RefusedError(f"{error}{hint}") from None
        if not isinstance(answer, str):
            lines.play_over(lines.welcomed(stream, answer), address, games)
            return
        if not may_be_bare or game.wire is None:
            raise HostError(
                f"The host at {address} answered with a full name, {shown(answer)!r}: it does not speak in lines of "
                f"JSON. {how_to_join(address, game)}"
            )
        participant.notice(
            f"This host speaks in bare objects and took the hello for a name. --protocol {UNIBO} gives a plain name."
        )
        seat = WireAgentSeat(name, game.wire, participant, dice, wait)
        seat.play_over(stream, answer)
    seat.play(str(address), games - 1)


def how_to_join(address: Address, game: Game) -> str:
    if address.table:
        return "An invitation is for the port that `kibitz serve` has for programs."
    if game.wire is None:
        return f"{game.title} is not played by its protocol: perhaps it plays another game, which --game names."
    return "Leave out --protocol."
