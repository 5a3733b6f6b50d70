"""What is news in a duel, and how often."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from client.plain.test_words import duel, seat
from samedeal_client.connection import Connection
from samedeal_client.events import ConnectionDropped, Reconnected
from samedeal_client.plain.herald import Herald
from samedeal_client.plain.style import Style
from samedeal_client.plain.terminal import Terminal
from samedeal_protocol import DuelPhase, PlayerState, StandingRow, Standings


class Stage:
    """A herald whose lines are kept, with a clock that a test sets."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.now_ms = 0
        self.left_ms: int | None = None
        connection = SimpleNamespace(
            server_now_ms=lambda: self.now_ms,
            time_left_ms=lambda: self.left_ms,
            result=None,
            url="ws://here:7777/ws",
        )
        terminal = SimpleNamespace(say=lambda *lines: self.said.extend(lines), style=Style())
        self.herald = Herald(cast(Connection, connection), cast(Terminal, terminal))

    def news(self) -> list[str]:
        said, self.said = self.said, []
        return said


def standings(version: int, *scores: int) -> Standings:
    order = sorted(range(len(scores)), key=lambda seat: -scores[seat])
    rows = [
        StandingRow(
            place=place + 1,
            seat=number,
            name="AB"[number],
            score=scores[number],
            up=0,
            state=PlayerState.PLAYING,
        )
        for place, number in enumerate(order)
    ]
    return Standings(duel="p00abc", version=version, server_ms=0, total=len(scores), rows=rows)


def test_a_rematch_is_told_though_nothing_else_has_changed() -> None:
    """The server names its code without counting the version up."""
    stage = Stage()
    over: dict[str, Any] = {"phase": DuelPhase.FINISHED, "version": 5}
    stage.herald.duel_changed(duel(seat(0, "Ana"), seat(1, "Bo"), **over))
    stage.news()
    asked = duel(seat(0, "Ana"), seat(1, "Bo"), rematch="NF3CJY", **over)
    stage.herald.duel_changed(asked)
    stage.herald.duel_changed(asked)
    assert stage.news() == ["Somebody asks for a rematch: rematch takes part."]


def test_who_goes_away_and_comes_back_in_a_running_duel_is_told() -> None:
    """Case 43: the others see it in the standings, which is where the server says it then."""
    stage = Stage()
    stage.herald.duel_changed(duel(seat(0, "A"), seat(1, "B"), phase=DuelPhase.RUNNING))
    here = standings(1, 0, 0)
    gone = here.model_copy(
        update={
            "rows": [
                row.model_copy(update={"state": PlayerState.AWAY}) if row.seat == 1 else row
                for row in here.rows
            ]
        }
    )
    stage.herald.hear(here)
    stage.news()
    stage.herald.hear(gone)
    stage.herald.hear(gone)
    assert stage.news() == ["B is away; the score stands meanwhile."]
    stage.herald.hear(here)
    assert stage.news() == ["B is back."]


def test_standings_are_news_when_places_change_and_else_now_and_then() -> None:
    """Nobody can type under a line twice a second."""
    stage = Stage()
    stage.herald.duel_changed(duel(seat(0, "A"), seat(1, "B"), phase=DuelPhase.RUNNING))
    stage.news()
    stage.herald.hear(standings(1, 0, 0))
    stage.herald.hear(standings(2, 100, 0))
    assert stage.news() == []
    stage.herald.hear(standings(3, 100, 200))
    assert stage.news() == ["-- 1. B 200   2. *A 100"]
    stage.now_ms += 14_000
    stage.herald.hear(standings(4, 100, 300))
    assert stage.news() == []
    stage.now_ms += 2_000
    stage.herald.hear(standings(5, 100, 400))
    assert stage.news() == ["-- 1. B 400   2. *A 100"]


def test_a_dropped_line_is_told_once() -> None:
    """However many tries it takes."""
    stage = Stage()
    for _ in range(5):
        stage.herald.hear(ConnectionDropped(1006, "", 0.2))
    stage.herald.hear(Reconnected(3.2))
    assert stage.news() == [
        "The connection is lost; it comes back by itself. The clock runs on.",
        "Connected again after 3.2 s.",
    ]


def test_the_countdown_is_said_second_by_second() -> None:
    """Each once, none after the start."""
    stage = Stage()
    stage.herald.duel_changed(duel(seat(0, "A"), phase=DuelPhase.COUNTDOWN, start_at=3_000))
    stage.news()
    for stage.now_ms in range(0, 3_600, 200):
        stage.herald.tick(playing=True)
    assert stage.news() == ["3 ...", "2 ...", "1 ..."]
