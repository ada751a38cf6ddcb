"""How fast games are played: beside OpenSpiel, on one thread and on two, with a Python agent, and from mid-game on."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import rival
from report import NONE, Line, rate_line, ratio_line, unmeasured
from timing import Worker, take_turns, timed

from kibitz.arena.match import Match, play_compiled
from kibitz.core import registry
from kibitz.core.agent import Agent, CompiledAgent
from kibitz.core.table import Table
from kibitz.engine.seeds import keys, numbers
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.moves import Move, discard, hint, play
from kibitz.games.hanabi.view import View

SEED = 1
TURNS = HANABI.columns.index("turns")
# OpenSpiel has no discard with all 8 tokens there; with that rule both play the same games.
RULES_OF_OPEN_SPIEL = {"full_discard": "forbidden"}

# Games per second at a table of four that are wanted, and what the program behind an agent was reported to
# reach: another machine, another day, so it stands beside ours without a ratio.
AGENTS: dict[str, tuple[float | None, float | None]] = {
    "simple_distrustful": (30_000, 22.6),
    "cheater": (50_000, 39.5),
    "smart_cheater": (50_000, 21.7),
    "stopped_clock": (None, 20.1),
    "erratic": (None, 110.6),
    "distrustful": (20_000, 19.6),
    "trustful": (5_000, 1.06),
    "hajdu_v2": (20_000, None),
    "bot1": (3_000, None),
    "bot2": (3_000, None),
    "internal": (10_000, None),
    "outer": (10_000, None),
    "iggi": (10_000, None),
    "piers": (10_000, None),
    "van_den_bergh": (10_000, None),
    "flawed": (10_000, None),
    "network": (500, None),
}

# The strongest that do not search, by the rules of published figures: games per second that are wanted, by players.
RECORD_RULES = {"lost_game": "zero", "full_discard": "forbidden"}
RECORD_PLAYERS: dict[tuple[str, int], float | None] = {
    ("signal", 2): None,
    ("signal", 3): 10_000,
    ("signal", 4): None,
    ("signal", 5): 5_000,
    ("convention2", 2): 10_000,
}
SUMS_ELSEWHERE = "a Rust program that says sums, reported: 130 to 265 games/s"


def compiled_agent(name: str) -> CompiledAgent:
    agent = registry.agent(HANABI, name)
    assert isinstance(agent, CompiledAgent)
    return agent


def table_of(name: str, players: int, games: int, rules: dict[str, str] | None = None) -> Callable[[], Any]:
    """A function that plays this number of games and returns the rows of their results."""
    match = Match(HANABI.name, (name,) * players, games, SEED, rules or {}).prepared()

    def work() -> Any:
        results = play_compiled(match, 0, range(games)).results
        assert len(results) == games
        return results

    return work


def moves_at(name: str, players: int, games: int, rules: dict[str, str]) -> Worker:
    work = table_of(name, players, games, rules)
    return timed(lambda: int(work()[:, TURNS].sum()))


def games_at(name: str, players: int, games: int) -> Worker:
    work = table_of(name, players, games)
    return timed(lambda: len(work()))


def random_play() -> list[Line]:
    if not rival.INSTALLED:
        return [unmeasured("random legal play", rival.MISSING)]
    lines = []
    for players in (2, 4):
        what = f"random legal play, {players} players"
        ours = moves_at("random_legal", players, 5000, RULES_OF_OPEN_SPIEL)
        rivals = [rival.from_python(players), rival.tuned(players), rival.in_its_own_loop(players)]
        ours_in, python, tuned, own_loop = take_turns([ours, *rivals])
        lines += [
            ratio_line(what, ours_in, python, "OpenSpiel from Python", "moves/s", wanted=60),
            ratio_line(f"{what}, tuned", ours_in, tuned, "OpenSpiel from Python, tuned", "moves/s"),
            ratio_line(f"{what}, its own loop", ours_in, own_loop, "OpenSpiel in C++", "moves/s"),
        ]
    return lines


def agents_alone() -> list[Line]:
    lines = []
    for name, (wanted, reported) in AGENTS.items():
        [rates] = take_turns([games_at(name, 4, 1000)])
        said = f"their program, reported: {reported} games/s" if reported else NONE
        lines.append(rate_line(f"4 × {name}, one thread", rates, "games/s", wanted, said))
    return lines


def record_players() -> list[Line]:
    """Games per CPU second, and moves per second beside random moves in OpenSpiel's own loop."""
    lines = []
    for (name, players), wanted in RECORD_PLAYERS.items():
        what = f"{players} × {name}, one thread"
        work = table_of(name, players, 500, RECORD_RULES)
        [games] = take_turns([timed(partial(games_of, work), time.process_time)])
        lines.append(rate_line(what, games, "games/s", wanted, SUMS_ELSEWHERE if name == "signal" else NONE))
        if rival.INSTALLED:
            ours, theirs = take_turns([moves_at(name, players, 500, RECORD_RULES), rival.in_its_own_loop(players)])
            beside = "OpenSpiel in C++, random moves"
            lines.append(ratio_line(f"{what}: moves", ours, theirs, beside, "moves/s"))
    return lines


