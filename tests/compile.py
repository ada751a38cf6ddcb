"""Compile every game and its agents, a process for each game: two workers who need the same would both compile it."""

import sys
from concurrent.futures import ProcessPoolExecutor

from kibitz.arena.match import Match, play
from kibitz.core import registry
from kibitz.core.agent import CompiledAgent
from kibitz.live.rehearsal import rehearse


def compile_game(name: str) -> None:
    game = registry.game(name)
    rehearse(game)
    compiled = [agent for agent in registry.agents(game) if isinstance(agent, CompiledAgent)]
    for agent in compiled:
        agent.take_seat(game)
    for _ in play(Match(name, (compiled[0].name,) * min(game.players), deals=1, seed=0, rules=game.check_rules({}))):
        pass


def main() -> None:
    games = registry.games()
    print("Compiling what is not compiled yet; the first time takes a minute or two.", file=sys.stderr)
    with ProcessPoolExecutor(len(games)) as processes:
        for game, _ in zip(games, processes.map(compile_game, [game.name for game in games]), strict=True):
            print(f"{game.title} is compiled.", file=sys.stderr)


if __name__ == "__main__":
    main()
