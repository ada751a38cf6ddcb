"""`kibitz join`: one of our players, or a person at the terminal, at somebody's host."""

import statistics
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from kibitz.cli.play import HUMAN, LeftTableError, Screen
from kibitz.cli.terminal import COMPILING, AsJson, complain, out, patience, plain, print_json
from kibitz.host import UniboClient
from kibitz.host.client import given_name

if TYPE_CHECKING:
    from kibitz.core.agent import Agent, Player
    from kibitz.core.game import Game
    from kibitz.core.wire import Mirror, Wire


def join(
    where: Annotated[str, typer.Argument(metavar="HOST:PORT", help="Where the host listens, like localhost:4000.")],
    who: Annotated[
        str,
        typer.Option(
            "--as",
            metavar="AGENT",
            help="Who plays: human for a person at this terminal, else an agent as `kibitz match` takes it.",
        ),
    ],
    game: Annotated[str, typer.Option(help="Which game is played there; the host does not say.")] = "hanabi",
    name: Annotated[str | None, typer.Option(show_default="the agent's", help="The name to play under.")] = None,
    games: Annotated[int, typer.Option(min=1, help="How many games to play, one after the other.")] = 1,
    seed: Annotated[int, typer.Option(help="Where an agent's dice come from: the same seed, the same decisions.")] = 0,
    wait: Annotated[float, typer.Option(min=0, help="Seconds to wait for a host that is not there yet.")] = 5.0,
    protocol: Annotated[
        Literal["unibo"], typer.Option(help="How the host speaks: that of Bida & Pandolfi, bare JSON objects.")
    ] = "unibo",
    json: AsJson = False,
) -> None:
    """Take a seat at a host, ours or anybody's that speaks the protocol.

        kibitz join localhost:4000 --as bot2

        kibitz join 192.168.1.7:4000 --as my_bot.py:MyBot --name Ada --games 100

        kibitz join localhost:4000 --as human --name Bo

    The seat is one of those the host keeps open; the game begins when all are taken. A lost game scores 0.
    """
    from kibitz.core import registry
    from kibitz.core.errors import KibitzError
    from kibitz.core.seeds import keys, number

    which = registry.game(game)
    if which.wire is None:
        raise KibitzError(f"{which.title} is not played by the protocol {protocol}; no program of others speaks it.")
    if who == HUMAN and json:
        raise KibitzError("--json is for programs, and a person plays here. Leave it out.")
    guest: Guest
    named = name or short_name(who)
    if who == HUMAN:
        guest = PersonAway(named, which, which.wire, wait)
    else:
        agent = honest(which, who)
        with patience(COMPILING):
            agent.take_seat(which)
        guest = Guest(
            named, which.wire, lambda: agent.take_seat(which, explains=False), wait,
            lambda played: number(keys(seed).dice, played), quiet=json,
        )  # fmt: skip
    failure = ""
    try:
        guest.play(where, games)
    except KibitzError as error:
        failure = str(error)
    except (LeftTableError, KeyboardInterrupt, EOFError) as leaving:
        out.print("\nYou have left the table; how the game ends is up to its host.")
        raise typer.Exit(0 if isinstance(leaving, LeftTableError) else 130) from None
    if json:
        print_json({"host": where, "game": which.name, "agent": who, "name": named, **summary(guest.results)})
    elif len(guest.results) > 1:
        out.print(in_a_sentence(summary(guest.results)))
    if failure:
        complain(failure)
        raise typer.Exit(1)


def short_name(who: str) -> str:
    """An agent's name without the path to it: MyBot for path/to/my_bot.py:MyBot."""
    return who.rpartition(":")[2].rpartition("/")[2].removesuffix(".toml")


def honest(game: "Game", who: str) -> "Agent":
    from kibitz.core import registry
    from kibitz.core.errors import KibitzError

    agent = registry.agent(game, who)
    if agent.traits.cheats:
        raise KibitzError(
            f"{who} looks at its own hidden cards, and no host shows them to anybody. Choose one that does not cheat; "
            f"`kibitz agents {game.name}` says who does."
        )
    return agent


def summary(results: list[dict[str, Any]]) -> dict[str, Any]:
    scores = [result["score"] for result in results]
    return {
        "played": len(scores),
        "mean": statistics.fmean(scores) if scores else None,
        "deviation": statistics.stdev(scores) if len(scores) > 1 else None,
        "best": max(scores, default=None),
        "worst": min(scores, default=None),
        "games": results,
    }


def in_a_sentence(summary: dict[str, Any]) -> str:
    return (
        f"[bold]{summary['played']} games: mean {summary['mean']:.2f}[/], deviation {summary['deviation']:.2f}, "
        f"best {summary['best']}, worst {summary['worst']}"
    )


class Guest(UniboClient):
    """A player of ours at somebody's host, who decides from a mirror of the game as it would at home."""

    mirror: "Mirror"
    player: "Player"

    def __init__(
        self,
        name: str,
        wire: "Wire",
        sit: "Callable[[], Player]",
        wait: float,
        dice: Callable[[int], int],
        quiet: bool = False,
    ) -> None:
        super().__init__(name, wait=wait)
        self.wire, self.sit, self.dice, self.quiet = wire, sit, dice, quiet
        self.results: list[dict[str, Any]] = []

    def begin(self) -> None:
        self.mirror = self.wire.mirror(self.full_name, self.dice(len(self.results)))
        self.player = self.sit()

    def observe(self, state: dict[str, Any]) -> None:
        self.view = self.mirror.see(state)
        if not self.mirror.table.turns:
            self.greet()
        if self.player.remembers:
            self.player.observe(self.view)

    def answer(self, state: dict[str, Any]) -> bytes:
        from kibitz.core.errors import AgentError

        move = self.player.decide(self.view).move
        if not self.mirror.table.allows(move):
            raise AgentError(
                f"{self.player.agent.name} as {self.full_name} decided on an illegal move in round {state['round']}."
            )
        return self.mirror.move(move)

    def end(self, state: dict[str, Any]) -> None:
        mirror = self.mirror
        self.results.append({"full_name": self.full_name, "players": len(mirror.names), **mirror.table.result()})
        self.finish()

    def greet(self) -> None:
        if not self.quiet:
            others = ", ".join(name for name in self.mirror.names if name != self.full_name)
            out.print(f"Game {len(self.results) + 1}: {plain(self.full_name)} with {plain(others)}", soft_wrap=True)

    def finish(self) -> None:
        if not self.quiet:
            out.print(f"  [bold]{self.results[-1]['score']}[/] points after {self.results[-1]['turns']} turns")


class PersonAway(Guest):
    """A person at this terminal, who sits at somebody's host."""

    def __init__(self, name: str, game: "Game", wire: "Wire", wait: float) -> None:
        super().__init__(name, wire, lambda: self.screen.player(self.seat - 1), wait, lambda played: 0)
        self.game = game

    def begin(self) -> None:
        self.screen = Screen(self.game, 1)
        super().begin()

    def observe(self, state: dict[str, Any]) -> None:
        super().observe(state)
        self.screen.tell(self.view)

    def greet(self) -> None:
        names = [HUMAN if name == self.full_name else given_name(name) for name in self.mirror.names]
        self.screen.greet(self.mirror.table, names)

    def finish(self) -> None:
        self.screen.close(self.view)
