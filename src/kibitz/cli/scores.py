"""What a match of a game with a score shows: the mean and how far to trust it, the spread, the distribution."""

from pathlib import Path
from typing import Any

from kibitz.arena.match import Match
from kibitz.arena.statistics import Z95, Tally, bars
from kibitz.cli.terminal import out


class Scores:
    def __init__(self, match: Match) -> None:
        self.match, self.tally = match, Tally(match.game.best)

    @property
    def games(self) -> int:
        return self.tally.games

    def add(self, results: Any, rotations: Any) -> None:
        self.tally.add(*self.match.game.scores(results))

    def summary(self, games_per_second: float) -> dict[str, Any]:
        match, tally = self.match, self.tally
        return {
            "game": match.game_name,
            "seats": list(match.seats),
            "rules": match.rules,
            "seed": match.seed,
            **tally.as_json(),
            "stderr": tally.stderr,
            "games_per_second": games_per_second,
        }

    def show(self, games_per_second: float) -> None:
        match, tally = self.match, self.tally
        alike = len(set(match.seats)) == 1
        who = f"{match.seats[0]} × {len(match.seats)}" if alike else " · ".join(match.seats)
        chosen = ", ".join(f"{name}={value}" for name, value in match.rules.items())
        out.print(f"[bold]{match.game.title}[/]: {who}", soft_wrap=True, markup=True)
        out.print(f"[dim]{tally.games:,} games of seed {match.seed}; {chosen}[/]")
        spread = f" ± {Z95 * tally.stderr:.3f}" if tally.stderr is not None else ""
        out.print(f"\n  mean score   [bold]{tally.mean:.3f}[/]{spread}  [dim](95 % interval)[/]")
        out.print(f"  deviation    {tally.std:.3f}")
        out.print(f"  perfect      {tally.perfect:,} [dim]({tally.perfect / tally.games:.1%})[/]")
        out.print(f"  lost         {tally.lost:,} [dim]({tally.lost / tally.games:.1%})[/]\n")
        for score, count, bar in bars(tally.counts):
            out.print(f"  {score:>3}  [cyan]{bar}[/] [dim]{count:,}[/]")
        out.print(f"\n  {games_per_second:,.0f} games a second")

    def draw(self, folder: Path) -> list[Path]:
        from kibitz.arena.charts import save, scores

        return save(scores(self.match, self.tally), folder / "scores")
