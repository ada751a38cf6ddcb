"""All subcommands, grouped by what they are for, and how errors and signals end them."""

import sys
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

import typer

from kibitz import __version__
from kibitz.cli import (
    book,
    catalogue,
    check,
    cross,
    deals,
    doctor,
    duel,
    elites,
    evolve,
    explain,
    help,
    host,
    join,
    match,
    people,
    perft,
    play,
    puzzles,
    replay,
    reproduce,
    review,
    runs,
    serve,
    solve,
    train,
    tune,
    watch,
)
from kibitz.cli.interrupt import Received, drop_output, leave, stoppable
from kibitz.cli.terminal import complain, write_any_text

SECTIONS: Mapping[str, Mapping[str, Any]] = {
    "Play": {"serve": serve.serve, "play": play.play, "watch": watch.watch, "replay": replay.replay,
             "review": review.review, "puzzles": puzzles.app, "daily": deals.daily, "deals": deals.app},
    "Measure": {
        "match": match.match, "duel": duel.duel, "cross": cross.cross, "reproduce": reproduce.reproduce,
        "runs": runs.runs, "run": runs.app,
    },
    "Learn": {
        "explain": explain.explain, "solve": solve.solve, "book": book.book, "tune": tune.tune, "train": train.train,
        "evolve": evolve.evolve, "elites": elites.app, "people": people.app,
    },
    "Network": {"host": host.host, "join": join.join},
    "Develop": {
        "games": catalogue.games, "agents": catalogue.agents, "check": check.check, "perft": perft.perft,
        "doctor": doctor.doctor,
    },
}  # fmt: skip
OWN_SIGNALS = {"serve", "host"}  # these handle signals in their event loops


class Commands(help.Group):
    sections: ClassVar[Mapping[str, Sequence[str]]] = {title: tuple(names) for title, names in SECTIONS.items()}


app = typer.Typer(
    name="kibitz",
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="""A laboratory for games with hidden information: play, measure, and build agents.

        kibitz serve

        kibitz watch hanabi simple_distrustful --players 3

        kibitz match hanabi trustful piers --games 10000

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


for commands in SECTIONS.values():
    for name, command in commands.items():
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            cls = play.PlayHelp if name == "play" else help.Command
            app.command(name, cls=cls)(command if name in OWN_SIGNALS else stoppable(command))


def main() -> None:
    write_any_text()
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except SystemExit as ending:
        if Received.number:  # threads may still run machine code
            leave(int(ending.code or 0))
        raise
    except KeyboardInterrupt:
        complain("Stopped.")
        leave(130)
    except BrokenPipeError:
        drop_output()
        sys.exit(0)
    except OSError as error:
        if error.filename is not None:
            raise
        drop_output()
        complain(f"The output cannot be written: {error.strerror or error}.")
        sys.exit(1)
    except Exception as error:
        from kibitz.errors import KibitzError

        if not isinstance(error, KibitzError):
            raise
        complain(str(error))
        sys.exit(1)
