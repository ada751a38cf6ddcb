"""Portable Bridge Notation: deals with contract and play, read and written.

A game in PBN is a list of tags, [Deal "N:…"], and after the tag Play the cards, one trick per line, in columns from the
first seat on. Tags that do not concern the play are ignored.
"""

import re
from typing import Any

from kibitz.core.agent import Decision
from kibitz.core.formats import Format
from kibitz.core.record import Record
from kibitz.core.table import Table
from kibitz.errors import KibitzError, RecordError
from kibitz.games.bridge import constrained_deals, starts
from kibitz.games.bridge.cards import SEAT_LETTERS, SEATS, read_card
from kibitz.games.bridge.game import BRIDGE

TAG = re.compile(r'\[\s*(\w+)\s+"([^"]*)"\s*\]')
COMMENT = re.compile(r"\{[^}]*(?:\}|\Z)|^%.*$|;.*$", re.MULTILINE)
RULES = {"declarer": "dealt", "bidding": "silent"}
NAMES = ("North", "East", "South", "West")  # the tags of the players
NO_CARD = {"-", "+", "*"}  # in the play: not played, or the play ends here
IGNORED_MARKS = re.compile(r"\^\w+|=\d+=|\$\d+")  # irregularities, footnotes and annotations


class Pbn(Format):
    name = "pbn"
    title = "Portable Bridge Notation (PBN)"
    suffix = "pbn"
    media_type = "text/plain"

    def recognises(self, text: str) -> bool:
        return bool(re.search(r'\[\s*Deal\s+"', text))

    def read(self, text: str) -> Record:
        tags, play = parsed(text)
        start = start_of(tags)
        table = Table(BRIDGE, [], BRIDGE.load_start(start, SEATS, RULES))
        make_play(play, tags, table)
        check_result(tags, table)
        return Record.of(table, [tags.get(name) or name for name in NAMES], RULES, None, None)

    def write(self, record: Record) -> str:
        table = record.opened()
        start = table.game.dump_start(table.start[0])
        if start.get("bidding"):
            raise RecordError("PBN cannot store the bidding information. Save this game as a kibitz record instead.")
        for _ in record.steps(table):
            pass
        return written(record, start, table)

    def games(self, text: str) -> list[str]:
        return split(COMMENT.sub(" ", text))


FORMATS = (Pbn(),)


def split(text: str) -> list[str]:
    """The games of a text: a repeated tag starts the next one."""
    starts_at, seen = [0], set[str]()
    for tag in TAG.finditer(text):
        if tag[1] in seen:
            starts_at.append(tag.start())
            seen = set()
        seen.add(tag[1])
    ends = [*starts_at[1:], len(text)]
    return [text[start:end] for start, end in zip(starts_at, ends, strict=True)]


def parsed(text: str) -> tuple[dict[str, str], list[str]]:
    """The tags of the first game of a text, and the words of its play."""
    text = split(COMMENT.sub(" ", text))[0]
    found = list(TAG.finditer(text))
    tags = {tag[1]: tag[2].strip() for tag in found}
    ends = [tag.start() for tag in found[1:]] + [len(text)]
    sections = {tag[1]: text[tag.end() : end] for tag, end in zip(found, ends, strict=False)}
    return tags, [word for word in sections.get("Play", "").split() if not IGNORED_MARKS.fullmatch(word)]


def set_up(text: str, players: int, rule_bits: int) -> Any:
    """The start of a deal, from PBN tags or from the text of the tag Deal alone; a play is ignored.

    Constrained hands stay open, and are dealt when a game begins.
    """
    tags = parsed(text)[0] if "[" in text else {"Deal": text}
    start = starts.load(start_of(tags), players, rule_bits, may_be_open=True)
    dealt = start.copy()
    if not constrained_deals.is_open(dealt[0]):
        constrained_deals.close(dealt[0])
        return dealt
    if constrained_deals.deal_open(dealt[0], 0, constrained_deals.TRIALS):
        return start
    if any(map(int, start[0]["dealt"])):
        raise KibitzError("No deal satisfies these constraints with the cards that are left. Loosen them.")
    raise KibitzError(
        f"None of {constrained_deals.TRIALS:,} random deals satisfies these constraints. Loosen them, or write "
        f"the cards of a hand."
    )


