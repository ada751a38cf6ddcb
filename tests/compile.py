"""Compile every game and its agents, a process for each game: two workers who need the same would both compile it."""

import sys
import time
from concurrent.futures import ProcessPoolExecutor

from kibitz.arena.match import Match, play
from kibitz.core import registry
from kibitz.core.agent import CompiledAgent
from kibitz.web.house import rehearse

A_MOMENT = 20.0  # seconds; what takes longer was worth a word


def compile_game(name: str) -> None:
    game = registry.game(name)
    rehearse(game)
    compiled = [agent for agent in registry.agents(game) if isinstance(agent, CompiledAgent)]
    for agent in compiled:
        agent.take_seat(game)
    for _ in play(Match(name, (compiled[0].name,) * min(game.players), deals=1, seed=0, rules=game.check_rules({}))):
        pass


def main() -> None:
    names = [game.name for game in registry.games()]
    begin = time.monotonic()
    print("Compiling what is not compiled yet; the first time takes a few minutes.", file=sys.stderr)
    with ProcessPoolExecutor(len(names)) as processes:
        list(processes.map(compile_game, names))
    if time.monotonic() - begin > A_MOMENT:
        print(f"Compiled in {time.monotonic() - begin:.0f} seconds.", file=sys.stderr)


if __name__ == "__main__":
    main()
