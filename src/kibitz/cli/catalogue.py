"""`kibitz games` and `kibitz agents`: lists of what is installed, and details of one game or agent."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli import options
from kibitz.cli.help import columns, first_sentence, wrapped
from kibitz.cli.terminal import counted, out, plain, print_json

if TYPE_CHECKING:
    from kibitz.core.agent import Agent
    from kibitz.core.game import Game


def games(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="Show the rules and levels of this game.")
    ] = None,
    json: options.AsJson = False,
) -> None:
    """List the games, or show the rules and levels of one.

    kibitz games

    kibitz games hanabi
    """
    from kibitz.core import registry
    from kibitz.core.description import game_described

    found = [registry.game(game)] if game else registry.games()
    if json:
        print_json(
            [
                {
                    **game_described(each),
                    "players": [each.players[0], each.players[-1]],
                    "agents": len(registry.agent_entries(each.name)),
                }
                for each in found
            ]
        )
    elif game:
        for line in game_lines(found[0], len(registry.agent_entries(game))):
            out.print(plain(line), soft_wrap=True)
    else:
        show_rows([(each.name, f"{each.title}, {players_text(each)}: {each.description}") for each in found])
        out.print("\n`kibitz games GAME` shows rules and levels, `kibitz agents GAME` the agents.", soft_wrap=True)


def players_text(game: "Game") -> str:
    fewest, most = game.players[0], game.players[-1]
    return f"{fewest} to {most} players" if fewest < most else counted(fewest, "player")


def game_lines(game: "Game", agents: int) -> Iterator[str]:
    yield f"{game.title}, {players_text(game)}"
    yield wrapped(game.description, "  ")
    for rule in game.rules:
        option = f" (or --{rule.name})" if rule.option else ""
        yield f"\n  --rule {rule.name}={'|'.join(rule.choices)}{option}"
        at_tables = game.table_rules.get(rule.name, rule.choices[0])
        usual = f"default: {rule.choices[0]}" + (f"; with people: {at_tables}" * (at_tables != rule.choices[0]))
        yield wrapped(f"{rule.help} [{usual}]", "      ")
    if game.lineups:
        yield "\nLevels of `kibitz play` and the browser (--level):"
        yield from level_lines(game)
    yield f"\n`kibitz agents {game.name}` lists its {counted(agents, 'agent')}."


def level_lines(game: "Game") -> Iterator[str]:
    """The levels of a game with their agents."""
    rows = []
    for level, lineup in game.lineups.items():
        agents = ", ".join(lineup.agents)
        if lineup.at:
            by_agents: dict[str, list[int]] = {}
            for players, others in lineup.at.items():
                by_agents.setdefault(", ".join(others), []).append(players)
            special = [f"{others} with {numbers_text(counts)} players" for others, counts in by_agents.items()]
            agents = f"{'; '.join(special)}, else {agents}"
        rows.append((level, f"{agents}. {lineup.help}"))
    yield from columns(rows, names=12)


def numbers_text(numbers: list[int]) -> str:
    """`2`, `2 or 3`, `2, 3 or 4`."""
    *first, last = map(str, sorted(numbers))
    return f"{', '.join(first)} or {last}" if first else last


def show_rows(rows: list[tuple[str, str]]) -> None:
    """One line per row: cut at the edge of a terminal, whole in a pipe."""
    width = max(len(name) for name, _ in rows)
    for name, text in rows:
        line = f"[bold cyan]{plain(name):<{width}}[/]  {plain(text)}"
        out.print(line, no_wrap=True, overflow="ellipsis" if out.is_terminal else "ignore", crop=out.is_terminal)


def agents(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Only agents of this game.")] = None,
    agent: Annotated[str | None, typer.Argument(metavar="[AGENT]", help="Show all details of this agent.")] = None,
    json: options.AsJson = False,
) -> None:
    """List the agents and what they do, or show the source and traits of one.

        kibitz agents hanabi

        kibitz agents hanabi trustful

    Traits: an agent cheats if it sees hidden cards, searches, randomizes, or remembers earlier turns. Your own agent
    needs no entry: name it path/to/my_bot.py:MyBot.
    """
    from kibitz.core import registry
    from kibitz.core.agent import NAMED_TRAITS

    wanted = [registry.game(game)] if game else registry.games()
    found = [registry.agent(wanted[0], agent)] if agent else [one for each in wanted for one in registry.agents(each)]
    if json:
        print_json(
            [
                {
                    "name": one.name,
                    "title": one.title,
                    "game": one.game,
                    "description": one.summary,
                    "origin": one.origin,
                    "traits": {name: getattr(one.traits, name) for name in NAMED_TRAITS},
                }
                for one in found
            ]
        )
        return
    if agent:
        show_agent(found[0])
        return
    for number, each in enumerate(wanted):
        if number:
            out.print()
        out.print(f"[bold]{each.title}[/]")
        show_rows([(one.name, in_one_line(one)) for one in found if one.game == each.name])
    out.print("\n`kibitz agents GAME AGENT` shows the source and the traits of an agent.", soft_wrap=True)


def in_one_line(agent: "Agent") -> str:
    traits = str(agent.traits)
    return f"{first_sentence(agent.summary)}" + (f" [{traits}]" if traits else "")


def show_agent(agent: "Agent") -> None:
    out.print(f"[bold]{plain(agent.name)}[/] · {plain(agent.title)}")
    out.print(plain(wrapped(agent.summary, "  ")), soft_wrap=True)
    for name, text in (("source", agent.origin), ("traits", str(agent.traits) or "none")):
        out.print(f"  [cyan]{name}[/]  {plain(text)}", soft_wrap=True)
