"""Coming and going: who a connection is, and what happens when it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Literal

import structlog
from redis.exceptions import RedisError

from samedeal_protocol import VERSION, CloseCode, ErrorCode, Hello, Welcome
from samedeal_server.domain.duel import DuelId, Phase, PlayerId
from samedeal_server.domain.errors import PlayerError
from samedeal_server.domain.names import clean_name, shown_name
from samedeal_server.ids import hash_token, new_epoch, new_player_id, new_token, token_owner
from samedeal_server.node.background import Background
from samedeal_server.node.keeper import DuelGone, Keeper
from samedeal_server.node.places import Places
from samedeal_server.node.session import Session
from samedeal_server.store.client import STORE_AWAY, Client
from samedeal_server.store.clock import DuelClock
from samedeal_server.store.keys import node_channel
from samedeal_server.store.players import Greeted, PlayerStore

__all__ = ["Door"]

_log = structlog.get_logger()


class Door:
    """Greets connections and sees them off. A player is connected once: the newest wins."""

    def __init__(
        self,
        redis: Client,
        clock: DuelClock,
        players: PlayerStore,
        keeper: Keeper,
        places: Places,
        background: Background,
        node: str,
    ) -> None:
        self._redis = redis
        self._clock = clock
        self._players = players
        self._keeper = keeper
        self._places = places
        self._background = background
        self._node = node
        self._sessions: dict[PlayerId, Session] = {}
        self._arriving: dict[str, Session] = {}
        """Known players who are on the way in, by epoch: a newer connection may overtake them."""
        self.check_new_player: Callable[[str], None] = lambda _address: None
        """Raises `PlayerError` if no player may be made for this address just now."""
        self.drop_ticket: Callable[[PlayerId, str], Awaitable[None]]
        """Takes the ticket of a player who waits at such a place."""
        self.left_queue: Callable[[Session], Awaitable[None]]
        """Takes the ticket of a session that has ended."""

    @property
    def players(self) -> int:
        """How many are connected to this node."""
        return len(self._sessions)

    def session_of(self, player: PlayerId) -> Session | None:
        """The player's connection to this node."""
        return self._sessions.get(player)

    async def keep(self) -> None:
        """Renew the life of who stays connected, for ever: they are no less here than who comes."""
        while True:
            await asyncio.sleep(self._players.renew_s)
            with suppress(*STORE_AWAY):  # there is time for more tries
                for session in list(self._sessions.values()):
                    await self._players.renew(session.player, session.name)

    async def hello(self, session: Session, message: Hello) -> None:
        """The first message of a connection."""
        if session.greeted:
            raise PlayerError(ErrorCode.WRONG_STATE, "you have said hello already")
        session.epoch = new_epoch()
        if message.token is None:
            await self._new_player(session, message)
            return
        self._arriving[session.epoch] = session
        try:
            await self._known_player(session, message, message.token)
        finally:
            self._arriving.pop(session.epoch, None)

    async def _new_player(self, session: Session, message: Hello) -> None:
        if message.name is None:
            raise PlayerError(ErrorCode.BAD_NAME, "a new player needs a name")
        name = clean_name(message.name)
        self.check_new_player(session.address)
        player = new_player_id()
        token = new_token(player)
        made = await self._players.create(
            player, name, hash_token(token), session.epoch, bot=message.bot
        )
        if not made:
            raise PlayerError(ErrorCode.NAME_TAKEN, "that name is somebody else's; take another")
        session.bot = message.bot
        self._let_in(session, player, name)
        self._welcome(session, "idle", token)

    async def _known_player(self, session: Session, message: Hello, token: str) -> None:
        player = token_owner(token)
        greeted = await self._players.greet(
            player, hash_token(token), session.epoch, bot=message.bot
        )
        if greeted is None:
            text = "no player has that token; say hello with a name"
            raise PlayerError(ErrorCode.BAD_TOKEN, text)
        await self._replace_before(player, greeted)
        name = await self._renamed(player, greeted.name, message.name)
        session.bot = greeted.bot
        self._let_in(session, player, name)
        place = greeted.at
        if place.startswith("q:"):
            # A ticket belongs to a connection: who comes back has to queue again.
            await self.drop_ticket(player, place)
            place = ""
        if not place or not await self._back_to(session, DuelId(place)):
            self._welcome(session, "idle")
            if place:
                await self._players.move(player, place, "")

    async def _back_to(self, session: Session, duel: DuelId) -> bool:
        """Back into the duel; False if the player has no seat there any more."""
        try:
            async with self._keeper.visit(duel) as room:
                if room.duel.seat_of(session.player) is None or room.phase is Phase.ABORTED:
                    return False
                self._welcome(session, "duel")
                await self._places.come_in(session, duel)
        except DuelGone:
            return False
        except RedisError:
            # Perhaps told of the duel, and not in it: only a new connection gets it all.
            session.close(CloseCode.TRY_AGAIN_LATER, "the store is away; come again")
            raise
        return True

    async def _renamed(self, player: PlayerId, before: str, wish: str | None) -> str:
        """A wish for another name is granted where the rules of names allow it."""
        if wish is None:
            return before
        name = clean_name(wish)
        if name == before or not await self._players.rename(player, before, name):
            return before
        return name

    def _let_in(self, session: Session, player: PlayerId, name: str) -> None:
        older = self._sessions.get(player)
        session.player, session.name = player, name
        if session.is_open():
            if older is not None and older is not session:
                self.replace(older)
            self._sessions[player] = session
        session.now_greeted()
        _log.debug("a player is here", player=player)

    def _welcome(
        self, session: Session, place: Literal["idle", "duel"], token: str | None = None
    ) -> None:
        session.send(
            Welcome(
                player=session.player,
                name=shown_name(session.name),
                token=token,
                server_ms=self._clock.now_ms(),
                protocol=VERSION,
                place=place,
            )
        )

    async def _replace_before(self, player: PlayerId, greeted: Greeted) -> None:
        if greeted.node_before == self._node:
            self.kick(player, greeted.epoch_before)
        elif greeted.node_before:
            await self._redis.publish(
                node_channel(greeted.node_before), f"k {player} {greeted.epoch_before}"
            )

    def replace(self, older: Session) -> None:
        """The same token has connected anew: tell the older connection and close it."""
        older.waiting = None
        _log.info("replaced by a newer connection", **older.about())
        older.close(CloseCode.REPLACED, "you are connected elsewhere")
        self._places.step_out(older)

    def kick(self, player: PlayerId, epoch: str) -> None:
        """The player has connected to another node."""
        session = self._sessions.get(player)
        if session is None or session.epoch != epoch:
            session = self._arriving.get(epoch)
        if session is not None:
            self.replace(session)

    def gone(self, session: Session) -> None:
        """A connection has ended."""
        if session.greeted:
            _log.debug("a player is gone", **session.about())
        if self._sessions.get(session.player) is session:
            del self._sessions[session.player]
        self._background.start(self._see_off(session), "see off", **session.about())

    async def _see_off(self, session: Session) -> None:
        room, about = session.room, session.about()
        waiting = session.waiting is not None
        self._places.step_out(session)
        try:
            if waiting:
                await self.left_queue(session)
            if room is not None:
                await self._keeper.lost(room, session.player, session.epoch)
                await self._places.leaving(room, session)
                room.changed()
        except (PlayerError, DuelGone):
            pass
        except RedisError as error:
            _log.warning("a leaver could not be seen off", error=str(error), **about)
        finally:
            if room is not None:
                await asyncio.sleep(0)
                self._keeper.let_go(room)
