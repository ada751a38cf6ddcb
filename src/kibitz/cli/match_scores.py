"""The summary of a match in a cooperative game: mean, interval, spread and distribution of scores."""

from kibitz.arena.measure import MatchScores
from kibitz.arena.statistics import bars
from kibitz.cli.terminal import counted, out, plain, speed_text


def show(measure: MatchScores, games_per_second: float) -> None:
    match, tally = measure.match, measure.tally
    alike = len(set(match.seats)) == 1
    who = f"{match.seats[0]} × {len(match.seats)}" if alike else " · ".join(match.seats)
    chosen = plain(", ".join(f"{name}={value}" for name, value in match.terms.items()))
    out.print(f"[bold]{match.game.title}[/]: {plain(who)}", soft_wrap=True)
    out.print(f"[dim]{counted(tally.games, 'game')}, seed {match.seed}; {chosen}[/]")
    spread = f" ± {tally.estimate.half_width:.3f}" if tally.games > 1 else ""
    out.print(f"\n  mean score   [bold]{tally.mean:.3f}[/]{spread}  [dim](95 % interval)[/]")
    out.print(f"  deviation    {tally.std:.3f}")
    out.print(f"  perfect      {tally.perfect:,} [dim]({tally.perfect / tally.games:.1%})[/]")
    out.print(f"  lost         {tally.lost:,} [dim]({tally.lost / tally.games:.1%})[/]\n")
    for score, count, bar in bars(tally.counts):
        out.print(f"  {score:>3}  [cyan]{bar}[/] [dim]{count:,}[/]")
    if speed := speed_text(games_per_second):
        out.print(f"\n  {speed}")
