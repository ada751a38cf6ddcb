"""Kriegspiel as a `Game`: rules, players, starts, and the data of the page."""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from kibitz.core.game import Choice, Game, Lineup, Rule, start_as
from kibitz.errors import KibitzError, RecordError
from kibitz.games.chess.fen import MAX_QUOTED, fen, parse_square, read_fen, refuse_capturable_king, square_name
from kibitz.games.chess.view import ALL, BOUNDS
from kibitz.games.kriegspiel import page, rules, view_checks
from kibitz.games.kriegspiel.state import LONGEST, MAX_EVENT, ONGOING, STATE, TOO_LONG, is_lecture
from kibitz.games.kriegspiel.words import KriegspielWords, View
from kibitz.text import fit


class Start(msgspec.Struct, forbid_unknown_fields=True):
    """The start of a game in a record."""

    position: str
    king_among: list[str]  # squares of Black's lone king that White thinks possible; or none


class Kriegspiel(KriegspielWords, Game):
    name = "kriegspiel"
    title = "Kriegspiel"
    description = (
        "Chess in which you see only your own pieces; an umpire announces illegal attempts, captures and checks."
    )
    players = range(2, 3)
    dtype = STATE
    retraceable = False  # the moves of the other side stay unknown
    longest = LONGEST
    competitive = True
    seat_titles = ("White", "Black")
    page_folder = Path(__file__).parent / "page"
    late_words = "Spectators see both sides when the game is over: earlier positions would reveal the present one."
    rules = (
        Rule(
            "start", "starting position: all of chess, or king and rook (or queen) against a hidden lone king",
            ("chess", "rook_ending", "queen_ending"), title="Starting position",
            words={
                "chess": Choice("All pieces", "The usual start of chess."),
                "rook_ending": Choice("King and rook against king", "The first seat has the rook. The other king "
                                      "is on one of three squares."),
                "queen_ending": Choice("King and queen against king", "The first seat has the queen. The other king "
                                       "is on one of three squares."),
            },
        ),
        Rule(
            "umpire", "umpire: that of the clubs announces everything to both, that of the lecture answers each alone",
            ("club", "lecture"), title="Umpire",
            words={
                "club": Choice("Clubs", "Announces to both: illegal attempts, pawn or piece captured, check, and that "
                               "a pawn can capture."),
                "lecture": Choice("Lecture", "Tells only you of your illegal attempts, and whether you have a capture "
                                  "when you ask. Does not say what was captured."),
            },
            defaults=MappingProxyType({"start=rook_ending": "lecture", "start=queen_ending": "lecture"}),
        ),
    )  # fmt: skip
    lineups = MappingProxyType(
        {
            "beginner": Lineup("They attempt anything.", ("random",)),
            "easy": Lineup("They protect their pieces and recapture.", ("heuristic",)),
            "hard": Lineup("They track all possible positions and search them.", ("believer",)),
        }
    )
    bounds = MappingProxyType(
        {
            **BOUNDS,
            "outcome": (ONGOING, TOO_LONG),
            "check_mask": (0, 31),
            "pawn_tries": (0, 1),
            **{f"first_{name}": ends for name, ends in BOUNDS.items() if name != "fullmove_number"},
            "rules": (0, 6),
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
        # A sampled world starts in mid-game, when the king has left those squares.
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
                f"The rule start={rules['start']} and a position both set the start. Leave one of the two out."
            )
        return self.placed(text, [], players, rules)

    def placed(self, text: str, among: list[int], players: int, chosen: Mapping[str, str]) -> Any:
        """The start from a position that both sides know, except for the square of a lone black king."""
        board, squares = read_fen(text)[0], sum(1 << square for square in set(among))
        refuse_capturable_king(board, text)
        white, black = (int(side) & ALL for side in board["sides"])
        if squares and (black & ~squares or squares & white or black.bit_count() != 1):
            raise KibitzError(
                "Black's lone king has to be on one of the squares in king_among, and no other piece on any of them."
            )
        bits = self.rule_bits(chosen)
        if is_lecture(bits) and squares.bit_count() > rules.KING_CANDIDATES:
            raise KibitzError(
                f"With umpire=lecture a lone king is on one of at most {rules.KING_CANDIDATES} squares, and king_among "
                f"names {squares.bit_count()}. Leave some out, or choose umpire=club."
            )
        start = rules.new_game(board, squares, bits)
        if start[0]["outcome"] != ONGOING:
            raise KibitzError(f"In the position {fit(text, MAX_QUOTED)!r} the game is over: {self.verdict(start[0])}")
        return start

    def view(self, struct: Any) -> View:
        return View(struct)

    def watched(self, state: Any, view: Callable[[int], Any]) -> Any:
        """The board with the belief state of the side to move marked, or of the other if that has only its king."""
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
        return page.offered(self.legal(view))

    def odds(self, view: Any) -> list[dict[str, Any]]:
        return page.possible_squares(view)


KRIEGSPIEL = Kriegspiel()
