"""Hanabi as a `Game`: its rules for the compiled loop, its words for people, its results for the arena."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from kibitz.core.deferred import deferred
from kibitz.core.game import Choice, Game, Lineup, Rule
from kibitz.engine import generic
from kibitz.engine.compile import compiled
from kibitz.games.hanabi import page, rules, start_positions, state, view_checks, worlds
from kibitz.games.hanabi.cards import ALL, KINDS
from kibitz.games.hanabi.state import CARDS, FACE_DOWN, HAND, LIVES, LONGEST, SEATS, STATE, TOKENS, State
from kibitz.games.hanabi.view import View
from kibitz.games.hanabi.words import HanabiWords

VERDICTS = (
    (5, "the crowd boos"),
    (10, "some polite applause"),
    (15, "honourable, but soon forgotten"),
    (20, "excellent, the crowd is delighted"),
    (24, "magnificent, long to be remembered"),
    (25, "legendary, the crowd is speechless"),
)


@compiled
def result(s: State, row: Any) -> None:
    row[0] = rules.score(s)
    row[1] = s.lives
    row[2] = s.turn


@compiled
def turns(s: State) -> int:
    return s.turn


@compiled
def move_at(s: State, turn: int) -> int:
    return rules.event_move(s.history[turn])


@compiled
def payoff(s: State, seat: int) -> float:
    """The score is everybody's."""
    return rules.score(s) / 25


generic.implement(
    "hanabi",
    STATE,
    deal=rules.deal,
    to_move=rules.to_move,
    observe=worlds.observe,
    allowed=rules.allowed,
    apply=rules.apply,
    turns=turns,
    move_at=move_at,
    result=result,
    sample_world=worlds.sample_world,
    rewind=worlds.rewind,
    information_key=worlds.information_key,
    legal=rules.legal,
    payoff=payoff,
)


