"""`kibitz perft`: count the positions after a number of moves, to test a move generator."""

from typing import Annotated

from kibitz.cli import options
from kibitz.cli.terminal import compiling, out, print_json, progress_bar


def perft(
    game: options.GameName,
    depth: Annotated[int, options.option("PLIES", "Search depth in plies.", min=1, max=60)] = 5,
    rule: options.Rules = None,
    start: options.Start = None,
    players: options.Players = None,
    divide: Annotated[bool, options.flag("--divide", "Print the count of each first move.")] = False,
    json: options.AsJson = False,
) -> None:
    """Count the move sequences of a given length from a position of an open game.

    This is the usual test of a move generator: compare the count with a known one, and use --divide to find the first
    move whose count is wrong.

        kibitz perft draughts --depth 7

        kibitz perft dicechess --start "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1" --depth 5

        kibitz perft draughts --rule variant=english --start "B:WK10,22:B1,2,6" --depth 6 --divide
    """
    from kibitz.core import registry
    from kibitz.engine.seeds import keys

    which = registry.game(game)
    rules = options.rules_of_people(which, rule)
    seats = which.check_players(players or which.players[0])
    begins = which.deal(keys(0), 0, seats, rules) if start is None else which.set_up(start, seats, rules)
    counts: dict[str, int] = {}
    with compiling():
        lines = which.count_moves(begins, depth)
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
