"""`kibitz replay`: a recorded game again."""

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.terminal import AsJson, out, plain, print_json


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record, or the games a match saved.")],
    turn: Annotated[int | None, typer.Option(min=0, help="Show the table after this many moves.")] = None,
    number: Annotated[int, typer.Option("--game", min=0, help="Which game of a file with many, from 0.")] = 0,
    json: AsJson = False,
) -> None:
    """Show a recorded game move by move, every move checked against the rules.

    kibitz replay my_game.json --turn 12
    """
    from kibitz.core.errors import RecordError
    from kibitz.core.record import read

    record = read(file, number)
    record.replay()  # a record that breaks the rules is refused before anything is shown
    table = record.opened()
    game = table.game
    last = len(record.moves)
    if turn is not None and turn > last:
        raise RecordError(f"The game has {last} moves; there is no turn {turn}.")
    steps, shown = record.steps(table), []
    if not json:
        out.print(f"[bold]{game.title}[/]: {plain(' · '.join(record.seats))}")
    if not json and not turn:
        out.print(game.board(table.state))
    for played, _ in enumerate(steps, start=1):
        made = table.turns[-1]
        line = f"{made.number:>3}. {table.text(made)}"
        reason = made.decision.reason
        shown.append({"turn": made.number, "seat": made.seat + 1, "text": table.text(made), "reason": reason})
        if not json:
            out.print(f"[bold]{line}[/]" + (f"  [dim]{plain(reason)}[/]" if reason else ""))
        if played == turn:
            break
    if json:
        print_json({"seats": record.seats, "rules": record.rules, "turns": shown, "result": record.result})
        return
    if turn != 0 and (turn is not None or not table.over):
        out.print(game.board(table.state))
    if table.over:
        out.print(f"[bold]{game.verdict(table.state)}[/]")
    elif turn is None:
        out.print("The record ends before the game does.")
