"""Hanabi as a `Game`: the rules for the compiled loop, texts for people, results for the arena."""

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
from kibitz.text import counted

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
def move_at(s: State, turn: int) -> int:
    return rules.event_move(s.history[turn])


@compiled
def payoff(s: State, seat: int) -> float:
    """Every seat gets the score."""
    return rules.score(s) / 25


generic.implement(
    "hanabi",
    STATE,
    deal=rules.deal,
    to_move=rules.to_move,
    observe=worlds.observe,
    allowed=rules.allowed,
    apply=rules.apply,
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
    description = "Build fireworks together, seeing every hand but your own."
    players = range(2, SEATS + 1)
    rules = (
        Rule(
            "lost_game", "what a game that loses its last life scores", ("piles", "zero"),
            title="When the last life is gone",
            words={
                "zero": Choice("The game scores 0", "Three mistakes, and the score is 0."),
                "piles": Choice("The piles still count", "The game ends, and the cards on the piles count."),
            },
        ),
        Rule(
            "empty_hint", "a hint that touches no card", ("forbidden", "allowed"),
            title="Hints that touch no card",
            words={
                "forbidden": Choice("Not allowed", "A hint must touch at least one card."),
                "allowed": Choice("Allowed", "You may say that a player has no red card, or no 1."),
            },
        ),
        Rule(
            "full_discard", "discarding while no token is missing", ("allowed", "forbidden"),
            title="Discarding with all eight hint tokens",
            words={
                "forbidden": Choice("Not allowed", "A discard returns a token, so one must have been spent."),
                "allowed": Choice("Allowed", "You may discard although no token is missing; none is returned."),
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
    hidden_attributes = dict.fromkeys(
        ("colour", "rank", "index", "short"), "You do not see your own cards: ask card.kinds for what one can be."
    )
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
    # By their scores with a model of real people, and by how well hints reach it: docs/explanation/levels.md.
    lineups = MappingProxyType(
        {
            "beginner": Lineup(
                "They play only cards they know in full, and hint at random.", ("stopped_clock",),
                hints="Their hints are chosen at random and mean nothing beyond what they name. They play a card only "
                "when both its colour and its number were hinted, so hint both.",
            ),
            "easy": Lineup(
                "They hint the next player what to play, and forget their hints.", ("internal",),
                hints="A hint to the next player is mostly about a card that can be played now; others are chosen at "
                "random. They play a card only when it must fit, so hint until that is clear.",
            ),
            "medium": Lineup(
                "They play what you hint, and hint what you can play.", ("hint_and_play",),
                hints="A hint means: play this. They play the one card that you hint, or the newest of several, if it "
                "may fit. One of the cards they hint can be played, but they do not look at the others: the newest "
                "may be wrong.",
            ),
            "hard": Lineup(
                "They play what you hint, hint what you can play, and avoid hints that mislead.", ("common_sense",),
                hints="A hint means: play this. They play the one card that you hint, or the newest of several, if it "
                "may fit. They hint a card alone if they can, avoid hints that would make you play a wrong card, and "
                "sometimes warn of a last copy.",
            ),
            "strong": Lineup(
                "The best partners for people. They play what you hint, hint what you can play, and think ahead.",
                ("search_partner",),
                hints="A hint mostly means: play this. They play the one card that you hint, or the newest or oldest "
                "of several, if it is likely enough to fit. They expect that you do so, too, watch how you play, "
                "and leave you tokens for hints.",
            ),
        }
    )  # fmt: skip
    wire = deferred("kibitz.games.hanabi.formats.unibo:UNIBO")
    formats = deferred("kibitz.games.hanabi.formats.hanab_live:FORMATS")
    compose = deferred("kibitz.games.hanabi.agents.rule_files:read_rule_list")  # rule lists, see `agents.compose`
    encoding = deferred("kibitz.games.hanabi.env.numbers:ENCODING")
    breed = deferred("kibitz.games.hanabi.agents.breeding:RULE_LISTS")
    behaviour = deferred("kibitz.games.hanabi.behaviour:BEHAVIOUR")
    elites = deferred("kibitz.games.hanabi.agents.elites:ELITES")
    people = deferred("kibitz.games.hanabi.people.part:PEOPLE")
    coach = deferred("kibitz.games.hanabi.coach.part:COACH")
    deals = deferred("kibitz.games.hanabi.coach.deals:DEALS")
    puzzles = deferred("kibitz.games.hanabi.coach.puzzles:PUZZLES")

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
        """Cards, by their place in the deck: a note stays with its card."""
        return range(CARDS)

    def scores(self, results: Any) -> tuple[Any, int]:
        return results[:, 0], int((results[:, 1] == 0).sum())

    def verdict(self, state: Any) -> str:
        score, lives, turns = self.result(state).values()
        piles = View(state).score
        ending = " The last life is lost." if lives == 0 else ""
        if score != piles:
            lost = f"{counted(piles, 'point')} on the piles {'does' if piles == 1 else 'do'} not count"
            return f"{counted(score, 'point')}: the last life is lost, and the {lost}."
        words = next(words for most, words in VERDICTS if score <= most)
        return f"{counted(score, 'point')} after {counted(turns, 'turn')}: {words}.{ending}"


HANABI = Hanabi()
