"""The summary of a match in a cooperative game: mean, interval, spread and distribution of scores."""

from kibitz.arena.measure import MatchScores
from kibitz.arena.statistics import Estimate, ScoreCounts, bars
from kibitz.cli.options import rules_text
from kibitz.cli.terminal import counted, out, plain, print_terms, speed_text


def show_mean(tally: ScoreCounts, estimate: Estimate | None = None, kind: str = "95 % interval") -> None:
    estimate = estimate or tally.estimate
    spread = f" ± {estimate.half_width:.3f}  [dim]({kind})[/]" if estimate.interval else ""
    out.print(f"  mean score   [bold]{tally.mean:.3f}[/]{spread}")
    out.print(f"  deviation    {tally.std:.3f}")


def show(measure: MatchScores, games_per_second: float) -> None:
    match, tally = measure.match, measure.tally
    alike = len(set(match.seats)) == 1
    who = f"{match.seats[0]} × {len(match.seats)}" if alike else " · ".join(match.seats)
    out.print(f"[bold]{match.game.title}[/]: {plain(who)}", soft_wrap=True)
    print_terms(f"{counted(tally.games, 'game')}, seed {match.seed}", rules_text(match.terms))
    out.print()
    show_mean(tally, measure.estimate, "95 % interval, valid at any time" if measure.until else "95 % interval")
    out.print(f"  perfect      {tally.perfect:,} [dim]({100 * tally.perfect_share:.1f} %)[/]")
    out.print(f"  lost         {tally.lost:,} [dim]({tally.lost / tally.games:.1%})[/]\n")
    for score, count, bar in bars(tally.counts):
        out.print(f"  {score:>3}  [cyan]{bar}[/] [dim]{count:,}[/]")
    if speed := speed_text(games_per_second):
        out.print(f"\n  {speed}")
