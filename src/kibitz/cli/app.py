"""All subcommands, and how errors and signals end them."""

import sys
from typing import Annotated

import typer

from kibitz import __version__
from kibitz.cli import (
    book,
    catalogue,
    check,
    cross,
    doctor,
    elites,
    evolve,
    explain,
    host,
    join,
    match,
    perft,
    play,
    replay,
    reproduce,
    serve,
    solve,
    train,
    tune,
    watch,
)
from kibitz.cli.interrupt import Received, leave, stoppable
from kibitz.cli.rule_options import WithRuleOptions
from kibitz.cli.terminal import complain, write_any_text

app = typer.Typer(
    name="kibitz",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    help="""A laboratory for games with hidden cards.

[bold]To play:[/bold]     kibitz serve, in the browser; kibitz play hanabi, at the terminal

[bold]To watch:[/bold]    kibitz watch hanabi simple_distrustful --players 3

[bold]To measure:[/bold]  kibitz match hanabi smart_cheater --players 4 --games 10000

[bold]To compare:[/bold]  kibitz cross hanabi internal outer iggi piers --players 4

[bold]To tune:[/bold]     kibitz tune hanabi trustful --players 4 --output tuned.toml

[bold]To train:[/bold]    kibitz train hanabi reinforced --players 2

[bold]To breed:[/bold]    kibitz evolve hanabi --by both; kibitz elites, a map of playing styles

[bold]To learn:[/bold]    kibitz explain connect4 --position 4453, what each search technique saves

[bold]To host:[/bold]     kibitz host hanabi --seats open,bot2,open, for programs in any language

`kibitz COMMAND --help` explains a command and shows examples.""",
)


def show_version(wanted: bool) -> None:
    if wanted:
        if "--verbose" in sys.argv:
            doctor.doctor()
        else:
            print(f"kibitz {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Print the version.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="With --version: print what `kibitz doctor` prints.")
    ] = False,
) -> None:
    """Options of kibitz itself."""


app.command("games")(stoppable(catalogue.games))
app.command("agents")(stoppable(catalogue.agents))
app.command("match", cls=WithRuleOptions)(stoppable(match.match))
app.command("cross", cls=WithRuleOptions)(stoppable(cross.cross))
app.command("tune", cls=WithRuleOptions)(stoppable(tune.tune))
app.command("watch", cls=WithRuleOptions)(stoppable(watch.watch))
app.command("train", cls=WithRuleOptions)(stoppable(train.train))
app.command("play", cls=play.WithLevels)(stoppable(play.play))
app.command("replay")(stoppable(replay.replay))
app.command("join")(stoppable(join.join))
app.command("serve")(serve.serve)  # these two hear signals in their event loops
app.command("host", cls=WithRuleOptions)(host.host)
app.command("explain", cls=WithRuleOptions)(stoppable(explain.explain))
app.command("solve")(stoppable(solve.solve))
app.command("book", cls=WithRuleOptions)(stoppable(book.book))
app.command("check")(stoppable(check.check))
app.command("reproduce")(stoppable(reproduce.reproduce))
app.command("doctor")(stoppable(doctor.doctor))
app.command("perft", cls=WithRuleOptions)(stoppable(perft.perft))
app.command("evolve", cls=WithRuleOptions)(stoppable(evolve.evolve))
app.add_typer(elites.app, name="elites")


def main() -> None:
    write_any_text()
    try:
        app()
    except SystemExit as ending:
        if Received.number:  # not to wait for threads that are still in machine code
            leave(int(ending.code or 0))
        raise
    except KeyboardInterrupt:
        complain("Stopped.")
        leave(130)
    except Exception as error:
        from kibitz.errors import KibitzError

        if isinstance(error, BrokenPipeError):  # the reader, say `head`, has closed the pipe
            sys.stderr.close()
            sys.exit(0)
        if not isinstance(error, KibitzError):
            raise
        complain(str(error))
        sys.exit(1)
