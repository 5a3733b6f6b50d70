"""The referee for every ruleset: what moves do, written a second time straight from rules.md.

Undo is a copy of everything. (The points of `timed` are in `naive.py`; here it has its moves only.)
"""

from __future__ import annotations

import copy

from .naive_deals import FRENCH
from .naive_moves import CELLS, Refused, Table, split

DEPTH = 150


class Referee(Table):
    """One game of any ruleset."""

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

    # Counting.

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