class Hanabi(HanabiWords, Game):
    name = "hanabi"
    title = "Hanabi"
    description = "Fireworks built together, by players who see every hand but their own."
    players = range(2, SEATS + 1)
    rules = (
        Rule(
            "lost_game", "what a game that loses its last life scores", ("piles", "zero"),
            title="When the last life is gone",
            words={
                "zero": Choice("The game scores 0", "The fireworks are lost: three mistakes, and nothing counts."),
                "piles": Choice("The piles still count", "The game ends, and what was built so far is the score."),
            },
        ),
        Rule(
            "empty_hint", "a hint that touches no card", ("forbidden", "allowed"),
            title="Hints that touch no card",
            words={
                "forbidden": Choice("Not allowed", "A hint must point at one card at least."),
                "allowed": Choice("Allowed", "You may say that somebody has no red card, or no 1."),
            },
        ),
        Rule(
            "full_discard", "discarding while all 8 tokens are there", ("allowed", "forbidden"),
            title="Discarding with all eight hint tokens",
            words={
                "forbidden": Choice("Not allowed", "A discard brings a token back, so one must have been spent."),
                "allowed": Choice("Allowed", "You may discard although no token is missing; none comes back."),
            },
        ),
    )  # fmt: skip
    table_rules = MappingProxyType({"lost_game": "zero", "full_discard": "forbidden"})
    page_folder = Path(__file__).parent / "page"
    dtype = STATE
    longest = LONGEST
    moves_are_open = True
    delays = (5, 10, 20)
    late_words = "Spectators see the table some moves later, with every card that has left the hands since."
    columns = ("score", "lives", "turns")
    bounds = MappingProxyType(
        {
            "hinted_kinds": (0, ALL),
            "played": (0, ALL),
            "discarded": (0, ALL),
            "history": (0, (1 << 12) - 1),
            "values": (0, (1 << 10) - 1),
            "deck": (FACE_DOWN, KINDS - 1),
            "hands": (0, CARDS - 1),
            "marks": (0, state.COLOUR_MARK | state.RANK_MARK),
            "held": (0, HAND),
            "drawn": (0, CARDS),
            "tokens": (0, TOKENS),
            "lives": (0, LIVES),
            "to_move": (0, SEATS - 1),
            "countdown": (-1, SEATS),
            "turn": (0, LONGEST),
            "rules": (0, state.LOST_SCORES_ZERO | state.EMPTY_HINTS | state.NO_FULL_DISCARD),
        }
    )
    best = 25
    usual_players = 4
    # By what they score with a person, and by how often their hints reach one: docs/explanation/levels.md. With few
    # others at the table nobody is stronger with a person than Gracious Gale, who finds out how they play.
    lineups = MappingProxyType(
        {
            "beginner": Lineup("they play only what they know in full, and hint by chance", ("stopped_clock",)),
            "easy": Lineup("they tell the next player what to play, and forget what they told", ("internal",)),
            "medium": Lineup("they tell the next player what to play, and remember what they told", ("outer",)),
            "hard": Lineup("they tell anybody what to play, and take a chance now and then", ("piers",)),
            "strong": Lineup("they reach most; at two or three players they find out how you play, and look ahead; at "
                             "more a hint about a single card asks to play it",
                             ("bot2_conventions",), {2: ("guest",), 3: ("guest",)}),
        }
    )  # fmt: skip
    wire = deferred("kibitz.games.hanabi.formats.unibo:UNIBO")
    formats = deferred("kibitz.games.hanabi.formats.hanab_live:FORMATS")
    compose = deferred("kibitz.games.hanabi.agents.rule_files:read_rule_list")  # rule lists, see `agents.compose`
    breed = deferred("kibitz.games.hanabi.agents.breeding:RULE_LISTS")
    behaviour = deferred("kibitz.games.hanabi.behaviour:BEHAVIOUR")
    elites = deferred("kibitz.games.hanabi.agents.elites:ELITES")

    def check_fields(self, view: Any, seat: int) -> None:
        view_checks.check(view)

    def starts_of(self, view: Any) -> Iterator[Any]:
        return view_checks.starts(view)

    def rule_bits(self, rules: Mapping[str, str]) -> int:
        return (
            state.LOST_SCORES_ZERO * (rules["lost_game"] == "zero")
            | state.EMPTY_HINTS * (rules["empty_hint"] == "allowed")
            | state.NO_FULL_DISCARD * (rules["full_discard"] == "forbidden")
        )

    def dump_start(self, state: Any) -> Any:
        return msgspec.to_builtins(start_positions.dump(state))

    def load_start(self, text: Any, players: int, rules: Mapping[str, str]) -> Any:
        return start_positions.load(start_positions.read(text), players, self.rule_bits(rules))

    def page(self, view: Any) -> msgspec.Raw:
        return page.table(view)

    def event(self, view: Any, turn: int) -> dict[str, Any]:
        happened = View(view).event(turn)
        return page.event(view, happened, self.in_words(happened))

    def choices(self, view: Any) -> list[dict[str, Any]]:
        return page.choices(view)

    def odds(self, view: Any) -> list[dict[str, Any]]:
        return page.odds(View(view))

    def seen_late(self, past: Any, now: Any) -> Any:
        return worlds.without_held_cards(past, now)

    def note_marks(self, view: Any) -> range:
        """Cards, by their place in the deck: a note stays with a card wherever it goes."""
        return range(CARDS)

    def scores(self, results: Any) -> tuple[Any, int]:
        return results[:, 0], int((results[:, 1] == 0).sum())

    def verdict(self, state: Any) -> str:
        score, lives, turns = self.result(state).values()
        piles = View(state).score
        ending = " The last life is gone." if lives == 0 else ""
        if score != piles:
            return f"{score} points: the last life is gone, and the {piles} on the piles count nothing."
        words = next(words for most, words in VERDICTS if score <= most)
        return f"{score} points after {turns} turns: {words}.{ending}"


HANABI = Hanabi()
