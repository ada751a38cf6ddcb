"""What each idea of the learner gains: it is trained without one after the other, and judged by fresh deals.

    python benchmarks/reinforced_ladder.py
    python benchmarks/reinforced_ladder.py --players 4 --games 200000 --seed 7

The first rung is the learner as the thesis describes it. Each rung has all that the ones before it have.
"""

import argparse

from rich.console import Console
from rich.table import Table

from kibitz.core import registry
from kibitz.core.trainer import TrainingPlan, Usual, check_settings
from kibitz.learn.training import judged, other_seed

STRETCH, JUDGED, FINAL = Usual().stretch, Usual().judged, Usual().final
AS_DESCRIBED = {"discard_credit": 1.0, "inference": 0.0, "signals": 0.0, "partners": 0.0, "look_ahead": 0.0}
RUNGS = {
    "as the thesis describes it": {},
    "hints credited by plays, not by discards": {"discard_credit": 0.0},
    "+ cards by what they can be": {"inference": 1.0},
    "+ which of the touched cards it is": {"signals": 1.0},
    "+ what the receiver would then play": {"partners": 1.0},
    "+ the piles as they will be then": {"look_ahead": 1.0},
}


def climbed(players: int, games: int, seed: int, settings: dict[str, float]) -> tuple[float, float]:
    """The score on fresh deals of the best of a training, and its interval's half."""
    game = registry.game("hanabi")
    trainer = registry.trainer(game, "reinforced")
    plan = TrainingPlan(game, (players,), seed=seed, settings=check_settings(trainer, settings))
    learning, best, kept = trainer.begin(plan), -1.0, trainer.begin(plan).learned()
    for first in range(0, games, STRETCH):
        learning.train(first, STRETCH)
        now = learning.learned()
        mean = judged(plan, now, JUDGED, other_seed(seed, "judging"))[players].mean
        if mean > best:
            best, kept = mean, now
    found = judged(plan, kept, FINAL, other_seed(seed, "fresh"))[players]
    return found.mean, found.half_width


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, action="append", help="number of players [default: 2 and 4]")
    parser.add_argument("--games", type=int, default=100_000, help="that each is trained with")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    counts = chosen.players or [2, 4]
    table = Table("learner", *(f"{players} players" for players in counts), box=None)
    settings = dict(AS_DESCRIBED)
    with Console(stderr=True).status("training") as status:
        for rung, (name, more) in enumerate(RUNGS.items()):
            settings |= more
            scores = []
            for players in counts:
                status.update(f"rung {rung + 1} of {len(RUNGS)}, {players} players: {name}")
                mean, half = climbed(players, chosen.games, chosen.seed, settings)
                scores.append(f"{mean:.2f} ± {half:.2f}")
            table.add_row(name, *scores)
    console = Console(width=100)
    console.print(f"{chosen.games:,} training games of seed {chosen.seed}; {FINAL:,} fresh deals", highlight=False)
    console.print(table)


if __name__ == "__main__":
    main()
