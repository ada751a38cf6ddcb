"""Do duels keep their error rate, and how many games do they save? Prints the tables of docs/explanation/duels.md.

Thousands of duels are simulated. The differences of their deals are drawn from those of real games: of 20,000 deals of
Hanabi, or 20,000 pairs of Love Letter, played here. Their distribution is made symmetric for equals, and tilted until
its mean is the wanted difference. Looks, intervals and verdicts are those of `kibitz duel`.

    python benchmarks/duels.py --duels 10000
"""

import argparse
from math import sqrt
from statistics import NormalDist
from typing import Any

import numpy as np

from kibitz.arena.duel import DuelPlan, MeasuredDuel, by_interval, by_ratio, evidence, piece_at
from kibitz.arena.sequential import interval
from kibitz.arena.statistics import wilson

DEALS, MOST = 20_000, 400_000  # of the real games; of a simulated duel
ALPHA = 0.05
CASES = (
    ("hanabi", ("trustful", "bayesian_trustful4"), 4, 0.1, (0.0, 0.05, 0.1, 0.2, 0.4, 1.0)),
    ("loveletter", ("counting", "greedy"), 2, 0.1, (0.0, 0.05, 0.1, 0.2, 0.4)),
)


def real_differences(game: str, agents: tuple[str, str], players: int) -> tuple[DuelPlan, Any]:
    """How often each difference occurs in real games."""
    from kibitz.arena.duel import duel_sums
    from kibitz.arena.executors import play_here_or_compiled

    plan = DuelPlan(game, agents, players, ALPHA, 0.1, 2 * DEALS).prepared()
    matches = [match.prepared() for match in plan.matches]
    counts = MeasuredDuel(plan).sums * 0
    for first in range(0, DEALS, 2000):
        counts = counts + duel_sums(matches, play_here_or_compiled, first, 2000)
    return plan, counts[2:] / DEALS


def tilted(shares: Any, values: Any, mean: float) -> Any:
    """The distribution nearest to this one that has the mean."""
    low, high = -20.0, 20.0
    for _ in range(80):
        tilt = (low + high) / 2
        weights = shares * np.exp(tilt * values)
        weights /= weights.sum()
        low, high = (tilt, high) if weights @ values < mean else (low, tilt)
    return weights


def simulated(plan: DuelPlan, shares: Any, margin: float, duels: int, seed: int) -> tuple[Any, Any, Any, Any]:
    """Verdicts (0 A, 1 B, 2 equal, 3 undecided), deals, how often an interval missed the mean, and who was claimed to
    be better by looks that treat a fixed test of the same error rate as if it were the last."""
    rng, values, mean = np.random.default_rng(seed), plan.values, float(shares @ plan.values)
    here = shares > 0
    verdicts, deals = np.full(duels, 3), np.full(duels, MOST)
    missed, naive = np.zeros(duels, bool), np.zeros(duels, bool)
    playing, counts, played = np.arange(duels), np.zeros((duels, len(values)), np.int64), 0
    z = NormalDist().inv_cdf(1 - ALPHA / 2)
    while len(playing) and played < MOST:
        piece = min(piece_at(played), MOST - played)
        played += piece
        counts[:, here] += rng.multinomial(piece, shares[here], len(playing))
        found, half = interval(counts, values, ALPHA)
        missed[playing] |= np.abs(found - mean) > half
        if played >= 30:
            deviation = np.sqrt(np.maximum(counts @ values**2 / played - found**2, 0))
            naive[playing] |= (np.abs(found) > z * deviation / sqrt(played)) & (deviation > 0)
        if plan.game.competitive:
            decided = by_ratio(*evidence(counts, values, margin), ALPHA)
        else:
            decided = by_interval(found, half, margin)
        which = np.argmax([*decided, np.ones(len(playing), bool)], axis=0)
        over = which < 3
        verdicts[playing[over]], deals[playing[over]] = which[over], played
        playing, counts = playing[~over], counts[~over]
    return verdicts, deals, missed, naive


def fixed_deals(variance: float, margin: float) -> float:
    """The deals that a test of fixed size needs for the same error rates, at no difference and at the margin."""
    normal = NormalDist()
    return variance * ((normal.inv_cdf(1 - ALPHA / 2) + normal.inv_cdf(1 - ALPHA)) / margin) ** 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--duels", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    for game, agents, players, margin, differences in CASES:
        plan, real = real_differences(game, agents, players)
        shares = (real + real[::-1]) / 2
        variance = float(shares @ plan.values**2)
        fixed = fixed_deals(variance, margin)
        print(f"\n{plan.game.title}, {players} players, margin {margin}: differences of {agents[0]} and {agents[1]}")
        print(f"deviation of a deal's difference {sqrt(variance):.3f}; a fixed test needs {2 * fixed:,.0f} games\n")
        print("| true difference | A | B | equal | undecided | missed | games: mean, median | of the fixed test |")
        print("|---|---|---|---|---|---|---|---|")
        for number, difference in enumerate([*differences, float(real @ plan.values)]):
            law = tilted(shares, plan.values, difference) if difference else shares
            law = real if number == len(differences) else law
            verdicts, deals, missed, naive = simulated(plan, law, margin, chosen.duels, chosen.seed + number)
            count = [int((verdicts == each).sum()) for each in range(4)]
            low, high = wilson(int(missed.sum()), chosen.duels)
            cells = [
                f"{difference:.3f}, as played" if law is real else f"{difference:g}",
                *(f"{each / chosen.duels:.2%}" for each in count),
                f"{missed.mean():.2%} ({low:.2%} to {high:.2%})",
                f"{2 * deals.mean():,.0f}, {2 * np.median(deals):,.0f}",
                f"{deals.mean() / fixed:.2f}",
            ]
            print(f"| {' | '.join(cells)} |")
            if not difference:
                claimed = f"{naive.mean():.1%}"
        print(f"\nOf the equals, a 95 % interval of fixed size excludes zero at some look in {claimed}.")


if __name__ == "__main__":
    main()
