"""The referee: `timed` written a second time, straight from rules.md, sharing no code.

Piles are lists of strings; a face-down card is written with a minus. Undo is a deep copy of
everything. It is slow and plain on purpose; where it and the engine differ, read rules.md.
"""

from __future__ import annotations

import copy
import hashlib
import itertools
from typing import Any

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"]
SUITS = ["C", "D", "H", "S"]
VALUE = dict(zip(RANKS, [100, 200, 300, 400, 500, 600, 700, 800, 900] + 4 * [1000], strict=True))


def naive_deck(seed: str) -> list[str]:
    """Rules, section 8, in twenty lines."""
    deck = [rank + suit for suit in SUITS for rank in RANKS]
    words: list[int] = []
    block = 0
    for i in range(51, 0, -1):
        n = i + 1
        while True:
            if not words:
                digest = hashlib.sha256(seed.encode("utf-8") + block.to_bytes(8, "big")).digest()
                words = [int.from_bytes(digest[k : k + 4], "big") for k in range(0, 32, 4)]
                block += 1
            word = words.pop(0)
            if word < 2**32 - 2**32 % n:
                break
        j = word % n
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def _spelled() -> dict[str, tuple[str, int, str]]:
    """Every text that is a move (rules, section 9): source, count, target."""
    table: dict[str, tuple[str, int, str]] = {t: (t, 0, "") for t in ("d", "r", "u", "end")}
    columns = [f"t{n}" for n in range(1, 11)]
    cells = [f"c{n}" for n in range(1, 5)]
    for n in range(1, 11):
        table[f"x{n}"] = (f"x{n}", 0, "")
    for source in columns:
        for count in range(1, 14):
            times = "" if count == 1 else f"*{count}"
            for target in [*columns, *cells, "f"]:
                if target != source:
                    table[f"{source}{times}-{target}"] = (source, count, target)
    for source in ["w", *(f"v{n}" for n in range(1, 21))]:
        for target in [*columns, *cells, "f"]:
            table[f"{source}-{target}"] = (source, 1, target)
    for source in cells:
        for target in [*columns, "f"]:
            table[f"{source}-{target}"] = (source, 1, target)
    for suit in SUITS:
        for target in columns:
            table[f"f{suit}-{target}"] = (f"f{suit}", 1, target)
    return table


SPELLED = _spelled()


class Refused(Exception):
    """Carries the name of the rule."""


