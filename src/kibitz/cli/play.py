"""`kibitz play`: play at the terminal, seeing only what your seat may see."""

import sys
import time
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli import limits, options
from kibitz.cli.help import LongHelp
from kibitz.cli.interrupt import exit_code
from kibitz.cli.terminal import Thinker, compiling, complain, out, plain

if TYPE_CHECKING:
    from kibitz.core.agent import Decision, Player
    from kibitz.core.game import Game
    from kibitz.core.table import Table, Turn

HUMAN = "human"
EVERYBODY = -1
FEW = 24  # the number of reasons worth reading at once; `kibitz replay` shows more


class LeftTableError(Exception):
    """The person left the table."""


def levels_of_all_games() -> Iterator[str]:
    from kibitz.cli.catalogue import level_lines
    from kibitz.core import registry

    for game in registry.games():
        if game.lineups:
            yield f"\nLevels of {game.title}:"
            yield from level_lines(game)


class PlayHelp(LongHelp):
    """Help that ends with the levels of every game."""

    ending = staticmethod(levels_of_all_games)


def play(
    game: options.GameName = "hanabi",
    seats: Annotated[
        str | None,
        options.option(
            "SEAT,SEAT…",
            "Players in seat order: human or an agent, such as human,trustful.",
            show_default="you and agents of the second level",
        ),
    ] = None,
    level: Annotated[
        str | None, options.option("LEVEL", "Play with agents of this level; they are listed below.")
    ] = None,
    players: Annotated[
        int | None, options.option("N", "Number of players, including you.", min=1, show_default="usual for the game")
    ] = None,
    seed: Annotated[
        int | None,
        options.option(
            "N", "Random seed: the same seed gives the same deal.", callback=limits.seed, show_default="random"
        ),
    ] = None,
    rule: options.Rules = None,
    start: options.Start = None,
    think_ms: options.ThinkMs = None,
    iterations: options.Iterations = None,
    depth: options.Depth = None,
    bot_seconds: options.BotSeconds = options.BOT_SECONDS,
    output: Annotated[
        Path | None,
        options.output("FILE", "Save the record of the game to this file.", show_default="a new file in this folder"),
    ] = None,
    resume: Annotated[Path | None, options.file("FILE", "Resume the game of this record.")] = None,
) -> None:
    """Play at the terminal, with or without agents.

        kibitz play hanabi --seats human,smart_cheater,smart_cheater

        kibitz play hanabi --level medium --players 3

        kibitz play loveletter --seats human,greedy --rule unit=round

        kibitz play kriegspiel --level hard --start "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"

    The record is saved after every move, so you can resume a game later. It includes the agents' reasons. These may
    mention your cards, so they are shown only when nothing is hidden any more: after each round, or by `kibitz replay`
    when the game is over.

    The rules are those people usually play by; the start of the game prints them.
    """
    from kibitz.bots import players as bots
    from kibitz.core import registry
    from kibitz.core.record import Record, read
    from kibitz.core.table import Table
    from kibitz.engine.seeds import keys
    from kibitz.errors import AgentError, KibitzError

    if resume and start is not None:
        raise KibitzError("A resumed game begins where its record says. Leave --start out.")
    earlier = read(resume) if resume else None
    which = registry.game(earlier.game if earlier else game)
    names = earlier.seats if earlier else chosen_seats(which, seats, level, players)
    if HUMAN not in names:
        raise KibitzError("No seat is human. Add human to --seats, or use `kibitz watch` to watch a game.")
    rules = which.recorded_rules(earlier.rules) if earlier else options.rules_of_people(which, rule)
    which.check_players(len(names))
    budget = options.chosen_budget(think_ms, iterations, depth)
    agents = [None if name == HUMAN else options.loaded(which, name, budget, bot_seconds) for name in names]
    if earlier:
        seed, number = earlier.seed, earlier.number
        begun = earlier.opened().start
        if seed is not None and number is not None:
            begun = which.begin(keys(seed), number, len(names), rules, begun)
    else:
        seed, number = time.time_ns() % 1_000_000 if seed is None else seed, 0
        begins = options.chosen_start(which, start, len(names), rules)
        begun = which.begin(keys(seed), number, len(names), rules, begins)
    path = output or resume or Path(f"{which.name}-{datetime.now():%Y%m%d-%H%M%S}.json")
    with compiling():
        people = Screen(which, names.count(HUMAN))
        everybody: list[Player] = [
            people.player(seat)
            if agent is None
            else Thinker(bots.seat_player(which, agent, bot_seconds), which.seat_name(seat))
            for seat, agent in enumerate(agents)
        ]
        table = Table(which, everybody, begun, rolls=earlier is None)
        if earlier:
            earlier.resume(table)

    def keep() -> None:
        Record.of(table, names, rules, seed, number).save(path)

    people.greet(names, table, rules)
    try:
        keep()
        for _ in table.steps():
            keep()
    except (LeftTableError, KeyboardInterrupt, EOFError) as leaving:
        out.print(f"\nResume the game with: kibitz play --resume {plain(str(path))}", soft_wrap=True)
        raise typer.Exit(0 if isinstance(leaving, LeftTableError) else exit_code(leaving)) from None
    except AgentError as error:
        raise AgentError(f"{error} Resume the game with: kibitz play --resume {path}") from None
    people.finish(table, path)


