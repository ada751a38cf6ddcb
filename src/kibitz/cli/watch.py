"""`kibitz watch`: one game between agents, move by move, with their reasons."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli import limits
from kibitz.cli.terminal import (
    BOT_SECONDS,
    COMPILING,
    AgentNames,
    BotSeconds,
    Depth,
    GameName,
    Iterations,
    Players,
    Rules,
    Seed,
    Start,
    Thinker,
    ThinkMs,
    chosen_budget,
    chosen_rules,
    chosen_start,
    out,
    patience,
    plain,
    seated,
    with_budget,
)

if TYPE_CHECKING:
    pass


def watch(
    game: GameName,
    agents: AgentNames,
    players: Players = None,
    seed: Seed = 0,
    number: Annotated[
        int,
        typer.Option(
            "--game",
            min=0,
            callback=limits.at_most(limits.LAST_GAME, "as games have numbers of 64 bits"),
            help="Number of the game of this seed, from 0.",
        ),
    ] = 0,
    rule: Rules = None,
    start: Start = None,
    pace: Annotated[float, typer.Option(min=0, callback=limits.seconds, help="Delay between moves in seconds.")] = 0.0,
    brief: Annotated[bool, typer.Option(help="Show only moves and reasons.")] = False,
    think_ms: ThinkMs = None,
    iterations: Iterations = None,
    depth: Depth = None,
    bot_seconds: BotSeconds = BOT_SECONDS,
    save: Annotated[
        Path | None,
        limits.path_option("FILE", "Keep the record in a file for `kibitz replay`."),
    ] = None,
) -> None:
    """Watch a game with all hands open: what each player knows, every move and its reason.

        kibitz watch hanabi simple_distrustful --players 3 --seed 7

        kibitz watch dicechess expectiminimax greedy --start "4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1"

    It is the same game that `kibitz match` plays with this seed; --game N shows the N-th of them.
    """
    from kibitz.bots import players as bots
    from kibitz.core import registry
    from kibitz.core.record import Record
    from kibitz.core.table import Table
    from kibitz.engine.seeds import keys

    which = registry.game(game)
    names = seated(which, agents, players)
    rules = which.check_rules(chosen_rules(rule))
    begins = chosen_start(which, start, len(names), rules)
    budget = chosen_budget(think_ms, iterations, depth)
    with patience(COMPILING):
        agents_there = [with_budget(bots.known(which, name, bot_seconds), budget) for name in names]
        seats = [
            Thinker(bots.seat_player(which, agent, bot_seconds), which.seat_name(seat))
            for seat, agent in enumerate(agents_there)
        ]
        table = Table(which, seats, which.begin(keys(seed), number, len(names), rules, begins))
    try:
        if not brief:
            out.print(which.watched(table.state, table.view))
        for turn in table.steps():
            reason = f"  [dim]{plain(turn.decision.reason)}[/]" if turn.decision.reason else ""
            out.print(f"\n[bold]{turn.number:>3}. {table.text(turn)}[/]{reason}")
            if not brief:
                out.print(which.watched(table.state, table.view))
            time.sleep(pace)
        out.print(f"\n[bold]{which.verdict(table.state)}[/]")
    finally:
        if save:
            Record.of(table, list(names), rules, seed, number).save(save)
            where = plain(str(save))
            out.print(f"Saved the record to {where}; `kibitz replay {where}` shows it.", soft_wrap=True)
