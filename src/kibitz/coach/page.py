"""A review as a page of HTML without links to other files: it shows what the seat could see, and hides the rest behind
a click."""

from html import escape
from typing import TYPE_CHECKING

from kibitz.arena.run_report import SORT, STYLE
from kibitz.coach.verdicts import WRONG, Verdict
from kibitz.coach.words import amount, summary, worth_text
from kibitz.text import fit

if TYPE_CHECKING:
    from kibitz.coach.review import Review, TurnReview

WIDE, HIGH, EDGE = 720, 200, 36  # of the graph, in pixels
COLOURS = {Verdict.INACCURACY: "#e69f00", Verdict.MISTAKE: "#d55e00", Verdict.BLUNDER: "#b00020"}
SHOWN_MOVES = 8


def text(value: object) -> str:
    return escape(fit(str(value)))


def page(review: "Review") -> str:
    title = f"Review of {review.players[review.seat]}, {review.game.title}"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{text(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>\n<body>\n'
        f"<h1>{text(title)}</h1>\n{body(review)}\n<script>{SORT}</script></body></html>\n"
    )


def body(review: "Review") -> str:
    parts = [f"<p>{text(sentence(review))}</p>"]
    parts += [f"<p>{text(problem)}</p>" for problem in review.problems]
    parts += [graph(review), "<h2>Turning points</h2>"]
    parts += [section(review, turn) for turn in review.worst] or ["<p>No mistakes were found.</p>"]
    return "\n".join([*parts, "<h2>All decisions</h2>", table(review)])


def sentence(review: "Review") -> str:
    said = summary(review)
    return said[:1].upper() + said[1:]


def graph(review: "Review") -> str:
    """The expected result over the game; the mistakes of the seat lead to their sections."""
    turns = review.counted
    if len(turns) < 2:
        return ""
    values = [turn.value for turn in turns]
    low, high = min(values), max(values)
    span, first, last = high - low or 1.0, turns[0].turn, turns[-1].turn

    def place(turn: "TurnReview") -> tuple[float, float]:
        x = EDGE + (WIDE - 2 * EDGE) * (turn.turn - first) / (last - first)
        return x, EDGE / 2 + (HIGH - EDGE) * (high - turn.value) / span

    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(place, turns))
    marks = []
    for turn in review.worst:
        x, y = place(turn)
        marks.append(
            f'<a href="#turn-{turn.turn}"><circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{COLOURS[turn.verdict]}">'
            f"<title>turn {turn.turn}: {text(turn.verdict)}</title></circle></a>"
        )
    labels = "".join(
        f'<text x="2" y="{y:.0f}" font-size="11">{text(worth_text(value, review.unit))}</text>'
        for value, y in ((high, EDGE / 2 + 4), (low, HIGH - EDGE / 2 + 4))
    )
    return (
        f'<svg viewBox="0 0 {WIDE} {HIGH}" width="{WIDE}" role="img" aria-label="Expected result by turn">{labels}'
        f'<polyline points="{line}" fill="none" stroke="#0072b2" stroke-width="2"/>{"".join(marks)}</svg>'
    )


def section(review: "Review", turn: "TurnReview") -> str:
    unit, found = review.unit, turn.evaluation
    rows = "".join(
        f"<tr><td>{text(review.game.move_text(each.move))}</td>"
        f'<td class="number">{worth_text(each.value, unit)}{error_text(each.error, unit)}</td>'
        f'<td class="number">{"" if each.perfect is None else f"{100 * each.perfect:.0f} %"}</td></tr>'
        for each in found.worths[:SHOWN_MOVES]
        if each.visits
    )
    convention = f"<p>{text(turn.convention)}</p>" if turn.convention else ""
    perfect = "best result" if any(each.perfect is not None for each in found.worths) else ""
    hidden = ""
    if not review.unfinished:
        hidden = f"<details><summary>Show the hidden cards</summary>{review.hidden_picture(turn)}</details>"
    return (
        f'<section id="turn-{turn.turn}"><h3>Turn {turn.turn}: {text(turn.move)} — {text(turn.verdict)}, '
        f"{text(amount(turn.loss, unit))}</h3><p>{text(turn.text)}</p>{convention}{review.picture(turn)}"
        f"<table><thead><tr><th>move</th><th>expected</th><th>{perfect}</th></tr></thead><tbody>{rows}</tbody></table>"
        f"{hidden}</section>"
    )


def error_text(error: float, unit: str) -> str:
    return "" if error == 0.0 or error == float("inf") else f" ± {worth_text(1.96 * error, unit)}"


def table(review: "Review") -> str:
    head = "".join(f"<th>{name}</th>" for name in ("turn", "move", "best", "loss", "verdict", "kind"))
    rows = []
    for turn in review.turns:
        link = f'<a href="#turn-{turn.turn}">{turn.turn}</a>' if turn.verdict in WRONG else str(turn.turn)
        rows.append(
            f'<tr><td class="number" data-value="{turn.turn}">{link}</td><td>{text(turn.move)}</td>'
            f'<td>{text(turn.best)}</td><td class="number" data-value="{turn.loss:.4f}">'
            f"{worth_text(turn.loss, review.unit)}</td><td>{text(turn.verdict)}</td><td>{text(turn.kind)}</td></tr>"
        )
    return f'<table class="sortable"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
