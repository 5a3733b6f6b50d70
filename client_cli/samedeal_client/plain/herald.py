"""Says what happens in a duel: who comes, the countdown, the clock, the standings, the result."""

from __future__ import annotations

from typing import Final

from samedeal_client import events as facts
from samedeal_client.connection import Connection
from samedeal_client.events import Event
from samedeal_client.invitation import join_command, reach_words
from samedeal_client.plain.board_text import clock_text
from samedeal_client.plain.playing import Playing
from samedeal_client.plain.speaker import speaker_for
from samedeal_client.plain.style import printable
from samedeal_client.plain.terminal import Terminal
from samedeal_client.plain.words import (
    NO_POINTS,
    OVER_HELP,
    WATCHED_HELP,
    changes_of,
    chosen_deal_words,
    code_spoken,
    duel_title,
    fairness_lines,
    game_title,
    known_words,
    order_of,
    seat_name,
)
from samedeal_client.server_words import error_words
from samedeal_client.texts import _, _n, decimal
from samedeal_protocol import DuelChanged, DuelPhase, Error, PlayerState, Result, Standings
from samedeal_rules import RULESETS

__all__ = ["Herald"]

CLOCK_CALLS_S: Final = (60, 30, 10)
"""Seconds left at which the clock is called out."""
STANDINGS_EVERY_MS: Final = 15_000
"""While nobody passes anybody, standings are no news more often than this."""


