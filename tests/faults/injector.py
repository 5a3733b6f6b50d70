"""Makes what the schedule says go wrong, and puts it right again."""

from __future__ import annotations

import asyncio
import signal
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Final

from redis.asyncio import Redis
from redis.exceptions import RedisError

from faults.client import Client
from faults.failover import FailoverStore
from faults.link import Link, Mode
from faults.misdeeds import MISDEEDS
from faults.processes import Node, Store
from faults.schedule import FAILOVER, KINDS, WORKERS, Fault
from faults.serve import SHIFT

__all__ = ["Injector", "put_an_end_to"]

LARGEST_STEP_MS: Final = 20_000
"""By which somebody sets the store's clock; forth and back."""

HEALING_S: Final = 20.0
"""What a fault that is called off may take to put things right, such as a start of a node."""


async def put_an_end_to(tasks: Sequence[asyncio.Task[None]]) -> None:
    """Cancel them until they are done: before Python 3.12 a cancellation may be swallowed."""
    while under_way := [task for task in tasks if not task.done()]:
        for task in under_way:
            task.cancel()
        await asyncio.wait(under_way, timeout=HEALING_S)


class Injector:
    """One fault after the other, each in a task of its own; one at a time for each target."""

    def __init__(
        self,
        nodes: Sequence[Node],
        store: Store | FailoverStore,
        clients: Sequence[Client],
        redis: Redis,
        say: Callable[[str], None],
    ) -> None:
        self._nodes = nodes
        self._store = store
        self._clients = clients
        self._redis = redis
        self._say = say
        self._locks: dict[object, asyncio.Lock] = {}
        self._under_way: set[asyncio.Task[None]] = set()
        self.done: Counter[str] = Counter()
        self.codes: Counter[int] = Counter()
        """Exit codes of nodes that were told to stop."""
        self.failures: list[str] = []

    async def run(self, faults: Iterable[Fault]) -> None:
        """All of them, at their times; returns when everything is healed."""
        loop = asyncio.get_running_loop()
        begun = loop.time()
        for fault in faults:
            await asyncio.sleep(max(0.0, begun + fault.at_s - loop.time()))
            task = loop.create_task(self._inject(fault))
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)
        if self._under_way:
            await asyncio.wait(self._under_way)

    async def stop(self) -> None:
        """No more faults: what is under way is healed at once."""
        await put_an_end_to(list(self._under_way))

    async def heal(self) -> None:
        """Everything as it should be."""
        self._store.thaw()
        if not self._store.up:
            await self._store.revive()
        for node in self._nodes:
            node.signal(signal.SIGCONT)
            node.to_store.set()
            node.to_clients.set()
            if not node.up:
                await node.start()

    async def _inject(self, fault: Fault) -> None:
        target = (KINDS | FAILOVER | WORKERS)[fault.kind].target
        try:
            if target == "client":
                await self._misbehave(fault)
                return
            key: object = "store" if target == "store" else fault.target
            async with self._locks.setdefault(key, asyncio.Lock()):
                self._say(str(fault))
                if target == "store":
                    await self._hurt_store(fault)
                elif fault.kind.split()[1] in ("node", "worker"):
                    await self._hurt_node(self._nodes[fault.target], fault)
                else:
                    await self._hurt_line(self._nodes[fault.target], fault)
                self.done[fault.kind] += 1
        except asyncio.CancelledError:
            raise
        except Exception as error:
            self.failures.append(f"{fault}: {error!r}")

    async def _hurt_store(self, fault: Fault) -> None:
        if isinstance(self._store, FailoverStore):
            if fault.kind == "fail over":
                await self._store.fail_over(fault.lasts_s)
            else:
                await self._store.freeze_primary(fault.lasts_s)
        elif fault.kind == "step clock":
            step = (fault.amount - 500) * LARGEST_STEP_MS // 500
            try:
                await self._redis.set(SHIFT, step)
            except (RedisError, OSError):
                await asyncio.sleep(0.2)
        elif fault.kind == "kill store":
            self._store.kill()
            try:
                await asyncio.sleep(fault.lasts_s)
            finally:
                await self._store.revive()
        else:
            self._store.freeze()
            try:
                await asyncio.sleep(fault.lasts_s)
            finally:
                self._store.thaw()

    async def _hurt_node(self, node: Node, fault: Fault) -> None:
        if fault.kind == "kill node":
            try:
                await node.kill()
                await asyncio.sleep(fault.lasts_s)
            finally:
                await node.start()
        elif fault.kind == "kill worker":
            node.kill_worker(fault.amount)
        elif fault.kind == "restart node":
            try:
                self.codes[await node.stop()] += 1
            finally:
                await node.start()
        else:
            node.signal(signal.SIGSTOP)
            try:
                await asyncio.sleep(fault.lasts_s)
            finally:
                node.signal(signal.SIGCONT)

    async def _hurt_line(self, node: Node, fault: Fault) -> None:
        to_store = fault.kind.split()[-1] == "store"
        link = node.to_store if to_store else node.to_clients
        what = fault.kind.split()[0]
        if what == "cut":
            link.cut()
        elif what == "half-close":
            link.half_close(far=bool(fault.amount % 2))
        else:
            await _bad_for_a_while(link, what, fault)

    async def _misbehave(self, fault: Fault) -> None:
        """By the first client from there on that is in the middle of a game."""
        misdeed = MISDEEDS[fault.kind]
        count = len(self._clients)
        for offset in range(count):
            client = self._clients[(fault.target + offset) % count]
            if client.wire is None or not client.wire.open_still or client.busy:
                continue
            if client.hand is None or client.duel is None or client.duel["phase"] != "running":
                continue
            client.busy = True
            try:
                self._say(str(fault))
                async with self._slow_node_of(client, fault):
                    await misdeed(client, fault)
                self.done[fault.kind] += 1
            finally:
                client.busy = False
            return

    @asynccontextmanager
    async def _slow_node_of(self, client: Client, fault: Fault) -> AsyncIterator[None]:
        """Mostly the node that loses a player hears of it late: its line to the store is slow."""
        number = next(
            n for n, node in enumerate(self._nodes) if node.to_clients.port == client.port
        )
        lock = self._locks.setdefault(number, asyncio.Lock())
        if fault.kind != "double connect" or fault.amount % 3 == 0 or lock.locked():
            yield
            return
        async with lock:
            link = self._nodes[number].to_store
            link.set(delay_s=0.01 + fault.amount % 50 / 1000)
            try:
                yield
            finally:
                link.set()


async def _bad_for_a_while(link: Link, what: str, fault: Fault) -> None:
    modes = {"stall": Mode.STALL, "drop": Mode.DROP, "lose": Mode.DROP_REPLIES}
    if what == "delay":
        link.set(delay_s=0.005 + fault.amount % 100 / 1000)
    else:
        link.set(modes[what])
    try:
        await asyncio.sleep(fault.lasts_s)
    finally:
        link.set()
