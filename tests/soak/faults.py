"""Faults that are thrown at `kibitz serve`, by name, and when: those of the process itself are here.

An attacker comes from an address of its own, so that a limit by address need not hit honest players.
"""

import asyncio
import contextlib
import random
import resource
from collections.abc import Awaitable, Callable

from tests.soak.clients import LostError, bound_socket
from tests.soak.people import Person
from tests.soak.serving import Serving

Fault = Callable[[Serving, random.Random], Awaitable[None]]
FAULTS: dict[str, Fault] = {}
ALONE = ("kill", "kill_writing", "term", "disk", "descriptors")  # they change the process itself: one at a time
FULL_FOR, HELD_FOR = (1.0, 4.0), 8.0  # seconds
SPARE_DESCRIPTORS = 25
SCARCE_AFTER = 6.0  # seconds until a server notices that there are descriptors again


def fault(act: Fault) -> Fault:
    FAULTS[act.__name__] = act
    return act


def elsewhere(dice: random.Random) -> str:
    """An address of this machine that honest players do not come from."""
    return f"127.0.{dice.randint(1, 250)}.{dice.randint(2, 250)}"


@fault
async def kill(serving: Serving, dice: random.Random) -> None:
    """SIGKILL in the middle of anything, sometimes of its start; then it is started again on the same data."""
    await serving.restart(kill=True, stillborn=dice.uniform(0.2, 1.5) if dice.random() < 0.3 else 0.0)


@fault
async def term(serving: Serving, dice: random.Random) -> None:
    """SIGTERM; then it is started again."""
    await serving.restart(kill=False)


@fault
async def disk(serving: Serving, dice: random.Random) -> None:
    """A full disk: no file of the server may grow, for a while (RLIMIT_FSIZE, which needs no privileges)."""
    async with serving.changing:
        assert serving.process is not None
        serving.disk_full = True
        serving.clock.stop("disk")
        serving.process.limit(resource.RLIMIT_FSIZE, 1)
        await asyncio.sleep(dice.uniform(*FULL_FOR))
        serving.process.limit(resource.RLIMIT_FSIZE, None)
    await asyncio.sleep(3)  # a bot whose move could not be kept tries again after two seconds
    serving.clock.go_on("disk")
    serving.disk_full = False


@fault
async def descriptors(serving: Serving, dice: random.Random) -> None:
    """Few file descriptors are left, and silent connections take them: others are still let in."""
    async with serving.changing:
        assert serving.process is not None
        serving.process.limit(resource.RLIMIT_NOFILE, serving.process.descriptors() + SPARE_DESCRIPTORS)
        home, held = elsewhere(dice), []
        serving.scarce = True
        try:
            for count in range(2 * SPARE_DESCRIPTORS):
                with contextlib.suppress(LostError):
                    held.append(await bound_socket(serving.port if count % 2 else serving.programs, home))
            await asyncio.sleep(HELD_FOR)
            await one_table(serving, dice)
        finally:
            for connection in held:
                connection.close()
            serving.process.limit(resource.RLIMIT_NOFILE, None)
    await asyncio.sleep(SCARCE_AFTER)
    serving.scarce = False


async def one_table(serving: Serving, dice: random.Random) -> None:
    """An honest visitor comes, opens a table and makes a move."""
    person = Person(serving, "Honest", dice)
    await person.create("hanabi", level="easy", players=2)
    try:
        client = await person.here()
        await person.until(client, lambda: person.view is not None, "a table is shown to its creator")
        if person.view is not None and "choices" in person.view:
            await person.move(client, person.view["turn"], person.choose(person.view))
    except LostError as error:
        await serving.after(error, person.starts)
    await person.hang_up()


async def thrown(serving: Serving, name: str, dice: random.Random) -> None:
    """One fault; a server that is ended meanwhile is no trouble."""
    await serving.up.wait()
    starts = serving.starts
    with serving.fault(name):
        try:
            await FAULTS[name](serving, dice)
        except LostError:
            if starts == serving.starts and not serving.going_down:
                serving.tally.counts["attackers thrown out"] += 1


async def faults(serving: Serving, names: list[str], often: float) -> None:
    """Throw one fault after the other, as the seed says, each once before any comes again; long ones go on beside."""
    dice, left = serving.dice("faults"), list[str]()
    async with asyncio.TaskGroup() as group:
        for count in range(1_000_000):
            await asyncio.sleep(dice.uniform(0.2, 2 * often))
            if serving.closing:
                return
            if not left:
                left = dice.sample(names, len(names))
            blocked = {*serving.active, *(ALONE if serving.active.intersection(ALONE) else ())}
            name = next((each for each in left if each not in blocked), None)
            if name is not None:
                left.remove(name)
                group.create_task(thrown(serving, name, serving.dice(f"fault {count} {name}")))
