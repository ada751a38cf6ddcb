"""A drawing of the first levels of a game tree as alpha-beta searches them, with its cutoffs.

The drawn levels are searched in plain Python, moves in order of number; the levels below by machine code. In games with
dice, chance nodes are drawn, and nothing is cut off there.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any
from xml.sax.saxutils import escape

import numpy as np

from kibitz.core.game import Game
from kibitz.engine import generic
from kibitz.search import alphabeta, expectimax
from kibitz.search.alphabeta import INFINITE, Options
from kibitz.search.book import no_book
from kibitz.search.clock import Limit
from kibitz.search.ladder import check_position, rolls_dice
from kibitz.search.open_games import final_value

ACROSS, DOWN, TOP, SIDE = 44, 96, 56, 40
ALONG = 0.72  # the position of a move's label along its edge, as a share
LETTER = 6.5  # pixels per letter of a label
MOST_LEAVES = 600  # more are illegible
ENDLESS = Limit(1 << 62, np.inf, 0.0)
LONGEST_KEY = 400  # pixels for the key under a tree
COLOURS = {"max": "#2456b8", "min": "#b3452b", "chance": "#6b7a1e", "end": "#555b70"}


@dataclass
class Node:
    kind: str  # max, min, chance, end or cut
    value: float | None = None  # None if it was cut off
    move: str = ""  # the move that leads to it
    chance: float | None = None
    bound: str = ""  # whether the value is only a bound
    below: list["Node"] = field(default_factory=list)

    @property
    def leaves(self) -> int:
        return sum(each.leaves for each in self.below) or 1


def grow(game: Game, state: Any, depth: int, levels: int, weights: Any = ()) -> Node:
    """The first levels of the tree of a position that is searched to a depth."""
    check_position(game, state, depth)
    vector = np.array(weights, np.float64)
    me = int(generic.to_move(state))
    return grown(game, np.array([state], state.dtype), me, depth, levels, -INFINITE, INFINITE, 0, vector)


def grown(
    game: Game, state: Any, me: int, depth: int, levels: int, alpha: float, beta: float, ply: int, weights: Any
) -> Node:  # fmt: skip
    mover = int(generic.to_move(state[0]))
    if mover == generic.OVER:
        return Node("end", float(final_value(generic.positions(state[0], 1)[0], me, ply)))
    if mover == generic.CHANCE and depth >= 0 and levels > 0:
        return rolled(game, state, me, depth, levels, ply, weights)
    node = Node("chance" if mover == generic.CHANCE else "max" if mover == me else "min")
    if depth <= 0 or levels == 0:
        node.value = value_below(game, state, me, depth, ply, weights)
        return node
    moves = game.legal(state[0])
    for place, move in enumerate(moves):
        below = grown(game, moved(state, move), me, depth - 1, levels - 1, alpha, beta, ply + 1, weights)
        below.move = game.move_text(move)
        node.below.append(below)
        assert below.value is not None
        if node.value is None or (below.value > node.value) == (mover == me):
            node.value = below.value
        if mover == me:
            alpha = max(alpha, node.value)
        else:
            beta = min(beta, node.value)
        if alpha >= beta and place + 1 < len(moves):
            node.bound = "≥ " if mover == me else "≤ "
            node.below += [Node("cut", move=game.move_text(other)) for other in moves[place + 1 :]]
            break
    return node


def rolled(game: Game, state: Any, me: int, depth: int, levels: int, ply: int, weights: Any) -> Node:
    node, mean = Node("chance"), 0.0
    room = np.empty(int(generic.most_moves(state[0])), np.int64)
    chances = np.empty(len(room))
    for place in range(int(generic.chance_moves(state[0], room, chances))):
        after = moved(state, int(room[place]))
        again = generic.to_move(after[0]) == generic.CHANCE  # no legal move: a second roll in a row counts as a ply
        below = grown(game, after, me, depth - int(again), levels - 1, -INFINITE, INFINITE, ply + 1, weights)
        below.move, below.chance = game.move_text(int(room[place])), float(chances[place])
        assert below.value is not None
        mean += float(chances[place]) * below.value
        node.below.append(below)
    node.value = mean
    return node


def moved(state: Any, move: int) -> Any:
    after = state.copy()
    generic.apply(after[0], move)
    return after


def value_below(game: Game, state: Any, me: int, depth: int, ply: int, weights: Any) -> float:
    """The value of a position below the drawn levels."""
    if rolls_dice(game):
        return float(
            expectimax.value_from(expectimax.workspace_for(state[0], me, weights, expectimax.STAR1), ply, depth)
        )
    workspace = alphabeta.workspace_for(state[0], me, Options(quiets=False, equal_depth=True), weights, 14, no_book())
    value = float(alphabeta.search(workspace, ENDLESS, depth, False).value)
    return float(alphabeta.from_here(value, ply))


# Drawing


def svg(root: Node, title: str) -> str:
    """The tree as an SVG picture; cut branches are dashed and red."""
    deepest = depth_of(root)
    across = max(ACROSS, (LETTER * longest_move(root) + 4) / ALONG)
    width, height = round(max(2 * SIDE + across * root.leaves, LONGEST_KEY)), TOP + DOWN * deepest + 76
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="12" role="img" aria-label="{escape(title, {chr(34): "&quot;"})}">',
        f'<rect width="{width}" height="{height}" fill="#ffffff" />',
        f'<text x="{SIDE}" y="22" font-size="14">{escape(title)}</text>',
        *drawn(root, SIDE, TOP, across),
        f'<text x="{SIDE}" y="{height - 16}" fill="#444a5e">{" · ".join(key_of(root))}</text>',
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def key_of(root: Node) -> list[str]:
    """The key to the symbols in a tree."""
    kinds = {"max": "▲ searching player", "min": "▼ others", "chance": "● chance", "end": "■ over", "cut": "✂ cut off"}
    found = set(kinds_in(root))
    return [text for kind, text in kinds.items() if kind in found]


def kinds_in(node: Node) -> Iterator[str]:
    yield node.kind
    for below in node.below:
        yield from kinds_in(below)


def longest_move(node: Node) -> int:
    return max([len(node.move), *map(longest_move, node.below)])


def depth_of(node: Node) -> int:
    return 1 + max(map(depth_of, node.below)) if node.below else 0


def drawn(node: Node, left: float, y: float, across: float) -> Iterator[str]:
    x = left + across * node.leaves / 2
    start = left
    for below in node.below:
        middle = start + across * below.leaves / 2
        cut = below.kind == "cut"
        end = y + DOWN * (0.84 if cut else 1)
        look = 'stroke="#c0392b" stroke-dasharray="4 4"' if cut else 'stroke="#8a8fa3"'
        yield f'<line x1="{x:.0f}" y1="{y:.0f}" x2="{middle:.0f}" y2="{end:.0f}" {look} />'
        yield label(below, x + (middle - x) * ALONG, y + DOWN * ALONG)
        if cut:
            yield f'<text x="{middle:.0f}" y="{end + 10:.0f}" text-anchor="middle" fill="#c0392b">✂</text>'
        else:
            yield from drawn(below, start, y + DOWN, across)
        start += across * below.leaves
    yield from shape(node, x, y)


def label(node: Node, x: float, y: float) -> str:
    """The label of the edge to a position: the move, and for a roll its probability."""
    ink = "#c0392b" if node.kind == "cut" else "#444a5e"
    lines = [escape(node.move)]
    if node.chance is not None:
        y -= 8
        lines.append(f'<tspan x="{x:.0f}" dy="13" font-size="10">{share_text(node.chance)}</tspan>')
    return (
        f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="middle" fill="{ink}" '
        f'stroke="#ffffff" stroke-width="3" paint-order="stroke">{"".join(lines)}</text>'
    )


def share_text(chance: float) -> str:
    """A probability as a fraction, such as 1/6."""
    fraction = Fraction(chance).limit_denominator(36)
    return str(fraction) if abs(fraction - chance) < 1e-9 else f"{chance:.2f}"


def shape(node: Node, x: float, y: float) -> Iterator[str]:
    """A triangle up for the searching player, down for the others; a circle for chance, a square for an end."""
    colour = COLOURS[node.kind]
    if node.kind == "chance":
        yield f'<circle cx="{x:.0f}" cy="{y:.0f}" r="9" fill="{colour}" />'
    elif node.kind == "end":
        yield f'<rect x="{x - 7:.0f}" y="{y - 7:.0f}" width="14" height="14" fill="{colour}" />'
    else:
        tip, base = (y - 10, y + 8) if node.kind == "max" else (y + 10, y - 8)
        yield f'<polygon points="{x:.0f},{tip:.0f} {x - 10:.0f},{base:.0f} {x + 10:.0f},{base:.0f}" fill="{colour}" />'
    assert node.value is not None
    yield (
        f'<text x="{x:.0f}" y="{y + 24:.0f}" text-anchor="middle" fill="#1c2033" stroke="#ffffff" stroke-width="3" '
        f'paint-order="stroke">{node.bound}{node.value:.0f}</text>'
    )
