"""What each convention of the player `convention2` gains: one after the other is switched on, on the same deals.

    python benchmarks/convention_ladder.py --games 10000 --seed 2026

Two players, under the rules of the published figures: a lost game scores 0, no empty hints, no discard with all tokens.
The interval of a gain is that of the difference on the same deals, 95 times in a hundred.
"""

import argparse

from signal_ladder import half_width, scores

from kibitz.core import registry
from kibitz.core.agent import CompiledAgent
from kibitz.games.hanabi.game import HANABI

# The player without its conventions: it plays and hints at what is certain, and throws away what costs least.
OFF = {
    "focus.colour_newest": 1, "focus.rank_newest": 1, "focus.again": 0,
    "silence.discard": 0, "silence.saving": 0, "silence.instead": 0, "silence.dull": 0, "silence.dull_fits": 0,
    "discard.oldest": 0, "discard.calls": 0, "pace.trust": 1.1, "pace.last_round": 1.1, "pace.slack": -10,
    "end.deck": -1,
}  # fmt: skip

STEPS: dict[str, tuple[str, ...]] = {
    "a hint is about the newest card it touches that may be playable, if it is new: play it": (),
    "the oldest card that no hint touched goes": ("discard.oldest",),
    "a hint may be about a card that was touched before": ("focus.again",),
    "a rank is about the oldest such card": ("focus.rank_newest",),
    "a save comes before a play, so who does not hint says: you may lose the card that goes next": ("silence.saving",),
    "a hint of somebody who could play says: keep it": ("silence.instead",),
    "a hint that gives nothing to play says the same": ("silence.dull",),
    "a discard says: nothing of yours fits": ("silence.discard",),
    "so does a hint that gives nothing to play": ("silence.dull_fits",),
    "without a token, which card goes tells which to play": ("discard.calls",),
    "pace: no discards when time is short": ("pace.slack",),
    "gambles": ("pace.trust", "pace.last_round"),
    "the end of the deck in sampled worlds": ("end.deck",),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=2026)
    wanted = parser.parse_args()
    agent = registry.agent(HANABI, "convention2")
    assert isinstance(agent, CompiledAgent)
    whole = agent.weights.by_name()
    weights, before = {**whole, **OFF}, None
    print(
        f"| step, cumulative; {wanted.games:,} deals of seed {wanted.seed} | mean | gain | perfect |\n|---|---|---|---|"
    )
    for step, names in STEPS.items():
        weights |= {name: whole[name] for name in names}
        now = scores(agent.with_weights(list(weights.values())), 2, wanted.games, wanted.seed)
        gain = "" if before is None else f"{(now - before).mean():+.3f} ± {half_width(now - before):.3f}"
        print(
            f"| {step} | {now.mean():.3f} ± {half_width(now):.3f} | {gain} | {100 * (now == 25).mean():.1f} % |",
            flush=True,
        )
        before = now
    assert weights == whole


if __name__ == "__main__":
    main()
