"""What a match of a game with a score shows: the mean and how far to trust it, the spread, the distribution."""

from kibitz.arena.measure import MatchScores
from kibitz.arena.statistics import bars
from kibitz.cli.terminal import out, plain


def show(measure: MatchScores, games_per_second: float) -> None:
    match, tally = measure.match, measure.tally
    alike = len(set(match.seats)) == 1
    who = f"{match.seats[0]} × {len(match.seats)}" if alike else " · ".join(match.seats)
    chosen = plain(", ".join(f"{name}={value}" for name, value in match.terms.items()))
    out.print(f"[bold]{match.game.title}[/]: {plain(who)}", soft_wrap=True)
    out.print(f"[dim]{tally.games:,} games of seed {match.seed}; {chosen}[/]")
    spread = f" ± {tally.estimate.half_width:.3f}" if tally.games > 1 else ""
    out.print(f"\n  mean score   [bold]{tally.mean:.3f}[/]{spread}  [dim](95 % interval)[/]")
    out.print(f"  deviation    {tally.std:.3f}")
    out.print(f"  perfect      {tally.perfect:,} [dim]({tally.perfect / tally.games:.1%})[/]")
    out.print(f"  lost         {tally.lost:,} [dim]({tally.lost / tally.games:.1%})[/]\n")
    for score, count, bar in bars(tally.counts):
        out.print(f"  {score:>3}  [cyan]{bar}[/] [dim]{count:,}[/]")
    out.print(f"\n  {games_per_second:,.0f} games a second")
