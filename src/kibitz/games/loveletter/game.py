"""Love Letter as a `Game`: rules for the compiled loop, texts for people, results for the arena."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from kibitz.core.deferred import deferred
from kibitz.core.game import Choice, Game, Lineup, Rule, start_as
from kibitz.engine import generic
from kibitz.engine.compile import compiled
from kibitz.errors import RecordError
from kibitz.games.loveletter import model, page, rounds, rules, state, view_checks, worlds
from kibitz.games.loveletter.cards import CARDS, KINDS, NAMES, SORTED
from kibitz.games.loveletter.moves import card_named
from kibitz.games.loveletter.rules import set_out
from kibitz.games.loveletter.state import LAID, LONGEST, NOBODY, ROUNDS, SEATS, STATE, State
from kibitz.games.loveletter.view import View
from kibitz.games.loveletter.words import LoveLetterWords


@compiled
def move_at(s: State, turn: int) -> int:
    return rules.event_move(s.history[turn])


generic.implement(
    "loveletter",
    STATE,
    deal=rules.deal,
    to_move=rules.to_move,
    observe=worlds.observe,
    allowed=rules.allowed,
    legal=rules.legal,
    apply=rules.apply,
    move_at=move_at,
    result=rounds.result,
    sample_world=worlds.sample_world,
    rewind=worlds.rewind,
    horizon=worlds.horizon,
    payoff=rules.payoff,
    information_key=worlds.information_key,
    move_probabilities=model.move_probabilities,
)


class Start(msgspec.Struct, forbid_unknown_fields=True):
    """The start of a game in a record."""

    # Of the first round: the set-aside card, with two players three face-up ones, then in drawing order.
    deck: list[str]
    later: int  # the stream of the decks of later rounds


class LoveLetter(LoveLetterWords, Game):
    name = "loveletter"
    title = "Love Letter"
    description = "Sixteen cards, one in each hand: guess what the others hold before they guess yours."
    players = range(2, SEATS + 1)
    rules = (
        Rule(
            "unit", "one round, or a game of rounds for 7, 5 or 4 tokens (2, 3, 4 players)", ("round", "game"),
            option=True, title="How long a game is",
            words={
                "game": Choice("A whole game", "The first to win 7 rounds wins (with three players 5, with four 4)."),
                "round": Choice("A single round", "The winner of the round wins the game."),
            },
        ),
        Rule(
            "ties", "equal cards at the end of a round: the discards decide, nobody wins, or all tied players win",
            ("discards", "draw", "all"), title="Equal cards at the end of a round",
            words={
                "discards": Choice("The discards decide", "The player with the higher sum of discards wins the round."),
                "draw": Choice("Nobody wins the round", "Nobody gets a token."),
                "all": Choice("All tied players win", "Each of them gets a token."),
            },
        ),
    )  # fmt: skip
    page_folder = Path(__file__).parent / "page"
    dtype = STATE
    stream_fields = ("streams", "cards")
    longest = LONGEST
    columns = rounds.COLUMNS
    width = rounds.WIDTH
    competitive = True
    bounds = MappingProxyType(
        {
            "rounds": (0, (1 << 62) - 1),
            "history": (0, (1 << 14) - 1),
            "looks": (0, (1 << 8) - 1),
            "missed": (0, (1 << KINDS) - 1),
            "deck": (0, KINDS - 1),
            "drawer": (NOBODY, SEATS - 1),
            "hands": (0, KINDS - 1),
            "known": (0, (1 << SEATS) - 1),
            "aware": (0, (1 << SEATS) - 1),
            "laid": (0, KINDS - 1),
            "count": (0, LAID),
            "tokens": (0, ROUNDS),
            "drawn": (0, CARDS),
            "out": (0, (1 << SEATS) - 1),
            "protected": (0, (1 << SEATS) - 1),
            "to_move": (NOBODY, SEATS - 1),
            "first": (0, SEATS - 1),
            "finished": (0, ROUNDS),
            "opened": (0, LONGEST),
            "turn": (0, LONGEST),
            "rules": (0, state.ONE_ROUND | state.TIES_DRAWN | state.TIES_SHARED),
            "spare": (0, 0),
        }
    )
    counts = rounds.COUNTS
    table_rules = MappingProxyType({"unit": "game"})
    delays = (1,)
    late_words = "Spectators see the hands of a round when the round is over."
    usual_players = 4
    lineups = MappingProxyType(
        {
            "beginner": Lineup("They play anything but the Princess.", ("random",)),
            "easy": Lineup("They take the best chance right now.", ("greedy",)),
            "medium": Lineup("They count the cards and remember what they saw.", ("counting",)),
            "hard": Lineup("They look ahead in sampled worlds.", ("ismcts",)),
            "strong": Lineup("They look ahead and infer your card from how you play.", ("reader",)),
        }
    )

    coach = deferred("kibitz.games.loveletter.coach.part:COACH")
    puzzles = deferred("kibitz.games.loveletter.coach.puzzles:PUZZLES")

    def check_fields(self, view: Any, seat: int) -> None:
        view_checks.check(view)

    def rule_bits(self, rules: Mapping[str, str]) -> int:
        return (
            state.ONE_ROUND * (rules["unit"] == "round")
            | state.TIES_DRAWN * (rules["ties"] == "draw")
            | state.TIES_SHARED * (rules["ties"] == "all")
        )

    def dump_start(self, state: Any) -> Any:
        deck = [NAMES[kind] for kind in state["deck"]]
        return msgspec.to_builtins(Start(deck, int(state["cards"])))

    def load_start(self, text: Any, players: int, rules: Mapping[str, str]) -> Any:
        start = start_as(Start, text)
        deck = [card_named(name.lower()) for name in start.deck]
        if None in deck or sorted(card for card in deck if card) != sorted(SORTED):
            raise RecordError(
                f"The deck must be the {CARDS} cards of the game, with the right number of each, not "
                f"{', '.join(start.deck)}."
            )
        if start.later < 0 or start.later >= 1 << 63:
            raise RecordError("The stream of the later rounds must be a number from 0 to 2**63 − 1.")
        struct = self.dealt(players, self.rule_bits(rules), start.later)
        struct[0]["deck"] = deck
        set_out(struct[0], 0)
        return struct

    def late_turn(self, state: Any, delay: int) -> int:
        """The last turn of the finished rounds: their hands say nothing about the present ones."""
        return min(super().late_turn(state, delay), int(state["opened"]) - 1)

    def turns_explained(self, state: Any) -> int:
        """The turns of the finished rounds: nothing hidden in them still matters."""
        return int(state["turn"] if state["to_move"] < 0 else state["opened"])

    def page(self, view: Any) -> dict[str, Any]:
        return page.table(View(view))

    def event(self, view: Any, turn: int) -> dict[str, Any]:
        return page.event(View(view), turn, self.event_text(view, turn))

    def choices(self, view: Any) -> list[dict[str, Any]]:
        return page.choices(View(view))

    def odds(self, view: Any) -> list[dict[str, Any]]:
        return page.odds(View(view))

    # Results

    def winners(self, results: Any) -> Any:
        return results[:, 0]

    def count(self, results: Any, players: int) -> dict[str, Any]:
        return rounds.count(results, players)

    def table(self, results: Any, named: Sequence[int]) -> dict[str, Any]:
        return rounds.table(results, named)

    def verdict(self, state: Any) -> str:
        view = View(state)
        last = view.rounds[-1]
        if view.one_round:
            return f"After {last.turns} turns: {self.round_text(last, view)}"
        mask = int(rules.game_winners(state))
        winners = [self.seat_name(seat) for seat in range(view.players) if mask >> seat & 1]
        tokens = " : ".join(map(str, view.tokens))
        who = f"{' and '.join(winners)} {'win' if len(winners) > 1 else 'wins'} the game" if winners else "Nobody wins"
        return f"{who}, {tokens} after {last.number} rounds."


LOVE_LETTER = LoveLetter()