def chosen_seats(game: "Game", seats: str | None, level: str | None, players: int | None) -> list[str]:
    """The players in seat order: as named, or a person and the agents of a level."""
    from kibitz.errors import KibitzError

    if seats is not None and (level is not None or players is not None):
        other = "--level chooses them for you" if level is not None else "--players counts them"
        raise KibitzError(f"--seats names the players, and {other}. Use one of the two.")
    if seats is not None:
        return list(options.names(seats))
    count = game.check_players(players if players is not None else game.usual_players)
    return [HUMAN, *(game.lineup(level).seats(count - 1) if level else game.usual_seats(count))]


class Screen:
    """The terminal, shared by all people at a table."""

    def __init__(self, game: "Game", people: int) -> None:
        self.game, self.people = game, people
        self.turns_shown: dict[int, int] = {}  # number of turns printed so far, by seat where some turns are private
        self.explained = 0  # number of turns whose reasons were printed, if they had any
        self.turns: list[Turn] = []
        self.interactive = sys.stdin.isatty()

    def player(self, seat: int) -> "Person":
        return Person(self, seat)

    def greet(self, names: list[str], table: "Table | None" = None, rules: Mapping[str, str] | None = None) -> None:
        """Print the players and the rules. A table in this process also has the reasons of the others."""
        if table is not None:
            self.turns, self.explained = table.turns, self.game.turns_explained(table.state)
        out.print(f"[bold]{self.game.title}[/], {self.game.description[0].lower()}{self.game.description[1:]}")
        for seat, name in enumerate(names):
            out.print(f"  {self.game.seat_name(seat)}  {plain('you' if name == HUMAN else name)}")
        if rules:
            out.print(f"[dim]{plain(options.rules_text(rules))}[/]", soft_wrap=True)
        out.print("Type [bold]help[/] for the notation of moves.")

    def finish(self, table: "Table", path: Path) -> None:
        self.close(table.state, self.game.verdict(table.state))
        where = plain(str(path))
        out.print(
            f"The record is in {where}. `kibitz replay {where}` shows it with the agents' reasons.", soft_wrap=True
        )

    def close(self, view: Any, verdict: str) -> None:
        """Print how the game ended, from its last state or a last view of it."""
        self.show_turns(view)
        self.explain(view)
        out.print(self.game.board(view))
        out.print(f"[bold]{plain(verdict)}[/]")

    def show_turns(self, view: Any) -> None:
        """Print the turns since the last call."""
        from kibitz.engine import generic

        made, private = int(generic.turns(view)), generic.has_private_turns(view.dtype)
        viewer = int(view["seat"]) if private else EVERYBODY
        shown = self.turns_shown.get(viewer, max(self.turns_shown.values(), default=0) if viewer < 0 else 0)
        ends = private and shown != made and generic.to_move(view) == generic.OVER
        if ends and any(generic.is_private(view, turn) for turn in range(made)):
            out.print("All turns, with those that only their player learned of:")
            shown = 0
        for turn in range(shown, made):
            out.print(f"{turn + 1:>4}. {self.game.event_text(view, turn)}")
        self.turns_shown[viewer] = made

    def explain(self, view: Any) -> None:
        """Print the agents' reasons as soon as they give away nothing that is still hidden."""
        last = self.game.turns_explained(view)
        reasons = [turn for turn in self.turns[self.explained : last] if turn.decision.reason]
        if reasons and len(reasons) <= FEW:
            out.print("[dim]What the others thought:[/]")
            for turn in reasons:
                move = self.game.move_text(turn.decision.move)
                text = f"{self.game.seat_name(turn.seat)} {move}: {turn.decision.reason}"
                out.print(f"[dim]{turn.number:>4}. {plain(text)}[/]")
        self.explained = last

    def history(self, view: Any) -> None:
        self.turns_shown.clear()
        self.show_turns(view)

    def ask(self, prompt: str) -> str:
        out.print(prompt, end="")
        return input().strip()

    def change_person(self, seat: int) -> None:
        """Clear the screen before the next of several people looks at it."""
        if self.people > 1:
            out.clear()
            self.ask(f"{self.game.seat_name(seat)}, press Enter when you are alone at the screen. ")


