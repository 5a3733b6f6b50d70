"""A client of the harness: finds duels, plays fast, misbehaves when told to, forgets nothing."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, Final

from faults.book import Book
from faults.club import Club, Job
from faults.evidence import Got, Sent
from faults.hand import Hand
from faults.truth import ruleset_named
from faults.wire import LOST, Asked, Wire
from samedeal_protocol import Applied, Snapshot, parse_server_message

__all__ = ["Client"]

QUIET_S: Final = 2.0
"""After which a client asks whether its node is still there."""
WAITS_S: Final = 8.0
"""For answers to moves, while the node says that it lives; then another node is tried."""
WINDOW: Final = 8
"""Moves under way; the protocol allows 16."""
HOST_WAITS_S: Final = 2.0
"""For seats to fill, before the host starts with those who are there."""


class Client:
    """One player for the whole run, on one connection after the other."""

    def __init__(
        self, number: int, seed: int, ports: Callable[[], Sequence[int]], club: Club, book: Book
    ) -> None:
        self.draw = random.Random(f"client {number} of {seed}")
        self.name = f"player-{number}"
        self.player = ""
        self.pace = self.draw.uniform(5, 10)
        """Moves a second; a fast human makes ten."""
        self.wire: Wire | None = None
        self.port = 0
        self.duel: dict[str, Any] | None = None
        self.hand: Hand | None = None
        self.pending: dict[int, str] = {}
        """Moves under way, by seq."""
        self.acknowledged: list[tuple[int, str]] = []
        """Of this duel."""
        self.busy = False
        """A fault plays with this client's connections; it makes no moves of its own meanwhile."""
        self.connections = 0
        self._token = ""
        self.ports = ports
        self._club = club
        self.book = book
        self._news = asyncio.Event()
        self._table = ""
        """The duel of `hand`."""
        self._since = 0.0
        self._watching = False

    async def run(self) -> None:
        """Until the club closes and this client has no duel any more."""
        while not (self._club.closing and self.duel is None):
            try:
                await self._come()
                while self.wire is not None and self.wire.open_still:
                    await self._turn(self.wire)
                    if self._club.closing and self.duel is None:
                        break
            except (*LOST, Asked) as error:
                if isinstance(error, Asked) and error.code == "bad_token":
                    raise
            if self.wire is not None:
                self.wire.cut()
                if self.wire.failure is not None:
                    raise self.wire.failure
            await asyncio.sleep(self.draw.uniform(0.02, 0.3))

    # Connections.

    async def _come(self) -> None:
        self.port = self.draw.choice(list(self.ports()))
        wire = await self.connect(self.port)
        try:
            await self.greet(wire)
        except BaseException:
            wire.cut()
            raise

    async def connect(self, port: int) -> Wire:
        """A new connection; nothing is said on it yet."""
        self.connections += 1
        wire = await Wire.open(self.connections, port)
        wire.received = self._received
        wire.ended = lambda _wire: self._news.set()
        wire.read()
        return wire

    async def greet(self, wire: Wire) -> None:
        """Say hello there; from now on it is this client's connection."""
        welcome = await wire.hello(self.name, self._token)
        self.player = welcome["player"]
        self._token = self._token or welcome["token"]
        self.wire = wire
        self._watching = False
        if welcome["place"] != "duel":
            self._forget()

    def _forget(self) -> None:
        self.duel, self.hand, self._table = None, None, ""
        self.pending, self.acknowledged = {}, []

    # What comes.

    def _received(self, wire: Wire, message: dict[str, Any], raw: str) -> None:
        kind = message["type"]
        if kind == "duel":
            duel = message["id"]
            if message["you"] is not None:
                wire.duel = duel
        elif kind in ("applied", "refused"):
            duel = wire.table or wire.duel  # a rematch may have come between move and answer
        else:
            duel = message.get("duel") or wire.duel
        if kind == "snapshot":
            wire.table = duel
        if kind not in ("welcome", "pong", "done", "error", "place", "queued") and duel:
            self.book.got(duel, self.player, Got(wire.number, message, raw))
        if kind == "welcome":
            self.player = message["player"]
        if wire is self.wire or self.wire is None or not self.wire.open_still:
            self._take(kind, message, parse_server_message(raw))
            self._news.set()
        elif kind == "applied":
            self._note(message)

    def _take(self, kind: str, message: dict[str, Any], parsed: object) -> None:
        if kind == "duel" and message["you"] is not None:
            self._see_duel(message)
        elif isinstance(parsed, Snapshot):
            self._see_table(parsed)
        elif isinstance(parsed, Applied):
            self._note(message)
            self.pending.pop(parsed.seq, None)
            if self.hand is not None:
                self.hand.fold(parsed)
        elif kind == "refused":
            self.pending.pop(message["seq"], None)

    def _note(self, message: dict[str, Any]) -> None:
        if any(seq == message["seq"] for seq, _ in self.acknowledged[-32:]):
            self.book.repeated += 1
        else:
            self.book.acknowledged += 1
            self.acknowledged.append((message["seq"], message["move"]))

    def _see_duel(self, message: dict[str, Any]) -> None:
        if self.duel is None or self.duel["id"] != message["id"]:
            self._forget()
            self._since = asyncio.get_running_loop().time()
        self.duel = message

    def _see_table(self, snapshot: Snapshot) -> None:
        if self.duel is None or snapshot.duel != self.duel["id"]:
            return
        if self._table != snapshot.duel or self.hand is None:
            self.hand = Hand(ruleset_named(self.duel["ruleset"], self.duel["options"]), self.draw)
            self._table = snapshot.duel
        elif snapshot.seq < self.hand.seq and not self.hand.blind:
            return  # after an undo that was repeated: it shows the table of then
        self.hand.load(snapshot)
        self.pending = {s: move for s, move in self.pending.items() if s >= snapshot.seq}

    # What it does.

    async def _turn(self, wire: Wire) -> None:
        if self.busy:
            await asyncio.sleep(0.05)
            return
        duel = self.duel
        if duel is None:
            await self._look_for_a_duel(wire)
            return
        match duel["phase"]:
            case "open" | "ready_check":
                await self._get_ready(wire, duel)
            case "frozen":
                await self._reveal(wire, duel)
            case "running" if self.hand is not None and not self.hand.ended:
                await self._play(wire, self.hand, duel["id"])
            case "finished" | "aborted":
                await self._leave_finished(wire, duel)
            case _:
                await self._wait(wire, 0.5)

    async def _wait(self, wire: Wire, seconds: float) -> bool:
        """Until something comes; False if nothing did."""
        self._news.clear()
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            await wire.alive()
            return False
        return True

    async def _look_for_a_duel(self, wire: Wire) -> None:
        job = self._club.job(self.draw)
        try:
            await self._do(wire, job)
        except Asked as error:
            if error.code == "already_placed":
                await wire.ask("leave")
            elif job.code:
                self._club.forget(job.code)
            await asyncio.sleep(0.2)

    async def _do(self, wire: Wire, job: Job) -> None:
        if job.kind == "rest":
            await asyncio.sleep(0.1)
        elif job.kind == "create":
            try:
                made = await wire.ask("create", **job.fields)
            except BaseException:
                self._club.not_opened()
                raise
            self._club.offer(made["code"], made["seats"])
        elif job.kind == "watch":
            await wire.ask("watch", code=job.code)
            await asyncio.sleep(self.draw.uniform(1, 4))
            await wire.ask("leave")
        elif job.kind == "queue":
            await wire.ask("queue", **job.fields)
            for _ in range(6):
                if self.duel is None:
                    await self._wait(wire, 0.5)
            if self.duel is None:
                await wire.ask("cancel")
        else:
            await wire.ask("join", code=job.code)

    async def _get_ready(self, wire: Wire, duel: dict[str, Any]) -> None:
        own = duel["players"][duel["you"]]
        waited = asyncio.get_running_loop().time() - self._since
        try:
            if not own["ready"]:
                nonce = self.draw.randbytes(16).hex()
                hashed = sha256(nonce.encode()).hexdigest()
                self.book.log(duel["id"], self.player).nonces[hashed] = nonce
                await wire.ask("ready", nonce_hash=hashed)
            elif waited > 4 * HOST_WAITS_S or self._club.closing:
                await wire.ask("leave")
                self._forget()
                return
            elif duel["host"] == duel["you"] and waited > HOST_WAITS_S:
                await wire.ask("start")
        except Asked:
            await asyncio.sleep(0.3)
        await self._wait(wire, 0.5)

    async def _reveal(self, wire: Wire, duel: dict[str, Any]) -> None:
        self._club.forget(duel["code"])
        nonces = self.book.log(duel["id"], self.player).nonces
        hashes = duel["nonce_hashes"] or []
        nonce = nonces.get(hashes[duel["you"]]) if len(hashes) > duel["you"] else None
        if nonce is not None:
            try:
                await wire.ask("reveal", nonce=nonce)
            except Asked:
                await asyncio.sleep(0.1)
        await self._wait(wire, 1.0)

    async def _play(self, wire: Wire, hand: Hand, duel: str) -> None:
        if hand.blind and not self.pending:
            try:
                await wire.ask("sync")
            except Asked:
                await asyncio.sleep(0.3)
            return
        if self.pending:
            await self._wait_for_answers(wire)
            return
        wire.resent = True  # nothing was left without an answer
        moves = hand.think(self.draw.choice((1, 1, 1, 2, 4)))
        if self._club.closing or self.draw.random() < 1 / 400:
            moves = ["end"]
        for index, move in enumerate(moves):
            await self.move(wire, duel, hand.seq + index, move)
        await asyncio.sleep(len(moves) * self.draw.uniform(0.5, 1.5) / self.pace)

    async def move(self, wire: Wire, duel: str, seq: int, move: str, *, own: bool = True) -> None:
        """Send a move; `own` moves are waited for, and sent again after a lost connection."""
        if own:
            self.pending[seq] = move
        self.book.sent(duel, self.player, Sent(wire.number, seq, move))
        await wire.send("move", seq=seq, move=move)

    async def _wait_for_answers(self, wire: Wire) -> None:
        """After a lost connection first send again what has no answer."""
        duel = self._table
        if not wire.resent:
            wire.resent = True
            for seq, move in sorted(self.pending.items()):
                await self.move(wire, duel, seq, move)
        begun = asyncio.get_running_loop().time()
        while self.pending and self.duel is not None and self.duel["phase"] == "running":
            if not wire.open_still or wire is not self.wire:
                return
            await self._wait(wire, QUIET_S)
            if asyncio.get_running_loop().time() - begun > WAITS_S:
                raise TimeoutError
        if self.duel is None or self.duel["phase"] != "running":
            self.pending.clear()

    async def _leave_finished(self, wire: Wire, duel: dict[str, Any]) -> None:
        chance = self.draw.random()
        try:
            if duel["phase"] == "finished":
                if chance < 0.1:
                    await wire.ask("record")
                elif chance < 0.25 and not self._club.closing:
                    await wire.ask("rematch")
                    return
            await wire.ask("leave")
        except Asked:
            pass
        self._forget()
