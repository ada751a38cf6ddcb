"""`kibitz play`: play at the terminal, seeing only what your seat may see."""

import sys
import time
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli import limits
from kibitz.cli.interrupt import exit_code
from kibitz.cli.rule_options import WithRuleOptions
from kibitz.cli.terminal import (
    BOT_SECONDS,
    COMPILING,
    BotSeconds,
    Depth,
    GameName,
    Iterations,
    Rules,
    Start,
    Thinker,
    ThinkMs,
    chosen_budget,
    chosen_rules,
    chosen_start,
    complain,
    out,
    patience,
    plain,
    with_budget,
)

if TYPE_CHECKING:
    from kibitz.core.agent import Decision, Player
    from kibitz.core.game import Game
    from kibitz.core.table import Table, Turn

HUMAN = "human"
FEW = 24  # as many reasons are worth reading at once; more are for `kibitz replay`


class LeftTableError(Exception):
    """The person went away from the table."""


class WithLevels(WithRuleOptions):
    """Help that ends with the levels of every game, looked up only when help is shown."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        from kibitz.cli.catalogue import levels_table
        from kibitz.core import registry

        super().format_help(ctx, formatter)
        for game in registry.games():
            if game.lineups:
                out.print(f" Levels of {game.title}")
                out.print(levels_table(game))


def play(
    game: GameName = "hanabi",
    seats: Annotated[
        str | None,
        typer.Option(
            show_default="you and agents of the second level",
            help="Players in seat order, comma-separated: human, or an agent.",
        ),
    ] = None,
    level: Annotated[
        str | None,
        typer.Option(help="Play with agents of this level, instead of --seats; the levels are listed below."),
    ] = None,
    players: Annotated[
        int | None, typer.Option(min=1, show_default="usual for the game", help="Number of players, including you.")
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            callback=limits.seed, show_default="random", help="Random seed: the same seed gives the same deal."
        ),
    ] = None,
    rule: Rules = None,
    start: Start = None,
    think_ms: ThinkMs = None,
    iterations: Iterations = None,
    depth: Depth = None,
    bot_seconds: BotSeconds = BOT_SECONDS,
    save: Annotated[
        Path | None,
        typer.Option(
            parser=limits.path_named,
            metavar="FILE",
            show_default="a new file in this folder",
            help="Save the record of the game to this file.",
        ),
    ] = None,
    resume: Annotated[
        Path | None,
        limits.path_option("FILE", "Resume the game of this record."),
    ] = None,
) -> None:
    """Play at the terminal, with or without agents.

        kibitz play hanabi --seats human,smart_cheater,smart_cheater

        kibitz play hanabi --level medium --players 3

        kibitz play loveletter --seats human,greedy --rule unit=round

        kibitz play kriegspiel --level hard --start "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"

    The record is saved after every move, so you can resume a game later. It includes the agents' reasons. These may
    mention your cards, so they are shown only when nothing is hidden any more: after each round, or by `kibitz replay`
    when the game is over.
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
    names = earlier.seats if earlier else seated_with_a_person(which, seats, level, players)
    if HUMAN not in names:
        raise KibitzError("No seat is human. Add human to --seats, or use `kibitz watch` to watch a game.")
    rules = which.check_rules(earlier.rules if earlier else {**which.table_rules, **chosen_rules(rule)})
    which.check_players(len(names))
    if earlier:
        seed, number = earlier.seed, earlier.number
        begun = earlier.opened().start
        if seed is not None and number is not None:
            begun = which.begin(keys(seed), number, len(names), rules, begun)
    else:
        seed, number = time.time_ns() % 1_000_000 if seed is None else seed, 0
        begins = chosen_start(which, start, len(names), rules)
        begun = which.begin(keys(seed), number, len(names), rules, begins)
    budget = chosen_budget(think_ms, iterations, depth)
    path = save or resume or Path(f"{which.name}-{datetime.now():%Y%m%d-%H%M%S}.json")
    with patience(COMPILING):
        people = Screen(which, names.count(HUMAN))
        everybody: list[Player] = [
            people.player(seat)
            if name == HUMAN
            else Thinker(
                bots.seat_player(which, with_budget(bots.known(which, name, bot_seconds), budget), bot_seconds),
                which.seat_name(seat),
            )
            for seat, name in enumerate(names)
        ]
        table = Table(which, everybody, begun, rolls=earlier is None)
        if earlier:
            earlier.resume(table)

    def keep() -> None:
        Record.of(table, names, rules, seed, number).save(path)

    people.greet(names, table)
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