class Herald:
    """One duel after another; forgets the old one when a new one comes."""

    def __init__(self, connection: Connection, terminal: Terminal) -> None:
        self.inviting = True
        """Whether free seats are for people who need to be told the code."""
        self._connection = connection
        self._terminal = terminal
        self._speaker = speaker_for(terminal.style)
        self._duel: DuelChanged | None = None
        self._started = False
        self._second: int | None = None
        self._calls: list[int] = []
        self._order: tuple[int, ...] = ()
        self._told: Standings | None = None
        self._told_at = 0
        self._away: set[int] = set()
        self._down = False
        self._back = False

    def duel_changed(self, duel: DuelChanged) -> None:
        """What is different, in words."""
        old = self._duel
        if old is not None and old.id == duel.id and old.version > duel.version:
            return
        if old is None or old.id != duel.id:
            self._begin(duel)
            old = None
        self._duel = duel
        for line in changes_of(old, duel):
            self._terminal.say(line)
        if old is None or old.phase is not duel.phase:
            self._phase(duel)
        if duel.rematch and (old is None or not old.rematch):
            self._terminal.say(_("Somebody asks for a rematch: rematch takes part."))

    def table_shown(self, playing: Playing) -> None:
        """The cards are there, or there again."""
        table = playing.table
        if self._started and not self._back:
            return
        if not self._started:
            self._started = True
            self._calls = [
                call
                for call in CLOCK_CALLS_S
                if call * 1000 < (self._connection.time_left_ms() or 0)
            ]
            if table.acknowledged == 0:
                self._terminal.say("", _("Go!  ? shows the moves."))
            words = _("The words of this deal: {words}").format(words=table.fingerprint)
            self._terminal.say(words)
        self._back = False
        playing.ended = table.confirmed.ended is not None
        playing.show_board()

    def result(self, result: Result) -> None:
        """The ranking, every point with its reason, and what was checked."""
        you = self._duel.you if self._duel is not None else None
        self._terminal.say(
            "",
            _("Result: {game}").format(game=game_title(result.ruleset, result.options)),
            *self._speaker.ranking(result.ranking, you),
            "",
            *known_words(result.winnable),
            *fairness_lines(self._connection.fairness(), self._connection.called_off),
            "",
            _(WATCHED_HELP) if you is None else _(OVER_HELP),
        )

    def hear(self, event: Event) -> None:
        """Everything else."""
        say = self._terminal.say
        if isinstance(event, Standings):
            self._standings(event)
        elif isinstance(event, facts.ConnectionDropped):
            if not self._down:
                say(_("The connection is lost; it comes back by itself. The clock runs on."))
            self._down = True
        elif isinstance(event, facts.Reconnected):
            self._down, self._back = False, True
            say(_("Connected again after {seconds} s.").format(seconds=decimal(event.away_s)))
        elif isinstance(event, facts.Replaced):
            say(_("You are connected from elsewhere now; this window has ended."))
        elif isinstance(event, facts.Ended):
            say(_("The connection has ended: {why}.").format(why=printable(event.reason)))
        elif isinstance(event, facts.TailLost):
            lost = _n(
                "The server lost your last move; sent again, stamped anew.",
                "The server lost your last {count} moves; sent again, stamped anew.",
                event.count,
            )
            say(lost.format(count=event.count))
        elif isinstance(event, facts.OutOfStep):
            say(_("Your table and the server's differed; the server's is on its way."))
            self._back = True
        elif isinstance(event, facts.FairnessAlarm):
            say(_("WARNING: {why}.").format(why=event.check.why))
        elif isinstance(event, Error):
            say(f"{printable(error_words(event.code, event.message))}.")

    def say_standings(self) -> None:
        """Who is where, or who is here."""
        standings, duel = self._connection.standings, self._duel
        if standings is not None:
            you = duel.you if duel is not None else None
            self._terminal.say(*self._speaker.standings(standings.rows, you))
        elif duel is not None:
            ready, host = "  " + _("ready"), "  " + _("host")
            rows = (
                f"  {seat_name(seat)}{ready if seat.ready else ''}"
                f"{host if seat.seat == duel.host else ''}"
                for seat in duel.players
            )
            taken = _("{taken} of {seats} seats taken:")
            self._terminal.say(taken.format(taken=duel.seated, seats=duel.seats), *rows)

    def tick(self, *, playing: bool) -> None:
        """Some time has passed."""
        duel = self._duel
        if duel is None:
            return
        now = self._connection.server_now_ms()
        if duel.phase is DuelPhase.COUNTDOWN and duel.start_at is not None:
            second = -(-(duel.start_at - now) // 1000)
            if second != self._second and second > 0:
                self._second = second
                self._terminal.say(f"{second} ...")
        left = self._connection.time_left_ms()
        while (
            playing
            and self._started
            and self._calls
            and left is not None
            and left <= self._calls[0] * 1000
        ):
            clock = clock_text(self._calls.pop(0) * 1000)
            self._terminal.say(_("{clock} left.").format(clock=clock))

    # How it works.

    def _begin(self, duel: DuelChanged) -> None:
        self._started, self._second, self._calls = False, None, []
        self._order, self._told, self._told_at = (), None, 0
        self._away = set()
        head = _("Duel {code}: {what}")
        self._terminal.say("", head.format(code=code_spoken(duel.code), what=duel_title(duel)))
        if duel.chosen_seed:
            self._terminal.say(chosen_deal_words(duel))
        if duel.ruleset in RULESETS and not RULESETS[duel.ruleset].scored:
            self._terminal.say(_(NO_POINTS))

    def _phase(self, duel: DuelChanged) -> None:
        say, phase = self._terminal.say, duel.phase
        if duel.you is None:
            if phase in (DuelPhase.OPEN, DuelPhase.READY_CHECK):
                say(_("It has not started yet. You are watching; q leaves."))
        elif phase is DuelPhase.OPEN and duel.seats > 1 and self.inviting:
            join = join_command(duel.code, self._address())
            say(_("Friends join with:  {command}").format(command=join))
            say(*reach_words(self._address()))
            say(_("r when you are ready; it starts when all seats are taken and ready."))
        elif phase is DuelPhase.READY_CHECK and duel.seats > 1:
            say(self._ready_call(duel))
        if phase is DuelPhase.FROZEN and duel.seats > 1:
            say(_("All are ready; the deal is fixed."))
        elif phase is DuelPhase.RUNNING and duel.you is None:
            say(_("It is running."))
        elif phase is DuelPhase.SEALED:
            say(_("It is over; the result is being counted."))
        elif phase is DuelPhase.ABORTED:
            say(_("The duel was called off."))

    def _ready_call(self, duel: DuelChanged) -> str:
        mine = next((seat for seat in duel.players if seat.seat == duel.you), None)
        if mine is not None and mine.ready:
            return _("All seats are taken.")
        if duel.ready_by is None:
            return _("All seats are taken: r to be ready.")
        left = max(0, duel.ready_by - self._connection.server_now_ms())
        call = _("All seats are taken: r to be ready within {seconds} s.")
        return call.format(seconds=left // 1000)

    def _address(self) -> str:
        return self._connection.url.removesuffix("/ws")

    def _presence(self, standings: Standings) -> None:
        """Who went away, and who is there again."""
        you = self._duel.you if self._duel is not None else None
        away = {row.seat for row in standings.rows if row.state is PlayerState.AWAY}
        for row in standings.rows:
            if row.seat == you or row.state not in (PlayerState.AWAY, PlayerState.PLAYING):
                continue
            if row.seat in away - self._away:
                away_words = _("{name} is away; the score stands meanwhile.")
                self._terminal.say(away_words.format(name=printable(row.name)))
            elif row.seat in self._away - away:
                self._terminal.say(_("{name} is back.").format(name=printable(row.name)))
        self._away = away

    def _standings(self, standings: Standings) -> None:
        """News when places change, else now and then."""
        if standings.total < 2 or self._connection.result is not None:
            return
        self._presence(standings)
        order, now = order_of(standings.rows), self._connection.server_now_ms()
        first = self._told is None
        passed = order != self._order and not first
        old = self._told is not None and now - self._told_at >= STANDINGS_EVERY_MS
        different = self._told is None or self._told.rows != standings.rows
        if first:
            self._told, self._told_at, self._order = standings, now, order
        elif passed or (old and different):
            self._told, self._told_at, self._order = standings, now, order
            you = self._duel.you if self._duel is not None else None
            news = self._speaker.standings_news(standings.rows, standings.total, you)
            self._terminal.say(news)
