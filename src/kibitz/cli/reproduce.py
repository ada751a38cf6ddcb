"""`kibitz reproduce`: replay a paper's table and compare the figures."""

import re
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli import limits
from kibitz.cli.interrupt import Received, exit_code, keeps
from kibitz.cli.terminal import (
    BOT_SECONDS,
    COMPILING,
    AsJson,
    BotSeconds,
    Jobs,
    complain,
    counted,
    err,
    out,
    plain,
    print_json,
    progress_bar,
    workers,
)

if TYPE_CHECKING:
    from kibitz.arena.claims import Judged
    from kibitz.arena.experiment import Experiment, PairingRow, Run, TableRow


def reproduce(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="Experiment, or the path of its file. Without it, list the experiments."),
    ] = None,
    games: Annotated[
        int | None,
        limits.games_option(
            limits.MOST_REPRODUCED,
            "as the score of every deal of a row is held in memory",
            "Deals per row.",
            least=2,
            default="from the experiment",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            callback=limits.seed,
            show_default="from the experiment",
            help="Random seed: the same seed gives the same deals.",
        ),
    ] = None,
    jobs: Jobs = None,
    bot_seconds: BotSeconds = BOT_SECONDS,
    json: AsJson = False,
    save: Annotated[
        Path | None,
        limits.path_option("FILE", "Write the table as Markdown, and the distributions as SVG and PNG beside it."),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Exit with status 1 if a row differs or a claim does not hold.")
    ] = False,
    restart: Annotated[
        bool, typer.Option("--restart", help="Discard the games of an earlier, unfinished run and start again.")
    ] = False,
) -> None:
    """Replay a published table: their figures, ours, the difference with its 95 % interval, and a verdict per row.

        kibitz reproduce jarzabek-leja-2020

    A row agrees if the difference is within sampling error, or within the experiment's margin beyond that. Rows whose
    agents kibitz does not have are listed as missing.

    Claims in words are checked too. A claim holds if our whole 95 % interval satisfies it, does not hold if no part of
    the interval does, and is undecided otherwise: play more --games to decide it.

    To resume a run that was stopped or killed, run the same command again. Rows of agents that have changed since are
    replayed.
    """
    from kibitz.arena import experiment
    from kibitz.errors import KibitzError

    if name is None:
        found = {each: experiment.read(each).title for each in experiment.names()}
        if json:
            print_json(found)
        else:
            for each, title in found.items():
                out.print(f"[bold cyan]{each}[/]  {title}")
        return
    paper = experiment.read(name)
    games, seed = games or paper.games, paper.seed if seed is None else seed
    rows: list[TableRow | PairingRow] = []
    stopped: KeyboardInterrupt | None = None
    with progress_bar() as progress:
        task = progress.add_task(COMPILING)

        def count(played: int) -> None:
            progress.update(task, advance=played, description=f"{len(rows) + 1} of {paper.length} rows")
            notices.tell()

        run = experiment.Run(paper, games, seed, workers(jobs), bot_seconds, count).keeping(restart)
        progress.update(task, total=run.games)
        notices = RunNotices(run)
        try:
            for row in run.played():
                rows.append(row)
        except KeyboardInterrupt as stopping:
            stopped = stopping
        except KibitzError as error:
            raise KibitzError(f"{error}{Received.keeps}") from None
        finally:
            notices.end()
    if stopped is not None:
        if rows and not json:
            show(paper, rows, games, seed)
        complain(f"Stopped after {len(rows)} of {paper.length} rows.{Received.keeps}")
        raise typer.Exit(exit_code(stopped))
    claims = experiment.claims(paper, rows)
    if json:
        print_json(
            {
                "experiment": name, "games": games, "seed": seed,
                "rows": [row.as_json() for row in rows], "claims": [claim.as_json() for claim in claims],
            }
        )  # fmt: skip
    else:
        show(paper, rows, games, seed)
    if save:
        try:
            write_page(save, name, paper, rows, games, seed)
        except OSError as error:
            raise KibitzError(f"Cannot write the table to {save}: {error.strerror}.") from None
        err.print(f"Saved the table to {plain(str(save))}.", soft_wrap=True)
    notices.finish()
    if check and (any(scores.differs for scores in rows_of_scores(rows)) or any(claim.fails for claim in claims)):
        raise typer.Exit(1)


class RunNotices:
    """Reports that a run resumes an earlier one, or why it cannot be kept."""

    def __init__(self, run: "Run") -> None:
        assert run.checkpoints is not None
        self.kept, self.told_earlier, self.told_problem = run.checkpoints, False, False
        if not self.kept.problem:
            keeps(f"{self.kept.folder} keeps the games; run the same command to resume.")
        self.tell()

    def tell(self) -> None:
        if self.kept.problem and not self.told_problem:
            self.told_problem = True
            keeps("")
            complain(self.kept.problem)
        if self.kept.earlier_games and not self.told_earlier:
            self.told_earlier = True
            complain(f"{self.kept.folder} has games of an earlier run; resuming. Use --restart to start again.")

    def end(self) -> None:
        self.kept.release()

    def finish(self) -> None:
        """Everything was shown and saved."""
        self.kept.finish()


