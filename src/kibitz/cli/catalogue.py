"""`kibitz games` and `kibitz agents`: what there is."""

from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from kibitz.cli.terminal import AsJson, out, print_json

if TYPE_CHECKING:
    from kibitz.core.game import Game


def games(json: AsJson = False) -> None:
    """List the games with their numbers of players, rules and levels."""
    from kibitz.core import registry
    from kibitz.core.description import game_described

    found = registry.games()
    if json:
        print_json(
            [
                {
                    **game_described(game),
                    "players": [game.players[0], game.players[-1]],
                    "agents": len(registry.agent_entries(game.name)),
                }
                for game in found
            ]
        )
        return
    for game in found:
        fewest, most = game.players[0], game.players[-1]
        seats = f"{fewest}–{most}" if fewest < most else fewest
        out.print(f"[bold]{game.name}[/] · {game.title}, {seats} players")
        out.print(f"  {game.description}")
        table = Table(box=None, padding=(0, 2))
        table.add_column("--rule", style="cyan", no_wrap=True)
        table.add_column("choices, the default first")
        table.add_column("what it decides", style="dim")
        for rule in game.rules:
            name = f"{rule.name}, or --{rule.name}" if rule.option else rule.name
            table.add_row(name, " | ".join(rule.choices), rule.help)
        if game.rules:
            out.print(table)
        if game.lineups:
            out.print(levels_table(game))
        out.print(f"  `kibitz agents {game.name}` lists its {len(registry.agent_entries(game.name))} agents.")


def levels_table(game: "Game") -> Table:
    table = Table(box=None, padding=(0, 2))
    table.add_column("--level", style="cyan", no_wrap=True)
    table.add_column("who plays with you")
    table.add_column("what they do", style="dim")
    for level, lineup in game.lineups.items():
        others = [f"; with {players} players {', '.join(agents)}" for players, agents in lineup.at.items()]
        table.add_row(level, ", ".join(lineup.agents) + "".join(others), lineup.help)
    return table


def agents(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Only agents of this game.")] = None,
    json: AsJson = False,
) -> None:
    """List the agents: what they do, their source, and whether they cheat, randomize or keep memory.

    An agent of yours needs no entry here: name it path/to/my_bot.py:MyBot wherever an agent is asked for.
    """
    from kibitz.core import registry
    from kibitz.core.agent import NAMED_TRAITS

    wanted = [registry.game(game)] if game else registry.games()
    found = [agent for each in wanted for agent in registry.agents(each)]
    if json:
        print_json(
            [
                {
                    "name": agent.name,
                    "title": agent.title,
                    "game": agent.game,
                    "description": agent.summary,
                    "origin": agent.origin,
                    "traits": {name: getattr(agent.traits, name) for name in NAMED_TRAITS},
                }
                for agent in found
            ]
        )
        return
    for each in wanted:
        table = Table(title=each.title, title_justify="left", box=None, padding=(0, 2, 1, 0))
        table.add_column("agent", style="bold cyan", no_wrap=True)
        table.add_column("what it does")
        table.add_column("origin", style="dim")
        table.add_column("traits", no_wrap=True)
        for agent in found:
            if agent.game == each.name:
                table.add_row(agent.name, f"[bold]{agent.title}[/]: {agent.summary}", agent.origin, str(agent.traits))
        out.print(table)
