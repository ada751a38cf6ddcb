"""The daily deal: one deal per date and number of players, the same on every server and at every terminal.

Its seed is the date followed by the number of players, so 202611193 is the deal for three on 19 November 2026, and game
number 0 of that seed is the game. Everybody can play it: `kibitz play`, `kibitz watch` and a table on the page with
this seed have the same cards. Bots' results and the difficulty say something about the deal, so they are shown only to
people who have played it, or when its day is over.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from kibitz.arena.match import play_agents
from kibitz.coach.deals import agents_of, study_of
from kibitz.core.game import Game
from kibitz.engine.seeds import keys, numbers
from kibitz.errors import KibitzError

NUMBER = 0  # of the game, in the games of its seed


@dataclass(frozen=True)
class DailyDeal:
    """The deal of a day."""

    game: Game
    day: date
    players: int

    @property
    def seed(self) -> int:
        return int(f"{self.day:%Y%m%d}{self.players}")

    @property
    def rules(self) -> dict[str, str]:
        return self.game.check_rules(study_of(self.game).rules)

    @property
    def start(self) -> Any:
        """The state at its start, as an array of one."""
        return self.game.deal(keys(self.seed), NUMBER, self.players, self.rules)

    @property
    def command(self) -> str:
        """How to play it at the terminal."""
        return f"kibitz play {self.game.name} --players {self.players} --seed {self.seed}"

    def bots(self) -> dict[str, int]:
        """The scores of the bots, each at a table with copies of itself; `kibitz match` finds the same."""
        cards, dice = (numbers(stream, NUMBER, 1) for stream in keys(self.seed))
        found = {}
        for agent in agents_of(self.game):
            chunk = play_agents(self.game, [agent] * self.players, self.rules, cards, dice)
            if chunk.failure:
                raise KibitzError(chunk.failure)
            found[agent.name] = int(self.game.scores(chunk.results)[0][0])
        return found


def daily_deal(game: Game, day: date, players: int | None = None) -> DailyDeal:
    """The deal of a date, for the usual number of players by default."""
    study_of(game)
    return DailyDeal(game, day, game.check_players(players or game.usual_players))


@dataclass(frozen=True)
class Comparison:
    """A score beside others on the same deal."""

    score: int
    better: int  # others with a lower score
    same: int
    others: int

    def __str__(self) -> str:
        return f"{self.score}: better than {self.better} of {self.others}, the same as {self.same}"


def compare(score: int, others: Sequence[int]) -> Comparison:
    """Compare a score with those of bots or people on the same deal."""
    return Comparison(score, sum(other < score for other in others), others.count(score), len(others))
