"""A second move generator for every ruleset, sharing no code with the engine.

Piles are lists of strings; a face-down card is written with a minus. It is slow and plain on
purpose; where it and the engine differ, read rules.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .naive_deals import FRENCH, naive_microsoft, naive_seeded

SPIDER_SETS = {"spider-1": ["S"] * 8, "spider-2": ["SH"] * 4, "spider-4": ["SHCD"] * 2}


class Refused(Exception):
    """Carries the name of the rule."""


class Table:
    """One table of any ruleset: what lies where, and what may be done."""

    def __init__(
        self,
        name: str,
        seed: str | None,
        options: dict[str, Any] | None = None,
        duration_ms: int | None = 300_000,
    ) -> None:
        options = options or {}
        self.name, self.duration_ms = name, duration_ms
        self.family = name.split("-", maxsplit=1)[0]
        self.ranks, self.suits, self.red = FRENCH, "CDHS", "DH"
        if name == "spanish":
            self.ranks = "1234567SCR" if options.get("deck", 40) == 40 else "123456789SCR"
            self.suits, self.red = "OCEB", "OC"
        self.draw = options.get("draw", {"timed": 3, "klondike-3": 3}.get(name, 1))
        redeals = options.get("redeals", 3 if name == "spanish" else "unlimited")
        self.redeals = None if redeals == "unlimited" else redeals
        self.has_stock = options.get("stock", True) and self.family != "freecell"
        if "deal" in options:
            cards = naive_microsoft(int(options["deal"][3:]))
        else:
            assert seed is not None
            cards = naive_seeded(self.pack(), seed)
        self.size = len(cards)
        self.s: dict[str, Any] = {
            "columns": [],
            "stock": [],
            "waste": [],
            "up": {suit: [] for suit in self.suits},
            "cells": [None] * 4 if self.family == "freecell" else [],
            "reserve": [],
            "gone": [],
            "redeals": 0,
            "taken_back": set(),
            "items": {},
        }
        self._lay_out(cards)
        self.past: list[dict[str, Any]] = []
        self.forgotten = False
        self.ended: str | None = None
        self.ended_ms: int | None = None
        self.log: list[str] = []

    def pack(self) -> list[str]:
        sets = SPIDER_SETS.get(self.name, [self.suits])
        return [rank + suit for suits in sets for suit in suits for rank in self.ranks]

    def _lay_out(self, cards: list[str]) -> None:
        cards = list(cards)
        columns: list[list[str]]
        if self.family == "spider":
            columns = [[] for _ in range(10)]
            for row in range(6):
                for column in range(10 if row < 5 else 4):
                    columns[column].append(cards.pop(0))
            columns = [["-" + c for c in column[:-1]] + column[-1:] for column in columns]
        elif self.family == "freecell":
            columns = [[] for _ in range(8)]
            for index, card in enumerate(cards):
                columns[index % 8].append(card)
            cards = []
        else:
            columns = [[] for _ in range(7)]
            for row in range(7):
                for column in range(row, 7):
                    card = cards.pop(0)
                    columns[column].append(card if column == row else "-" + card)
        self.s["columns"] = columns
        self.s["stock" if self.has_stock else "reserve"] = cards

    # What is allowed.

    def number(self, card: str) -> int:
        return self.ranks.index(card[0])

    def is_red(self, card: str) -> bool:
        return card[1] in self.red

    def may_lie(self, upper: str, lower: str) -> bool:
        if self.number(upper) + 1 != self.number(lower):
            return False
        return self.family == "spider" or self.is_red(upper) != self.is_red(lower)

    def run_goes_on(self, upper: str, lower: str) -> bool:
        if self.family == "spider":
            return self.number(upper) + 1 == self.number(lower) and upper[1] == lower[1]
        return self.may_lie(upper, lower)

    def taken(self, source: str, count: int) -> list[str]:
        kind = source[0]
        if kind == "t":
            return self._from_column(int(source[1:]) - 1, count)
        if kind == "w":
            if not self.has_stock or self.family == "spider":
                raise Refused("no_such_pile")
            if not self.s["waste"]:
                raise Refused("waste_empty")
            return [self.s["waste"][-1]]
        if kind == "f":
            if self.family in ("spider", "spanish"):
                raise Refused("not_in_this_game")
            if not self.s["up"][source[1]]:
                raise Refused("pile_empty")
            return [self.s["up"][source[1]][-1]]
        places = self.s["cells" if kind == "c" else "reserve"]
        index = int(source[1:]) - 1
        if index >= len(places):
            raise Refused("no_such_pile")
        if places[index] is None:
            raise Refused("pile_empty")
        return [places[index]]

    def _from_column(self, index: int, count: int) -> list[str]:
        if index >= len(self.s["columns"]):
            raise Refused("no_such_pile")
        column = self.s["columns"][index]
        if not column:
            raise Refused("pile_empty")
        if count > len(column):
            raise Refused("not_enough_cards")
        cards: list[str] = column[len(column) - count :]
        if any(card[0] == "-" for card in cards):
            raise Refused("face_down")
        for k in range(count - 1):
            if not self.run_goes_on(cards[k + 1], cards[k]):
                raise Refused("not_a_run")
        return cards

    def check_target(self, cards: list[str], target: str) -> None:
        card = cards[0]
        if target == "f":
            if self.family == "spider":
                raise Refused("not_in_this_game")
            if len(cards) > 1:
                raise Refused("one_card_only")
            if self.number(card) != len(self.s["up"][card[1]]):
                raise Refused("foundation_order")
            return
        index = int(target[1:]) - 1
        if target[0] == "c":
            if index >= len(self.s["cells"]):
                raise Refused("no_such_pile")
            if len(cards) > 1:
                raise Refused("one_card_only")
            if self.s["cells"][index] is not None:
                raise Refused("cell_taken")
            return
        if index >= len(self.s["columns"]):
            raise Refused("no_such_pile")
        column = self.s["columns"][index]
        if not column:
            if self.family not in ("freecell", "spider") and card[0] not in "KR":
                raise Refused("needs_king")
        elif column[-1][0] == "-":
            raise Refused("face_down")
        elif not self.may_lie(card, column[-1]):
            raise Refused("does_not_fit")
        if self.family == "freecell" and len(cards) > self.most(index):
            raise Refused("too_many_cards")

    def most(self, target: int) -> int:
        limit = 1
        for cell in self.s["cells"]:
            if cell is None:
                limit += 1
        for index, column in enumerate(self.s["columns"]):
            if index != target and column == []:
                limit *= 2
        return limit

    def check(self, text: str) -> None:
        """Raise `Refused` unless this draw, redeal, turn or carry may be played."""
        if text == "d":
            if self.family != "spider" and not self.has_stock:
                raise Refused("not_in_this_game")
            if not self.s["stock"]:
                raise Refused("stock_empty")
            if self.family == "spider":
                on_table = sum(len(column) for column in self.s["columns"])
                if [] in self.s["columns"] and on_table >= 10:
                    raise Refused("column_empty")
        elif text == "r":
            if self.family == "spider" or not self.has_stock:
                raise Refused("not_in_this_game")
            if self.s["stock"]:
                raise Refused("stock_not_empty")
            if not self.s["waste"]:
                raise Refused("waste_empty")
            if self.redeals is not None and self.s["redeals"] >= self.redeals:
                raise Refused("no_redeals_left")
        elif text[0] == "x":
            if self.family != "timed":
                raise Refused("not_in_this_game")
            if int(text[1:]) > 7:
                raise Refused("no_such_pile")
            column = self.s["columns"][int(text[1:]) - 1]
            if not column or column[-1][0] != "-":
                raise Refused("not_face_down")
        else:
            source, count, target = split(text)
            self.check_target(self.taken(source, count), target)

    # Which moves there are.

    def candidates(self) -> Iterator[str]:
        """Every spelled move whose piles this table has."""
        s = self.s
        columns = [f"t{n + 1}" for n in range(len(s["columns"]))]
        cells = [f"c{n + 1}" for n in range(len(s["cells"]))]
        yield from ("d", "r")
        yield from (f"x{n + 1}" for n in range(len(s["columns"])))
        for n, source in enumerate(columns):
            for count in range(1, min(13, len(s["columns"][n])) + 1):
                times = "" if count == 1 else f"*{count}"
                for target in [*columns, *cells, "f"]:
                    if target != source:
                        yield f"{source}{times}-{target}"
        singles = ["w", *(f"v{n + 1}" for n in range(len(s["reserve"]))), *cells]
        for source in [*singles, *(f"f{suit}" for suit in self.suits)]:
            for target in columns if source[0] == "f" else [*columns, "f"]:
                yield f"{source}-{target}"

    def legal(self) -> list[str]:
        found = []
        for text in self.candidates():
            try:
                self.check(text)
            except Refused:
                continue
            found.append(text)
        return found


CELLS = ("c1", "c2", "c3", "c4")


def split(text: str) -> tuple[str, int, str]:
    source, target = text.split("-")
    pile, star, count = source.partition("*")
    return pile, int(count) if star else 1, target
