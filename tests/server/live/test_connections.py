"""What the event loop of a server has to say about connections that break."""

import asyncio

import pytest

from kibitz.server.live.connections import LineConnection, ignore_lost_connections


def complained(error: Exception, message: str) -> None:
    async def forgotten() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(ignore_lost_connections)
        if message:
            loop.call_exception_handler({"message": message, "exception": error})
        else:
            loop.create_future().set_exception(error)

    asyncio.run(forgotten())


def test_nobody_complains_of_a_connection_that_broke_when_nobody_listened(caplog: pytest.LogCaptureFixture) -> None:
    complained(ConnectionResetError("Connection reset by peer"), "")
    assert caplog.records == []


@pytest.mark.parametrize(
    ("error", "message"), [(ValueError("a mistake"), ""), (ConnectionResetError("reset"), "Unhandled in a task")]
)
def test_everything_else_is_reported(error: Exception, message: str, caplog: pytest.LogCaptureFixture) -> None:
    complained(error, message)
    assert (message or "never retrieved") in caplog.text


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
def test_writing_to_a_connection_that_was_closed_disturbs_nobody(loop: str) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    async def write_after_the_end() -> int | None:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        async with server:
            connection = LineConnection(*await asyncio.open_connection(*server.sockets[0].getsockname()))
            connection.writer.close()
            await connection.writer.wait_closed()
            return connection.write([b"{}"])

    with asyncio.Runner(loop_factory=pytest.importorskip(loop).new_event_loop) as runner:
        assert runner.run(write_after_the_end()) == 0