def games_of(work: Callable[[], Any]) -> int:
    return len(work())


def two_threads() -> list[Line]:
    alone, *pair = (games_at("simple_distrustful", 4, 5000) for _ in range(3))
    with ThreadPoolExecutor(2) as threads:

        def together() -> int:
            return sum(done for done, _ in threads.map(lambda worker: worker(), pair))

        one, two = take_turns([alone, timed(together)])
    return [ratio_line("two threads, 4 × simple_distrustful", two, one, "one thread", "games/s", wanted=1.7)]


class Careful:
    """Plays what is sure to fit, tells the next player of a card that fits, else discards its oldest card."""

    def decide(self, view: View) -> Move:
        for card in view.hand:
            if view.is_playable(card):
                return play(card.slot)
        neighbour = view.others[0]
        for card in view.hands[neighbour]:
            if view.tokens and card.kind and view.is_playable(card) and not card.revealed:
                return hint(neighbour, card.kind.colour if card.rank_hinted else card.kind.rank)
        return discard(0)


def table_with(agents: Sequence[Agent], number: int) -> Table:
    """The table in Python, at the start of game number `number`."""
    players = [agent.take_seat(HANABI, explains=False) for agent in agents]
    return Table(HANABI, players, HANABI.deal(keys(SEED), number, len(agents), HANABI.check_rules({})))


def mixed_table() -> list[Line]:
    careful = registry.as_agent(HANABI, "careful", Careful)
    agents = [careful, *[compiled_agent("simple_distrustful")] * 3]

    def work(games: int = 20) -> int:
        for number in range(games):
            table_with(agents, number).run()
        return games

    [rates] = take_turns([timed(work)])
    return [rate_line("a Python agent and 3 × simple_distrustful", rates, "games/s", wanted=300)]


def continuations() -> list[Line]:
    """The rest of a game again and again, each time in a world that the seat to move cannot tell from the true one."""
    agents = [compiled_agent("simple_distrustful")] * 4
    table = table_with(agents, 0)
    for _ in range(30):
        table.step()
    streams = numbers(keys(SEED).dice, 0, 2000)
    [rates] = take_turns([timed(lambda: len(table.continuations(table.to_move, agents, streams)))])
    return [rate_line("continuations from move 30, a new world each", rates, "/s", wanted=40_000)]


def load() -> None:
    """Have everything compiled and in the cache."""
    for name in ("random_legal", *AGENTS):
        table_of(name, 4, 1)()
    for name, players in RECORD_PLAYERS:
        table_of(name, players, 1)()
    agents = [compiled_agent("simple_distrustful")] * 4
    table = table_with(agents, 0)
    table.continuations(table.to_move, agents, numbers(SEED, 0, 1))
    table.run()
