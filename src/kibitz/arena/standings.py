"""The standings of a competitive match: shares of wins with intervals, the advantage of the first move, and when games
end.

The counterpart of `statistics.ScoreCounts`. All counts are integers, in constant memory.
"""

from math import lcm, sqrt
from typing import Any

import numpy as np

from kibitz.arena.match import Match
from kibitz.arena.rotation import by_name
from kibitz.arena.sequential import half_width
from kibitz.arena.statistics import Z95, Estimate, wilson
from kibitz.core.results import ENDS

WINS = "wins"


class Sums:
    """Sums and squared sums of integers, one per deal and seat, for means and standard errors."""

    def __init__(self, players: int) -> None:
        self.count = np.zeros(1, np.int64)
        self.sums, self.squares = np.zeros(players, np.int64), np.zeros(players, np.int64)

    @property
    def deals(self) -> int:
        return int(self.count[0])

    @property
    def arrays(self) -> dict[str, Any]:
        return {"deals": self.count, "sums": self.sums, "squares": self.squares}

    def add(self, by_deal: Any) -> None:
        self.count += len(by_deal)
        self.sums += by_deal.sum(axis=0)
        self.squares += (by_deal**2).sum(axis=0)

    def mean(self, seat: int, games: int) -> Estimate:
        """The mean per game; a deal has `games` games."""
        total, squares = int(self.sums[seat]), int(self.squares[seat])
        variance = (squares - total**2 / self.deals) / max(self.deals - 1, 1)
        return Estimate(total / self.deals / games, sqrt(max(0.0, variance) / self.deals) / games, self.deals)

    def known(self, seat: int, most: int, alpha: float) -> Estimate:
        """The mean as a share of a deal's maximum, with an interval that is valid however often one looks."""
        total, squares = int(self.sums[seat]), int(self.squares[seat])
        mean = total / self.deals / most
        variance = max(0.0, squares / self.deals / most**2 - mean**2)
        half = float(half_width(self.deals, variance, max(mean, 1 - mean), alpha))
        return Estimate(mean, None, self.deals, (mean - half, mean + half))

    def share(self, seat: int, most: int) -> Estimate:
        """The mean as a share of a deal's maximum, `most`."""
        total, squares = int(self.sums[seat]), int(self.squares[seat])
        mean = total / self.deals / most
        if total in (0, most * self.deals):  # all deals are equal and show no variance
            return Estimate(mean, None, self.deals, wilson(total // most, self.deals))
        if self.deals < 2:
            return Estimate(mean, None, self.deals)
        variance = (squares - total**2 / self.deals) / (self.deals - 1)
        half = Z95 * sqrt(max(0.0, variance) / self.deals) / most
        return Estimate(mean, None, self.deals, (max(0.0, mean - half), min(1.0, mean + half)))


def wins_by_name(masks: Any, rotations: Any, players: int) -> Any:
    """Wins per game and named seat, as 1 or 0, from masks of table seats."""
    return (by_name(masks, rotations, players)[:, None] >> np.arange(players)) & 1


def gains_by_name(gains: Any, rotations: Any) -> Any:
    """Values per game and table seat, reordered by named seat."""
    games, players = gains.shape
    return gains[np.arange(games)[:, None], (np.arange(players) - rotations[:, None]) % players]


def parts(players: int) -> int:
    """The number of parts a game is divided into, so that any number of winners can share it evenly."""
    return lcm(*range(1, players + 1))


def points_of(wins: Any) -> Any:
    """The parts of each game that each seat gets: winners share them; without a winner, all players do."""
    players = wins.shape[1]
    winners = wins.sum(axis=1, keepdims=True)
    return np.where(winners > 0, wins * (parts(players) // np.maximum(winners, 1)), parts(players) // players)


class Standings:
    """Wins, counted as games come in, by named seat."""

    def __init__(self, match: Match) -> None:
        self.match = match
        players = match.players
        self.whole = parts(players)
        self.won = np.zeros((players, players), np.int64)  # by starting seat and winner; a shared win counts for each
        self.drawn = np.zeros(players, np.int64)  # by starting seat
        self.began = np.zeros(players, np.int64)
        self._shared = np.zeros(1, np.int64)
        self._wins, self._points = Sums(players), Sums(players)
        self.gained: dict[str, Sums] = {}  # by quantity: the sums of each seat
        self.ahead: dict[str, Sums] = {}  # likewise, minus those of the seat named next; also for wins
        self.counts = {
            count.name: np.zeros((players + 1, count.turns, max(1, len(count.kinds))), np.int64)
            for count in match.game.counts
        }

    @property
    def arrays(self) -> dict[str, Any]:
        """All that is counted, by name; what is not counted before the first games is missing until then."""
        counted = {"won": self.won, "drawn": self.drawn, "began": self.began, "shared": self._shared}
        sums = {"wins": self._wins, "points": self._points}
        sums |= {f"gained_{name}": each for name, each in self.gained.items()}
        sums |= {f"ahead_{name}": each for name, each in self.ahead.items()}
        for name, each in sums.items():
            counted |= {f"{name}_{part}": array for part, array in each.arrays.items()}
        return counted | {f"count_{name}": array for name, array in self.counts.items()}

    @property
    def shared(self) -> int:
        return int(self._shared[0])

    def add(self, results: Any, rotations: Any) -> None:
        """Count games; a chunk contains whole deals."""
        players, game = self.match.players, self.match.game
        wins = wins_by_name(game.winners(results), rotations, players)
        winners = wins.sum(axis=1)
        for rotation in range(players):
            here = rotations == rotation
            self.began[rotation] += here.sum()
            self.won[rotation] += wins[here].sum(axis=0)
            self.drawn[rotation] += (winners[here] == 0).sum()
            if self.counts:
                self._count(game.count(results[here], players), rotation)
        self._shared += int((winners > 1).sum())
        for sums, each in ((self._wins, wins), (self._points, points_of(wins))):
            sums.add(self._by_deal(each))
        gained = {
            name: gains_by_name(gains, rotations) for name, gains in self.match.game.gained(results, players).items()
        }
        for name, gains in gained.items():
            self.gained.setdefault(name, Sums(players)).add(self._by_deal(gains))
        for name, gains in {WINS: wins, **gained}.items():
            self.ahead.setdefault(name, Sums(players)).add(self._by_deal(gains - np.roll(gains, -1, axis=1)))

    def _by_deal(self, by_game: Any) -> Any:
        return by_game.reshape(-1, self.match.games_a_deal, self.match.players).sum(axis=1)

    def _count(self, counted: dict[str, Any], rotation: int) -> None:
        players = self.match.players
        seats = [*((rotation + seat) % players for seat in range(players)), players]
        for name, total in self.counts.items():
            total[seats] += counted[name]

    @property
    def games(self) -> int:
        return int(self.began.sum())

    @property
    def deals(self) -> int:
        return self._wins.deals

    @property
    def wins(self) -> list[int]:
        return self.won.sum(axis=0).tolist()

    @property
    def draws(self) -> int:
        return int(self.drawn.sum())

    def share(self, seat: int) -> Estimate:
        """A seat's share of games won; of a mirrored match, computed over deals, as their games are correlated."""
        if self.match.mirror:
            return self._wins.share(seat, self.match.games_a_deal)
        return Estimate.share(self.wins[seat], self.games)

    def points(self, seat: int) -> Estimate:
        """A seat's share if winners share a game, and all players share a draw."""
        return self._points.share(seat, self.whole * self.match.games_a_deal)

    def known_points(self, seat: int, alpha: float) -> Estimate:
        """The same, with an interval that is valid however often one looks."""
        return self._points.known(seat, self.whole * self.match.games_a_deal, alpha)

    def mean_gain(self, name: str, seat: int) -> Estimate:
        """A seat's mean gain per game."""
        return self.gained[name].mean(seat, self.match.games_a_deal)

    def lead(self, name: str, seat: int) -> Estimate:
        """A seat's mean gain per game, minus that of the seat named next."""
        return self.ahead[name].mean(seat, self.match.games_a_deal)

    def share_when(self, seat: int, began: int) -> Estimate | None:
        """A seat's share of the games that a given seat began; None if there are none."""
        games, wins = int(self.began[began]), int(self.won[began, seat])
        return Estimate.share(wins, games) if games else None

    # When games end

    @property
    def by_turn(self) -> Any:
        """The number of games by winner and last turn, up to the longest; draws are the last row."""
        ends = self.counts[ENDS][:, :, 0] if ENDS in self.counts else np.zeros((self.match.players + 1, 0), np.int64)
        return ends[:, : last_turn(ends)]

    def mean_turn(self, seat: int | None = None) -> float | None:
        """The mean last turn of all games, or of those that a seat won; the seat after the last stands for draws."""
        ends = self.by_turn.sum(axis=0) if seat is None else self.by_turn[seat]
        return float(ends @ np.arange(1, len(ends) + 1) / ends.sum()) if ends.sum() else None

    def as_json(self) -> dict[str, Any]:
        seats, match = range(self.match.players), self.match
        turns = self.by_turn.T.tolist()
        summary: dict[str, Any] = {
            "game": match.game_name,
            "seats": list(match.seats),
            "rules": match.rules,
            **match.said_start,
            "seed": match.seed,
            "first": match.first,
            "mirror": match.mirror,
            "budget": match.budget._asdict() if match.budget else None,
            "deals": self.deals,
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "shared": self.shared,
            "shares": [self._share_json(seat) for seat in seats] if self.games else [],
            "by_first": [
                {
                    "first": seat + 1,
                    "games": int(self.began[seat]),
                    "wins": self.won[seat].tolist(),
                    "draws": int(self.drawn[seat]),
                }
                for seat in seats
            ],
            "mean_turn": self.mean_turn(),
            "mean_turns": {"wins": [self.mean_turn(seat) for seat in seats], "draws": self.mean_turn(match.players)},
            "by_turn": [
                {"turn": turn, "wins": ends[:-1], "draws": ends[-1]} for turn, ends in enumerate(turns, start=1)
            ],
        }
        if self.gained and self.games:
            summary["gained"] = {name: [self._gain_json(name, seat) for seat in seats] for name in self.gained}
        for count in match.game.counts:
            if count.kinds:
                summary[count.name] = kinds_json(count.kinds, self.counts[count.name])
        return summary

    def _gain_json(self, name: str, seat: int) -> dict[str, Any]:
        gain, lead = self.mean_gain(name, seat), self.lead(name, seat)
        return {
            "mean": gain.mean, "interval": [gain.low, gain.high],
            "ahead_of_next": lead.mean, "ahead_interval": [lead.low, lead.high],
        }  # fmt: skip

    def _share_json(self, seat: int) -> dict[str, Any]:
        wins, points = self.share(seat), self.points(seat)
        return {
            "share": wins.mean, "interval": wins.interval, "points": points.mean, "points_interval": points.interval
        }  # fmt: skip


def last_turn(counted: Any) -> int:
    """The last turn with a count, from 1; the axes are seats and turns."""
    occurred = np.flatnonzero(counted.sum(axis=(0, *range(2, counted.ndim))))
    return int(occurred[-1]) + 1 if len(occurred) else 0


def kinds_json(kinds: tuple[str, ...], counted: Any) -> list[dict[str, Any]]:
    """A count per turn and kind, of each seat and of no seat."""
    turns = []
    for turn in range(last_turn(counted)):
        *seats, nobody = [dict(zip(kinds, by_kind, strict=True)) for by_kind in counted[:, turn].tolist()]
        turns.append({"turn": turn + 1, "seats": seats, "nobody": nobody})
    return turns
