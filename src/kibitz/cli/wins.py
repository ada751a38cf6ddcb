"""The summary of a match in a competitive game: wins by agent and starting seat, and how long the games take."""

from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.arena.standings import Standings, last_turn
from kibitz.arena.statistics import Estimate
from kibitz.cli.options import rules_text
from kibitz.cli.terminal import counted, out, plain, print_terms, speed_text

if TYPE_CHECKING:
    from rich.table import Table

    from kibitz.core.results import Count

MOST_ROWS = 20  # of a table by turn; more turns are grouped
KINDS_SHOWN = 3
ORDINALS = ("1st", "2nd", "3rd")
BEGINS = {"fixed": "the seat named first begins", "alternate": "the seats begin in turn"}


def show(standings: Standings, games_per_second: float) -> None:
    match = standings.match
    begins = BEGINS[match.first]
    if match.mirror:
        by_sides = match.games_a_deal < match.players
        begins = "every deal is played once by each side" if by_sides else "every deal is begun once by each seat"
    names = plain(" · ".join(match.seats))
    out.print(f"[bold]{match.game.title}[/]: {names}", soft_wrap=True)
    print_terms(f"{counted(standings.games, 'game')}, seed {match.seed}", begins, rules_text(match.terms))
    out.print()
    out.print(wins_table(standings))
    for name in standings.gained:
        out.print(f"\n{gains_text(standings, name)}", soft_wrap=True)
    if standings.shared and not match.game.sides:
        out.print(f"[dim]{counted(standings.shared, 'game')} with several winners; each of them is credited.[/]")
    mean = standings.mean_turn()
    if mean is not None:
        out.print(f"\nGames end in turn [bold]{mean:.2f}[/] on average.")
        out.print(turns_table(standings))
    for count in match.game.counts:
        if count.kinds and standings.counts[count.name].any():
            out.print(f"\n{count.title}, by turn")
            out.print(kinds_table(count, standings.counts[count.name]))
    if speed := speed_text(games_per_second):
        out.print(f"\n{speed}")


def labels(seats: tuple[str, ...]) -> list[str]:
    """The agents with their seat numbers, to distinguish two seats of the same agent."""
    from kibitz.arena.charts import short_names

    return [f"{number} {plain(name)}" for number, name in enumerate(short_names(seats), start=1)]


def wins_table(standings: Standings) -> "Table":
    players = standings.match.players
    grid = headed("", "wins", "share, 95 %", *(f"as {ordinal(place)}" for place in range(players)))
    for seat, label in enumerate(labels(standings.match.seats)):
        share = standings.share(seat)
        places = [standings.share_when(seat, (seat - place) % players) for place in range(players)]
        grid.add_row(label, f"{standings.wins[seat]:,}", f"[bold]{in_words(share)}[/]", *map(percent, places))
    grid.add_row("draws", f"{standings.draws:,}", f"{standings.draws / standings.games:.1%}", style="dim")
    return grid


def gains_text(standings: Standings, name: str) -> str:
    """The mean gain of each seat in another unit than games won, and the lead of the first seat."""
    named = labels(standings.match.seats)[: standings.match.game.sides or None]
    means = ", ".join(
        f"{label} [bold]{standings.mean_gain(name, seat).mean:.2f}[/]" for seat, label in enumerate(named)
    )
    lead = standings.lead(name, 0)
    margin = f"[bold]{lead.mean:+.2f}[/] ± {lead.half_width:.2f}"
    return f"{name} per game: {means}; {named[0]} is ahead of {named[1]} by {margin}"


def in_words(share: Estimate) -> str:
    """A share and the wider side of its interval."""
    if share.interval is None:
        return f"{share.mean:.1%}"
    low, high = share.interval
    return f"{share.mean:.1%} ± {100 * max(share.mean - low, high - share.mean):.1f}"


def percent(share: Estimate | None) -> str:
    return "—" if share is None else f"{share.mean:.1%}"


def ordinal(place: int) -> str:
    return ORDINALS[place] if place < len(ORDINALS) else f"{place + 1}th"


def headed(*headings: str) -> "Table":
    from rich.table import Table

    grid = Table(box=None, padding=(0, 2, 0, 0))
    for number, heading in enumerate(headings):
        grid.add_column(heading, justify="right" if number else "left", no_wrap=True, style="" if number else "cyan")
    return grid


def spans(turns: int) -> list[tuple[str, slice]]:
    """The turns, grouped if there are more than fit a screen."""
    step = -(-turns // MOST_ROWS)
    if step == 1:
        return [(str(turn + 1), slice(turn, turn + 1)) for turn in range(turns)]
    return [(f"{turn + 1}–{min(turn + step, turns)}", slice(turn, turn + step)) for turn in range(0, turns, step)]


def turns_table(standings: Standings) -> "Table":
    ends = standings.by_turn
    grid = headed("turn", *labels(standings.match.seats), "draws", "")
    most = max(int(ends[:, span].sum()) for _, span in spans(ends.shape[1]))
    for turn, span in spans(ends.shape[1]):
        by_seat = ends[:, span].sum(axis=1).tolist()
        if not any(by_seat):
            continue
        bar = f"[cyan]{'█' * -(-20 * sum(by_seat) // most)}[/]"
        grid.add_row(turn, *(f"{number:,}" for number in by_seat), bar)
    grid.columns[-1].justify = "left"
    return grid


def kinds_table(count: "Count", counted: Any) -> "Table":
    """How often it happened in each turn, and the most frequent kinds, over all seats."""
    grid = headed("turn", "", "most often")
    grid.columns[-1].justify = "left"
    for turn, span in spans(last_turn(counted)):
        by_kind = counted[:, span].sum(axis=(0, 1))
        if not by_kind.any():
            continue
        often = [kind for kind in np.argsort(-by_kind, kind="stable")[:KINDS_SHOWN] if by_kind[kind]]
        shown = ", ".join(f"{count.kinds[kind]} {by_kind[kind] / by_kind.sum():.0%}" for kind in often)
        grid.add_row(turn, f"{int(by_kind.sum()):,}", shown)
    return grid
