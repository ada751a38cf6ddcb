"""Uvicorn with request timeouts and a connection limit; at the limit an idle connection is closed for a new one."""

import asyncio
import logging
import socket
from collections.abc import Callable
from functools import partial
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from kibitz.server.live.connection_limit import FULL, Acceptor, ConnectionLimit, Rank, Slot
from kibitz.server.live.limits import Limits

GOODBYE = 0.2  # seconds to send the last messages
LINGER = 2.0  # seconds until a closed connection is aborted if its peer does not read


def plain_response(status: str, text: str) -> bytes:
    """A complete HTTP response, for a connection that is refused before its request is read."""
    body = text.encode() + b"\n"
    head = f"HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
    return f"{head}Retry-After: 5\r\nConnection: close\r\n\r\n".encode() + body


REFUSAL = plain_response("503 Service Unavailable", FULL)
TOO_SLOW = plain_response("408 Request Timeout", "The request took too long to arrive.")


class TimedHttp(H11Protocol):
    """HTTP with time limits for the head of a request and for the whole request."""

    def __init__(self, slot: Slot, limit: ConnectionLimit, limits: Limits, **options: Any) -> None:
        super().__init__(**options)
        self.slot, self.limit, self.limits = slot, limit, limits
        self.timer: asyncio.TimerHandle | None = None
        self.upgraded = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._time(self.limits.request_head)
        self.slot.ended_by(lambda: self.turn_away(REFUSAL))

    def data_received(self, data: bytes) -> None:
        self.slot.touch()
        was_idle = self._idle()
        super().data_received(data)
        if self.upgraded:
            return
        if not self._idle():
            if was_idle:
                self._begin_request()
        elif self.timer is None:  # the head of a further request has begun
            self._time(self.limits.request_head)

    def on_response_complete(self) -> None:
        self._stop_timer()  # from here on Uvicorn's own limit for connections that are kept open holds
        super().on_response_complete()
        if self._idle():
            self.slot.touch(Rank.NEW)
        else:  # the next request is already here
            self._begin_request()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        self.limit.release(self.slot)
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._stop_timer()
        self.upgraded = True
        self.slot.touch(Rank.NEW)
        self.ws_protocol_class = partial(ReleasedWebSocket, self.slot, self.limit)  # type: ignore[assignment]
        super().handle_websocket_upgrade(event)

    def _idle(self) -> bool:
        """Whether no complete request is waiting for its response."""
        return self.cycle is None or self.cycle.response_complete

    def _begin_request(self) -> None:
        self.slot.touch(Rank.SESSION)
        self._time(self.limits.request)

    def _time(self, seconds: float) -> None:
        self._stop_timer()
        self.timer = self.loop.call_later(seconds, self.turn_away)

    def _stop_timer(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    def turn_away(self, response: bytes = TOO_SLOW) -> None:
        """Close the connection, with a response if none was begun."""
        if self._idle() and not self.transport.is_closing():
            self.transport.write(response)
            self.transport.close()
            self.loop.call_later(LINGER, self.transport.abort)
        else:
            self.transport.abort()


class ReleasedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket that releases its slot, and is aborted if its peer stops reading."""

    def __init__(self, slot: Slot, limit: ConnectionLimit, **options: Any) -> None:
        super().__init__(**options)
        self.slot, self.limit = slot, limit

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.slot.ended_by(transport.abort)  # type: ignore[attr-defined]
        # the application needs the slot: a connection with a seat keeps it
        self.app_state = {**self.app_state, "slot": self.slot}

    def connection_lost(self, exc: Exception | None) -> None:
        self.limit.release(self.slot)
        super().connection_lost(exc)

    async def run_asgi(self) -> None:
        await super().run_asgi()
        self.loop.call_later(LINGER, self.transport.abort)


class Quieter(logging.Filter):
    """Drops log messages about clients that break the protocol: anyone could fill the disk with them."""

    CLIENTS_FAULT = ("Invalid HTTP request received.", "Invalid UTF-8 sequence received from client.")

    def filter(self, record: logging.LogRecord) -> bool:
        return record.getMessage() not in self.CLIENTS_FAULT


class Server(uvicorn.Server):
    """A server with a connection limit that reports when it is ready and says goodbye to its sessions."""

    def __init__(self, config: uvicorn.Config, limits: Limits, ready: Callable[[], None] = lambda: None) -> None:
        super().__init__(config)
        self.limits, self.ready = limits, ready
        self.acceptors: list[Acceptor] = []

    @property
    def site(self) -> Any:
        """The site opened by the application."""
        return self.lifespan.state["site"]

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=[])
        if self.should_exit:
            return
        for listening in sockets or ():
            acceptor = Acceptor(listening, self.site.connections, self._take_over, REFUSAL)
            acceptor.start()
            self.acceptors.append(acceptor)
        self.ready()

    async def _take_over(self, connection: socket.socket, slot: Slot) -> None:
        loop = asyncio.get_running_loop()
        protocol = TimedHttp(
            slot, self.site.connections, self.limits, config=self.config, server_state=self.server_state,
            app_state=self.lifespan.state, _loop=loop,
        )  # fmt: skip
        await loop.connect_accepted_socket(lambda: protocol, connection)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for acceptor in self.acceptors:
            acceptor.close()
        sessions = self.site.sessions
        if sessions.sessions:
            sessions.say_goodbye("The server is shutting down. Your tables are kept.")
            await asyncio.sleep(GOODBYE)
        await super().shutdown(sockets)


def config(app: Any, limits: Limits, proxies: tuple[str, ...] = ()) -> uvicorn.Config:
    """Uvicorn's settings. X-Forwarded-For is trusted only from the given proxies."""
    quiet = logging.getLogger("uvicorn.error")
    if not any(isinstance(each, Quieter) for each in quiet.filters):
        quiet.addFilter(Quieter())
    return uvicorn.Config(
        app,
        lifespan="on",
        loop="asyncio",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies) or None,
        http=TimedHttp,
        ws=ReleasedWebSocket,
        ws_max_size=limits.frame,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=3,
    )
