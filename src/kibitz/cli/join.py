"""`kibitz join`: an agent, or a person at the terminal, joins a host."""

import statistics
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli import limits, options
from kibitz.cli.interrupt import exit_code
from kibitz.cli.play import HUMAN, LeftTableError, Screen
from kibitz.cli.terminal import compiling, complain, counted, err, note, out, plain, print_json

if TYPE_CHECKING:
    from kibitz.core.agent import Agent, Player
    from kibitz.core.game import Game

UNIBO, LINES = "unibo", "lines"
NO_LIMIT = 0.0  # seconds per move of a bot: its host sets the limit


def join(
    where: Annotated[
        str,
        typer.Argument(
            metavar="HOST:PORT",
            help="Address of the host, such as localhost:4000, or HOST:PORT/TABLE/INVITATION as shown on a table page.",
        ),
    ],
    who: Annotated[str, options.option("AGENT", "Player: human, or an agent as for `kibitz match`.", "--as")],
    game: Annotated[str, options.option("GAME", "Name of the hosted game.")] = "hanabi",
    name: Annotated[str | None, options.option("NAME", "Player name.", show_default="the agent's")] = None,
    games: Annotated[
        int, options.count("How many games to play, one after the other.", limits.MOST_HOSTED, "as no host plays more")
    ] = 1,
    seed: Annotated[
        int,
        options.option(
            "N", "Random seed for agents that randomize: the same seed gives the same decisions.", callback=limits.seed
        ),
    ] = 0,
    wait: Annotated[
        float, options.option("S", "Seconds to wait for the host to start.", min=0, callback=limits.seconds)
    ] = 5.0,
    protocol: Annotated[
        str | None,
        options.option(
            "unibo|lines",
            "Protocol of the host: lines of JSON, as in `kibitz host`, or bare objects, as in Bida and Pandolfi's "
            "program. Set unibo if that program takes the detection message for a name.",
            show_default="detected",
        ),
    ] = None,
    json: options.AsJson = False,
) -> None:
    """Take a seat at a host: `kibitz host`, or any host with the protocol of Bida and Pandolfi.

        kibitz join localhost:4000 --as bot2

        kibitz join 192.168.1.7:4000 --as my_bot.py:MyBot --name Ada --games 100

        kibitz join localhost:4000 --as human --name Bo

        kibitz join localhost:4000 --game loveletter --as reader

        kibitz join localhost:4000 --as bot1 --protocol unibo

    The player takes an open seat; the game begins when all seats are taken.
    """
    from kibitz.client.join import join as join_host
    from kibitz.core import registry
    from kibitz.engine.seeds import keys, number
    from kibitz.errors import KibitzError

    if protocol not in (None, UNIBO, LINES):
        raise typer.BadParameter(f"{protocol!r} is neither {UNIBO} nor {LINES}.", param_hint="--protocol")
    which = registry.game(game)
    if who == HUMAN and json:
        raise KibitzError("--json is for agents, and a human plays here. Leave it out.")
    named = name or short_name(which, who)
    participant = PersonHere(which, named) if who == HUMAN else AgentHere(which, honest(which, who), quiet=json)
    failure = ""
    try:
        join_host(
            where, named, which, participant, games=games, wait=wait, protocol=protocol,
            dice=lambda played: number(keys(seed).dice, played),
        )  # fmt: skip
    except KibitzError as error:
        failure = str(error)
    except (LeftTableError, KeyboardInterrupt, EOFError) as leaving:
        (err if json else out).print("\nYou have left the table. The host decides how the game continues.")
        if participant.results and not isinstance(leaving, LeftTableError):
            report(participant, where, who, named, json)
        raise typer.Exit(0 if isinstance(leaving, LeftTableError) else exit_code(leaving)) from None
    report(participant, where, who, named, json)
    if failure:
        complain(failure)
        raise typer.Exit(1)


