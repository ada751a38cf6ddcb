"""`kibitz replay`: show or convert a recorded game."""

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli import limits, options
from kibitz.cli.terminal import out, plain, print_json


def replay(
    file: Annotated[
        str,
        typer.Argument(
            callback=limits.some_path,
            metavar="FILE|LINK",
            help="A record, the games of a match, a game in another format (hanab.live, PDN, PBN), or a replay-json "
            "link of hanab.live.",
        ),
    ],
    turn: Annotated[int | None, options.option("N", "Show the table after this number of moves.", min=0)] = None,
    number: Annotated[
        int, options.option("N", "Number of the game in a file with several, from 0.", "--game", min=0)
    ] = 0,
    json: options.AsJson = False,
    export: Annotated[
        str | None,
        options.option(
            "FORMAT",
            "Print the game (with --turn: up to that turn) in this format: kibitz, hanab.live or hanab.live-link "
            "for Hanabi, pdn for draughts, pbn for bridge.",
        ),
    ] = None,
    output: Annotated[Path | None, options.output("FILE", "With --export: write it to a file.")] = None,
) -> None:
    """Show a recorded game move by move, checking every move against the rules.

    kibitz replay my_game.json --turn 12

    kibitz replay my_game.json --export hanab.live --output theirs.json

    kibitz replay games.pdn --game 2
    """
    from kibitz.core.record import read, undo_text
    from kibitz.core.table import own_copy
    from kibitz.engine.loop import WORLD
    from kibitz.errors import KibitzError, RecordError

    if output and not export:
        raise KibitzError(f"--output {output} needs a format: add --export FORMAT.")
    record = read(file, number)
    record.replay()  # a record that breaks the rules is refused before anything is shown
    last = len(record.moves)
    if turn is not None and turn > last:
        raise RecordError(f"The game has {last} moves; there is no turn {turn}.")
    if export:
        write(record.up_to(turn).written(export), output)
        return
    table = record.opened()
    game = table.game
    steps, shown = record.steps(table), []
    if not json:
        out.print(f"[bold]{game.title}[/]: {plain(' · '.join(record.seats))}", soft_wrap=True)
        out.print(f"[dim]{plain(options.rules_text(record.rules))}[/]", soft_wrap=True)
    if not json and not turn:
        out.print(game.watched(table.state, table.view))
    before = own_copy(table.pair[WORLD : WORLD + 1])
    for played, _ in enumerate(steps, start=1):
        made = table.turns[-1]
        line = f"{made.number:>3}. {table.text(made)}"
        reason, judged = made.decision.reason, game.hindsight(before, made.decision.move)
        before = own_copy(table.pair[WORLD : WORLD + 1])
        entry = {"turn": made.number, "seat": made.seat + 1, "text": table.text(made), "reason": reason}
        shown.append({**entry, "hindsight": judged} if judged else entry)
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


def write(text: str, output: Path | None) -> None:
    """Print the text, or write it to a file."""
    from kibitz.core.whole_files import write_whole

    if output is None:
        print(text)
        return
    write_whole(output, text + "\n", folders=False)
    out.print(f"Saved the game to {plain(str(output))}.", soft_wrap=True)
