"""Draw the extensive form of a small ending of Love Letter, with its information sets, and count the decks of the game.

    python docs/pictures/extensive_form.py

Four Guards and the Princess are left: one card is set aside, each of two players holds one, the first has drawn
another, and the last waits in the deck. The rules of the game make the tree, and nodes with the same view are joined.
It writes extensive-form.svg beside this file, and prints the information sets.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from math import factorial, prod
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import numpy as np

from kibitz.engine import generic
from kibitz.engine.loop import SEEN
from kibitz.games.loveletter.cards import CARDS, COPIES, GUARD, NAMES, PRIEST, PRINCESS
from kibitz.games.loveletter.game import LOVE_LETTER
from kibitz.games.loveletter.moves import Move

SPENT = ("Priest", "Baron", "Handmaid", "Prince") * 2  # the discards of both, in turn
FACE_UP = ("King", "Countess", "Guard")
RULES = {"unit": "round", "ties": "draw"}
PLACES = {"G2 holds her": (1,), "in the deck": (4,), "set aside": (0,), "G1 holds her": (2, 3)}  # of the Princess
ACROSS, DOWN, TOP, SIDE = 66, 130, 56, 44
COLOURS = {"chance": "#6b7a1e", "G1": "#2456b8", "G2": "#b3452b"}

InformationSet = tuple[int, bytes, tuple[str, ...]]  # the seat, its view, and the moves so far


@dataclass
class Node:
    who: str  # chance, G1, G2, or "" at the end
    move: str = ""
    payoffs: str = ""
    knows: InformationSet | None = None
    below: list["Node"] = field(default_factory=list)
    x: float = 0.0
    y: float = 0.0

    def leaves(self) -> list["Node"]:
        return [leaf for each in self.below for leaf in each.leaves()] or [self]

    def everything(self) -> list["Node"]:
        return [self, *(node for each in self.below for node in each.everything())]


def decks() -> int:
    """The number of different orders of the sixteen cards."""
    return factorial(CARDS) // prod(factorial(int(copies)) for copies in COPIES)


def dealt(place: int) -> Any:
    """The ending with the Princess in one of five places: set aside, G2's hand, G1's two cards, the deck."""
    aside, other, held, drawn, last = ("Princess" if place == each else "Guard" for each in range(5))
    deck = [aside, *FACE_UP, held, other, *SPENT, drawn, last]
    table = LOVE_LETTER.load_start({"deck": deck, "later": 1}, 2, RULES)
    state = table[0]
    for seat in (0, 1):
        for number, name in enumerate(SPENT[seat::2]):
            state["laid"][seat][number] = NAMES.index(name)
        state["count"][seat] = len(SPENT[seat::2])
    state["hands"][0][:2] = NAMES.index(held), NAMES.index(drawn)
    state["hands"][1][:2] = NAMES.index(other), 0
    state["drawn"] = CARDS - 1
    for number in range(len(SPENT) + 1):
        state["drawer"][CARDS - 2 - len(SPENT) + number] = number % 2
    return table


def seen(table: Any, seat: int) -> bytes:
    """A seat's view, without its dice."""
    pair = np.concatenate([table, table])
    generic.observe(pair, seat, False)
    pair[SEEN]["dice"] = 0
    return pair[SEEN].tobytes()


def grown(table: Any, path: tuple[str, ...] = ()) -> Node:
    """The tree below a state. Names that no hidden card has are one move: they all miss."""
    state = table[0]
    seat = int(generic.to_move(state))
    if seat == generic.OVER:
        payoffs = ", ".join(str(Fraction(generic.payoff(state, each))).replace("1/2", "½") for each in (0, 1))
        return Node("", payoffs=payoffs)
    node = Node(f"G{seat + 1}", knows=(seat, seen(table, seat), path))
    for move in map(Move, LOVE_LETTER.legal(state)):
        if move.card == GUARD and move.named not in (PRIEST, PRINCESS):
            continue
        words = str(move.card) if move.card != GUARD else f"names {'Princess' if move.named == PRINCESS else 'another'}"
        after = table.copy()
        generic.apply(after[0], move)
        below = grown(after, (*path, words))
        below.move = words
        node.below.append(below)
    return node