def rows_of_scores(rows: list["TableRow | PairingRow"]) -> list["TableRow"]:
    from kibitz.arena.experiment import TableRow

    return [row for row in rows if isinstance(row, TableRow)]


def headings(rows: list["TableRow | PairingRow"]) -> tuple[str, ...]:
    if rows_of_scores(rows):
        return HEADINGS
    return *WON_HEADINGS, *(f"{name}, first ahead by" for name in gains(rows))


WON_HEADINGS = ("pairing", "begins", "games", "first wins, 95 %", "second wins, 95 %", "draws", "ends in turn")


def won_cells(row: "PairingRow") -> tuple[str, ...]:
    ours, pairing = row.ours, row.pairing
    if ours is None:
        return (row.label, pairing.first, row.verdict, *[""] * 4)
    shares = [ours.share(seat) for seat in (0, 1)]
    search = f", {pairing.iterations:,} iterations" if pairing.iterations else ""
    return (
        ", ".join(row.seats) + search,
        "each once per deal" if pairing.mirror else "the first" if pairing.first == "fixed" else "alternately",
        f"{ours.games:,}",
        *(f"{share.mean:.1%} ± {100 * share.half_width:.1f}" for share in shares),
        f"{ours.draws / ours.games:.1%}",
        "—" if (turn := ours.mean_turn()) is None else f"{turn:.2f}",
        *(f"{ours.lead(name, 0):+.2f}" for name in ours.gained),
    )


def gains(rows: list["TableRow | PairingRow"]) -> list[str]:
    """What the game of these pairings counts besides games won."""
    from kibitz.arena.standings import Standings

    return next((list(row.ours.gained) for row in rows if isinstance(row.ours, Standings)), [])


HEADINGS = ("table", "theirs", "ours", "difference, 95 %", "verdict", "deviation", "perfect in 1000")
LEFT = ("table", "pairing", "begins", "verdict")
ON_SCREEN = 5  # columns that fit a terminal of 80 characters


def cells(row: "TableRow | PairingRow") -> tuple[str, ...]:
    from kibitz.arena.experiment import PairingRow

    if isinstance(row, PairingRow):
        return won_cells(row)
    theirs, ours = row.theirs, row.ours
    difference, digits = "", 3 if row.rival else 2  # the best programs are apart by hundredths
    if theirs is not None and ours is not None:
        gap, half = row.difference.mean, row.difference.half_width
        difference = f"{gap:+.{digits}f} ± {half:.{digits}f}"
    return (
        row.label,
        f"{theirs.mean:.{digits}f}" if theirs else "—",
        f"{ours.mean:.{digits}f}" if ours else "",
        difference,
        row.verdict,
        beside(theirs.std if theirs else None, ours.std if ours else None, ".2f"),
        beside(
            per_thousand(theirs.perfect if theirs else None, row.their_games),
            per_thousand(ours.perfect, ours.games) if ours else None,
            ".0f",
        ),
    )


def per_thousand(count: int | None, games: int) -> float | None:
    return None if count is None or not games else 1000 * count / games


def beside(theirs: float | None, ours: float | None, form: str) -> str:
    """Theirs → ours, as far as they are known."""
    known = "—" if theirs is None else f"{theirs:{form}}"
    return known if ours is None else f"{known} → {ours:{form}}"


def summary(rows: list["TableRow | PairingRow"], claims: list["Judged"]) -> str:
    scores = rows_of_scores(rows)
    compared = [row for row in scores if row.ours is not None and row.theirs is not None and not row.rival]
    missing = sorted({agent for row in rows for agent in row.missing})
    text = []
    if compared:
        text.append(f"{sum(not row.differs for row in compared)} of {len(compared)} rows agree.")
    if missing:
        waiting = sum(row.ours is None for row in rows)
        text.append(f"{counted(waiting, 'row')} without our figures, as kibitz lacks agents: {', '.join(missing)}.")
    if claims:
        text.append(f"{sum(claim.verdict == 'holds' for claim in claims)} of {len(claims)} claims hold.")
    if any(row.theirs is not None and row.theirs.std is None for row in scores):
        text.append("Where they give no standard deviation, the interval covers only our own sampling error.")
    return " ".join(text)


