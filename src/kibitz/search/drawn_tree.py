"""The first levels of a game tree as alpha-beta goes through them, drawn, with what is cut off.

The tree is walked in plain Python, one move after the other in the order of their numbers. What lies below the levels
that are drawn is searched by machine code. In a game with dice chance nodes are drawn, and nothing is cut off at
them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.sax.saxutils import escape

import numpy as np

from kibitz.core import generic
from kibitz.core.game import Game
from kibitz.search import alphabeta, expectimax
from kibitz.search.alphabeta import INFINITE, Options
from kibitz.search.book import no_book
from kibitz.search.clock import Limit
from kibitz.search.ladder import check_position, rolls_dice
from kibitz.search.open_games import final_value

ACROSS, DOWN, TOP, SIDE = 44, 96, 56, 40
MOST_LEAVES = 600  # more cannot be read
ENDLESS = Limit(1 << 62, np.inf, 0.0)
COLOURS = {"max": "#2456b8", "min": "#b3452b", "chance": "#6b7a1e", "end": "#555b70"}


@dataclass
class Node:
    kind: str  # max, min, chance, end
    value: float | None = None  # none of what was cut off
    move: str = ""  # that leads to it
    chance: float | None = None
    bound: str = ""  # whether the value is only a bound
    below: list["Node"] = field(default_factory=list)

    @property
    def leaves(self) -> int:
        return sum(each.leaves for each in self.below) or 1


def grow(game: Game, state: Any, depth: int, levels: int, weights: Any = ()) -> Node:
    """The tree of a position, searched to a depth, with so many levels of it."""
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
    if mover == generic.CHANCE:
        return rolled(game, state, me, depth, levels, ply, weights)
    node = Node("max" if mover == me else "min")
    if depth == 0 or levels == 0:
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
        below = grown(game, after, me, depth, levels - 1, -INFINITE, INFINITE, ply + 1, weights)
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
    """What a position is worth that is not drawn any further."""
    if rolls_dice(game):
        sign = 1.0 if int(generic.to_move(state[0])) == me else -1.0
        if depth == 0:
            return float(generic.evaluate(generic.positions(state[0], 1)[0], me, weights))
        mover = int(generic.to_move(state[0]))
        memory = expectimax.memory_for(state[0], mover, weights, expectimax.STAR1)
        return sign * float(expectimax.search(memory, ENDLESS, depth, False).value)
    desk = alphabeta.memory_for(state[0], me, Options(quiets=False, equal_depth=True), weights, 14, no_book())
    value = float(alphabeta.search(desk, ENDLESS, depth, False).value)
    return float(alphabeta.from_here(value, ply))


# Drawing


def svg(root: Node, title: str) -> str:
    """The tree as a picture; what was cut off is dashed and red."""
    deepest = depth_of(root)
    width, height = 2 * SIDE + ACROSS * root.leaves, TOP + DOWN * deepest + 60
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="12" role="img" aria-label="{escape(title, {chr(34): "&quot;"})}">',
        f'<rect width="{width}" height="{height}" fill="#ffffff" />',
        f'<text x="{SIDE}" y="22" font-size="14">{escape(title)}</text>',
        *drawn(root, SIDE, TOP),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def depth_of(node: Node) -> int:
    return 1 + max(map(depth_of, node.below)) if node.below else 0


def drawn(node: Node, left: float, y: float) -> Iterator[str]:
    x = left + ACROSS * node.leaves / 2
    start = left
    for below in node.below:
        middle = start + ACROSS * below.leaves / 2
        cut = below.kind == "cut"
        end = y + DOWN * (0.62 if cut else 1)
        look = 'stroke="#c0392b" stroke-dasharray="4 4"' if cut else 'stroke="#8a8fa3"'
        yield f'<line x1="{x:.0f}" y1="{y:.0f}" x2="{middle:.0f}" y2="{end:.0f}" {look} />'
        share = f" {below.chance:.2f}" if below.chance is not None else ""
        ink = "#c0392b" if cut else "#444a5e"
        text_y = y + DOWN * 0.56
        yield (
            f'<text x="{x + (middle - x) * 0.56:.0f}" y="{text_y:.0f}" text-anchor="middle" fill="{ink}" '
            f'stroke="#ffffff" stroke-width="3" paint-order="stroke">{escape(below.move)}{share}</text>'
        )
        if cut:
            yield f'<text x="{middle:.0f}" y="{end + 10:.0f}" text-anchor="middle" fill="#c0392b">✂</text>'
        else:
            yield from drawn(below, start, y + DOWN)
        start += ACROSS * below.leaves
    yield from shape(node, x, y)


def shape(node: Node, x: float, y: float) -> Iterator[str]:
    """A triangle upwards for who searches, downwards for the other, a circle for chance, a square for an end."""
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
