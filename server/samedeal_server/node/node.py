"""A node, put together: the one place where everything meets."""

from __future__ import annotations

import asyncio
import os
import socket
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self

import structlog

from samedeal_protocol import (
    Cancel,
    ClientMessage,
    Create,
    GetHint,
    GetOpen,
    GetRecord,
    GetTop,
    Hello,
    Join,
    Leave,
    Message,
    Queue,
    Ready,
    Rematch,
    Reveal,
    Start,
    Sync,
    Watch,
    Where,
)
from samedeal_server.domain.duel import DuelId, Phase, PlayerId
from samedeal_server.domain.readiness import not_ready
from samedeal_server.ids import new_node_id
from samedeal_server.metrics.counts import Counts
from samedeal_server.metrics.families import Now
from samedeal_server.metrics.page import MetricsPage
from samedeal_server.metrics.shared import SHARED_DIR
from samedeal_server.net import EdgeLimits, EdgeServer, HttpReply, TlsFiles, TlsUnusable, listen
from samedeal_server.node.background import Background
from samedeal_server.node.door import Door
from samedeal_server.node.doorkeeper import Doorkeeper
from samedeal_server.node.hints import Hints
from samedeal_server.node.journals import Journals
from samedeal_server.node.keeper import Keeper
from samedeal_server.node.leaderboards import Leaderboards
from samedeal_server.node.lobby import Lobby
from samedeal_server.node.losses import Losses
from samedeal_server.node.news import News
from samedeal_server.node.open_duels import OpenDuels
from samedeal_server.node.places import Places
from samedeal_server.node.presence import Presence
from samedeal_server.node.quick_match import QuickMatch
from samedeal_server.node.rematches import Rematches
from samedeal_server.node.room import Room
from samedeal_server.node.session import Session
from samedeal_server.node.sweeper import Sweeper
from samedeal_server.node.tables import Tables
from samedeal_server.node.winnable import WinnableDeals
from samedeal_server.settings import Settings
from samedeal_server.store.durability import durability
from samedeal_server.store.stores import Stores

__all__ = ["Node", "running_node"]

_log = structlog.get_logger()

_FLUSH_S = 5.0
"""How long a stopping node tries to get waiting moves into the store."""


