"""What is said on the line, folded into what is known: the inner half of `Connection`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from samedeal_client import events as facts
from samedeal_client.errors import ConnectionClosed, MoveRefused, NotAtATable
from samedeal_client.events import EventQueue
from samedeal_client.line import Line
from samedeal_client.requests import Request, Requests
from samedeal_client.rules_words import rules_error_words
from samedeal_client.state import DuelState
from samedeal_client.table import Resumed
from samedeal_client.texts import _
from samedeal_client.view import BrokenSnapshot
from samedeal_protocol import (
    Applied,
    Create,
    Done,
    DuelChanged,
    Error,
    ErrorCode,
    Hello,
    Join,
    Leave,
    PlayMove,
    Refused,
    Rematch,
    Result,
    Reveal,
    ServerMessage,
    Snapshot,
    Standings,
    Sync,
    Watch,
    Welcome,
)
from samedeal_rules import UnknownRuleset

__all__ = ["Conversation"]


MAX_SENT: Final = 200
"""Characters of a name that go over the wire, before the server cleans it."""

SLOW_S: Final = 0.7
"""A wait at least, after the server called us too fast: at its 25 messages a second there is then
room for all 16 moves that may be on their way."""


class Conversation:
    """Takes every message, answers what needs no person, and remembers what is open."""

    def __init__(
        self,
        url: str,
        *,
        name: str | None,
        token: str | None,
        program: str,
        bot: bool = False,
        give_up_s: float | None,
        random: Callable[[], float],
    ) -> None:
        self.name = _sendable(name)
        self.token = token
        self.player: str | None = None
        self.place = "idle"
        self.state = DuelState()
        self.events = EventQueue()
        self.line = Line(url, self._hello, self, random=random, give_up_s=give_up_s)
        self.ended: str | None = None
        """Why the connection has ended for good."""
        self._program = program
        self._bot = bot
        self._requests = Requests()
        self._answers: dict[int, asyncio.Future[Applied | None]] = {}
        self._revealed: set[str] = set()
        self._resuming = False
        self._expects_duel = False
        self._syncing = False
        self._pause: asyncio.TimerHandle | None = None
        """Until it rings no move goes out."""

    async def run(self, first: asyncio.Future[None]) -> None:
        """Until there is no way back, or cancelled. `first` tells how the first try went."""
        try:
            await self.line.run(first)
        except Exception as error:
            # Ours: whoever waits must not wait for ever.
            if not first.done():
                first.set_exception(error)
            reason = _("a fault in this program: {error}").format(error=repr(error))
            self.events.put(facts.Ended(reason))
            self.end(reason)
            raise

    def end(self, reason: str) -> None:
        """For good: nobody waits any longer."""
        if self.ended is None:
            self.ended = reason
        closed = ConnectionClosed(self.ended)
        self._end_pause()
        self._requests.fail_all(closed)
        self._fail_answers(closed)
        self.events.close()

    # For `Connection`.

    def open_request(self, request: Request) -> tuple[Request, asyncio.Future[ServerMessage]]:
        """Number it and send it, now or when the line is back."""
        numbered, answer = self._requests.add(request)
        self._send_request(numbered)
        return numbered, answer

    def close_request(self, request: Request) -> None:
        """Nobody waits for its answer any more."""
        self._requests.forget(request)

    def answer_of(self, seq: int) -> asyncio.Future[Applied | None]:
        """What will hold the answer to the move at this journal index."""
        answer: asyncio.Future[Applied | None] = asyncio.get_running_loop().create_future()
        self._answers[seq] = answer
        return answer

    def pump(self) -> None:
        """Send the moves that may go out now."""
        table = self.state.table
        if table is None or not self.line.up or self._resuming or self._pause is not None:
            return
        for entry in table.take_unsent():
            self.line.send(PlayMove(seq=entry.seq, move=entry.text))

    # What the line tells (LineUser).

    def line_up(self, welcome: Welcome, away_s: float | None) -> None:
        """Greeted: ask again what is open. Moves wait for the snapshot."""
        self.player, self.name, self.place = welcome.player, welcome.name, welcome.place
        self.token = welcome.token or self.token
        self._revealed.clear()
        self._syncing = False
        self._expects_duel = welcome.place == "duel"
        self._resuming = self.state.table is not None and self.state.result is None
        self.state.standings = None
        if away_s is None:
            self.events.put(facts.Connected(welcome.player, welcome.name, welcome.place))
        else:
            self.events.put(facts.Reconnected(away_s))
            self._find_lost_place(welcome)
        for request in list(self._requests.unsent()):
            self._send_request(request)

    def line_down(self, dropped: facts.ConnectionDropped) -> None:
        """Lost; moves and requests wait."""
        self._end_pause()
        self._requests.line_broke()
        self.events.put(dropped)

    def line_ended(self, fact: facts.Replaced | facts.Ended) -> None:
        """No way back."""
        self.events.put(fact)
        elsewhere = _("the player connected elsewhere")
        reason = fact.reason if isinstance(fact, facts.Ended) else elsewhere
        self.end(reason)

    def line_received(self, message: ServerMessage) -> None:
        """Fold a message into what is known, then pass it on."""
        request = self._requests.answered(message)
        if isinstance(message, Done):
            if isinstance(request, Leave):
                self.state.leave()
                self._fail_answers(NotAtATable(_("left the table")))
            return
        if isinstance(message, Error):
            if message.req is None and not self._slowed_down(message):
                self.events.put(message)
            return
        if self._fold(message, request):
            self.events.put(message)
        self.pump()

    # How messages are folded; False where a message is old or another duel's.

    def _fold(self, message: ServerMessage, request: Request | None) -> bool:
        if isinstance(message, Applied):
            return self._take_applied(message)
        if isinstance(message, Refused):
            return self._take_refused(message)
        if isinstance(message, DuelChanged):
            return self._take_duel(message, request)
        if isinstance(message, Snapshot):
            return self._take_snapshot(message)
        if isinstance(message, Standings):
            return self.state.see_standings(message)
        if isinstance(message, Result):
            return self._take_result(message)
        return True

    def _take_duel(self, duel: DuelChanged, request: Request | None) -> bool:
        asked = isinstance(request, Create | Join | Watch | Rematch)
        alarms = self.state.see_duel(duel, ours=asked or self._expects_duel)
        if alarms is None:
            return False
        self._expects_duel = False
        for alarm in alarms:
            self.events.put(facts.FairnessAlarm(alarm))
        assert self.state.witness is not None
        nonce = self.state.witness.nonce_to_reveal(duel)
        if nonce is not None and nonce not in self._revealed:
            self._revealed.add(nonce)
            self._ask(Reveal(req=0, nonce=nonce))
        return True

    def _take_snapshot(self, snapshot: Snapshot) -> bool:
        try:
            resumed = self.state.see_snapshot(snapshot, new_line=self._resuming)
        except (BrokenSnapshot, UnknownRuleset) as error:
            why = rules_error_words(error) if isinstance(error, UnknownRuleset) else str(error)
            self.events.put(facts.Ended(why))
            self.end(why)
            return False
        if resumed is None:
            return False
        self._resuming = self._syncing = False
        self._settle(resumed)
        return True

    def _settle(self, resumed: Resumed) -> None:
        for seq in resumed.kept:
            self._answer(seq, None)
        if resumed.lost:
            self.events.put(facts.TailLost(resumed.lost))

    def _take_applied(self, answer: Applied) -> bool:
        if self.state.table is None:
            return False
        in_step = self.state.table.applied(answer)
        self._answer(answer.seq, answer)
        if not in_step:
            self._sync()
        return True

    def _take_refused(self, refused: Refused) -> bool:
        if self.state.table is None:
            return False
        moves, in_step = self.state.table.refused(refused)
        for offset, move in enumerate(moves):
            waiting = self._answers.pop(refused.seq + offset, None)
            if waiting is not None and not waiting.done():
                waiting.set_exception(MoveRefused(move, refused))
        if moves:
            self.events.put(facts.MovesFell(moves, refused))
        if not in_step:
            self._sync()
        return bool(moves)

    def _take_result(self, result: Result) -> bool:
        if not self.state.see_result(result):
            return False
        self._resuming = False
        self._fail_answers(NotAtATable(_("the duel is over")))
        return True

    def _slowed_down(self, error: Error) -> bool:
        """Too fast: what was not read goes out again, a little later. False for other errors."""
        if error.code is not ErrorCode.SLOW_DOWN or self.state.table is None:
            return False
        self._end_pause()
        self.state.table.send_again()
        wait_s = max(SLOW_S, (error.retry_after_ms or 0) / 1000)
        self._pause = asyncio.get_running_loop().call_later(wait_s, self._go_on)
        return True

    def _go_on(self) -> None:
        self._pause = None
        self.pump()

    def _end_pause(self) -> None:
        if self._pause is not None:
            self._pause.cancel()
            self._pause = None

    # How things go out.

    def _hello(self) -> Hello:
        name = None if self.token else self.name
        return Hello(name=name, token=self.token, client=self._program, bot=self._bot)

    def _send_request(self, request: Request) -> None:
        if self.line.up:
            self.line.send(request)
            self._requests.sent(request)

    def _ask(self, request: Request) -> None:
        """Ask without waiting; a failure shows in what the server says next."""
        _numbered, answer = self.open_request(request)
        answer.add_done_callback(self._asked)

    def _asked(self, answer: asyncio.Future[ServerMessage]) -> None:
        if not answer.cancelled() and answer.exception() is not None:
            self._syncing = False

    def _sync(self) -> None:
        if not self._syncing:
            self._syncing = True
            self.events.put(facts.OutOfStep())
            self._ask(Sync(req=0))

    def _find_lost_place(self, welcome: Welcome) -> None:
        """Back, and not in the duel that we were in."""
        duel = self.state.duel
        if welcome.place == "duel" or duel is None or not self.state.live:
            return
        if duel.you is None:
            self._ask(Watch(req=0, code=duel.code))
        else:
            self.state.leave()
            self._fail_answers(NotAtATable(_("the seat is gone")))

    def _answer(self, seq: int, applied: Applied | None) -> None:
        waiting = self._answers.pop(seq, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(applied)

    def _fail_answers(self, error: Exception) -> None:
        answers, self._answers = self._answers, {}
        for waiting in answers.values():
            if not waiting.done():
                waiting.set_exception(error)


def _sendable(name: str | None) -> str | None:
    """What the protocol can carry; whether it is a name is for the server to say."""
    if name is None:
        return None
    return name[:MAX_SENT].encode("utf-8", "replace").decode() or " "
