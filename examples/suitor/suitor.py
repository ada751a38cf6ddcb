"""A Love Letter player in a package of its own. Install it and it plays by its name:

pip install examples/suitor
kibitz match loveletter suitor greedy --games 1000 --mirror
"""

from kibitz.games.loveletter import PRINCESS, View


class Suitor:
    """Names a card it was shown, or else the likeliest; plays the lower card, and never the Princess."""

    origin = "examples/suitor"

    def decide(self, view: View):
        def tempting(move):
            shown = move.named and move.named == view.card(move.target)
            return not shown, move.card == PRINCESS, move.card, -view.unseen.get(move.named, 0)

        best = min(view.legal, key=tempting)
        return best, "I was shown it" if not tempting(best)[0] else "my lower card"
