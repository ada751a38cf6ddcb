"""A Hanabi bot in ten lines. Try it:

kibitz match hanabi examples/my_bot.py:MyBot simple_distrustful simple_distrustful --games 200
"""

from kibitz.games.hanabi import View, discard, hint, play


class MyBot:
    """Plays cards that must be playable, hints what others can play, and discards its oldest card otherwise."""

    def decide(self, view: View):
        for card in view.hand:
            if view.is_playable(card):
                return play(card.slot), "it must be playable"
        for card in (card for seat in view.others for card in view.hands[seat]):
            if view.tokens > 0 and view.is_playable(card) and not card.revealed:
                return hint(card.seat, card.kind.colour if card.rank_hinted else card.kind.rank), f"{card} is playable"
        return discard(0), "nothing better to do"
