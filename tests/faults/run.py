"""One run: processes, clients, faults, and what the checker makes of it."""

from __future__ import annotations

import asyncio
import os
import resource
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from redis.exceptions import RedisError

from faults.book import Book
from faults.client import Client
from faults.club import Club
from faults.evidence import DuelEvidence, Violation
from faults.failover import FailoverStore
from faults.harvest import Harvest
from faults.injector import Injector, put_an_end_to
from faults.processes import MARK, Node, Store, marked_processes
from faults.schedule import KINDS, NODES, Kind, schedule

__all__ = ["Outcome", "Plan", "perform"]

IDLE_S: Final = 9.0
UNTIMED_S: Final = 4.0
"""A code lives for this, `IDLE_S` and what is kept, from the creation of its duel on."""
READY_S: Final = 6.0
BOUND_S: Final = 75.0
"""From the first that was seen of a duel to its end, beside its duration: filling, ready check,
reveals, countdown, and whatever was dead or frozen meanwhile."""
CLOSING_S: Final = 45.0
"""For clients to come to an end of what they play."""
GONE_S: Final = 10.0
"""For what was told to end, or lost its parent, to be gone from a busy machine."""
MARGIN_S: Final = 8.0
"""After the last expiry."""
LASTING: Final = ("sd:p:", "sd:name:", "sd:top:", "sd:nodes", "sd:partitions", "faults:")
LASTING_ENDS: Final = (":clock", ":mark")
"""Keys that may be there after all duels are gone."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is run. The faults follow from `seed`, `seconds`, `every_s` and `kinds`."""

    seed: int
    seconds: float
    every_s: float = 1.7
    clients: int = 32
    bug: str = "sound"
    shortest_ms: int = 6_000
    longest_ms: int = 18_000
    kept_s: float = 8.0
    """Longer where the store may be frozen for as long: duels are read after their end."""
    until_violation: bool = False
    """End at the first one."""
    failover: bool = False
    """On a primary with a replica and sentinels, with acknowledged replication."""
    workers: int = 1
    """Processes of each node."""
    quick: bool = True
    """Whether some play quick matches; those last as long as they do."""
    kinds: Mapping[str, Kind] = field(default_factory=lambda: KINDS)


@dataclass
class Outcome:
    """What came of a run."""

    plan: Plan
    faults: Counter[str]
    acknowledged: int
    repeated: int
    refused: int
    entries: int
    finished: int
    aborted: dict[str, int]
    players: int
    connections: int
    node_starts: int
    exit_codes: dict[int, int]
    slowest_s: float
    keys_left: int
    peak_mib: float
    seconds: float
    cpu_s: float
    """Of the harness and all that it started."""
    violations: list[Violation]
    suspects: list[DuelEvidence]
    troubles: list[str]
    """Of the harness itself: faults that could not be injected."""


async def perform(plan: Plan, workdir: Path, say: Callable[[str], None]) -> Outcome:
    """Run the plan in a directory of its own."""
    os.environ[MARK] = run = f"{os.getpid()}-{plan.seed}-{time.monotonic_ns()}"
    store = (FailoverStore if plan.failover else Store)(workdir / "store")
    await store.start()
    nodes = [Node(number, store, plan.bug, workdir) for number in range(NODES)]
    stage = _Stage(plan, store, nodes, run, say)
    try:
        await asyncio.gather(*(node.open(stage.env) for node in nodes))
        return await stage.play()
    finally:
        for node in nodes:
            await node.kill_if_up()
            await node.close()
        await store.stop()


