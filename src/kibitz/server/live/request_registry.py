"""The handlers of requests. Every module registers its own; a server extends the common ones."""

from collections import ChainMap
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, TypeVar

from kibitz.server.live.messages import Message
from kibitz.server.live.session import Handler, Session

Asked = TypeVar("Asked", bound=Message)
Typed = Callable[[Session, Asked], Awaitable[None]]
Registry = MutableMapping[type[Message], Handler]

TABLE_REQUESTS: Registry = {}  # requests at tables, common to all servers


def extended(registry: Registry = TABLE_REQUESTS) -> ChainMap[type[Message], Handler]:
    """A registry that extends another, and may replace its handlers."""
    return ChainMap({}, registry)


def handles(message: type[Asked], registry: Registry = TABLE_REQUESTS) -> Callable[[Typed[Asked]], Typed[Asked]]:
    """Register the handler of a message."""

    def register(handler: Callable[[Session, Any], Awaitable[None]]) -> Callable[[Session, Any], Awaitable[None]]:
        registry[message] = handler
        return handler

    return register