def show(paper: "Experiment", rows: list["TableRow | PairingRow"], games: int, seed: int) -> None:
    from rich.table import Table

    from kibitz.arena import experiment

    claims = experiment.claims(paper, rows)
    out.print(f"[bold]{paper.title}[/]\n[dim]{paper.source}[/]")
    table = Table(box=None, padding=(0, 2, 0, 0))
    differing = [row for row in rows_of_scores(rows) if row.differs]
    for heading in headings(rows)[:ON_SCREEN]:
        table.add_column(heading, justify="left" if heading in LEFT else "right")
    for row in rows:
        style = "dim" if row.ours is None else "bold yellow" if row in differing else ""
        table.add_row(*cells(row)[:ON_SCREEN], style=style)
    out.print(table)
    for claim in claims:
        out.print(f"\n[bold{' yellow' if claim.fails else ''}]{claim.verdict}[/]: {claim.text}")
        for finding in claim.findings:
            out.print(f"  [dim]{finding.compares}[/]")
            out.print(f"    {whose(paper)} {finding.theirs}; ours {finding.ours or '—'}: {finding.verdict}")
    out.print(f"\n{summary(rows, claims)} {their_games(paper)}Ours: {games_played(rows, games)}; seed {seed}.")
    for agent, note in paper.notes.items():
        out.print(f"[dim]{agent}: {' '.join(note.split())}[/]")


def their_games(paper: "Experiment") -> str:
    """How many games are behind the paper's figures."""
    counts = sorted({rival.games or paper.their_games for rival in paper.rivals} or {paper.their_games})
    if not counts[0]:
        return "" if paper.pairings else "Theirs: an unknown number of games per row. "
    return f"Theirs: {counts[0]:,}" + (f" to {counts[-1]:,}" if len(counts) > 1 else "") + " games per row. "


def whose(paper: "Experiment") -> str:
    """The heading for the bounds of a claim: our own experiments reproduce no paper."""
    return "theirs" if paper.their_games or not paper.pairings else "wanted"


def games_played(rows: list["TableRow | PairingRow"], games: int) -> str:
    """How many games are behind our figures."""
    counts = sorted({row.ours.games for row in rows if row.ours is not None} or {games})
    return f"{counts[-1]:,}" + (", fewer with search" if len(counts) > 1 else "")


def write_page(
    path: Path, name: str, paper: "Experiment", rows: list["TableRow | PairingRow"], games: int, seed: int
) -> None:
    """The table in Markdown, and beside it pictures: the distribution of scores, or who won when."""
    from kibitz.arena import charts, win_charts
    from kibitz.arena.standings import Standings
    from kibitz.core.whole_files import write_whole

    text, scores = as_markdown(name, paper, rows, games, seed), rows_of_scores(rows)
    for won in rows:
        if isinstance(won.ours, Standings) and won.ours.by_turn.size:
            seats = [re.sub(r"[^\w.]+", "-", seat) for seat in won.seats]  # budgets and weights are no names of files
            prefix = path.with_name(f"{path.stem}-{'-'.join(seats)}")
            picture, _ = charts.save(win_charts.by_turn(won.ours), prefix)
            text += f"\n![Who won in which turn: {won.label}]({picture.name})\n"
    if all(row.ours is None for row in scores):
        write_whole(path, text)
        return
    picture, _ = charts.save(
        charts.histograms(f"{name}: scores of {games:,} games in self-play", scores), path.with_suffix("")
    )
    shown = f"\n![How often each agent reached each score, by number of players]({picture.name})\n"
    write_whole(path, text + shown)


def as_markdown(name: str, paper: "Experiment", rows: list["TableRow | PairingRow"], games: int, seed: int) -> str:
    from kibitz.arena import experiment

    claims = experiment.claims(paper, rows)
    lines = [
        f"# {paper.title}",
        "",
        paragraph(f"{paper.source}."),
        "",
        paragraph(
            f"Made by `kibitz reproduce {name} --games {games} --seed {seed} --save FILE`. {their_games(paper)}"
            f"Ours: {games_played(rows, games)}. {summary(rows, claims)}"
        ),
        "",
        *markdown_table(headings(rows), [cells(row) for row in rows]),
    ]
    if claims:
        lines += [
            "",
            "## Claims",
            "",
            *markdown_table(
                ("claim", whose(paper), "ours, 95 %", "verdict"), [row for claim in claims for row in claim_rows(claim)]
            ),
        ]
    for agent, note in paper.notes.items():
        lines += ["", paragraph(f"**{agent}**: {note}")]
    return "\n".join(lines) + "\n"


def paragraph(text: str) -> str:
    return textwrap.fill(" ".join(text.split()), 116, break_long_words=False, break_on_hyphens=False)


def claim_rows(claim: "Judged") -> list[tuple[str, ...]]:
    """A claim as rows of a table: its sentence, then every comparison it means."""
    head = (f"**{claim.text}**", "", "", f"**{claim.verdict}**")
    return [head, *((each.compares, each.theirs, each.ours, each.verdict) for each in claim.findings)]


def markdown_table(headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[str]:
    ruled = "|---" * len(headings) + "|"
    return ["| " + " | ".join(headings) + " |", ruled, *("| " + " | ".join(row) + " |" for row in rows)]