def seated_with_a_person(game: "Game", seats: str | None, level: str | None, players: int | None) -> list[str]:
    """Who sits where: as named, or a person and a level's agents."""
    from kibitz.errors import KibitzError

    if seats is not None and (level is not None or players is not None):
        other = "--level chooses them for you" if level is not None else "--players counts them"
        raise KibitzError(f"--seats names the players, and {other}. Use one of the two.")
    if seats is not None:
        return [name.strip() for name in seats.split(",") if name.strip()]
    count = game.check_players(players if players is not None else game.usual_players)
    return [HUMAN, *(game.lineup(level).seats(count - 1) if level else game.usual_seats(count))]


class Screen:
    """The terminal that all the people at a table share."""

    def __init__(self, game: "Game", people: int) -> None:
        self.game, self.people = game, people
        self.turns_shown = 0  # how many turns everybody has been told of
        self.explained = 0  # and of how many, why
        self.turns: list[Turn] = []
        self.interactive = sys.stdin.isatty()

    def player(self, seat: int) -> "Person":
        return Person(self, seat)

    def greet(self, names: list[str], table: "Table | None" = None) -> None:
        """Say who plays. At a table of our own the others' reasons are known, too."""
        if table is not None:
            self.turns, self.explained = table.turns, self.game.turns_explained(table.state)
        out.print(f"[bold]{self.game.title}[/], {self.game.description[0].lower()}{self.game.description[1:]}")
        for seat, name in enumerate(names):
            out.print(f"  {self.game.seat_name(seat)}  {plain('you' if name == HUMAN else name)}")
        out.print("Type [bold]help[/] for the notation of moves.")

    def finish(self, table: "Table", path: Path) -> None:
        self.close(table.state, self.game.verdict(table.state))
        where = plain(str(path))
        out.print(
            f"The record is in {where}. `kibitz replay {where}` shows it with the agents' reasons.", soft_wrap=True
        )

    def close(self, view: Any, verdict: str) -> None:
        """How the game ended, by its last state or by the last that somebody sees of it."""
        self.tell(view)
        self.explain(view)
        out.print(self.game.board(view))
        out.print(f"[bold]{plain(verdict)}[/]")

    def tell(self, view: Any) -> None:
        """What happened since somebody last looked."""
        from kibitz.engine import generic

        made = int(generic.turns(view))
        for turn in range(self.turns_shown, made):
            out.print(f"{turn + 1:>4}. {self.game.event_text(view, turn)}")
        self.turns_shown = made

    def explain(self, view: Any) -> None:
        """Why agents did what they did, as soon as nothing that is still hidden could be given away."""
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
        self.turns_shown = 0
        self.tell(view)

    def ask(self, prompt: str) -> str:
        out.print(prompt, end="")
        return input().strip()

    def change_person(self, seat: int) -> None:
        """Several people share the screen: clear it before the next one looks."""
        if self.people > 1:
            out.clear()
            self.ask(f"{self.game.seat_name(seat)}, press Enter when you are alone at the screen. ")


class Person:
    """A person in a seat, with the life of any other player."""

    remembers = False

    def __init__(self, screen: Screen, seat: int) -> None:
        from kibitz.core.agent import Agent, Traits

        self.screen, self.seat = screen, seat
        self.agent = Agent(HUMAN, screen.game.name, "A person at this terminal.", "here", Traits())

    def observe(self, view: Any) -> None:
        """People look at the table when it is their turn."""

    def copy(self) -> "Person":
        return self

    def decide(self, view: Any) -> "Decision":
        from kibitz.core.agent import Decision
        from kibitz.errors import KibitzError

        screen, game = self.screen, self.screen.game
        screen.change_person(self.seat)
        screen.tell(view)
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
        """Empty if the move is meant; else what to do instead. Programs at the other end of a pipe mean it."""
        if not self.screen.interactive:
            return ""
        answer = self.screen.ask(f"  [bold]{text}[/]: Enter makes the move, [bold]u[/] takes it back. ").lower()
        return {"": "", "y": "", "yes": "", "u": "undo", "n": "undo", "no": "undo"}.get(answer, answer)

    def asks(self, words: str, view: Any) -> bool:
        """Whether it was a question rather than a move; it is answered."""
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
                out.print("Nothing is waiting to be sent. A move that was made stands.")
            case "quit" | "q" | "exit":
                raise LeftTableError
            case _:
                return False
        return True
