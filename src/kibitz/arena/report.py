"""The table of a reproduced paper: their figures beside ours, verdicts and claims, as cells and as a Markdown page."""

import re
import textwrap
from pathlib import Path

from kibitz.arena import charts, experiment, win_charts
from kibitz.arena.claims import Judged, Seats, seats_named
from kibitz.arena.experiment import Experiment, PairingRow, Rival, TableRow
from kibitz.arena.standings import Standings
from kibitz.arena.statistics import Estimate
from kibitz.core.results import Count
from kibitz.core.whole_files import write_whole
from kibitz.text import counted

WON_HEADINGS = ("pairing", "begins", "games", "first wins, 95 %", "second wins, 95 %", "draws", "ends in turn")
HEADINGS = ("table", "theirs", "ours", "difference, 95 %", "verdict", "deviation", "perfect in %, 95 %")


def rows_of_scores(rows: list[TableRow | PairingRow]) -> list[TableRow]:

    return [row for row in rows if isinstance(row, TableRow)]


def headings(rows: list[TableRow | PairingRow]) -> tuple[str, ...]:
    if rows_of_scores(rows):
        return HEADINGS
    return *WON_HEADINGS, *(f"{name}, first ahead by" for name in gains(rows))


def won_cells(row: PairingRow) -> tuple[str, ...]:
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


def gains(rows: list[TableRow | PairingRow]) -> list[str]:
    """What the game of these pairings counts besides games won."""

    return next((list(row.ours.gained) for row in rows if isinstance(row.ours, Standings)), [])


def cells(row: TableRow | PairingRow) -> tuple[str, ...]:

    if isinstance(row, PairingRow):
        return won_cells(row)
    theirs, ours = row.theirs, row.ours
    difference, digits = "", 3 if row.rival else 2  # the best programs are apart by hundredths
    if theirs is not None and ours is not None:
        difference = f"{row.difference:+.{digits}f}"
    return (
        row.label,
        their_mean(row, digits),
        f"{row.estimate.mean:.{digits}f}" if ours else "",
        difference,
        row.verdict,
        beside(theirs.std if theirs else None, row.std, ".2f"),
        beside(
            perfect_share(theirs.perfect if theirs else None, row.their_games),
            perfect_share(ours.perfect, ours.games) if ours else None,
            ".1f",
        ),
    )


def their_mean(row: TableRow, digits: int) -> str:
    """Their mean, with its interval if they print one."""
    if row.theirs is None:
        return "—"
    printed = isinstance(row.theirs, Rival) and row.theirs.half_width
    return f"{row.their_estimate:.{digits}f}" if printed else f"{row.theirs.mean:.{digits}f}"


def perfect_share(count: int | None, games: int) -> Estimate | None:
    """The percentage of perfect games."""
    return None if count is None or not games else 100 * Estimate.share(count, games)


def beside(theirs: float | Estimate | None, ours: float | Estimate | None, form: str) -> str:
    """Theirs → ours, as far as they are known."""
    known = "—" if theirs is None else f"{theirs:{form}}"
    return known if ours is None else f"{known} → {ours:{form}}"


def summary(rows: list[TableRow | PairingRow], claims: list[Judged]) -> str:
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
    if any(row.theirs is not None and row.their_estimate.stderr is None for row in scores):
        text.append("Where they print no error, the interval covers only our own sampling error.")
    return " ".join(text)


def their_games(paper: Experiment) -> str:
    """How many games are behind the paper's figures."""
    counts = sorted({rival.games or paper.their_games for rival in paper.rivals} or {paper.their_games})
    if not counts[0]:
        return "" if paper.pairings else "Theirs: an unknown number of games per row. "
    return f"Theirs: {counts[0]:,}" + (f" to {counts[-1]:,}" if len(counts) > 1 else "") + " games per row. "


def whose(paper: Experiment) -> str:
    """The heading for the bounds of a claim: our own experiments reproduce no paper."""
    return "theirs" if paper.their_games or not paper.pairings else "wanted"


def games_played(rows: list[TableRow | PairingRow], games: int) -> str:
    """How many games are behind our figures."""
    played = [len(row.scores) if isinstance(row, TableRow) else row.ours.games for row in rows if row.ours is not None]
    counts = sorted(set(played) or {games})
    return f"{counts[-1]:,}" + (", fewer with search" if len(counts) > 1 else "")


def write_page(
    path: Path, name: str, paper: Experiment, rows: list[TableRow | PairingRow], games: int, seed: int
) -> None:
    """The table in Markdown, and beside it pictures: the distribution of scores, or who won when."""

    text, scores = as_markdown(name, paper, rows, games, seed), rows_of_scores(rows)
    for won in rows:
        if isinstance(won.ours, Standings) and won.ours.by_turn.size:
            seats = [re.sub(r"[^\w.]+", "-", seat) for seat in won.seats]  # budgets and weights are no names of files
            prefix = path.with_name(f"{path.stem}-{'-'.join(seats)}")
            picture, _ = charts.save(win_charts.by_turn(won.ours), prefix)
            text += f"\n![Who won in which turn: {won.label}]({picture.name})\n"
            for count in counts_drawn(paper, won.seats, won.ours):
                picture, _ = charts.save(
                    win_charts.kinds_by_turn(won.ours, count), prefix.with_name(f"{prefix.name}-{count.name}")
                )
                text += f"\n![{count.title}: {won.label}]({picture.name})\n"
    if all(row.ours is None for row in scores):
        write_whole(path, text)
        return
    picture, _ = charts.save(
        charts.histograms(f"{name}: scores of {games:,} games in self-play", scores), path.with_suffix("")
    )
    shown = f"\n![How often each agent reached each score, by number of players]({picture.name})\n"
    write_whole(path, text + shown)


def counts_drawn(paper: Experiment, seats: Seats, played: Standings) -> list[Count]:
    """What the experiment wants drawn of a pairing, besides who won when."""
    wanted = {name for name, pairings in paper.charts.items() if seats in map(seats_named, pairings)}
    return [count for count in played.match.game.counts if count.name in wanted and played.counts[count.name].any()]


def as_markdown(name: str, paper: Experiment, rows: list[TableRow | PairingRow], games: int, seed: int) -> str:

    claims = experiment.claims(paper, rows)
    lines = [
        f"# {paper.title}",
        "",
        paragraph(f"{paper.source}."),
        "",
        paragraph(
            f"Made by `kibitz reproduce {name} --games {games} --seed {seed} --output FILE`. {their_games(paper)}"
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


def claim_rows(claim: Judged) -> list[tuple[str, ...]]:
    """A claim as rows of a table: its sentence, then every comparison it means."""
    head = (f"**{claim.text}**", "", "", f"**{claim.verdict}**")
    return [head, *((each.compares, each.theirs, each.ours, each.verdict) for each in claim.findings)]


def markdown_table(headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[str]:
    ruled = "|---" * len(headings) + "|"
    return ["| " + " | ".join(headings) + " |", ruled, *("| " + " | ".join(row) + " |" for row in rows)]
