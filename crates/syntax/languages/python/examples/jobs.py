from __future__ import annotations

import asyncio as aio
from collections.abc import AsyncIterator
from typing import Generic, Protocol, TypeVar, overload

from . import stores, clocks as time_of
from .errors import *

T = TypeVar("T")
limits: Limits
RETRIES: int = 3
STATES = {
    "open": 1,
    "done": 2,
}
type Pair[K, V] = tuple[K, V]
on_error = lambda error: print(error)


class Source(Protocol[T]):
    async def take(self) -> T | None: ...


class Queue(Generic[T], stores.Base, metaclass=Counted):
    """Jobs in order."""

    size: int = 0

    class Full(Exception):
        """There is no room."""

        def __str__(self) -> str:
            return "full"

    @overload
    def get(self, at: int) -> T: ...
    @overload
    def get(self, at: slice) -> list[T]: ...
    def get(self, at):
        return self.items[at]

    async def drain(self) -> AsyncIterator[T]:
        while self.size:
            yield await self.pop()

    @staticmethod
    def of(*items: T) -> Queue[T]:
        return Queue(items)


class Box[V: Hashable](dict[str, V]):
    pass


try:
    import orjson
except ImportError:
    orjson = None

    def dumps(value):
        return repr(value)


if aio.get_event_loop:

    def now() -> float:
        return time_of.monotonic()


def counted(limit: int):
    """Wraps a function so that it stops after some calls."""

    def wrap(function):
        def inner(*args, **kwargs):
            nonlocal limit
            limit -= 1
            return function(*args, **kwargs)

        return inner

    return wrap


@counted(limit=3)
async def run(queue: Queue[Job], *, workers: int = 4) -> dict[str, list[Result]]:
    """Runs every job of a queue.

    Stops at the first that fails for good.
    """
    results: dict[str, list[Result]] = {}
    waiting = []
    failed = None

    def note(job: Job, result: Result) -> None:
        results.setdefault(job.name, []).append(result)

    async for job in queue.drain():
        if job.cancelled:
            continue
        if job.name in results:
            waiting.append(job)
            continue
        for attempt in range(RETRIES):
            try:
                result = await job.run()
            except TimeoutError as error:
                on_error(error)
                await aio.sleep(2**attempt)
            except OSError as error:
                failed = error
                break
            else:
                note(job, result)
                break
        if failed:
            break

    while waiting and not failed:
        job = waiting.pop()
        try:
            result = await job.run()
        except (OSError, stores.Gone) as error:
            failed = error
        else:
            note(job, result)

    if failed:
        for job in waiting:
            job.cancel()
        raise failed

    total = sum(len(found) for found in results.values())
    if total == 0:
        print("nothing to do")
    elif total == 1:
        print("one job")
    else:
        print(f"{total} jobs")

    match results:
        case Empty():
            print("empty")
        case Failure(reason=reason):
            print(reason)

    for name, found in sorted(results.items()):
        if len(found) > 1:
            print(name, len(found))
    return results
