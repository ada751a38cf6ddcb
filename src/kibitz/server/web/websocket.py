"""A browser's connection: the frames of a WebSocket."""

import contextlib
from collections.abc import Sequence

from starlette.websockets import WebSocket, WebSocketDisconnect

from kibitz.server.live.connections import ClosedError


class WebSocketConnection:
    program = False

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket
        self.address = socket.client.host if socket.client else ""

    def write(self, messages: Sequence[bytes]) -> int | None:
        return None

    async def receive(self) -> str | None:
        try:
            frame = await self.socket.receive()
        except (WebSocketDisconnect, RuntimeError):
            raise ClosedError from None
        if frame["type"] == "websocket.disconnect":
            raise ClosedError
        text: str | None = frame.get("text")
        return text

    async def send(self, message: bytes) -> None:
        try:
            await self.socket.send({"type": "websocket.send", "text": message.decode()})
        except (WebSocketDisconnect, RuntimeError):
            raise ClosedError from None

    async def close(self, code: int, reason: str) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await self.socket.close(code, reason)
