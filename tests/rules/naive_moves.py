"""The referee for every ruleset: rules.md written a second time, sharing no code with the engine.

Piles are lists of strings; a face-down card is written with a minus. Undo is a copy of everything.
It is slow and plain on purpose; where it and the engine differ, read rules.md. (The points of
`timed` are in `naive.py`; here it has its moves only.)
"""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Iterator
from typing import Any

FRENCH = "A23456789TJQK"
SPIDER_SETS = {"spider-1": ["S"] * 8, "spider-2": ["SH"] * 4, "spider-4": ["SHCD"] * 2}
DEPTH = 150


class Refused(Exception):
    """Carries the name of the rule."""


def naive_seeded(deck: list[str], seed: str) -> list[str]:
    """The shuffle of section 8."""
    deck, words, block = list(deck), [], 0
    for i in range(len(deck) - 1, 0, -1):
        while True:
            if not words:
                digest = hashlib.sha256(seed.encode() + block.to_bytes(8, "big")).digest()
                words = [int.from_bytes(digest[k : k + 4], "big") for k in range(0, 32, 4)]
                block += 1
            word = words.pop(0)
            if word < 2**32 - 2**32 % (i + 1):
                break
        j = word % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def naive_microsoft(number: int) -> list[str]:
    """The rand() of an old C library, and cards taken from a sorted pack, the last into the gap."""
    pack = [rank + suit for rank in FRENCH for suit in "CDHS"]
    dealt, state = [], number
    while pack:
        state = (state * 214013 + 2531011) % 2**31
        chosen = (state >> 16) % len(pack)
        dealt.append(pack[chosen])
        pack[chosen] = pack[-1]
        pack.pop()
    return dealt


