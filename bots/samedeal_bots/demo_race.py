"""What the demo shows until the result: who sits down, the promise, the countdown, the race."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from typing import Final

from samedeal_bots.brain import Level
from samedeal_bots.demo_screen import Screen
from samedeal_client.connection import Connection
from samedeal_protocol import DuelChanged, PlayerState, StandingRow
from samedeal_rules import Ruleset, find_ruleset
from samedeal_rules.board import RUN_LENGTH

__all__ = ["Race", "clock_text", "code_text"]

FRAME_S: Final = 0.1
LINE_EVERY_S: Final = 2.0
"""Without a terminal: a line each time something has changed, but not more often."""
LINE_PLACES: Final = 4
ARROW_S: Final = 2.5
"""How long a change of places is shown."""
SCALE_PART: Final = 17
"""Of all points for cards this part is a full bar, until somebody has more: 2,000 in `timed`."""
LEAST_SCALE: Final = 100

_STATES: Final = {
    PlayerState.PLAYING: "",
    PlayerState.AWAY: "away",
    PlayerState.CLEARED: "cleared!",
    PlayerState.FINISH: "done",
    PlayerState.TIMEOUT: "",
}


class Race:
    """One duel, as somebody sees it who watches by code: numbers only, no cards."""

    def __init__(
        self,
        screen: Screen,
        audience: Connection,
        levels: Mapping[str, Level],
        check: Callable[[], None],
    ) -> None:
        """`check` raises what has gone wrong elsewhere; it is called all the time."""
        self._screen = screen
        self._audience = audience
        self._levels = levels
        self._check = check
        self._name_width = max(map(len, levels))
        self._places: deque[tuple[float, dict[int, int]]] = deque()
        self._scale = 0

    async def show_seats(self) -> None:
        """Until all are seated and ready."""
        shown: set[str] = set()
        while True:
            duel = self._duel()
            for seat in duel.players:
                if seat.ready and seat.player not in shown:
                    shown.add(seat.player)
                    host = ", the host" if seat.seat == duel.host else ""
                    self._screen.say(f"    {self._who(seat.name)}  sits down, ready{host}")
            if len(shown) == duel.seats:
                return
            await self._frame()

    async def show_countdown(self) -> None:
        """3, 2, 1."""
        while (start_at := self._duel().start_at) is None:
            await self._frame()
        dots = " … " if self._screen.signs else " ... "
        self._screen.part("  ")
        left = -(-(start_at - self._audience.server_now_ms()) // 1000)
        for second in range(left, 0, -1):
            self._screen.part(self._screen.paint(str(second), "bold", "yellow") + dots)
            while start_at - self._audience.server_now_ms() > (second - 1) * 1000:
                await self._frame()
        self._screen.say(self._screen.paint("go!", "bold", "green"), "")

    async def show_standings(self) -> None:
        """Until the result is there."""
        last_line, last_at = "", -LINE_EVERY_S
        loop = asyncio.get_running_loop()
        while True:
            over = self._audience.result is not None
            rows = self._rows()
            if self._screen.draws(len(rows) + 3):
                self._screen.draw(self._block(rows, loop.time()))
            elif over or (_begun(rows) and loop.time() - last_at >= LINE_EVERY_S):
                line = _line(rows)
                if line != last_line:
                    self._screen.say(f"  {clock_text(self._left_ms())}  {line}")
                    last_line, last_at = line, loop.time()
            if over:
                if not self._screen.draws(len(rows) + 3):
                    self._screen.say("")
                return
            await self._frame()

    # How it is drawn.

    def _block(self, rows: list[StandingRow], now: float) -> list[str]:
        screen, width = self._screen, self._screen.width
        left, duration = self._left_ms(), self._duration_ms()
        clock = clock_text(left)
        bar = self._bar(left / duration, width - 6 - len(clock))
        late = left <= duration / 4
        lines = [f"  {screen.paint(clock, 'bold', *(['red'] if late else []))}  {bar}", ""]
        gains = self._gains(rows, now)
        self._scale = max([self._scale, _full_bar(self._ruleset()), *(_worth(r) for r in rows)])
        # "  1  name  level  bar  score points  up up  arrow state"
        room = width - 2 - 3 - self._name_width - 8 - 2 - 7 - 8 - 13
        for row in rows:
            how = ("bold", "green") if row.place == 1 else ("cyan",)
            progress = self._bar(_worth(row) / self._scale, max(room, 8))
            score = f"{'' if row.score is None else f'{row.score:,}':>7}"
            lines.append(
                f"  {screen.paint(f'{row.place}', *how)}  {self._who(row.name)}"
                f"{screen.paint(progress, *how)}  {screen.paint(score, 'bold')}"
                f"  {row.up:>2} up {self._arrow(gains.get(row.seat, 0))} "
                f"{screen.paint(_STATES[row.state], 'dim')}"
            )
        return [*lines, ""]

    def _who(self, name: str) -> str:
        level = self._levels.get(name, "")
        return f"{name:<{self._name_width}}  {self._screen.paint(f'{level:<6}', 'dim')}  "

    def _bar(self, part: float, width: int) -> str:
        full, half, empty = "█▌░" if self._screen.signs else "#-."
        halves = round(min(1.0, max(0.0, part)) * width * 2)
        bar = full * (halves // 2) + half * (halves % 2)
        return bar + empty * (width - len(bar))

    def _arrow(self, gained: int) -> str:
        if not gained:
            return "   "
        up, down = "▲▼" if self._screen.signs else "^v"
        sign, how = (up, "green") if gained > 0 else (down, "red")
        return self._screen.paint(f"{sign}{abs(gained):<2}", how)

    def _gains(self, rows: list[StandingRow], now: float) -> dict[int, int]:
        """Places gained since a moment ago, by seat."""
        places = {row.seat: row.place for row in rows}
        if _begun(rows):
            self._places.append((now, places))
        while self._places and self._places[0][0] < now - ARROW_S:
            self._places.popleft()
        before = self._places[0][1] if self._places else places
        return {seat: before.get(seat, place) - place for seat, place in places.items()}

    # What is known.

    def _duel(self) -> DuelChanged:
        duel = self._audience.duel
        assert duel is not None
        return duel

    def _rows(self) -> list[StandingRow]:
        result, standings = self._audience.result, self._audience.standings
        if result is not None:
            return [
                StandingRow(
                    place=row.place,
                    seat=row.seat,
                    name=row.name,
                    score=row.score,
                    up=row.up,
                    state=row.ended,
                )
                for row in result.ranking
            ]
        if standings is not None and standings.rows:
            return list(standings.rows)
        return [
            StandingRow(
                place=1,
                seat=seat.seat,
                name=seat.name,
                score=0 if self._ruleset().scored else None,
                up=0,
                state=PlayerState.PLAYING,
            )
            for seat in self._duel().players
        ]

    def _ruleset(self) -> Ruleset:
        duel = self._duel()
        return find_ruleset(duel.ruleset, duel.options)[1]

    def _left_ms(self) -> int:
        return min(self._audience.time_left_ms() or 0, self._duration_ms())

    def _duration_ms(self) -> int:
        duration_ms = self._duel().duration_ms
        assert duration_ms is not None  # the demo's duels are for two or more
        return duration_ms

    async def _frame(self) -> None:
        self._check()
        await asyncio.sleep(FRAME_S)


def clock_text(ms: int) -> str:
    """0:20. The last second is 0:01, not 0:00."""
    seconds = -(-ms // 1000)
    return f"{seconds // 60}:{seconds % 60:02}"


def code_text(code: str) -> str:
    """In two halves, as one reads it out."""
    return f"{code[: len(code) // 2]} {code[len(code) // 2 :]}"


def _begun(rows: list[StandingRow]) -> bool:
    """Whether anybody has anything; before, everybody is first."""
    return any(row.score or row.up for row in rows)


def _worth(row: StandingRow) -> int:
    """What a bar shows: points, or in a game without them cards up."""
    return row.up if row.score is None else row.score


def _full_bar(ruleset: Ruleset) -> int:
    cards = len(ruleset.deck.cards)
    if not ruleset.scored:
        return cards
    scoring, ranks = ruleset.scoring, len(ruleset.deck.ranks)
    whole = sum(scoring.card_up) * cards // ranks + scoring.run * cards // RUN_LENGTH
    return max(LEAST_SCALE, whole // SCALE_PART)


def _line(rows: list[StandingRow]) -> str:
    parts = []
    for row in rows[:LINE_PLACES]:
        points = f"{row.up} up" if row.score is None else f"{row.score:,}"
        parts.append(f"{row.place}. {row.name} {points:<6}")
    return "  ".join(parts).rstrip()