def tree() -> Node:
    root = Node("chance")
    for words, places in PLACES.items():
        below = grown(dealt(places[0]))
        below.move = f"{words}, {Fraction(len(places), 5)}"
        root.below.append(below)
    return root


def information_sets(root: Node) -> list[list[Node]]:
    """The nodes of every information set, as they stand in the tree."""
    found: dict[InformationSet, list[Node]] = defaultdict(list)
    for node in root.everything():
        if node.knows is not None:
            found[node.knows].append(node)
    return list(found.values())


def laid_out(root: Node) -> Node:
    for number, leaf in enumerate(root.leaves()):
        leaf.x = SIDE + ACROSS * number

    def place(node: Node, level: int) -> None:
        node.y = TOP + DOWN * level
        for each in node.below:
            place(each, level + 1)
        if node.below:
            node.x = (node.below[0].x + node.below[-1].x) / 2

    place(root, 0)
    return root


def svg(root: Node) -> str:
    nodes = laid_out(root).everything()
    width, height = max(node.x for node in nodes) + SIDE, max(node.y for node in nodes) + 40
    parts = []
    for node in nodes:
        for each in node.below:
            end = each.y if each.who else each.y - 12
            parts.append(f'<path d="M{node.x:.0f} {node.y:.0f}L{each.x:.0f} {end:.0f}" stroke="#8a8fa3"/>')
    for number, joined in enumerate(each for each in information_sets(root) if len(each) > 1):
        colour, bend = COLOURS[joined[0].who], 30 + 26 * (number % 2)
        for one, other in pairwise(joined):
            middle = f"{(one.x + other.x) / 2:.0f} {one.y + bend:.0f}"
            curve = f"M{one.x:.0f} {one.y:.0f}Q{middle} {other.x:.0f} {other.y:.0f}"
            parts.append(f'<path d="{curve}" stroke="{colour}" stroke-width="2" stroke-dasharray="5 4" fill="none"/>')
    for node in nodes:
        for place, each in enumerate(node.below):
            share = 0.56 + 0.14 * (place % 2)
            x, y = node.x + share * (each.x - node.x), node.y + share * (each.y - node.y)
            room = 6.2 * len(each.move)
            parts.append(f'<rect x="{x - room / 2:.0f}" y="{y - 9:.0f}" width="{room:.0f}" height="14" fill="#fff"/>')
            parts.append(f'<text x="{x:.0f}" y="{y + 2:.0f}" font-size="11">{escape(each.move)}</text>')
        if node.who:
            parts.append(f'<circle cx="{node.x:.0f}" cy="{node.y:.0f}" r="17" fill="{COLOURS[node.who]}"/>')
            name = "?" if node.who == "chance" else node.who
            parts.append(f'<text x="{node.x:.0f}" y="{node.y + 4:.0f}" font-size="12" fill="#fff">{name}</text>')
        else:
            parts.append(f'<text x="{node.x:.0f}" y="{node.y + 6:.0f}" font-size="13">{node.payoffs}</text>')
    size = f"0 0 {width:.0f} {height:.0f}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}" font-family="sans-serif" text-anchor="middle">'
    return "\n".join([head, '<rect width="100%" height="100%" fill="#fff"/>', *parts, "</svg>"]) + "\n"


def main() -> None:
    root = tree()
    sets = information_sets(root)
    print(f"{decks():,} decks of sixteen cards")
    print(f"{len(root.leaves())} ends, {sum(map(len, sets))} decisions in {len(sets)} information sets:")
    for nodes in sets:
        assert nodes[0].knows is not None
        seat, _, path = nodes[0].knows
        after = f"after G1 {path[0]}" if path else "at the start"
        print(f"  G{seat + 1}, {after}: {len(nodes)} nodes; {', '.join(each.move for each in nodes[0].below)}")
    Path(__file__).with_name("extensive-form.svg").write_text(svg(root), encoding="utf-8")


if __name__ == "__main__":
    main()
