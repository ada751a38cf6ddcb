"""A bot that plays over the network: at `kibitz host`, or in a seat of `kibitz serve`.

    kibitz host hanabi --seats open,bot2 --games 3
    python examples/remote_bot.py localhost:4000 3

It plays a card that is certainly playable, else hints one to a partner, else discards a useless card. In any other game
it plays the first legal move. docs/reference/protocol.md describes the messages it receives.
"""

import sys

from kibitz.client import Client, HostError


class RemoteBot(Client):
    def decide(self, view):
        choices = view["choices"]
        return max(choices, key=lambda choice: self.worth(choice, view["view"]))["move"]

    def worth(self, choice, table):
        """How good a choice is; the first of the best is taken."""
        if "hands" not in table:
            return 0
        cards = {card["card"]: card for hand in table["hands"] for card in hand}
        touched = [cards[card] for card in choice["cards"]]
        if choice["action"] == "play":
            return 3 if touched[0]["playable"] else -1
        if choice["action"] == "hint":
            return 2 if any(card["playable"] and card["rank_hinted"] is None for card in touched) else 0
        return 1 if touched[0]["useless"] or not touched[0]["critical"] else -1

    def ends(self, view):
        print(view.get("verdict", "The game ended before its end."))


if __name__ == "__main__":
    where = sys.argv[1] if len(sys.argv) > 1 else "localhost:4000"
    games = sys.argv[2] if len(sys.argv) > 2 else "1"
    try:
        RemoteBot("Remote").play(where, games=int(games), wait=10)
    except HostError as error:
        sys.exit(str(error))
