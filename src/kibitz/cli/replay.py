"""`kibitz replay`: a recorded game again."""

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli import limits
from kibitz.cli.terminal import AsJson, out, plain, print_json


def replay(
    file: Annotated[
        str,
        typer.Argument(
            callback=limits.some_path,
            metavar="FILE|LINK",
            help="A record, the games a match saved, a game in a format of other programs (hanab.live, PDN, PBN), or a "
            "replay-json link of hanab.live.",
        ),
    ],
    turn: Annotated[int | None, typer.Option(min=0, help="Show the table after this number of moves.")] = None,
    number: Annotated[
        int, typer.Option("--game", min=0, help="Number of the game in a file with several, from 0.")
    ] = 0,
    json: AsJson = False,
    export: Annotated[
        str | None,
        typer.Option(
            metavar="FORMAT",
            help="Print the game (with --turn: up to that turn) in this format: kibitz, hanab.live or "
            "hanab.live-link for Hanabi, pdn for draughts, pbn for bridge.",
        ),
    ] = None,
    to: Annotated[
        Path | None,
        limits.path_option("FILE", "With --export: write it to a file."),
    ] = None,
) -> None:
    """Show a recorded game move by move, checking every move against the rules.

    kibitz replay my_game.json --turn 12

    kibitz replay my_game.json --export hanab.live --to theirs.json

    kibitz replay games.pdn --game 2
    """
    from kibitz.core.record import read, undo_text
    from kibitz.core.table import own_copy
    from kibitz.engine.loop import WORLD
    from kibitz.errors import KibitzError, RecordError

    if to and not export:
        raise KibitzError(f"--to {to} needs a format: add --export FORMAT.")
    record = read(file, number)
    record.replay()  # a record that breaks the rules is refused before anything is shown
    last = len(record.moves)
    if turn is not None and turn > last:
        raise RecordError(f"The game has {last} moves; there is no turn {turn}.")
    if export:
        write(record.up_to(turn).written(export), to)
        return
    table = record.opened()
    game = table.game
    steps, shown = record.steps(table), []
    if not json:
        out.print(f"[bold]{game.title}[/]: {plain(' · '.join(record.seats))}")
    if not json and not turn:
        out.print(game.watched(table.state, table.view))
    before = own_copy(table.pair[WORLD : WORLD + 1])
    for played, _ in enumerate(steps, start=1):
        made = table.turns[-1]
        line = f"{made.number:>3}. {table.text(made)}"
        reason, judged = made.decision.reason, game.hindsight(before, made.decision.move)
        before = own_copy(table.pair[WORLD : WORLD + 1])
        told = {"turn": made.number, "seat": made.seat + 1, "text": table.text(made), "reason": reason}
        shown.append({**told, "hindsight": judged} if judged else told)
        if not json:
            thought = f"  [dim]{plain(reason)}[/]" if reason else ""
            out.print(f"[bold]{line}[/]{thought}" + (f"  [yellow]{plain(judged)}[/]" if judged else ""))
        if played == turn:
            break
    if json:
        whole = {"seats": record.seats, "rules": record.rules, "turns": shown, "result": record.result}
        print_json({**whole, **({"undone": len(record.taken_back)} if record.taken_back else {})})
        return
    if turn != 0 and (turn is not None or not table.over):
        out.print(game.watched(table.state, table.view))
    if table.over:
        out.print(f"[bold]{game.verdict(table.state)}[/]")
        if record.taken_back:
            out.print(undo_text(len(record.taken_back)))
    elif turn is None:
        out.print("The record ends before the game does.")


def write(text: str, to: Path | None) -> None:
    """To a file, or for a program that reads what is printed."""
    from kibitz.core.whole_files import write_whole

    if to is None:
        print(text)
        return
    write_whole(to, text + "\n", folders=False)
    out.print(f"Saved the game to {plain(str(to))}.", soft_wrap=True)