def start_of(tags: dict[str, str]) -> dict[str, Any]:
    if "Deal" not in tags:
        raise RecordError('This PBN has no [Deal "…"] tag with the hands.')
    start: dict[str, Any] = {"deal": tags["Deal"]}
    if tags.get("Dealer") not in (None, "", "?"):
        start["dealer"] = tags["Dealer"]
    if tags.get("Vulnerable") not in (None, "", "?"):
        start["vulnerable"] = tags["Vulnerable"]
    contract, declarer = tags.get("Contract", ""), tags.get("Declarer", "")
    if contract.lower() == "pass":
        raise RecordError("All passed in this deal, so there is no play.")
    if contract not in ("", "?") and declarer.lstrip("^") not in ("", "?"):
        start |= {"contract": contract, "declarer": declarer.lstrip("^")}
    elif tags.get("Play"):
        raise RecordError("This PBN has a play, but lacks the tags Contract and Declarer.")
    return start


def make_play(play: list[str], tags: dict[str, str], table: Table) -> None:
    """Make the moves of a play: one row per trick, one column per seat, from the seat that led first."""
    if not play:
        return
    first = starts.read_seat(tags.get("Play", ""), "seat of the tag Play")
    for row in (play[at : at + SEATS] for at in range(0, len(play), SEATS)):
        leader = int(table.state["leader"])
        for step in range(SEATS):
            column = (leader + step - first) % SEATS
            word = row[column] if column < len(row) else "-"
            if word in NO_CARD:
                return
            number = len(table.turns) + 1
            if read_card(word) is None:
                raise RecordError(f"Card {number} of the play is {word[:20]!r}, which is not a card.")
            if table.over:
                raise RecordError(f"The play has more than {number - 1} cards: {word[:20]} is too many.")
            try:
                table.make(Decision(table.game.move(word, table.state)))
            except KibitzError as error:
                raise RecordError(f"Card {number} of the play, {word[:20]}: {error}") from None


def check_result(tags: dict[str, str], table: Table) -> None:
    """Refuse a complete play whose number of tricks differs from the tag Result."""
    said = tags.get("Result", "").lstrip("^")
    took = table.result()["tricks"] if table.over else 0
    if table.over and said.isdecimal() and (len(said) > 2 or int(said) != took):
        raise RecordError(f"The tag Result says {said[:20]} tricks for the declarer, but the play gives {took}.")


def written(record: Record, start: dict[str, Any], table: Table) -> str:
    tags = {name: record.seats[seat] for seat, name in enumerate(("North", "East", "South", "West"))}
    tags = {name: name_in_tag(text) for name, text in tags.items()}
    tags = {
        "Event": "", "Site": "", "Date": "", "Board": str(record.number + 1 if record.number is not None else 1),
        "West": tags["West"], "North": tags["North"], "East": tags["East"], "South": tags["South"],
        "Dealer": start.get("dealer", "N"), "Vulnerable": start.get("vulnerable", "None"), "Deal": start["deal"],
        "Scoring": "IMP", "Declarer": start["declarer"], "Contract": start["contract"],
        "Result": str(table.result()["tricks"]) if table.over else "",
    }  # fmt: skip
    lines = [f'[{name} "{value}"]' for name, value in tags.items()]
    if table.turns:
        view = table.game.view(table.state)
        first = (view.declarer + 1) % SEATS
        lines.append(f'[Play "{SEAT_LETTERS[first]}"]')
        for number in range(-(-len(table.turns) // SEATS)):
            cards = view.trick(number).by_seat()
            row = [cards.get((first + step) % SEATS) for step in range(SEATS)]
            lines.append(" ".join(card.name if card is not None else "-" for card in row))
        if not table.over:
            lines.append("*")
    return "\n".join(lines)


def name_in_tag(text: str) -> str:
    return text.replace('"', "'").replace("[", "(").replace("]", ")")