def report(participant: "AgentHere | PersonHere", where: str, who: str, named: str, json: bool) -> None:
    """Print the results of the games played so far."""
    results = participant.results
    if json:
        print_json({"host": where, "game": participant.game.name, "agent": who, "name": named, **summary(results)})
    elif len(results) > 1:
        out.print(in_a_sentence(summary(results)))


def short_name(game: "Game", who: str) -> str:
    """An agent's name without paths: MyBot for path/to/my_bot.py:MyBot, and search:signal@100ms as it is."""
    from kibitz.core import registry

    return str(registry.spec(game.name, who).without_paths())


def honest(game: "Game", who: str) -> "Agent":
    from kibitz.bots import players as bots
    from kibitz.errors import KibitzError

    agent = bots.known(game, who, NO_LIMIT)
    if agent.traits.cheats:
        raise KibitzError(
            f"{who} looks at its own hidden cards, which a host never sends. Choose an agent that does not cheat: "
            f"`kibitz agents {game.name}` shows the traits of all."
        )
    return agent


def summary(results: list[dict[str, Any]]) -> dict[str, Any]:
    """The games, with statistics if they have scores; a forfeited game has none."""
    scores = [result["score"] for result in results if "score" in result]
    figures = {
        "mean": statistics.fmean(scores) if scores else None,
        "deviation": statistics.stdev(scores) if len(scores) > 1 else None,
        "best": max(scores, default=None),
        "worst": min(scores, default=None),
    }
    return {"played": len(results), **(figures if scores else {}), "games": results}


def in_a_sentence(summary: dict[str, Any]) -> str:
    if summary.get("deviation") is None:
        return f"[bold]{counted(summary['played'], 'game')}[/]"
    return (
        f"[bold]{counted(summary['played'], 'game')}: mean {summary['mean']:.2f}[/], "
        f"deviation {summary['deviation']:.2f}, "
        f"best {summary['best']}, worst {summary['worst']}"
    )


class Terminal:
    """Reports about the host and the connection go to standard error."""

    quiet = False

    def heard(self, text: str) -> None:
        if not self.quiet:
            self.notice(text)

    def notice(self, text: str) -> None:
        note(text)


class AgentHere(Terminal):
    """An agent, with a report on every game."""

    def __init__(self, game: "Game", agent: "Agent", quiet: bool) -> None:
        self.game, self.agent, self.quiet = game, agent, quiet
        self.results: list[dict[str, Any]] = []
        with compiling():
            self.sit(0)

    def sit(self, seat: int) -> "Player":
        from kibitz.bots import players as bots

        return bots.seat_player(self.game, self.agent, NO_LIMIT)

    def greet(self, seat: int, names: Sequence[str]) -> None:
        called = [f"{self.game.seat_name(number)} ({name})" for number, name in enumerate(names)]
        self.place = {"full_name": called[seat], "players": len(names)}
        if not self.quiet:
            others = ", ".join(name for number, name in enumerate(called) if number != seat)
            out.print(f"Game {len(self.results) + 1}: {plain(called[seat])} with {plain(others)}", soft_wrap=True)

    def saw(self, view: Any) -> None:
        """An agent sees views only when it decides."""

    def ended(self, view: Any, result: dict[str, int], verdict: str) -> None:
        self.results.append({**self.place, **result})
        if not self.quiet:
            out.print(f"  {plain(verdict)}", soft_wrap=True)


class PersonHere(Terminal):
    """A person at this terminal."""

    def __init__(self, game: "Game", name: str) -> None:
        self.game, self.name = game, name
        self.results: list[dict[str, Any]] = []

    def sit(self, seat: int) -> "Player":
        self.screen = Screen(self.game, 1)
        out.print("You have a seat. The game begins when every seat is taken.")
        return self.screen.player(seat)

    def greet(self, seat: int, names: Sequence[str]) -> None:
        self.screen.greet([HUMAN if number == seat else name for number, name in enumerate(names)])

    def saw(self, view: Any) -> None:
        self.screen.show_turns(view)

    def ended(self, view: Any, result: dict[str, int], verdict: str) -> None:
        self.results.append(dict(result))
        self.screen.close(view, verdict)