class Naive:
    """One game of `timed`."""

    def __init__(
        self, seed: str, draw: int = 3, redeals: int | None = None, duration_ms: int = 300_000
    ) -> None:
        deck = naive_deck(seed)
        self.columns: dict[str, list[str]] = {f"t{n}": [] for n in range(1, 8)}
        for row in range(7):
            for column in range(row, 7):
                card = deck.pop(0)
                self.columns[f"t{column + 1}"].append(card if column == row else "-" + card)
        self.stock = deck
        self.waste: list[str] = []
        self.foundation: dict[str, list[str]] = {suit: [] for suit in SUITS}
        self.redeals_made = 0
        self.scored: set[str] = set()
        self.taken_back: set[str] = set()
        self.items: dict[str, int] = {}
        self.draw, self.redeals, self.duration_ms = draw, redeals, duration_ms
        self.past: list[dict[str, Any]] = []
        self.ended: str | None = None
        self.log: list[str] = []
        """What the last accepted move set off: `turned 5H t3`, `drawn 5H`, `auto 5H w`."""

    @property
    def score(self) -> int:
        return sum(self.items.values())

    @property
    def cards_up(self) -> int:
        return sum(len(pile) for pile in self.foundation.values())

    def ledger(self) -> dict[str, int]:
        return {item: points for item, points in self.items.items() if points != 0}

    def piles(self) -> dict[str, Any]:
        """Everything an undo brings back, apart from the score."""
        names = ("columns", "stock", "waste", "foundation", "redeals_made", "scored", "taken_back")
        return copy.deepcopy({name: getattr(self, name) for name in names})

    def play(self, ms: int, text: str) -> str | None:
        """The rule that the move broke, or None."""
        if text not in SPELLED:
            return "not_a_move"
        if self.ended is not None:
            return "game_over"
        if ms >= self.duration_ms:
            return "time_over"
        before = {**self.piles(), "items": dict(self.items)}
        self.log = []
        try:
            self._do(ms, text)
        except Refused as refused:
            return str(refused)
        if text not in ("u", "end"):
            self.past.append(before)
            self._automatic()
            if self.cards_up == 52:
                self.ended = "cleared"
                self._add("minutes", 150 * ((self.duration_ms - ms) // 1000 // 60))
                self._add("early_end", (self.duration_ms - ms) // 1000 // 3)
        return None

    def _add(self, item: str, points: int) -> None:
        self.items[item] = self.items.get(item, 0) + points

    def _do(self, ms: int, text: str) -> None:
        if text == "u":
            if not self.past:
                raise Refused("nothing_to_undo")
            for name, value in self.past.pop().items():
                # What undos cost stays: only the move's own points are taken back.
                if name == "items":
                    value["undo"] = self.items.get("undo", 0)
                setattr(self, name, value)
            self._add("undo", -1000)
        elif text == "end":
            self.ended = "finish"
            self._add("early_end", (self.duration_ms - ms) // 1000 // 3)
        elif text == "d":
            if not self.stock:
                raise Refused("stock_empty")
            for _ in range(self.draw):
                if self.stock:
                    self.waste.append(self.stock.pop(0))
                    self.log.append("drawn " + self.waste[-1])
        elif text == "r":
            self._redeal()
        elif text[0] == "x":
            self._turn("t" + text[1:])
        else:
            self._carry(*SPELLED[text])

    def _redeal(self) -> None:
        if self.stock:
            raise Refused("stock_not_empty")
        if not self.waste:
            raise Refused("waste_empty")
        if self.redeals is not None and self.redeals_made >= self.redeals:
            raise Refused("no_redeals_left")
        self.stock, self.waste = self.waste, []
        self.redeals_made += 1
        if self.redeals_made >= 2:
            self._add("passes", -400)

    def _turn(self, name: str) -> None:
        if name not in self.columns:
            raise Refused("no_such_pile")
        column = self.columns[name]
        if not column or column[-1][0] != "-":
            raise Refused("not_face_down")
        column[-1] = column[-1][1:]
        self.log.append(f"turned {column[-1]} {name}")
        self._add("turned", 100)

    def _carry(self, source: str, count: int, target: str) -> None:
        cards = self._cards(source, count)
        if target == "f":
            if count > 1:
                raise Refused("one_card_only")
            self._check_up(cards[0])
            self._remove(source, 1)
            self._up(cards[0])
            return
        if target not in self.columns:
            raise Refused("no_such_pile")
        self._check_lies(cards[0], self.columns[target])
        self._remove(source, count)
        self.columns[target].extend(cards)
        if source[0] == "f":
            self.taken_back.add(cards[0])

    def _cards(self, source: str, count: int) -> list[str]:
        if source == "w":
            if not self.waste:
                raise Refused("waste_empty")
            return [self.waste[-1]]
        if source[0] == "f":
            if not self.foundation[source[1]]:
                raise Refused("pile_empty")
            return [self.foundation[source[1]][-1]]
        if source not in self.columns:
            raise Refused("no_such_pile")
        column = self.columns[source]
        if not column:
            raise Refused("pile_empty")
        if count > len(column):
            raise Refused("not_enough_cards")
        cards = column[len(column) - count :]
        if any(card[0] == "-" for card in cards):
            raise Refused("face_down")
        for lower, upper in itertools.pairwise(cards):
            if not self._goes_on(upper, lower):
                raise Refused("not_a_run")
        return cards

    def _goes_on(self, upper: str, lower: str) -> bool:
        red_upper, red_lower = upper[1] in "DH", lower[1] in "DH"
        return red_upper != red_lower and RANKS.index(upper[0]) + 1 == RANKS.index(lower[0])

    def _check_up(self, card: str) -> None:
        if RANKS.index(card[0]) != len(self.foundation[card[1]]):
            raise Refused("foundation_order")

    def _check_lies(self, card: str, column: list[str]) -> None:
        if not column:
            if card[0] != "K":
                raise Refused("needs_king")
        elif column[-1][0] == "-":
            raise Refused("face_down")
        elif not self._goes_on(card, column[-1]):
            raise Refused("does_not_fit")

    def _remove(self, source: str, count: int) -> None:
        pile = self._pile(source)
        del pile[len(pile) - count :]

    def _pile(self, name: str) -> list[str]:
        if name == "w":
            return self.waste
        return self.foundation[name[1]] if name[0] == "f" else self.columns[name]

    def _up(self, card: str) -> None:
        self.foundation[card[1]].append(card)
        if card not in self.scored:
            self.scored.add(card)
            self._add("foundation", VALUE[card[0]])

    def _automatic(self) -> None:
        again = True
        while again:
            again = False
            for name in [*self.columns, "w"]:
                pile = self._pile(name)
                if pile and self._serves_no_more(pile[-1]):
                    card = pile.pop()
                    self._up(card)
                    self.log.append(f"auto {card} {name}")
                    again = True

    def _serves_no_more(self, card: str) -> bool:
        if card[0] == "-" or card in self.taken_back:
            return False
        below = RANKS.index(card[0])
        return all(len(pile) >= below for pile in self.foundation.values())


def naive_judge(record: dict[str, Any]) -> dict[str, Any]:
    """What `samedeal judge --json` must say about a well-formed `timed` record."""
    redeals = record["options"].get("redeals", "unlimited")
    game = Naive(
        record["seed"],
        record["options"].get("draw", 3),
        None if redeals == "unlimited" else redeals,
        record["duration_ms"],
    )
    moves = []
    for ms, text in record["moves"]:
        why = game.play(ms, text)
        moves.append({"ms": ms, "move": text, "ok": not why, "why": why, "score": game.score})
    late = any(ms >= record["duration_ms"] for ms, _ in record["moves"])
    open_end = "timeout" if late or record.get("closed") else "running"
    final = {
        "score": game.score,
        "cleared": game.ended == "cleared",
        "cards_up": game.cards_up,
        "ended": game.ended or open_end,
        "items": game.ledger(),
    }
    return {"final": final, "moves": moves}