class Referee:
    """One game of any ruleset."""

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

    # What it does.

    def play(self, ms: int, text: str) -> str | None:
        """The rule that a move broke, or None. `text` must be spelled right."""
        if self.ended is not None:
            return "game_over"
        if self.duration_ms is not None and ms >= self.duration_ms:
            return "time_over"
        if text == "u":
            if not self.past:
                return "undo_depth" if self.forgotten else "nothing_to_undo"
            self.s = self.past.pop()
            return None
        if text == "end":
            self.ended, self.ended_ms = "finish", ms
            return None
        before = copy.deepcopy(self.s)
        try:
            self.check(text)
        except Refused as refused:
            return str(refused)
        self.do(text)
        self.past.append(before)
        if self.name != "spanish" and len(self.past) > DEPTH:
            self.past.pop(0)
            self.forgotten = True
        if self.cards_up == self.size:
            self.ended, self.ended_ms = "cleared", ms
            if self.name != "spanish":
                long = self.family == "spider" or (self.family == "klondike" and self.draw == 3)
                self.add("time_bonus", max(0, (1400 if long else 700) - 2 * (ms // 1000)))
        return None

    def do(self, text: str) -> None:
        self.log = []
        if text == "d":
            self._draw()
        elif text == "r":
            self.s["stock"], self.s["waste"] = self.s["waste"], []
            self.s["redeals"] += 1
        elif text[0] == "x":
            column = self.s["columns"][int(text[1:]) - 1]
            column[-1] = column[-1][1:]
            self.log.append(f"turned {column[-1]} t{text[1:]}")
        else:
            self._carry(*split(text))
        self._runs_leave()
        self._automatic()

    def _draw(self) -> None:
        stock = self.s["stock"]
        if self.family == "spider":
            for column in self.s["columns"]:
                if stock:
                    column.append(stock.pop(0))
                    self.log.append("drawn " + column[-1])
            return
        for _ in range(self.draw):
            if stock:
                self.s["waste"].append(stock.pop(0))
                self.log.append("drawn " + self.s["waste"][-1])

    def _carry(self, source: str, count: int, target: str) -> None:
        cards = list(self.taken(source, count))
        self._remove(source, count)
        if target == "f":
            self._put_up(cards[0])
        elif target[0] == "c":
            self.s["cells"][int(target[1:]) - 1] = cards[0]
        else:
            self.s["columns"][int(target[1:]) - 1] += cards
            if source == "w" and self.family == "klondike":
                self.add("waste_to_tableau", 5)
            if source[0] == "f":
                self.s["taken_back"].add(cards[0])
                self.add("foundation_to_tableau", -15)
        self._turn_uncovered()

    def _remove(self, source: str, count: int) -> None:
        if source[0] in "cv":
            self.s["cells" if source[0] == "c" else "reserve"][int(source[1:]) - 1] = None
            return
        if source == "w":
            pile = self.s["waste"]
        elif source[0] == "f":
            pile = self.s["up"][source[1]]
        else:
            pile = self.s["columns"][int(source[1:]) - 1]
        del pile[len(pile) - count :]

    def _put_up(self, card: str) -> None:
        self.s["up"][card[1]].append(card)
        self.add("foundation", 10)

    def _turn_uncovered(self) -> None:
        if self.family == "timed":
            return
        for index, column in enumerate(self.s["columns"]):
            if column and column[-1][0] == "-":
                column[-1] = column[-1][1:]
                self.log.append(f"turned {column[-1]} t{index + 1}")
                self.add("turned", 5)

    def _runs_leave(self) -> None:
        if self.family != "spider":
            return
        for column in self.s["columns"]:
            suit = column[-1][-1] if column else ""
            if column[-13:] == [rank + suit for rank in reversed(FRENCH)]:
                del column[-13:]
                self.s["gone"].append(suit)
                self.add("runs", 65)
                self._turn_uncovered()

    def _automatic(self) -> None:
        again = self.family in ("timed", "klondike", "freecell")
        while again:
            again = False
            for pile in [*(f"t{n + 1}" for n in range(len(self.s["columns"]))), "w", *CELLS]:
                card = self._end(pile)
                if card and self._goes_by_itself(card):
                    self._remove(pile, 1)
                    self._put_up(card)
                    self.log.append(f"auto {card} {pile}")
                    again = True

    def _end(self, pile: str) -> str | None:
        if pile[0] == "c":
            cells = self.s["cells"]
            return cells[int(pile[1:]) - 1] if cells else None
        cards = self.s["waste"] if pile == "w" else self.s["columns"][int(pile[1:]) - 1]
        return cards[-1] if cards and cards[-1][0] != "-" else None

    def _goes_by_itself(self, card: str) -> bool:
        up = {suit: len(pile) for suit, pile in self.s["up"].items()}
        rank = self.number(card)
        if up[card[1]] != rank:
            return False
        if self.family == "klondike":
            hidden = any(c[0] == "-" for column in self.s["columns"] for c in column)
            return not hidden and not self.s["stock"] and len(self.s["waste"]) <= 1
        if card in self.s["taken_back"]:
            return False
        if self.family == "timed":
            return all(count >= rank for count in up.values())
        other = [up[suit] for suit in self.suits if (suit in self.red) != self.is_red(card)]
        return rank < 2 or min(other) >= rank

    # Points.

    def add(self, item: str, points: int) -> None:
        if self.name == "spanish" or self.family == "timed":
            return
        items = self.s["items"]
        points = max(points, -sum(items.values()))
        items[item] = items.get(item, 0) + points

    @property
    def score(self) -> int | None:
        return None if self.name == "spanish" else sum(self.s["items"].values())

    @property
    def cards_up(self) -> int:
        return sum(map(len, self.s["up"].values())) + 13 * len(self.s["gone"])

    def ledger(self) -> dict[str, int]:
        return {item: points for item, points in self.s["items"].items() if points}

    def all_cards(self) -> list[str]:
        """Every card, wherever it lies."""
        s = self.s
        piles = [*s["columns"], s["stock"], s["waste"], s["cells"], s["reserve"], *s["up"].values()]
        runs = [rank + suit for suit in s["gone"] for rank in FRENCH]
        return [card.lstrip("-") for pile in piles for card in pile if card] + runs

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

    def after(self, text: str) -> Referee:
        """The table after a legal move, for counting."""
        other = copy.copy(self)
        other.s = copy.deepcopy(self.s)
        other.do(text)
        return other

    def perft(self, depth: int) -> list[int]:
        """Lines of play of 1 to `depth` moves (without `u` and `end`) from here."""
        counts = [0] * depth
        if depth and self.cards_up < self.size:
            for text in self.legal():
                counts[0] += 1
                if depth > 1:
                    for index, count in enumerate(self.after(text).perft(depth - 1)):
                        counts[index + 1] += count
        return counts


CELLS = ("c1", "c2", "c3", "c4")


def split(text: str) -> tuple[str, int, str]:
    source, target = text.split("-")
    pile, star, count = source.partition("*")
    return pile, int(count) if star else 1, target


def naive_spelled(suits: str) -> list[str]:
    """Every text that is a move in a game with these suits (rules, section 9)."""
    texts = ["d", "r", "u", "end", *(f"x{n}" for n in range(1, 11))]
    columns, cells = [f"t{n}" for n in range(1, 11)], list(CELLS)
    for source in columns:
        for times in ["", *(f"*{count}" for count in range(2, 14))]:
            texts += [f"{source}{times}-{to}" for to in [*columns, *cells, "f"] if to != source]
    for source in ["w", *(f"v{n}" for n in range(1, 21))]:
        texts += [f"{source}-{to}" for to in [*columns, *cells, "f"]]
    for source in cells:
        texts += [f"{source}-{to}" for to in [*columns, "f"]]
    for suit in suits:
        texts += [f"f{suit}-{to}" for to in columns]
    return texts


def referee_judge(record: dict[str, Any]) -> dict[str, Any]:
    """What `samedeal judge --json` must say about a well-formed record, not of `timed`."""
    duration = record["duration_ms"]
    game = Referee(record["ruleset"], record.get("seed"), record["options"], duration)
    spelled = set(naive_spelled(game.suits))
    moves = []
    for ms, text in record["moves"]:
        why = game.play(ms, text) if text in spelled else "not_a_move"
        moves.append({"ms": ms, "move": text, "ok": not why, "why": why, "score": game.score})
    late = duration is not None and any(ms >= duration for ms, _ in record["moves"])
    final = {
        "score": game.score,
        "cleared": game.ended == "cleared",
        "cards_up": game.cards_up,
        "ended": game.ended or ("timeout" if late or record.get("closed") else "running"),
        "items": game.ledger(),
    }
    return {"final": final, "moves": moves}
