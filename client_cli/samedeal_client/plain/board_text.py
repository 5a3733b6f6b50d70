"""A table, standings and a result as lines of text. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from samedeal_client.plain.style import Style, printable
from samedeal_protocol import PlayerState, RankingRow, StandingRow
from samedeal_rules import ITEMS, Game

__all__ = [
    "ITEM_WORDS",
    "board_lines",
    "clock_text",
    "ledger_lines",
    "pass_text",
    "ranking_lines",
    "standings_lines",
]

ITEM_WORDS: Final = {
    "foundation": "cards on the foundations",
    "turned": "cards turned",
    "passes": "passes that cost",
    "undo": "undo",
    "minutes": "whole minutes left",
    "early_end": "early end",
    "waste_to_tableau": "from the waste to a column",
    "foundation_to_tableau": "back from a foundation",
    "time_bonus": "time bonus",
    "runs": "runs",
}
STATE_WORDS: Final = {
    PlayerState.PLAYING: "",
    PlayerState.AWAY: "away",
    PlayerState.CLEARED: "cleared!",
    PlayerState.FINISH: "ended early",
    PlayerState.TIMEOUT: "time over",
}
WASTE_SHOWN: Final = 3
"""Cards of the waste that are shown; only the top one is in play."""
COLUMN_WIDTH: Final = 5


def board_lines(game: Game, style: Style) -> list[str]:
    """The table: stock, waste (its top marked), foundations, columns with their numbers."""
    board, deck = game.board, game.ruleset.deck
    waste = board.waste
    shown = [style.card(deck, card) for card in waste[-WASTE_SHOWN:]]
    if shown:
        shown[-1] = f"[{shown[-1]}]"
    more = f"({len(waste) - WASTE_SHOWN}+) " if len(waste) > WASTE_SHOWN else ""
    up = "  ".join(
        f"{deck.ranks[rank - 1] if rank else '-'}{style.suit(deck, suit)}"
        for suit, rank in enumerate(board.foundations)
    )
    lines = [
        f"  foundations  {up}",
        f"  stock {len(board.stock)}   waste {more}{' '.join(shown) or '-'}",
        "",
        "".join(f"{index + 1:^{COLUMN_WIDTH}}" for index in range(len(board.columns))).rstrip(),
    ]
    for row in range(max(map(len, board.columns), default=0)):
        cells = (
            f" {style.card(deck, column[row])}  " if row < len(column) else " " * COLUMN_WIDTH
            for column in board.columns
        )
        lines.append("".join(cells).rstrip())
    return lines


def pass_text(game: Game) -> str:
    """Which pass this is and what the next redeal costs: `pass 2, next redeal -400`."""
    allowed, made = game.ruleset.redeals, game.board.redeals
    if allowed is not None and made >= allowed:
        return f"pass {made + 1}, the last"
    price = game.ruleset.scoring.redeal(made + 2)
    return f"pass {made + 1}, next redeal {price if price else 'free'}"


def clock_text(ms: int) -> str:
    """Minutes and seconds, seconds rounded up: 0:00 is the end."""
    seconds = max(0, -(-ms // 1000))
    return f"{seconds // 60}:{seconds % 60:02}"


def ledger_lines(items: dict[str, int], score: int) -> list[str]:
    """Every point with its reason."""
    known = [name for name in ITEMS if name in items]
    rows = [(items[name], ITEM_WORDS.get(name, name)) for name in known]
    return [f"{points:>+9,}  {words}" for points, words in rows] + [f"{score:>9,}  in all"]


def standings_lines(rows: Iterable[StandingRow], you: int | None) -> list[str]:
    """A line for each player, ours marked."""
    return [
        f"{'*' if row.seat == you else ' '}{row.place:>3}. {printable(row.name):<20.20} "
        f"{_points(row.score)} {row.up:>3} up  {STATE_WORDS[row.state]}".rstrip()
        for row in rows
    ]


def ranking_lines(rows: Sequence[RankingRow], you: int | None) -> list[str]:
    """Everybody's final line, every point with its reason."""
    lines: list[str] = []
    for row in rows:
        how = STATE_WORDS[row.ended] or row.ended.value
        seconds = row.ended_ms / 1000
        when = "" if row.ended is PlayerState.TIMEOUT else f" after {seconds:.1f} s"
        mark = "*" if row.seat == you else " "
        moves = "1 move" if row.moves == 1 else f"{row.moves} moves"
        lines.append(
            f"{mark}{row.place:>3}. {printable(row.name):<20.20} {_points(row.score)} "
            f"{row.up:>3} up  {how}{when}, {moves}"
        )
        known = [name for name in ITEMS if name in row.items]
        lines += [f"{'':8}{row.items[name]:>+9,}  {ITEM_WORDS.get(name, name)}" for name in known]
    return lines


def _points(score: int | None) -> str:
    return f"{'':>8}" if score is None else f"{score:>8,}"
