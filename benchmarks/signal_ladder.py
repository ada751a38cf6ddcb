"""What each idea of `signal` gains: the ideas are switched on one after another, on the same deals.

    python benchmarks/signal_ladder.py --players 3 --games 20000 --seed 2026

Each step is a match under the rules of the published figures: a lost game scores 0, no empty hints, no discard with
all tokens. Intervals are at 95 %; those of gains are of paired differences.
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

# The player without its ideas: hints say which slot is playable or useless, a dispensable card goes below four tokens.
OFF: dict[str, float] = {
    "codes.max_unavailable": 1, "codes.always_available_lives": 0,
    "questions.identities": 0, "questions.other_cards": 0, "questions.foresight": 0, "questions.duplicates": 0,
    "mod_sum.discards": 0, "mod_sum.similar_cost": -1, "mod_sum.similar_cost_no_tokens": 0, "mod_sum.plays": 0,
    "implicit.discards": 0, "implicit.save_tokens": 0, "implicit.save_by_discard": 0, "implicit.help_pace": 0,
    "discard.min_pace": -99, "discard.below_tokens_0": 4, "discard.below_tokens_1": 4, "discard.below_tokens_2": 4,
    "discard.below_tokens_3": 4, "discard.idle": 0, "discard.late_tokens": -1, "discard.partner_locked": 0,
    "cost.needed_playable": 0, "cost.known_identity": 0, "cost.max_idle": -1,
    "gamble.last_round": 2, "gamble.min_chance": 2, "gamble.min_chance_all_lives": 2, "endgame.deck": -1,
}  # fmt: skip

STEPS: dict[str, tuple[str, ...]] = {
    "which slot is playable or useless": (),
    "which kind a playable card is": ("questions.identities",),
    "what other cards are": ("questions.other_cards",),
    "a number in discards of dispensable cards": ("mod_sum.discards",),
    "every hand is asked about the board at its turn": ("questions.foresight",),
    "pace: discards by time, tokens and need for help": (
        "discard.min_pace", "discard.below_tokens_0", "discard.below_tokens_1", "discard.below_tokens_2",
        "discard.below_tokens_3", "codes.always_available_lives",
    ),
    "a discard when nobody else has anything to play": ("discard.idle",),
    "then a cheap card is discarded before a token is spent": ("cost.max_idle",),
    "gambles": ("gamble.last_round", "gamble.min_chance", "gamble.min_chance_all_lives"),
    "known copies in other hands make a card dispensable": ("questions.duplicates",),
    "a number in plays": ("mod_sum.plays",),
    "only codes that are nearly always available": ("codes.max_unavailable",),
    "saves, and what a play or a hint implies about them": ("implicit.save_tokens",),
    "a discard implies that nothing is playable": ("implicit.discards",),
    "a number in discards of cards of similar cost": ("mod_sum.similar_cost",),
    "a card that everybody knows costs what its kind does": ("cost.known_identity",),
    "without tokens, a discard instead of a play saves": ("implicit.save_by_discard",),
    "more numbers in discards without tokens": ("mod_sum.similar_cost_no_tokens",),
    "a playable card costs more": ("cost.needed_playable",),
    "late, a hint about a playable card precedes a play": ("implicit.help_pace",),
    "any card is discarded when time is short or the partner is locked":
        ("discard.late_tokens", "discard.partner_locked"),
    "the end of the deck in sampled worlds": ("endgame.deck",),
}  # fmt: skip


def scores(agent: CompiledAgent, players: int, games: int, seed: int) -> Any:
    match = Match.of(HANABI, [agent] * players, games, seed, rules=HANABI.check_rules(RULES))
    return np.asarray(play_compiled(match, 0, range(games)).results)[:, 0].astype(float)


def half_width(values: Any) -> float:
    return float(Z95 * values.std(ddof=1) / len(values) ** 0.5)


def print_ladder(
    agent: CompiledAgent, off: dict[str, float], steps: dict[str, tuple[str, ...]], players: int, games: int, seed: int
) -> None:
    """Switch the ideas of an agent on, step by step, and print the rows of a table."""
    whole = dict(zip(agent.weights.names, agent.weights.for_players(players).tolist(), strict=True))
    weights, before = {**whole, **off}, None
    print(f"\n| {players} players, {games:,} deals of seed {seed} | mean | gain | perfect |\n|---|---|---|---|")
    for step, names in steps.items():
        weights |= {name: whole[name] for name in names}
        now = scores(agent.with_weights(list(weights.values())), players, games, seed)
        gain = "" if before is None else f"{(now - before).mean():+.3f} ± {half_width(now - before):.3f}"
        print(
            f"| {step} | {now.mean():.3f} ± {half_width(now):.3f} | {gain} | {100 * (now == 25).mean():.1f} % |",
            flush=True,
        )
        before = now
    assert weights == whole


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, nargs="+", choices=range(2, 6), default=[2, 3, 4, 5])
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=2026)
    options = parser.parse_args()
    signal = registry.agent(HANABI, "signal")
    assert isinstance(signal, CompiledAgent)
    for players in options.players:
        print_ladder(signal, OFF, STEPS, players, options.games, options.seed)


if __name__ == "__main__":
    main()
