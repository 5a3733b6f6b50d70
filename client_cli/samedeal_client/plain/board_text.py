"""A table, standings and a result as lines of text. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from samedeal_client.plain.style import Style, printable
from samedeal_client.texts import N_, _, _n, decimal, number, signed
from samedeal_protocol import PlayerState, RankingRow, StandingRow
from samedeal_rules import ITEMS, Card, Deck, Game, Ruleset
from samedeal_rules.board import EMPTY, RUN_LENGTH

__all__ = [
    "board_lines",
    "clock_text",
    "elapsed_text",
    "item_words",
    "ledger_lines",
    "limit_text",
    "pass_text",
    "ranking_lines",
    "standings_lines",
    "state_words",
]

ITEM_WORDS: Final = {
    "foundation": N_("cards on the foundations"),
    "turned": N_("cards turned"),
    "passes": N_("passes that cost"),
    "undo": N_("undo"),
    "minutes": N_("whole minutes left"),
    "early_end": N_("early end"),
    "waste_to_tableau": N_("from the waste to a column"),
    "foundation_to_tableau": N_("back from a foundation"),
    "time_bonus": N_("time bonus"),
    "runs": N_("runs"),
}
STATE_WORDS: Final = {
    PlayerState.PLAYING: "",
    PlayerState.AWAY: N_("away"),
    PlayerState.CLEARED: N_("cleared!"),
    PlayerState.FINISH: N_("ended early"),
    PlayerState.TIMEOUT: N_("time over"),
}
WASTE_SHOWN: Final = 3
"""Cards of the waste that are shown; only the top one is in play."""
COLUMN_WIDTH: Final = 5
RESERVE_WIDTH: Final = 10
"""Places of the reserve in a line: fits 80 columns."""
ONE_SIGN: Final = "CDHS"
"""Suits that are told by a sign or a letter; others by their names."""


def board_lines(game: Game, style: Style) -> list[str]:
    """The table: what this game has above the columns, and the columns with their numbers."""
    board, deck = game.board, game.ruleset.deck
    lines = [_gone_line(game, style) if game.ruleset.leaves else _foundations_line(game, style)]
    if game.ruleset.draw:
        lines.append(_stock_line(game, style))
    if board.cells:
        cells = (
            f"c{index + 1} {_place(card, game, style)}" for index, card in enumerate(board.cells)
        )
        lines.append("  " + _("cells") + "  " + "   ".join(cells))
    lines += _reserve_lines(game, style)
    lines += ["", _row(f"{index + 1:^{COLUMN_WIDTH}}" for index in range(len(board.columns)))]
    for row in range(max(map(len, board.columns), default=0)):
        lines.append(
            _row(
                f" {style.card(deck, column[row])}  " if row < len(column) else " " * COLUMN_WIDTH
                for column in board.columns
            )
        )
    return lines


def _foundations_line(game: Game, style: Style) -> str:
    deck = game.ruleset.deck
    named = deck.suits not in ONE_SIGN
    up = "  ".join(
        f"{style.suit_named(deck, suit)} {_rank(deck, rank)}"
        if named
        else f"{_rank(deck, rank)}{style.suit(deck, suit)}"
        for suit, rank in enumerate(game.board.foundations)
    )
    return "  " + _("foundations") + "  " + up


def _gone_line(game: Game, style: Style) -> str:
    """Spider: the runs that have left the table."""
    deck, gone = game.ruleset.deck, game.board.gone
    signs = " ".join(style.suit(deck, suit) for suit in gone) or "-"
    count = _("({gone} of {all})").format(gone=len(gone), all=len(deck.cards) // RUN_LENGTH)
    return "  " + _("runs gone") + f"  {signs}   {count}"


def _stock_line(game: Game, style: Style) -> str:
    board, deck = game.board, game.ruleset.deck
    if not game.ruleset.has_waste:
        return "  " + _("stock {count}").format(count=len(board.stock))
    waste = board.waste
    shown = [style.card(deck, card) for card in waste[-WASTE_SHOWN:]]
    if shown:
        shown[-1] = f"[{shown[-1]}]"
    more = f"({len(waste) - WASTE_SHOWN}+) " if len(waste) > WASTE_SHOWN else ""
    waste_text = more + (" ".join(shown) or "-")
    return "  " + _("stock {count}   waste {cards}").format(
        count=len(board.stock), cards=waste_text
    )


def _reserve_lines(game: Game, style: Style) -> Iterator[str]:
    """Places with their numbers; an emptied one keeps its own."""
    reserve = game.board.reserve
    for start in range(0, len(reserve), RESERVE_WIDTH):
        places = reserve[start : start + RESERVE_WIDTH]
        head = _("reserve") if start == 0 else ""
        numbers = (f"{f'v{start + index + 1}':<{COLUMN_WIDTH}}" for index in range(len(places)))
        yield f"  {head:<9}" + _row(numbers)
        yield f"  {'':<9}" + _row(f"{_place(card, game, style)}   " for card in places)


def _place(card: Card, game: Game, style: Style) -> str:
    return "--" if card == EMPTY else style.card(game.ruleset.deck, card)


def _rank(deck: Deck, rank: int) -> str:
    return deck.ranks[rank - 1] if rank else "-"


def _row(cells: Iterable[str]) -> str:
    return "".join(cells).rstrip()


def pass_text(game: Game) -> str:
    """What is left of stock and room: `pass 2, next redeal -400`, `5 deals left`; may be empty."""
    ruleset, board = game.ruleset, game.board
    if ruleset.draws_to_columns:
        left = -(-len(board.stock) // ruleset.draw)
        return _n("{count} deal left", "{count} deals left", left).format(count=left)
    if ruleset.has_waste:
        return _redeals_text(ruleset, board.redeals)
    if ruleset.limit is not None:
        most = ruleset.limit(board, -1)
        return _n("{count} card at once", "{count} cards at once", most).format(count=most)
    return ""


def _redeals_text(ruleset: Ruleset, made: int) -> str:
    left = None if ruleset.redeals is None else ruleset.redeals - made
    if left is not None and left <= 0:
        return _("pass {number}, the last").format(number=made + 1)
    price = ruleset.scoring.redeal(made + 2)
    if left is None and price:
        return _("pass {number}, next redeal {price}").format(number=made + 1, price=price)
    if left is None:
        return _("pass {number}, next redeal free").format(number=made + 1)
    text = _n("pass {number}, {count} redeal left", "pass {number}, {count} redeals left", left)
    text = text.format(number=made + 1, count=left)
    return text + _(", the next {price}").format(price=price) if price else text


def clock_text(ms: int) -> str:
    """Minutes and seconds, seconds rounded up: 0:00 is the end."""
    seconds = max(0, -(-ms // 1000))
    return f"{seconds // 60}:{seconds % 60:02}"


def elapsed_text(ms: int) -> str:
    """Hours, minutes and seconds of a clock that counts up, rounded down: `0:00`, `1:02:03`."""
    minutes, seconds = divmod(max(0, ms // 1000), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def limit_text(duration_ms: int | None) -> str:
    """How long a duel lasts."""
    return _("no time limit") if duration_ms is None else clock_text(duration_ms)


def ledger_lines(items: dict[str, int], score: int) -> list[str]:
    """Every point with its reason."""
    known = [name for name in ITEMS if name in items]
    rows = [(items[name], item_words(name)) for name in known]
    total = f"{number(score):>9}  " + _("in all")
    return [*(f"{signed(points):>9}  {words}" for points, words in rows), total]


def item_words(name: str) -> str:
    """A reason for points in words; one that this program does not know keeps its name."""
    return _(ITEM_WORDS[name]) if name in ITEM_WORDS else name


def standings_lines(rows: Iterable[StandingRow], you: int | None) -> list[str]:
    """A line for each player, ours marked."""
    return [
        f"{'*' if row.seat == you else ' '}{row.place:>3}. {printable(row.name):<20.20} "
        f"{_points(row.score)}{_up(row.up)}  {state_words(row.state)}".rstrip()
        for row in rows
    ]


def ranking_lines(rows: Sequence[RankingRow], you: int | None) -> list[str]:
    """Everybody's final line, every point with its reason."""
    lines: list[str] = []
    for row in rows:
        how = state_words(row.ended) or row.ended.value
        if row.ended is not PlayerState.TIMEOUT:
            how = _("{how} after {seconds} s").format(how=how, seconds=decimal(row.ended_ms / 1000))
        mark = "*" if row.seat == you else " "
        moves = _n("{count} move", "{count} moves", row.moves).format(count=row.moves)
        lines.append(
            f"{mark}{row.place:>3}. {printable(row.name):<20.20} {_points(row.score)}"
            f"{_up(row.up)}  {how}, {moves}"
        )
        known = [name for name in ITEMS if name in row.items]
        lines += [f"{'':8}{signed(row.items[name]):>9}  {item_words(name)}" for name in known]
    return lines


def _points(score: int | None) -> str:
    """The score and a blank; nothing in a game without points."""
    return "" if score is None else f"{number(score):>8} "


def _up(cards: int) -> str:
    return _("{cards:>3} up").format(cards=cards)


def state_words(state: PlayerState) -> str:
    """How a player is, or how a game ended; nothing for who plays."""
    words = STATE_WORDS[state]
    return _(words) if words else ""
