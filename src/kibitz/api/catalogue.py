"""List games and agents, and make agents of functions and classes."""

import copy
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from html import escape
from textwrap import shorten
from typing import Any, TypeVar

from kibitz.api.arguments import AgentLike, check_name, game_of, known
from kibitz.core import registry
from kibitz.core.agent import Agent
from kibitz.core.game import Game
from kibitz.errors import ArgumentError
from kibitz.text import fit

Item = TypeVar("Item")
WIDTH = 72  # characters of a column when printed; a notebook shows all


class Listing(list[Item]):
    """A list that prints as a table."""

    def __init__(self, items: Iterable[Item], columns: Sequence[str], row: Callable[[Item], Sequence[str]]) -> None:
        super().__init__(items)
        self._columns, self._row = columns, row

    def _rows(self) -> list[Sequence[str]]:
        return [self._row(item) for item in self]

    def __repr__(self) -> str:
        rows = [[shorten(text, WIDTH, placeholder="…") for text in row] for row in (self._columns, *self._rows())]
        widths = [max(len(row[column]) for row in rows) for column in range(len(self._columns))]
        return "\n".join("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
                         for row in rows)  # fmt: skip

    def _repr_html_(self) -> str:
        return html_table(self._columns, self._rows())


def html_caption(text: str) -> str:
    return f'<caption style="text-align:left;white-space:nowrap">{escape(text)}</caption>'


def html_table(columns: Sequence[str], rows: Iterable[Sequence[str]], caption: str = "") -> str:
    """A table of texts."""
    head = "".join(f'<th style="text-align:left">{escape(name)}</th>' for name in columns)
    lines = (
        "<tr>" + "".join(f'<td style="text-align:left">{escape(text)}</td>' for text in row) + "</tr>" for row in rows
    )
    above = html_caption(caption) if caption else ""
    return f"<table>{above}<thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def seats_text(game: Game) -> str:
    fewest, most = game.players[0], game.players[-1]
    return f"{fewest}–{most}" if fewest < most else f"{fewest}"


def games() -> Listing[Game]:
    """The installed games.

    >>> import kibitz
    >>> [game.name for game in kibitz.games()][:3]
    ['bridge', 'coins', 'connect4']
    """
    return Listing(
        registry.games(),
        ("game", "title", "players", "about"),
        lambda game: (game.name, game.title, seats_text(game), game.description),
    )


def agents(game: str | Game) -> Listing[Agent]:
    """The agents of a game: their names, and whether they are honest, cheat, or search.

    >>> import kibitz
    >>> kibitz.agents("tictactoe")  # doctest: +ELLIPSIS
    agent      kind              players  about
    perfect    honest, searches  2        ...
    random     honest, random    2        ...
    two_plies  honest, searches  2        ...
    """
    which = game_of(game)
    return Listing(
        registry.agents(which),
        ("agent", "kind", "players", "about"),
        lambda agent: (agent.name, kind(agent), seats_text(which), agent.summary),
    )


def kind(agent: Agent) -> str:
    """Whether an agent is honest or cheats, and its other traits."""
    traits = agent.traits
    named = {"random": traits.random, "remembers": traits.remembers, "searches": traits.searches}
    return ", ".join(["cheats" if traits.cheats else "honest", *(name for name, holds in named.items() if holds)])


def agent(game: str | Game, what: AgentLike, name: str = "") -> Agent:
    """Make an agent: by its name, or from a function, a class, or an instance.

    A function takes a view and returns a move, or a move and a reason. A class has a method `decide(self, view)` that
    does the same, and may have `observe(self, view)`; every seat of every game gets an instance of its own. Of an
    instance, every seat of every game gets a deep copy.

    >>> import kibitz
    >>> first = kibitz.agent("tictactoe", lambda view: view.legal[0], name="first")
    >>> first
    <agent first of tictactoe>
    >>> kibitz.match("tictactoe", [first, "random"], games=10).games
    10
    """
    which = game_of(game)
    if isinstance(what, str):
        return known(which, what)
    if isinstance(what, Agent):
        if what.game != which.name:
            raise ArgumentError(f"{what.name} plays {what.game}, not {which.name}.")
        return what
    return wrapped(which, what, name)


def of_function(function: Callable[[Any], Any]) -> type:
    """A class whose instances decide as a function does."""

    def decide(self: object, view: Any) -> Any:
        return function(view)

    there = getattr(function, "__module__", "")  # where errors are looked for
    return type("Function", (), {"decide": decide, "__doc__": function.__doc__, "__module__": there})


def wrapped(game: Game, what: Any, name: str) -> Agent:
    """A function, a class or an instance as an agent of this process."""
    title = name or getattr(what, "__name__", type(what).__name__)
    if not isinstance(title, str):
        raise ArgumentError(f"`name` is {title!r}, but must be a text.")
    if callable(what) and not isinstance(what, type) and not hasattr(what, "decide"):
        what = of_function(what)
    if not callable(getattr(what, "decide", None)):
        raise ArgumentError(
            f"{fit(repr(what), 80)} is not an agent. An agent is a name, a function from a view to a move, or a class "
            f"or an instance with a method `decide(self, view)`."
        )
    create = what if isinstance(what, type) else partial(copy.deepcopy, what)
    return registry.in_this_process(game, title, what, create)


def checked(game: Game, agents: Sequence[Any]) -> list[str | Agent]:
    """Names, and agents that are not named; what was given several times is one agent."""
    made: dict[int, Agent] = {}
    found: list[str | Agent] = []
    for each in agents:
        if not isinstance(each, str) and id(each) not in made:
            made[id(each)] = agent(game, each)
        found.append(check_name(each) if isinstance(each, str) else made[id(each)])
    taken = {each for each in agents if isinstance(each, str)}
    for each in made.values():
        if not each.source and each.name in taken:
            raise ArgumentError(
                f"Two agents are called {each.name}. Give one of them another name: kibitz.agent({game.name!r}, …, "
                f"name={each.name + '2'!r})."
            )
        taken.add(each.name)
    return found
