"""The limits of a server. docs/how-to/serve.md explains each number."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from kibitz.core import registry
from kibitz.core.game import Game
from kibitz.errors import KibitzError, unknown

OWN_SECONDS = 120.0  # per move of a built-in agent: it always ends, but the machine may be busy


@dataclass(frozen=True)
class Limits:
    # Connections. File descriptors may allow fewer: see `connection_limit.descriptors`.
    connections: int = 1000
    connections_by_address: int = 400
    seated: float = 0.8  # the share of connections that may hold a seat; the rest is for spectators
    sessions_per_second: float = 50.0  # new ones, by address
    sessions_at_once: int = 1000
    greeting: float = 20.0  # seconds until a session must have said hello
    idle: float = 1800.0  # seconds that a session without a seat may be silent
    request_head: float = 10.0  # seconds for the head of an HTTP request
    request: float = 120.0  # seconds for a whole HTTP request

    # Messages
    frame: int = 64 * 1024  # bytes of one message
    messages_per_second: float = 30.0
    messages_at_once: int = 60
    costly_per_second_by_address: float = 300.0  # costly ones: the lobby, the catalogue, earlier turns, odds
    costly_at_once_by_address: int = 1000
    unread: int = 400  # messages a session may leave unread
    unread_bytes: int = 1 << 20
    roles: int = 100  # tables of one session

    # Tables
    tables: int = 2000  # in memory; beyond that the least recently used are unloaded
    tables_per_minute: int = 30  # new ones, by one session
    tables_per_minute_by_address: int = 240
    free_tables: int = 3  # guaranteed to a session, whatever others at its address do
    least_move_seconds: int = 10  # the shortest time per move that a table can have
    joins_per_minute_by_address: int = 10  # seats taken without an invitation
    put_away_untouched: float = 15 * 60.0  # seconds until a table without any move is unloaded
    put_away: float = 3 * 86400.0  # seconds until any other table is
    untouched_kept: int = 10_000  # tables without a move on the disk; beyond that the oldest are deleted
    backup: float = 600.0  # seconds between two backups of the database, if anything was written
    backups: int = 3  # backups that are kept
    notes: int = 100  # by one person at one table
    chat_lines: int = 1000  # chat messages at one table
    chat_per_minute: int = 20  # by one session
    chat_at_once: int = 5
    listed: int = 60  # tables on one page of the lobby
    lobby: float = 0.25  # seconds between two reports to the lobby
    searches_per_minute_by_address: int = 120

    # Uploads, by address
    upload: int = 1024 * 1024  # bytes
    uploads_per_minute: int = 120
    upload_bytes_per_minute: int = 8 * 1024 * 1024

    # Bots
    bot_seconds: float = 10.0  # per move, of an agent that is not built in
    bot_grid: float = 0.1  # the least time a bot takes for a move where people play (see `live.bot_tempo`)
    bot_processes: int = 8  # of tables with users' Python bots; beyond that, tables take turns
    bot_memory: int = 2048  # megabytes of each process, with its child processes
    program_seconds: float = 60.0  # per move of a remote program, also while it is disconnected
    advice_waiting: int = 3  # unanswered questions of one session
    advice_per_minute: int = 60  # by one session

    # The coach
    reviews: int = 32  # that are worked on at the same time
    reviews_per_minute_by_address: int = 30  # new ones; those that are kept do not count
    review_seconds: float = 300.0  # per review, with the waiting for others
    reviews_kept: int = 10_000  # beyond that the oldest are deleted
    visitors_kept: int = 10_000  # with progress; beyond that the least recently seen are forgotten
    games_kept: int = 2_000  # in the progress of one visitor

    # The laboratory
    lab_seconds: float = 4 * 3600.0  # estimated time of a run on an idle machine


def limits_with(chosen: Sequence[str]) -> Limits:
    """The default limits with some changed, each as NAME=NUMBER."""
    usual: dict[str, float] = asdict(Limits())
    changed: dict[str, float] = {}
    for each in chosen:
        name, equals, text = each.partition("=")
        if name not in usual:
            raise unknown("limit", name, usual, "docs/how-to/serve.md lists them.")
        try:
            number = type(usual[name])(text)
        except ValueError:
            number = math.nan
        if not equals or not 0 < number < math.inf:
            raise KibitzError(f"{each!r} is not NAME=NUMBER with a number above 0, like {name}={usual[name]}.")
        changed[name] = number
    return replace(Limits(), **changed)  # type: ignore[arg-type]


def is_own(game: Game, agent: str) -> bool:
    """Whether an agent, by its name, is part of this package."""
    return registry.is_ours(game, agent.partition("@")[0])


def seconds_for(game: Game, agent: str, seconds: float) -> float:
    """The time limit of an agent, by its name; `seconds` is that of agents from outside kibitz."""
    return max(seconds, OWN_SECONDS) if is_own(game, agent) else seconds
