"""Load on a server: many players, duels of any size, moves closed or paced."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import asdict, dataclass

from samedeal_bench.player import LoadPlayer
from samedeal_bench.process import cpu_seconds, memory_bytes
from samedeal_bench.wire import Wire

__all__ = ["Load", "Report", "run_load"]

_AT_ONCE = 50
"""Connections made at the same time."""


@dataclass(frozen=True)
class Load:
    """What to do to a server."""

    host: str
    port: int
    pid: int | None
    """Whose CPU and memory to read; None reads none."""
    players: int
    seats: int
    rate: float | None
    """Moves a second of each player; None is closed: as fast as answers come."""
    seconds: float
    warm_up_s: float = 1.0
    duration_ms: int = 3_600_000


@dataclass(frozen=True)
class Report:
    """What it came to."""

    players: int
    seats: int
    mode: str
    moves: int
    moves_per_s: float
    refused: int
    p50_ms: float
    p99_ms: float
    cpu_us_per_move: float | None
    core_share: float | None
    standings_per_s: float
    cpu_ms_per_join: float | None
    kib_per_player: float | None

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return asdict(self)

    def lines(self) -> list[str]:
        """For people."""
        lines = [
            f"{self.players} players in duels of {self.seats}, {self.mode}",
            f"  accepted moves      {self.moves_per_s:10.0f} a second  ({self.moves} in all, "
            f"{self.refused} refused)",
            f"  move to applied     {self.p50_ms:10.2f} ms p50, {self.p99_ms:.2f} ms p99",
            f"  standings           {self.standings_per_s:10.0f} a second",
        ]
        if self.cpu_us_per_move is not None:
            lines += [
                f"  server CPU          {self.cpu_us_per_move:10.1f} us for each accepted move "
                f"({self.core_share:.0%} of a core)",
                f"  join                {self.cpu_ms_per_join:10.2f} ms CPU: connect to first card",
                f"  memory              {self.kib_per_player:10.1f} KiB for each player",
            ]
        return lines


async def run_load(load: Load) -> Report:
    """Seat everybody, play, measure."""
    memory = 0 if load.pid is None else memory_bytes(load.pid)
    cpu = 0.0 if load.pid is None else cpu_seconds(load.pid)
    players = await _connect(load)
    try:
        await _seat(load, players)
        joined_cpu = None if load.pid is None else cpu_seconds(load.pid) - cpu
        return await _play(load, players, memory, joined_cpu)
    finally:
        for player in players:
            player.wire.transport.abort()


async def _connect(load: Load) -> list[LoadPlayer]:
    prefix = secrets.token_hex(4)
    gate = asyncio.Semaphore(_AT_ONCE)

    async def one(number: int) -> LoadPlayer:
        async with gate:
            player = LoadPlayer(await Wire.connect(load.host, load.port), f"{prefix} {number}")
            await player.hello()
            return player

    return list(await asyncio.gather(*(one(number) for number in range(load.players))))


async def _seat(load: Load, players: list[LoadPlayer]) -> None:
    gate = asyncio.Semaphore(_AT_ONCE)

    async def duel(group: list[LoadPlayer]) -> None:
        host, *others = group
        answer = await host.request("create", seats=len(group), duration_ms=load.duration_ms)

        async def join(player: LoadPlayer) -> None:
            async with gate:
                await player.request("join", code=answer["code"])
                await player.ready()

        await asyncio.gather(host.ready(), *(join(player) for player in others))

    groups = [players[i : i + load.seats] for i in range(0, len(players), load.seats)]
    await asyncio.gather(*(duel(group) for group in groups))
    await asyncio.wait_for(asyncio.gather(*(player.started for player in players)), 120)


async def _play(
    load: Load, players: list[LoadPlayer], memory: int, joined_cpu: float | None
) -> Report:
    for player in players:
        if load.rate is None:
            player.play_closed()
        else:
            player.play_paced(1 / load.rate)
    await asyncio.sleep(load.warm_up_s)
    for player in players:
        player.accepted = player.refused = player.standings = 0
        player.delays.clear()
    before = None if load.pid is None else cpu_seconds(load.pid)
    loop = asyncio.get_running_loop()
    began = loop.time()
    await asyncio.sleep(load.seconds)
    took = loop.time() - began
    cpu = None if load.pid is None or before is None else cpu_seconds(load.pid) - before
    moves = sum(player.accepted for player in players)
    delays = sorted(delay for player in players for delay in player.delays)
    grown = 0 if load.pid is None else memory_bytes(load.pid) - memory
    for player in players:
        player.stop()
    return Report(
        players=len(players),
        seats=load.seats,
        mode="closed" if load.rate is None else f"paced {load.rate:g}/s",
        moves=moves,
        moves_per_s=moves / took,
        refused=sum(player.refused for player in players),
        p50_ms=_quantile(delays, 0.50) * 1000,
        p99_ms=_quantile(delays, 0.99) * 1000,
        cpu_us_per_move=None if cpu is None or not moves else cpu / moves * 1e6,
        core_share=None if cpu is None else cpu / took,
        standings_per_s=sum(player.standings for player in players) / took,
        cpu_ms_per_join=None if joined_cpu is None else joined_cpu / len(players) * 1000,
        kib_per_player=None if load.pid is None else grown / len(players) / 1024,
    )


def _quantile(values: list[float], q: float) -> float:
    return values[min(len(values) - 1, int(q * len(values)))] if values else 0.0
