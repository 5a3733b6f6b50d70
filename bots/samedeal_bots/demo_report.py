"""The end of the demo: the ranking with every point explained, and everything that was checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from samedeal_bots.brain import Level
from samedeal_bots.demo_points import explained, without_points
from samedeal_bots.demo_screen import Screen
from samedeal_client.connection import Connection
from samedeal_protocol import PlayerState, RankingRow, Result
from samedeal_rules.duel_record import (
    Check,
    DuelRecord,
    parse_duel_record,
    verify_duel_record,
)

__all__ = ["show_checks", "show_ranking"]

_ENDED: Final = {
    PlayerState.CLEARED: "cleared the table",
    PlayerState.FINISH: "saw nothing left to do",
    PlayerState.TIMEOUT: "played to the end of the time",
}


def show_ranking(
    screen: Screen, result: Result, record: DuelRecord, levels: Mapping[str, Level]
) -> None:
    """Places, and each player's points item by item."""
    screen.say(_heading(screen, "Result"))
    players = {player.seat: player for player in record.players}
    for row in result.ranking:
        screen.say("", _row_text(screen, row, levels.get(row.name)))
        items = explained(record, players[row.seat])
        screen.say(*(f"     {points:>+7,}  {words}" for points, words in items))
        if not items:
            screen.say(f"              {without_points(record, players[row.seat])}")
    screen.say("")


def show_checks(
    screen: Screen, result: Result, text: str, connections: Sequence[Connection]
) -> bool:
    """Check everything that can be checked, say it in words; whether all of it holds."""
    screen.say(_heading(screen, "Verified"), "")
    screen.say("  The record, checked from itself alone, as `samedeal verify` does it:")
    ok = _show(screen, _merged(verify_duel_record(text)))
    screen.say("", f"  Each of the {len(connections)} players' programs, by what it saw itself:")
    ok &= _show(screen, _merged(_of_clients(result, text, connections)))
    words = {c.table.fingerprint for c in connections if c.table is not None}
    screen.say("", "  The deal in four words, the same for everybody at the table:")
    screen.say(*(f"     {screen.paint(four, 'bold')}" for four in sorted(words)), "")
    return ok


def _heading(screen: Screen, text: str) -> str:
    rule = "─" if screen.signs else "-"
    line = f"{rule * 2} {text} "
    return "  " + screen.paint(line + rule * (screen.width - 4 - len(line)), "bold", "blue")


def _row_text(screen: Screen, row: RankingRow, level: Level | None) -> str:
    points = f"{row.up} cards up" if row.score is None else f"{row.score:,} points"
    head = f"{row.place}. {row.name}"
    how = ("bold", "green") if row.place == 1 else ("bold",)
    moves = f"{row.moves} move{'' if row.moves == 1 else 's'}"
    about = f"({level or 'player'}; {moves}; {_ENDED.get(row.ended, 'ended')})"
    return f"  {screen.paint(head, *how)}  {screen.paint(points, 'bold')}  {about}"


def _show(screen: Screen, checks: Iterable[Check]) -> bool:
    ok = True
    for check in checks:
        if check.ok is None:
            mark = "   --"
        else:
            mark = screen.paint(*(("   ok", "green") if check.ok else ("WRONG", "bold", "red")))
        screen.say(f"  {mark}  {check.why}")
        ok &= check.ok is not False
    return ok


def _merged(checks: Iterable[Check]) -> list[Check]:
    """One line for what holds for every player's secret number, not one for each."""
    merged: list[Check] = []
    numbers = 0
    for check in checks:
        if check.ok and check.name.startswith("number of seat"):
            numbers += 1
            continue
        if numbers:
            why = f"the secret numbers of all {numbers} players are those fixed before the start"
            merged.append(Check("numbers", True, why))
            numbers = 0
        merged.append(check)
    return merged


def _of_clients(result: Result, text: str, connections: Sequence[Connection]) -> list[Check]:
    """What the fairness checks of all clients say, alike ones together."""
    said: dict[tuple[str, bool, str], list[str]] = {}
    for connection in connections:
        name = connection.name or "?"
        for check in connection.fairness():
            said.setdefault((check.name, check.ok is True, check.why), []).append(name)
        if not connection.fairness():
            said.setdefault(("fairness", False, "could not check anything"), []).append(name)
    checks = [
        Check(key, ok, why if len(names) == len(connections) else f"{', '.join(names)}: {why}")
        for (key, ok, why), names in said.items()
    ]
    return [*checks, _same_result(result, text, connections), _same_words(connections)]


def _same_result(result: Result, text: str, connections: Sequence[Connection]) -> Check:
    record = parse_duel_record(text)
    written = {
        player.seat: (player.place, player.score, dict(player.items)) for player in record.players
    }
    told = {row.seat: (row.place, row.score, dict(row.items)) for row in result.ranking}
    same = told == written and all(
        c.result is not None and c.result.ranking == result.ranking for c in connections
    )
    holds = "all were told one and the same result, the one in the record"
    fails = "not all were told the result that is in the record"
    return Check("result", same, holds if same else fails)


def _same_words(connections: Sequence[Connection]) -> Check:
    words = [c.table.fingerprint if c.table is not None else "" for c in connections]
    same = len(set(words)) == 1 and bool(words[0])
    holds = f"all {len(words)} had the same deal on their tables"
    return Check("fingerprint", same, holds if same else "not all had the same deal")