class Person:
    """A person in a seat."""

    remembers = False

    def __init__(self, screen: Screen, seat: int) -> None:
        from kibitz.core.agent import Agent, Traits

        self.screen, self.seat = screen, seat
        self.agent = Agent(HUMAN, screen.game.name, "A person at this terminal.", "here", Traits())

    def observe(self, view: Any) -> None:
        """Turns are printed when the person decides."""

    def copy(self) -> "Person":
        return self

    def decide(self, view: Any) -> "Decision":
        from kibitz.core.agent import Decision
        from kibitz.errors import KibitzError

        screen, game = self.screen, self.screen.game
        screen.change_person(self.seat)
        screen.show_turns(view)
        screen.explain(view)
        out.print(game.board(view))
        words = ""
        while True:
            words = words or screen.ask(f"[bold]{game.seat_name(self.seat)}>[/] ")
            if words and not self.asks(words, view):
                try:
                    move = game.move(words, view)
                except KibitzError as error:
                    complain(str(error))
                else:
                    words = self.second_thoughts(game.move_text(move))
                    if not words:
                        return Decision(move)
                    if words != "undo":
                        continue
            words = ""

    def second_thoughts(self, text: str) -> str:
        """Ask for confirmation: empty to make the move, else what to do instead. A pipe needs no confirmation."""
        if not self.screen.interactive:
            return ""
        answer = self.screen.ask(f"  [bold]{text}[/]: Enter makes the move, [bold]u[/] takes it back. ").lower()
        return {"": "", "y": "", "yes": "", "u": "undo", "n": "undo", "no": "undo"}.get(answer, answer)

    def asks(self, words: str, view: Any) -> bool:
        """Whether the input was a command rather than a move; if so, obey it."""
        game = self.screen.game
        match words.lower():
            case "help" | "h" | "?":
                out.print(plain(game.help()))
            case "moves" | "m":
                out.print("  " + ", ".join(game.move_text(move) for move in game.legal(view)))
            case "board" | "b":
                out.print(game.board(view))
            case "history":
                self.screen.history(view)
            case "undo" | "u":
                out.print("There is no move to take back. Moves are final once made.")
            case "quit" | "q" | "exit":
                raise LeftTableError
            case _:
                return False
        return True
