"""Every point of a finished game in words, counted by replaying its record."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from samedeal_rules import ITEMS, Game, deal, find_ruleset, parse_move
from samedeal_rules.duel_record import DuelRecord, PlayerRecord

__all__ = ["explained", "without_points"]

_COUNTED: Final = {
    "foundation": ("card on its foundation", "cards on their foundations"),
    "turned": ("card turned up", "cards turned up"),
    "passes": (
        "pass through the stock beyond the free ones",
        "passes through the stock beyond the free ones",
    ),
    "undo": ("move taken back", "moves taken back"),
    "waste_to_tableau": ("card from the waste to a column", "cards from the waste to columns"),
    "foundation_to_tableau": ("card back from a foundation", "cards back from foundations"),
    "runs": ("complete run", "complete runs"),
}


def explained(record: DuelRecord, player: PlayerRecord) -> list[tuple[int, str]]:
    """(points, what for), for each reason, in the order of the rules."""
    each = _each(record, player)
    lines = []
    for item, points in sorted(player.items.items(), key=lambda pair: ITEMS.index(pair[0])):
        one_by_one = each[item] if sum(each[item]) == points else []
        lines.append((points, _words(item, one_by_one, record, player)))
    return lines


def without_points(record: DuelRecord, player: PlayerRecord) -> str:
    """The line of a player without any: what counts instead, or that there was nothing to count."""
    if find_ruleset(record.ruleset, record.options)[1].scored:
        return "nothing happened that is worth points"
    if player.ended == "cleared":
        return f"no points in this game; cleared in {player.ended_ms / 1000:.1f} s"
    cards = "card" if player.cards_up == 1 else "cards"
    return f"no points in this game; {player.cards_up} {cards} up, not clear"


def _each(record: DuelRecord, player: PlayerRecord) -> dict[str, list[int]]:
    """The points of each reason as they fell."""
    ruleset = find_ruleset(record.ruleset, record.options)[1]
    game = Game(ruleset, deal(ruleset, record.seed), record.duration_ms)
    each: dict[str, list[int]] = defaultdict(list)
    for ms, text in player.moves:
        move = parse_move(text, ruleset.deck.suits)
        assert move is not None, "verified before"
        for points in game.play(move, ms).points:
            each[ITEMS[points.item]].append(points.points)
    return each


def _words(item: str, each: list[int], record: DuelRecord, player: PlayerRecord) -> str:
    left_s = ((record.duration_ms or 0) - player.ended_ms) // 1000
    if item == "early_end":
        return f"for ending {left_s} s early"
    if item == "minutes":
        return f"for {left_s // 60} whole minutes left on a clear table"
    if item not in _COUNTED:
        return item.replace("_", " ")
    one, many = _COUNTED[item]
    if not each:
        return many
    low, high = min(each, key=abs), max(each, key=abs)
    if len(each) == 1:
        return f"1 {one}"
    price = f"{low:,} each" if low == high else f"{low:,} to {high:,} each"
    return f"{len(each)} {many}, {price}"
