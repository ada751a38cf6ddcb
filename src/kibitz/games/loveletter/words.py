"""Love Letter in words: moves, events, results of rounds, reasons."""

from typing import Any

from kibitz.core.deferred import load
from kibitz.core.words import Words
from kibitz.engine.expectation import Expectation
from kibitz.errors import KibitzError
from kibitz.games.loveletter.cards import BARON, COUNTESS, GUARD, HANDMAID, KING, NAMES, PRIEST, PRINCE
from kibitz.games.loveletter.moves import Move, as_move
from kibitz.games.loveletter.reason_words import ABOUT_MOVE, why
from kibitz.games.loveletter.view import Event, Round, View

HELP = """A move is the card you play, the seat you play it on, and for a Guard the card you name:
  guard g2 priest    names a card; if G2 holds it, G2 is out          (five in the deck)
  priest g2          shows you the card of G2                         (two)
  baron g2           compares hands, the lower is out                 (two)
  handmaid           protects you until your next turn                (two)
  prince g2          G2 discards and draws; you may choose yourself   (two)
  king g2            swaps hands with G2                              (one)
  countess           must be played if you hold King or Prince        (one)
  princess           you are out if you play or discard her           (one)
You may shorten words, write the number of a card, and leave out the only possible seat.
Other commands: moves (lists the legal moves), board, history, help, quit."""


class LoveLetterWords(Words):
    def view(self, record: Any) -> View:
        return View(record)

    def legal(self, record: Any) -> list[int]:
        return list(View(record).legal)

    def move(self, answer: Any, record: Any) -> int:
        view = View(record)
        move = as_move(answer, view.to_move, view.legal)
        if move not in view.legal:
            raise KibitzError(f"'{move}' is not legal now: {self.why_not(move, view)}.")
        return move

    def why_not(self, move: Move, view: View) -> str:
        hand = view.cards(view.to_move)
        if move.card not in hand:
            return f"the hand is {' and '.join(map(str, hand))}" if hand else "the hand is unknown"
        if COUNTESS in hand and (KING in hand or PRINCE in hand):
            return "the Countess must be played if the other card is a King or a Prince"
        if move.target is None:
            return "it needs a target, because not everybody is protected"
        if move.target >= view.players:
            return f"there are only {view.players} players"
        if move.target == view.to_move:
            return "only a Prince can target its own player"
        who = self.seat_name(move.target)
        if view.is_out(move.target):
            return f"{who} is out of the round"
        alone = all(
            view.is_protected(seat) or view.is_out(seat) for seat in range(view.players) if seat != view.to_move
        )
        instead = f"; write only {move.card}, which has no effect now" if alone and move.card != PRINCE else ""
        return f"{who} is protected by a Handmaid{instead}"

    def move_text(self, move: int) -> str:
        return str(Move(move))

    def event_text(self, record: Any, turn: int) -> str:
        view = View(record)
        event = view.event(turn)
        text = f"{self.seat_name(event.seat)} plays {self.deed(event, view)}"
        for past in view.rounds:
            if past.last_turn == event.turn:
                text += f" {self.round_text(past, view)}"
        return text

    def deed(self, event: Event, view: View) -> str:
        """The effect of a move, as the viewer saw it."""
        move, who = event.move, self.seat_name
        if move.target is None:
            if move.card == HANDMAID:
                return "Handmaid: protected until their next turn."
            if event.out is not None:
                return f"{move.card} and is out of the round, holding {event.opened}."
            return f"{move.card}." if move.card == COUNTESS else f"{move.card}: everybody is protected."
        target = "themselves" if move.target == event.seat else who(move.target)
        out = f"{who(event.out)} is out of the round" if event.out is not None else ""
        if move.card == GUARD:
            return f"Guard on {target}, naming {move.named}: {out + '.' if out else 'no.'}"
        if move.card == PRIEST:
            return f"Priest on {target}{f', who holds {event.shown[1]}' if event.shown else ''}."
        if move.card == BARON:
            if event.out is not None:
                return f"Baron on {target}: {out}, holding {event.opened}."
            return f"Baron on {target}: a tie{f', both hold {event.shown[0]}' if event.shown else ''}."
        if move.card == PRINCE:
            return f"Prince on {target}, who discards {event.opened}{' and is out of the round' if out else ''}."
        swapped = ""
        if event.shown:
            swapped = f": {who(event.seat)} gives {event.shown[0]} for {event.shown[1]}"
        return f"King on {target}{swapped}."

    def round_text(self, past: Round, view: View) -> str:
        """The end of a round, with the hands that were compared."""
        hands = ", ".join(f"{self.seat_name(seat)} {card}" for seat, card in past.hands.items())
        compared = f"The deck is empty: {hands}. " if past.decisive is None else ""
        if not past.winners:
            ending = "Nobody wins"
        elif len(past.winners) == 1:
            ending = f"{self.seat_name(past.winners[0])} wins"
        else:
            ending = f"{' and '.join(map(self.seat_name, past.winners))} win"
        return f"{compared}{ending} {'the round' if view.one_round else f'round {past.number}'}."

    def explain(self, reason: str, about: int, view: Any) -> str:
        """The subject of a reason is a card, the percentage of won simulations, or a move."""
        if about < 0:
            return reason
        if about >= ABOUT_MOVE:
            move = Move(about - ABOUT_MOVE)
            return reason.format(card=move.card, why=why(move, view))
        return reason.format(card=NAMES[about] if about < len(NAMES) else "", percent=about)

    def explain_to(self, reason: str, about: int, view: Any, reader: Any) -> str:
        """Leave out the probabilities, which would reveal the mover's hand."""
        if about >= ABOUT_MOVE:
            return reason.format(card=Move(about - ABOUT_MOVE).card, why="")
        return self.explain(reason, about, view)

    def expectation_text(self, expects: Expectation) -> str:
        return f"expects to win {round(100 * expects.value)} of 100 rounds"

    def board(self, view: Any) -> Any:
        return load("kibitz.games.loveletter.board:board")(View(view), self)

    def svg(self, view: Any) -> str:
        return str(load("kibitz.games.loveletter.picture:table")(View(view), self))

    def help(self) -> str:
        return HELP