class Node:
    """One server process's share of the work. Build as many as you like in one test."""

    def __init__(
        self, settings: Settings, store_url: str, sockets: Sequence[socket.socket] = ()
    ) -> None:
        """`sockets` are listened on, if there are any, instead of the settings' host and port.

        Raises TlsUnusable.
        """
        self.id = new_node_id()
        self.settings = settings
        self.limits = settings.session_limits
        self._sockets = sockets
        self._tls = _tls_files(settings)
        self._edge: EdgeServer | None = None
        self.draining = False
        """About to stop: load balancers should send nobody any more."""
        self.counts = counts = Counts()
        self._background = background = Background()
        self._loops = Background()
        self._stores = stores = _stores(settings, store_url, self.id)
        self._redis, self.partitions = redis, partitions = stores.client, stores.partitions
        self.clock, self.store = clock, store = stores.clock, stores.duels
        players, queue = stores.players, stores.queue
        self.presence = presence = Presence(redis, self.id, clock)
        self.keeper = keeper = Keeper(
            store, clock, settings.timing, presence, background, 1 / settings.standings_hz, counts
        )
        self.journals = Journals(store, counts)
        self._tables = tables = Tables(store, keeper, clock, self.journals, background, counts)
        self._losses = Losses(store, keeper, tables, counts)
        self._places = places = Places(clock, store, players, keeper, tables)
        listed = stores.open_duels
        self.lobby = lobby = Lobby(
            settings, clock, store, players, keeper, places, partitions, listed
        )
        self._rematches = Rematches(store, players, keeper, lobby, presence)
        self.door = Door(redis, clock, players, keeper, places, background, self.id)
        self.quick = QuickMatch(
            settings, redis, clock, store, players, queue, keeper, lobby, places, self.door
        )
        self._sweeper = Sweeper(store, keeper, clock, partitions)
        self.tops = Leaderboards(stores.tops, partitions)
        self._open_duels = OpenDuels(listed, clock)
        self._news = News(redis, partitions, self.id, self._hear, self._missed, counts)
        self.doorkeeper = _doorkeeper(settings, self.journals, keeper, counts)
        self._hints = Hints(counts)
        self._winnable = WinnableDeals(keeper, background, tell=settings.tell_winnable)
        self._introduce()
        self._handlers = self._who_handles_what()

    def _introduce(self) -> None:
        """Tell those of each other who were made one after the other."""
        self._places.leaving = self._rematches.decline
        self.lobby.check_new_duel = self.doorkeeper.check_new_duel
        self.door.check_new_player = self.doorkeeper.check_new_player
        self.door.left_queue = self.quick.left
        self.door.drop_ticket = self.quick.drop_ticket
        self.keeper.searches = self._winnable.look_for
        self.keeper.known = self._winnable.known
        self.keeper.started = self._started
        self.keeper.ended = self._ended
        self.presence.changed = self.keeper.nodes_changed

    def _who_handles_what(self) -> dict[type[Message], Callable[[Session, Any], Awaitable[None]]]:
        return {
            Hello: self.door.hello,
            Create: self.lobby.create,
            Join: self.lobby.join,
            Watch: self.lobby.watch,
            Ready: self.lobby.ready,
            Reveal: self.lobby.reveal,
            Start: self.lobby.start,
            Leave: self.lobby.leave,
            Queue: self.quick.enter,
            Cancel: self.quick.cancel,
            Rematch: self._rematches.ask,
            Sync: self.lobby.sync,
            Where: self.lobby.where,
            GetHint: self._hints.ask,
            GetRecord: self.lobby.record,
            GetTop: self.tops.tell,
            GetOpen: self._open_duels.tell,
        }

    async def handle(self, session: Session, message: ClientMessage) -> None:
        """Do a request; see `SessionOwner`."""
        await self._handlers[type(message)](session, message)

    def run(self, work: Coroutine[Any, Any, None], name: str, **about: str) -> None:
        """By the side; see `SessionOwner`."""
        self._background.start(work, name, **about)

    def gone(self, session: Session) -> None:
        """A connection has ended; see `SessionOwner`."""
        self.door.gone(session)

    def _started(self, room: Room) -> None:
        _log.debug("a duel has begun", duel=room.duel.id, seats=len(room.duel.seated))
        self._tables.begin(room)
        self._hints.expect(room)
        self._winnable.expect(room)

    def _ended(self, room: Room) -> None:
        _log.debug("a duel is over", duel=room.duel.id, phase=room.phase.value)
        self._background.start(self.quick.requeue(room), "requeue", duel=room.duel.id)

    async def _hear(self, news: str) -> None:
        """News: `d DUEL`, `p DUEL ...`, `m PLAYER DUEL`, `k PLAYER EPOCH`."""
        kind, *rest = news.split(" ")
        if kind == "p":
            for duel in rest:
                self.keeper.progressed(DuelId(duel))
        elif kind == "d":
            await self.keeper.refresh(DuelId(rest[0]))
        elif kind == "m":
            await self.quick.matched(PlayerId(rest[0]), DuelId(rest[1]))
        elif kind == "k":
            self.door.kick(PlayerId(rest[0]), rest[1])

    async def _missed(self, partition: str) -> None:
        """News of a partition may have been missed."""
        await self.keeper.refresh_all(partition)
        await self._losses.look(partition)

    async def durability(self) -> tuple[bool, str]:
        """What a power loss loses with the store at hand, in words."""
        return await durability(self._redis, self.settings.replicas)

    @property
    def port(self) -> int:
        """Where the node listens."""
        assert self._edge is not None
        return self._edge.port

    @property
    def connections(self) -> int:
        """Open connections."""
        return 0 if self._edge is None else self._edge.connections

    def _readiness(self) -> HttpReply:
        why = not_ready(
            draining=self.draining,
            moves_wait=self.journals.away,
            store_silent_ms=self.clock.silent_ms,
        )
        return HttpReply(200, b"ready\n") if why is None else HttpReply(503, f"{why}\n".encode())

    def _now(self) -> Now:
        phases = Counter(room.phase for room in self.keeper.rooms)
        return Now(
            connections=self.connections,
            no_room=0 if self._edge is None else self._edge.no_room,
            pressure=self.doorkeeper.level,
            players=self.door.players,
            duels={phase.value: phases[phase] for phase in Phase},
            moves_waiting=self.journals.waiting,
            partitions_away=sum(journal.away for journal in self.journals.all),
        )

    async def start(self) -> Self:
        """Meet the store, then listen. Raises the store's errors, or OSError for the address."""
        await self.partitions.agree()
        await self.clock.measure()
        await self.presence.beat()
        for keep, name in (
            (self.clock.keep, "clock"),
            (self.presence.keep, "presence"),
            (self._news.keep, "news"),
            (self._sweeper.keep, "sweeper"),
            (self.tops.keep, "leaderboards"),
            (self.quick.keep, "quick match"),
            (self.door.keep, "door"),
            (self.doorkeeper.keep, "doorkeeper"),
        ):
            self._loops.keep_up(keep, name)
        await self._news.listening.wait()
        settings = self.settings
        limits = EdgeLimits(
            max_connections=settings.max_connections,
            ping_interval=settings.ping_interval_s,
            ping_timeout=settings.ping_timeout_s,
        )
        routes: dict[str, Callable[[], HttpReply]] = {
            "/healthz": lambda: HttpReply(200, b"ok\n"),
            "/readyz": self._readiness,
        }
        if settings.metrics:
            shared = os.environ.get(SHARED_DIR)
            page = MetricsPage(self.counts, self._now, Path(shared) if shared else None)
            routes["/metrics"] = lambda: HttpReply(200, page.text(), page.content_type)
            if page.is_shared:
                self._loops.keep_up(page.keep_sharing, "figures")
        self._edge = await listen(
            lambda: Session(self),
            host=settings.host,
            port=settings.port,
            sockets=self._sockets,
            routes=routes,
            limits=limits,
            origins=settings.origins,
            gate=self.doorkeeper,
            forwarding=settings.forwarding,
            ssl=None if self._tls is None else self._tls.context,
        )
        return self

    def load_anew(self) -> None:
        """The certificate from its files, for new connections; without one there is nothing."""
        if self._tls is None:
            _log.info("asked to load anew, and there is nothing to load: no certificate")
            return
        try:
            self._tls.load_anew()
        except TlsUnusable as error:
            _log.error("the certificate stays as it was", why=str(error))
        else:
            _log.info("the certificate is loaded anew")

    async def let_it_be_known(self) -> None:
        """Not ready any more, while all goes on; returns after the delay of the settings."""
        self.draining = True
        await asyncio.sleep(self.settings.drain_delay_s)

    async def stop(self) -> None:
        """No new duels, journals flushed, clients told to reconnect. Idempotent."""
        self.draining = self.lobby.stopping = True
        if self._edge is not None:
            await self._edge.stop_accepting()  # another process may have the port at once
        await self._flush()  # so that clients still hear what became of these moves
        if self._edge is not None:
            await self._edge.drain(timeout=self.settings.stop_s)
        if not self.journals.away:
            await self._flush()
        # First what starts work, then the work, then what it needs.
        await self._loops.cancel()
        self.keeper.close()
        await asyncio.gather(self._hints.close(), self._winnable.close())
        await self._background.finished(self.settings.stop_s)
        await self.journals.close()
        await self.presence.leave()
        await self._stores.close()

    async def _flush(self) -> None:
        try:
            await asyncio.wait_for(self.journals.flushed(), _FLUSH_S)
        except TimeoutError:
            _log.error("the store is away: moves that were never acknowledged are lost")


def _tls_files(settings: Settings) -> TlsFiles | None:
    if settings.tls_cert is None or settings.tls_key is None:
        return None
    return TlsFiles(settings.tls_cert, settings.tls_key)


def _stores(settings: Settings, url: str, node: str) -> Stores:
    kept_ms = int(settings.player_kept_days * 86_400_000)
    return Stores(url, settings.store_tls, node, settings.timing, settings.replicas, kept_ms)


def _doorkeeper(
    settings: Settings, journals: Journals, keeper: Keeper, counts: Counts
) -> Doorkeeper:
    return Doorkeeper(
        settings.crowd_limits,
        settings.busy_lag_ms,
        settings.max_duels,
        lambda: journals.waiting,
        lambda: len(keeper.rooms),
        counts,
    )


@asynccontextmanager
async def running_node(
    settings: Settings, store_url: str, *, sockets: Sequence[socket.socket] = ()
) -> AsyncIterator[Node]:
    """A node that listens, on `sockets` if there are any; stopped at the end."""
    node = Node(settings, store_url, sockets)
    try:
        yield await node.start()
    finally:
        await node.stop()
