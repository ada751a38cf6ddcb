"""What each convention of the player `convention2` gains: one after the other is switched on, on the same deals.

    python benchmarks/convention_ladder.py --games 10000 --seed 2026

Two players, under the rules of the published figures: a lost game scores 0, no empty hints, no discard with all tokens.
The interval of a gain is that of the difference on the same deals, 95 times in a hundred.
"""

import argparse

from signal_ladder import print_ladder

from kibitz.core import registry
from kibitz.core.agent import CompiledAgent
from kibitz.games.hanabi.game import HANABI

# The player without its conventions: it plays and hints what is certain, and discards what costs least.
OFF: dict[str, float] = {
    "focus.colour_newest": 1, "focus.rank_newest": 1, "focus.touched_again": 0,
    "implicit.discard": 0, "implicit.save_tokens": 0, "implicit.hint_over_play": 0, "implicit.no_play_saves": 0,
    "implicit.no_play_denies": 0, "discard.chop": 0, "discard.max_calls": 0, "gamble.min_chance": 1.1,
    "gamble.last_round": 1.1, "discard.min_pace": -10, "endgame.deck": -1,
}  # fmt: skip

STEPS: dict[str, tuple[str, ...]] = {
    "a hint is about the newest card it touches that may be playable, if it is new: play it": (),
    "the oldest untouched card, the chop, is discarded": ("discard.chop",),
    "a hint may be about a card that was touched before": ("focus.touched_again",),
    "a rank is about the oldest of them": ("focus.rank_newest",),
    "a save precedes a play, so a player who does not hint implies: your chop is not critical": (
        "implicit.save_tokens",
    ),
    "a hint from a player who could have played implies: keep your chop": ("implicit.hint_over_play",),
    "a hint that gives nothing to play implies the same": ("implicit.no_play_saves",),
    "a discard implies: none of your cards is playable": ("implicit.discard",),
    "so does a hint that gives nothing to play": ("implicit.no_play_denies",),
    "without a token, the discarded card says which card to play": ("discard.max_calls",),
    "pace: no discards when time is short": ("discard.min_pace",),
    "gambles": ("gamble.min_chance", "gamble.last_round"),
    "the end of the deck in sampled worlds": ("endgame.deck",),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=2026)
    options = parser.parse_args()
    agent = registry.agent(HANABI, "convention2")
    assert isinstance(agent, CompiledAgent)
    print_ladder(agent, OFF, STEPS, 2, options.games, options.seed)


if __name__ == "__main__":
    main()
