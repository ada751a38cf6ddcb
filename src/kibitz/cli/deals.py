"""`kibitz deals` and `kibitz daily`: how hard deals are, and the deal that everybody plays today."""

from datetime import date as day_type
from pathlib import Path
from typing import Annotated, Any

import typer

from kibitz.cli import help, limits, options
from kibitz.cli.interrupt import stoppable
from kibitz.cli.terminal import compiling, out, plain, print_json, saved, typed_command

app = typer.Typer(
    cls=help.Group,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="""How hard a deal was, and whether the best result was possible.

        kibitz deals judge my_game.json

        kibitz deals judge --seed 7 --players 3""",
)

GameOption = Annotated[str, options.option("GAME", "Name of a game.", "--game")]


@app.command(cls=help.Command)
@stoppable
def judge(
    file: Annotated[
        str | None,
        typer.Argument(callback=limits.some_path, metavar="FILE|LINK", help="A record, for the deal of its game."),
    ] = None,
    number: Annotated[
        int, options.option("N", "Number of the game in a file with several, or of the seed, from 0.", min=0)
    ] = 0,
    seed: options.Seed = 0,
    players: Annotated[int | None, options.option("N", "Number of players.", min=1)] = None,
    game: GameOption = "hanabi",
    line: Annotated[bool, options.flag("--line", "Print the moves that reach the best result: they show all cards.")]
    = False,
    json: options.AsJson = False,
) -> None:  # fmt: skip
    """Judge a deal: the scores of a set of agents as a percentile, and whether the best result was possible.

        kibitz deals judge my_game.json

        kibitz deals judge --seed 202611193 --players 3

    With open cards, `found` means that a line of moves reaches the best result; `impossible`, that it is proved that
    none does; `unknown`, that neither was found. The agents play by the usual rules of people's tables.
    """
    from kibitz.coach import deals
    from kibitz.core import registry
    from kibitz.core.record import read
    from kibitz.engine.seeds import keys

    if file is not None:
        record = read(file, number)
        which, start = registry.game(record.game), record.opened().start
    else:
        which = registry.game(game)
        rules = which.check_rules(deals.study_of(which).rules)
        start = which.deal(keys(seed), number, which.check_players(players or which.usual_players), rules)
    with compiling():
        found, possible = deals.difficulty(which, start), deals.open_cards(which, start)
    if json:
        print_json(described(found, possible.answer))
        return
    out.print(f"This deal is {found}.")
    for name, score in found.scores.items():
        out.print(f"  {name:<20} {score:5.1f}   usually {found.usual[name]:.1f}")
    out.print(f"The best result with open cards: {possible.answer}.")
    if line and possible.moves:
        out.print(plain(", ".join(which.move_text(move) for move in possible.moves)), soft_wrap=True)


def described(found: Any, possible: str) -> dict[str, Any]:
    return {
        "percentile": round(found.percentile, 1), "difficulty": round(found.value, 4), "scores": dict(found.scores),
        "usual": dict(found.usual), "deals": found.deals, "open_cards": possible,
    }  # fmt: skip


@app.command(cls=help.Command)
@stoppable
def measure(
    output: Annotated[Path, options.output("FILE", "Output file for the table.")],
    game: Annotated[str, typer.Argument(metavar="GAME", help="Name of a game.")] = "hanabi",
    deals: Annotated[int, options.count("Deals per number of players.", 10**6, "as they are held in memory")] = 5000,
    seed: options.Seed = 0,
) -> None:
    """Measure how the agents score over many deals, for the percentiles of `judge`.

        kibitz deals measure hanabi --deals 5000 --seed 1 --output deals.json

    The table that comes with kibitz says by which command it was made.
    """
    from kibitz.coach import deals as studies
    from kibitz.core import registry

    which = registry.game(game)
    with compiling():
        table = studies.measure_all(which, deals, seed, typed_command())
    studies.write(output, table)
    saved("the table", output)


@stoppable
def daily(
    game: GameOption = "hanabi",
    date: Annotated[
        str | None, options.option("DATE", "Another day, as 2026-11-19.", show_default="today")
    ] = None,
    players: Annotated[
        int | None, options.option("N", "Number of players.", min=1, show_default="usual for the game")
    ] = None,
    score: Annotated[
        int | None, options.option("N", "Your score, to compare it with the bots'. It shows their scores.")
    ] = None,
    results: Annotated[bool, options.flag("--results", "Show the bots' scores and how hard the deal is.")] = False,
    json: options.AsJson = False,
) -> None:  # fmt: skip
    """Show the daily deal: the same cards for everybody, and how to play them.

        kibitz daily

        kibitz daily --players 2 --score 21

        kibitz daily --date 2026-11-19 --json

    Bots' scores and the difficulty are shown with --results, with --score, or when the day is over. No card is shown.
    """
    from kibitz.coach import deals
    from kibitz.coach.daily import compare, daily_deal
    from kibitz.core import registry
    from kibitz.errors import KibitzError

    today = day_type.today()
    try:
        day = day_type.fromisoformat(date) if date else today
    except ValueError:
        raise KibitzError(f"{date!r} is not a date. Write it as 2026-11-19.") from None
    deal = daily_deal(registry.game(game), day, players)
    told: dict[str, Any] = {
        "date": day.isoformat(), "game": deal.game.name, "players": deal.players, "seed": deal.seed,
        "play": deal.command,
    }  # fmt: skip
    if results or score is not None or day < today:
        with compiling():
            found, possible = deals.difficulty(deal.game, deal.start), deals.open_cards(deal.game, deal.start)
        told |= {"bots": deal.bots(), "percentile": round(found.percentile, 1), "open_cards": possible.answer}
    if json:
        print_json(told)
        return
    out.print(f"[bold]{deal.game.title}[/] for {deal.players} on {day.isoformat()}: seed {deal.seed}")
    out.print(f"  {plain(deal.command)}", soft_wrap=True)
    out.print("  or on the page of `kibitz serve`: a new table with this seed and number of players", soft_wrap=True)
    if "bots" not in told:
        out.print("[dim]`kibitz daily --score N` compares your score with the bots'.[/]", soft_wrap=True)
        return
    out.print(f"It is {found}. The best result with open cards: {possible.answer}.", soft_wrap=True)
    for name, points in told["bots"].items():
        out.print(f"  {name:<20} {points:3d}")
    if score is not None:
        out.print(f"You, {compare(score, list(told['bots'].values()))} bots.")
