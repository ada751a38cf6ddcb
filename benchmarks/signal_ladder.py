"""What each idea of the player `signal` gains: one after the other is switched on, on the same deals.

    python benchmarks/signal_ladder.py --players 3 --games 20000 --seed 2026

Every step is a match under the rules of the published figures: a lost game scores 0, no empty hints, no discard with
all tokens. The interval of a gain is that of the difference on the same deals, 95 times in a hundred.
"""

import argparse
from typing import Any

import numpy as np

from kibitz.arena.match import Match, play_compiled
from kibitz.arena.statistics import Z95
from kibitz.core import registry
from kibitz.core.agent import CompiledAgent
from kibitz.games.hanabi.game import HANABI

RULES = {"lost_game": "zero", "empty_hint": "forbidden", "full_discard": "forbidden"}

# The player without its ideas: hints say which slot is playable or of no use, a spare card goes below four tokens.
OFF = {
    "codes.doubt": 1, "codes.careful_lives": 0,
    "questions.identities": 0, "questions.others": 0, "questions.foresight": 0, "questions.duplicates": 0,
    "sums.discards": 0, "sums.alike": -1, "sums.alike_empty": 0, "sums.plays": 0,
    "silence.discards": 0, "silence.saving": 0, "silence.rescue": 0, "silence.helping": 0,
    "pace.slack": -99, "pace.help_0": 4, "pace.help_1": 4, "pace.help_2": 4, "pace.help_3": 4, "pace.idle": 0,
    "pace.late": -1, "pace.locked": 0, "cost.needed_now": 0,
    "cost.known": 0, "cost.bar": -1, "gamble.last_round": 2, "gamble.sure": 2, "gamble.sure_full": 2, "end.deck": -1,
}  # fmt: skip

STEPS = {
    "which slot is playable or of no use": (),
    "which kind a playable card is": ("questions.identities",),
    "what other cards are": ("questions.others",),
    "a number in discards of spare cards": ("sums.discards",),
    "every hand is asked about the board at its turn": ("questions.foresight",),
    "pace: spare cards go by time, tokens and who needs help":
        ("pace.slack", "pace.help_0", "pace.help_1", "pace.help_2", "pace.help_3", "codes.careful_lives"),
    "a discard when nobody else has anything to play": ("pace.idle",),
    "then a cheap card goes before a token": ("cost.bar",),
    "gambles": ("gamble.last_round", "gamble.sure", "gamble.sure_full"),
    "copies that somebody else is known to hold can be spared": ("questions.duplicates",),
    "a number in plays": ("sums.plays",),
    "only codes that can nearly always be said": ("codes.doubt",),
    "saving, and what a play or a hint says of it": ("silence.saving",),
    "a discard says that nothing fits": ("silence.discards",),
    "a number in discards of cards that are missed as little": ("sums.alike",),
    "a card that everybody knows is missed by its kind": ("cost.known",),
    "without tokens a discard instead of a play saves": ("silence.rescue",),
    "more such discards without tokens": ("sums.alike_empty",),
    "a card that fits is missed more": ("cost.needed_now",),
    "late in the game a hint about what fits comes before a play": ("silence.helping",),
    "any card goes when time is short, or the other may lose none": ("pace.late", "pace.locked"),
    "the end of the deck in sampled worlds": ("end.deck",),
}  # fmt: skip


def scores(agent: CompiledAgent, players: int, games: int, seed: int) -> Any:
    match = Match.of(HANABI, [agent] * players, games, seed, rules=HANABI.check_rules(RULES))
    return np.asarray(play_compiled(match, 0, range(games)).results)[:, 0].astype(float)


def half_width(values: Any) -> float:
    return float(Z95 * values.std(ddof=1) / len(values) ** 0.5)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, nargs="+", choices=range(2, 6), default=[2, 3, 4, 5])
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=2026)
    wanted = parser.parse_args()
    signal = registry.agent(HANABI, "signal")
    assert isinstance(signal, CompiledAgent)
    for players in wanted.players:
        whole = dict(zip(signal.weights.names, signal.weights.for_players(players).tolist(), strict=True))
        weights, before = {**whole, **OFF}, None
        print(f"\n| {players} players, {wanted.games:,} deals of seed {wanted.seed} | mean | gain | perfect |")
        print("|---|---|---|---|")
        for step, names in STEPS.items():
            weights |= {name: whole[name] for name in names}
            now = scores(signal.with_weights(list(weights.values())), players, wanted.games, wanted.seed)
            gain = "" if before is None else f"{(now - before).mean():+.3f} ± {half_width(now - before):.3f}"
            print(
                f"| {step} | {now.mean():.3f} ± {half_width(now):.3f} | {gain} | {100 * (now == 25).mean():.1f} % |",
                flush=True,
            )
            before = now
        assert weights == whole


if __name__ == "__main__":
    main()
