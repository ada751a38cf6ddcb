"""Kriegspiel as a `Game`: what people and pages are told of it."""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from kibitz.core.game import Choice, Game, Lineup, Rule, start_as
from kibitz.errors import KibitzError, RecordError
from kibitz.games.chess.fen import MAX_QUOTED, fen, parse_square, read_fen, refuse_capturable_king, square_name
from kibitz.games.chess.view import ALL, BOUNDS, choices
from kibitz.games.kriegspiel import page, rules, view_checks
from kibitz.games.kriegspiel.state import LONGEST, MAX_EVENT, ONGOING, STATE, TOO_LONG
from kibitz.games.kriegspiel.words import KriegspielWords, View
from kibitz.text import fit


class Start(msgspec.Struct, forbid_unknown_fields=True):
    """The start of a game in a record."""

    position: str
    king_among: list[str]  # squares that Black's lone king may stand on, for all that White knows; or none


class Kriegspiel(KriegspielWords, Game):
    name = "kriegspiel"
    title = "Kriegspiel"
    description = "Chess in the fog: you see your own pieces only, and an umpire says what is illegal, taken or check."
    players = range(2, 3)
    dtype = STATE
    retraceable = False  # the moves of the other side stay unknown
    longest = LONGEST
    competitive = True
    page_folder = Path(__file__).parent / "page"
    late_words = (
        "Spectators see both sides when the game is over: where pieces stood some moves ago tells where they stand now."
    )
    rules = (
        Rule(
            "start", "what a game begins with: all of chess, or king and rook (or queen) against a hidden lone king",
            ("chess", "rook_ending", "queen_ending"), title="What it begins with",
            words={
                "chess": Choice("All pieces", "The start of a game of chess."),
                "rook_ending": Choice("King and rook against king", "The first seat has the rook. The other king "
                                      "stands on one of four squares."),
                "queen_ending": Choice("King and queen against king", "The first seat has the queen. The other king "
                                       "stands on one of four squares."),
            },
        ),
    )  # fmt: skip
    lineups = MappingProxyType(
        {
            "beginner": Lineup("they attempt anything", ("random",)),
            "easy": Lineup("they protect what they have and take back", ("heuristic",)),
            "hard": Lineup("they keep the positions that are still possible, and look ahead in them", ("believer",)),
        }
    )
    bounds = MappingProxyType(
        {
            **BOUNDS,
            "outcome": (ONGOING, TOO_LONG),
            "check_mask": (0, 31),
            "pawn_tries": (0, 1),
            **{f"first_{name}": ends for name, ends in BOUNDS.items() if name != "fullmove_number"},
            "rules": (0, 2),
            "turn": (0, LONGEST),
            "history": (0, MAX_EVENT),
        }
    )

    def check_fields(self, view: Any, seat: int) -> None:
        view_checks.check(view, seat)

    def check_next(self, view: Any, seat: int, before: Any) -> None:
        super().check_next(view, seat, before)
        if before is not None:
            view_checks.check_past(view, before)

    # A start in a record

    def dump_start(self, state: Any) -> Any:
        # A sampled world begins in the middle of a game, where the king has left his squares.
        among = [square_name(n) for n in range(64) if int(state["king_candidates"]) >> n & 1 and not state["turn"]]
        return msgspec.to_builtins(Start(fen(state), among))

    def load_start(self, text: Any, players: int, rules: Mapping[str, str]) -> Any:
        read = start_as(Start, text)
        try:
            return self.placed(read.position, [parse_square(name) for name in read.king_among], players, rules)
        except KibitzError as error:
            raise RecordError(str(error)) from None

    def set_up(self, text: str, players: int, rules: Mapping[str, str]) -> Any:
        begins = next(rule for rule in self.rules if rule.name == "start")
        if text in begins.choices:
            raise KibitzError(f"{text!r} is a rule, not a position: write --rule start={text}.")
        if rules["start"] != begins.default:
            raise KibitzError(
                f"The rule start={rules['start']} says what a game begins with, so a position cannot say it as well. "
                f"Leave one of the two out."
            )
        return self.placed(text, [], players, rules)

    def placed(self, text: str, among: list[int], players: int, chosen: Mapping[str, str]) -> Any:
        """The start from a position that both sides know, but for where a lone black king stands."""
        board, squares = read_fen(text)[0], sum(1 << square for square in set(among))
        refuse_capturable_king(board, text)
        white, black = (int(side) & ALL for side in board["sides"])
        if squares and (black & ~squares or squares & white or black.bit_count() != 1):
            raise KibitzError("The squares that Black's king may stand on must have him on one, and no other piece.")
        start = rules.new_game(board, squares, self.rule_bits(chosen))
        if start[0]["outcome"] != ONGOING:
            raise KibitzError(f"In the position {fit(text, MAX_QUOTED)!r} the game is over: {self.verdict(start[0])}")
        return start

    def view(self, struct: Any) -> View:
        return View(struct)

    def watched(self, state: Any, view: Callable[[int], Any]) -> Any:
        """The board with the set of the side to move on it, or of the other if that has nothing but a king to move."""
        side = int(state["side"])
        seat = side if (int(state["sides"][side]) & ALL).bit_count() > 1 else 1 - side
        odds = page.possible_squares(view(seat))
        if not odds:
            return self.board(state)
        there = frozenset(parse_square(each["square"]) for each in odds[1:])
        return self.board(state, f"{self.seat_name(seat)}: {odds[0]['words']}.", there)

    # The page

    def page(self, view: Any) -> dict[str, Any]:
        return page.table(view, self.turn_text(view))

    def event(self, view: Any, turn: int) -> dict[str, Any]:
        return page.event(view, turn, self.event_text(view, turn))

    def choices(self, view: Any) -> list[dict[str, Any]]:
        return choices(self.legal(view))

    def odds(self, view: Any) -> list[dict[str, Any]]:
        return page.possible_squares(view)


KRIEGSPIEL = Kriegspiel()
