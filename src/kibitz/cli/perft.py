"""`kibitz perft`: how many positions there are so many moves ahead."""

from typing import Annotated

import typer

from kibitz.cli.terminal import (
    COMPILING,
    AsJson,
    GameName,
    Rules,
    chosen_rules,
    out,
    patience,
    print_json,
    progress_bar,
    text_or_file,
)


def perft(
    game: GameName,
    depth: Annotated[int, typer.Option(min=1, max=60, help="Search depth in plies.")] = 5,
    rule: Rules = None,
    position: Annotated[
        str | None,
        typer.Option(
            "--start",
            "--fen",
            "--position",
            metavar="TEXT",
            callback=text_or_file,
            help="Start position in the game's notation, or a file that contains it.",
        ),
    ] = None,
    players: Annotated[int | None, typer.Option(min=1, help="Number of players.")] = None,
    divide: Annotated[bool, typer.Option("--divide", help="Print the count of each first move.")] = False,
    json: AsJson = False,
) -> None:
    """Count the move sequences of a given length from a position of an open game.

    It is the usual test of a move generator: known counts prove it right, and the first moves of --divide lead to
    what is wrong.

        kibitz perft draughts --depth 7

        kibitz perft dicechess --fen "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1" --depth 5

        kibitz perft draughts --rule variant=english --position "B:WK10,22:B1,2,6" --depth 6 --divide
    """
    from kibitz.core import registry
    from kibitz.engine.seeds import keys

    which = registry.game(game)
    rules = which.check_rules({**which.table_rules, **chosen_rules(rule)})  # as people play
    seats = which.check_players(players or which.players[0])
    start = which.deal(keys(0), 0, seats, rules) if position is None else which.set_up(position, seats, rules)
    counts: dict[str, int] = {}
    with patience(COMPILING):
        lines = which.count_moves(start, depth)
    with progress_bar() as progress:
        task = progress.add_task(f"{which.title}, {depth} moves", total=None)
        for move, count in lines:
            counts[which.move_text(move)] = count
            progress.advance(task)
    total = sum(counts.values())
    if json:
        print_json({"game": game, "rules": rules, "depth": depth, "count": total, "moves": counts})
        return
    if divide:
        for text, count in counts.items():
            out.print(f"{text:>12}  {count:,}")
    print(total)