class _Stage:
    """Everything of one run."""

    def __init__(
        self,
        plan: Plan,
        store: Store | FailoverStore,
        nodes: list[Node],
        run: str,
        say: Callable[[str], None],
    ) -> None:
        self.plan, self.store, self.nodes, self.run, self.say = plan, store, nodes, run, say
        self.env = {
            "SAMEDEAL_MIN_DURATION_MS": "1000",
            "SAMEDEAL_COUNTDOWN_S": "0.5",
            "SAMEDEAL_READY_S": str(READY_S),
            "SAMEDEAL_REVEAL_S": "3",
            "SAMEDEAL_IDLE_S": str(IDLE_S),
            "SAMEDEAL_KEPT_S": str(plan.kept_s),
            "SAMEDEAL_UNTIMED_S": str(UNTIMED_S),
            "SAMEDEAL_TELL_WINNABLE": "false",
            "SAMEDEAL_REQUESTS_PER_S": "10",
            "SAMEDEAL_REQUESTS_BURST": "40",
            "SAMEDEAL_STOP_S": "3",
            "SAMEDEAL_LOG_LEVEL": "warning",
        }
        self.book = Book()
        self.club = Club(plan.shortest_ms, plan.longest_ms, quick=plan.quick)
        ports = [node.to_clients for node in nodes]
        self.clients = [
            Client(n, plan.seed, lambda: [link.port for link in ports], self.club, self.book)
            for n in range(plan.clients)
        ]
        if plan.workers > 1:
            self.env["SAMEDEAL_WORKERS"] = str(plan.workers)
        if plan.failover:
            self.env["SAMEDEAL_REPLICAS_ACKED"] = "1"
        self.redis = store.client()
        self.harvest = Harvest(self.redis, self.book, BOUND_S, firm=not plan.failover)
        self.injector = Injector(nodes, store, self.clients, self.redis, say)

    async def play(self) -> Outcome:
        begun = time.monotonic()
        plan = self.plan
        loop = asyncio.get_running_loop()
        playing = [loop.create_task(client.run()) for client in self.clients]
        looking = loop.create_task(self.harvest.keep())
        faults = loop.create_task(
            self.injector.run(schedule(plan.seed, plan.seconds, plan.every_s, plan.kinds))
        )
        try:
            await self._until_over(begun + plan.seconds, [*playing, looking, faults])
            if not (plan.until_violation and self.harvest.violations):
                await asyncio.wait([faults], timeout=BOUND_S)
            await put_an_end_to([faults])
            await self.injector.stop()
            await self.injector.heal()
            keys = await self._close(playing)
        finally:
            await put_an_end_to([*playing, looking, faults])
        await self._stop_nodes()
        await self.redis.aclose()
        return self._outcome(time.monotonic() - begun, keys)

    async def _until_over(self, end: float, tasks: list[asyncio.Task[None]]) -> None:
        last = 0.0
        while (now := time.monotonic()) < end:
            for task in tasks:
                if task.done() and (error := task.exception()) is not None:
                    raise error
            if self.plan.until_violation and self.harvest.violations:
                return
            if now - last > 10:
                last = now
                self.say(self._line())
            await asyncio.sleep(0.2)

    def _line(self) -> str:
        done, harvest = self.injector.done, self.harvest
        return (
            f"--- {sum(done.values())} faults, {self.book.acknowledged} moves, "
            f"{harvest.finished} duels, {len(harvest.violations)} violations"
        )

    async def _close(self, playing: list[asyncio.Task[None]]) -> int:
        """Everything comes to its end: clients, duels, keys. How many keys of duels are left."""
        self.club.closing = True
        if self.plan.until_violation and self.harvest.violations:
            return 0
        await asyncio.wait(playing, timeout=CLOSING_S)
        for task in playing:
            task.cancel()
        for client in self.clients:
            if client.wire is not None:
                client.wire.cut()
        give_up = time.monotonic() + BOUND_S
        while self.harvest.open_duels and time.monotonic() < give_up:
            await asyncio.sleep(0.2)
        for duel in self.harvest.open_duels:
            self._break("every duel ends", "", f"duel {duel} has not ended")
        give_up = time.monotonic() + self.plan.kept_s + IDLE_S + UNTIMED_S + MARGIN_S
        while (left := await self._keys_of_duels()) and time.monotonic() < give_up:
            await asyncio.sleep(0.5)
        if left:
            what = f"{len(left)} keys are left, among them {', '.join(left[:12])}"
            self._break("no key is left", "", what)
        return len(left)

    async def _keys_of_duels(self) -> list[str]:
        """What should be gone by now, and what should go and never will."""
        found = []
        try:
            async for key in self.redis.scan_iter(count=1000):
                ttl = await self.redis.pttl(key)
                lasting = key.startswith(LASTING) or key.endswith(LASTING_ENDS)
                if key.endswith(":outbox") and not await self.redis.xlen(key):
                    continue
                if not lasting or (key.startswith(("sd:p:", "sd:name:")) and ttl < 0):
                    found.append(f"{key} ({ttl} ms)")
        except (RedisError, OSError):
            return ["the store is away"]
        return sorted(found)

    async def _stop_nodes(self) -> None:
        hurried = self.plan.until_violation and bool(self.harvest.violations)
        for node in self.nodes:
            if hurried:
                await node.kill_if_up()
            elif node.up:
                self.injector.codes[await node.stop()] += 1
            for line in node.complaints():
                self._break("no fault of ours", f"node {node.number}", line[:500])
        for code, count in self.injector.codes.items():
            if code != 0:
                self._break("stops in order", "", f"{count} nodes ended with {code}")
        await self.store.stop()
        give_up = time.monotonic() + GONE_S
        while (orphans := marked_processes(self.run)) and time.monotonic() < give_up:
            await asyncio.sleep(0.2)
        if orphans:
            self._break("no orphan", "", f"processes {orphans} live on")

    def _break(self, law: str, who: str, what: str) -> None:
        self.harvest.violations.append(Violation(law, "", who, what))

    def _outcome(self, seconds: float, keys: int) -> Outcome:
        own, others = (
            resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        )
        cpu = own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime
        return Outcome(
            plan=self.plan,
            faults=self.injector.done,
            acknowledged=self.book.acknowledged,
            repeated=self.book.repeated,
            refused=self.book.refused,
            entries=self.harvest.entries,
            finished=self.harvest.finished,
            aborted=self.harvest.aborted,
            players=self.harvest.players,
            connections=sum(client.connections for client in self.clients),
            node_starts=sum(node.starts for node in self.nodes),
            exit_codes=dict(self.injector.codes),
            slowest_s=self.harvest.slowest_s,
            keys_left=keys,
            peak_mib=max(node.peak_kib for node in self.nodes) / 1024,
            seconds=seconds,
            cpu_s=cpu,
            violations=self.harvest.violations,
            suspects=self.harvest.suspects,
            troubles=self.injector.failures,
        )
