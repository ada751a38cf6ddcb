"""`kibitz.duel`: two agents play until it is known which is better."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kibitz.api import arguments
from kibitz.api.arguments import AgentLike
from kibitz.api.catalogue import checked, html_table
from kibitz.api.matches import name_of
from kibitz.api.progress import Progress
from kibitz.arena.duel import DuelPlan, MeasuredDuel, Verdict
from kibitz.bots.players import BOT_SECONDS
from kibitz.extras import need

if TYPE_CHECKING:
    import polars


def duel(
    game: str,
    a: AgentLike,
    b: AgentLike,
    players: int | None = None,
    alpha: float = 0.05,
    margin: float = 0.1,
    max_games: int = 100_000,
    seed: int = 0,
    rules: Mapping[str, str] | None = None,
    *,
    jobs: int | None = None,
    think_ms: int | None = None,
    iterations: int | None = None,
    depth: int | None = None,
    bot_seconds: float = BOT_SECONDS,
    progress: bool | None = None,
) -> "DuelResult":
    """Play two agents on the same deals until one is known to be better, or until they are known to be equal.

    Args:
        alpha: the error rate of the verdict, and of the interval.
        margin: the smallest difference that matters, in points, or in competitive games as a share of the games.
        max_games: if this many games are not enough, the verdict is `undecided`.

    The other arguments are those of `kibitz.cross`.

    >>> import kibitz
    >>> kibitz.duel("tictactoe", "two_plies", "random").verdict
    'A'
    """
    which = arguments.game_of(game)
    count = which.players[0] if players is None else arguments.players_of(which, players)
    most, seed = arguments.whole("max_games", max_games, 2, arguments.MOST_GAMES), arguments.seed_of(seed)
    terms, workers = arguments.rules_of(which, rules), arguments.jobs_of(jobs)
    seconds, budget = arguments.seconds_of(bot_seconds), arguments.budget_of(think_ms, iterations, depth)
    with Progress(f"{name_of(a)} · {name_of(b)}", 0, progress) as reporting:
        one, other = checked(which, [a, b])
        plan = DuelPlan(
            which.name, (one, other), count, alpha, margin, most, seed, terms, budget, seconds  # type: ignore[arg-type]
        )  # fmt: skip
        with arguments.loading():
            measured = MeasuredDuel(plan.prepared())
        before = 0
        for look in measured.play(workers):
            reporting.total = measured.expected_games
            reporting.add(look.games - before)
            before = look.games
    return DuelResult(measured)


class DuelResult:
    """The result of `kibitz.duel`. A notebook shows it as a table."""

    def __init__(self, measured: MeasuredDuel) -> None:
        self._measured = measured

    @property
    def agents(self) -> tuple[str, str]:
        """The agents A and B."""
        return self._measured.plan.agents

    @property
    def verdict(self) -> Verdict:
        """`A` or `B`, the better one; `equal`, if they differ by less than the margin; or `undecided`."""
        return self._measured.look.verdict

    @property
    def difference(self) -> float:
        """The mean of A minus that of B: points, or shares of the games."""
        return self._measured.look.difference

    @property
    def interval(self) -> tuple[float, float] | None:
        """The interval of the difference, which is valid however often one looks; None after very few games."""
        return self._measured.look.interval

    @property
    def games(self) -> int:
        """The number of games played."""
        return self._measured.look.games

    @property
    def means(self) -> tuple[float, float]:
        """The mean score, or the share of the games, of A and of B."""
        a, b = self._measured.means
        return a, b

    @property
    def frame(self) -> "polars.DataFrame":
        """How the interval narrowed, as a polars frame: a row for each look."""
        need("frames")
        import polars

        lines = [(look.games, look.difference, *(look.interval or (None, None))) for look in self._measured.looks]
        columns = {"games": polars.Int64, "difference": polars.Float64, "low": polars.Float64, "high": polars.Float64}
        return polars.DataFrame(lines, schema=columns, orient="row")

    def as_dict(self) -> dict[str, Any]:
        """The duel, as `kibitz duel --json` prints it."""
        return self._measured.as_json()

    @property
    def _title(self) -> str:
        plan = self._measured.plan
        return f"{plan.game.title}, {plan.players} players, {self.games:,} games, seed {plan.seed}: {self.verdict}"

    def _lines(self) -> list[tuple[str, str]]:
        low, high = self.interval or (float("-inf"), float("inf"))
        named = zip("AB", self.agents, self.means, strict=True)
        lines = [(f"{letter} {name}", f"{mean:.3f}") for letter, name, mean in named]
        return [*lines, ("difference", f"{self.difference:+.3f} ({low:+.3f} to {high:+.3f})")]

    def __str__(self) -> str:
        return "\n".join([self._title, *(f"{name}  {text}" for name, text in self._lines())])

    def __repr__(self) -> str:
        return f"<duel of {self.agents[0]} and {self.agents[1]}: {self.verdict}>"

    def _repr_html_(self) -> str:
        return html_table(("", "mean"), self._lines(), self._title)
