"""`kibitz watch`: one game between agents, move by move, with their reasons."""

import time
from pathlib import Path
from typing import Annotated

from kibitz.cli import limits, options
from kibitz.cli.terminal import Thinker, compiling, out, plain


def watch(
    game: options.GameName,
    agents: options.AgentNames,
    players: options.Copies = None,
    seed: options.Seed = 0,
    number: Annotated[
        int,
        options.option(
            "N",
            "Number of the game of this seed, from 0.",
            "--game",
            min=0,
            callback=limits.at_most(limits.LAST_GAME, "as games have numbers of 64 bits"),
        ),
    ] = 0,
    rule: options.Rules = None,
    start: options.Start = None,
    pace: Annotated[
        float, options.option("S", "Delay between moves in seconds.", min=0, callback=limits.seconds)
    ] = 0.0,
    brief: Annotated[bool, options.flag("--brief", "Show only moves and reasons.")] = False,
    think_ms: options.ThinkMs = None,
    iterations: options.Iterations = None,
    depth: options.Depth = None,
    bot_seconds: options.BotSeconds = options.BOT_SECONDS,
    output: Annotated[Path | None, options.output("FILE", "Save the record, for `kibitz replay`.")] = None,
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
    names = options.named_seats(which, agents, players)
    rules = which.check_rules(options.chosen_rules(rule))
    begins = options.chosen_start(which, start, len(names), rules)
    budget = options.chosen_budget(think_ms, iterations, depth)
    with compiling():
        everybody = [options.loaded(which, name, budget, bot_seconds) for name in names]
        seats = [
            Thinker(bots.seat_player(which, agent, bot_seconds), which.seat_name(seat))
            for seat, agent in enumerate(everybody)
        ]
        table = Table(which, seats, which.begin(keys(seed), number, len(names), rules, begins))
    out.print(f"[bold]{which.title}[/]: {plain(' · '.join(names))}", soft_wrap=True)
    out.print(f"[dim]game {number} of seed {seed}; {options.rules_text(rules)}[/]", soft_wrap=True)
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
        if output:
            Record.of(table, list(names), rules, seed, number).save(output)
            where = plain(str(output))
            out.print(f"Saved the record to {where}; `kibitz replay {where}` shows it.", soft_wrap=True)
