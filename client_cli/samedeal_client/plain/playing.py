"""A person's game in the line client: typed moves out, answers in words back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from samedeal_client import events as facts
from samedeal_client.connection import Connection
from samedeal_client.errors import NotAtATable
from samedeal_client.outbox import TooManyMoves
from samedeal_client.plain.board_text import (
    clock_text,
    elapsed_text,
    ledger_lines,
)
from samedeal_client.plain.move_words import advice_words, carried_cards
from samedeal_client.plain.sentences import column_sentence
from samedeal_client.plain.short_forms import move_typed
from samedeal_client.plain.speaker import speaker_for
from samedeal_client.plain.terminal import Terminal
from samedeal_client.plain.words import (
    NO_POINTS,
    ended_words,
    hint_words,
    refusal_words,
    standing_words,
)
from samedeal_client.prices import price_words
from samedeal_client.rules_words import rules_error_words
from samedeal_client.table import Table
from samedeal_client.texts import _, says_yes
from samedeal_protocol import Applied, Hinted
from samedeal_rules import Card, Game, IllegalMove, RuleKey
from samedeal_rules.legality import is_legal
from samedeal_rules.moves import REDEAL

__all__ = ["Ask", "Playing"]

Ask = Callable[[str], Awaitable[str | None]]
"""Put a question; the line that was typed, or None at the end of input."""

ANSWER_S: Final = 0.4
"""So long a person waits for the answer before the board is shown as it will be."""
SCRIPT_ANSWER_S: Final = 20.0
"""A script wants the answer itself."""


class Playing:
    """Takes typed lines at a running table, and says what came of each move."""

    def __init__(self, connection: Connection, terminal: Terminal, *, ask: bool, put: Ask) -> None:
        self._connection = connection
        self._terminal = terminal
        self._put = put
        self._asks = ask
        self._warned: set[str] = set()
        self._awaited: int | None = None
        self._answered = asyncio.Event()
        self._undone = False
        self._speaker = speaker_for(terminal.style)
        self._carried: dict[int, list[Card]] = {}
        """Cards of the moves on their way, to be named once they count."""
        self.ended = False
        """Whether our own game has ended."""

    @property
    def table(self) -> Table:
        """Our table; there is one as long as this plays."""
        table = self._connection.table
        assert table is not None
        return table

    def prompt(self) -> str:
        """The time left (or, without a limit, since the start) and the score, as far as known."""
        left = self._connection.time_left_ms()
        clock = elapsed_text(self._connection.elapsed_ms()) if left is None else clock_text(left)
        return self._speaker.prompt(clock, self._standing(self.table.ahead))

    def hint_told(self, hinted: Hinted) -> str:
        """A hint in words; as one may type it too, for who looks."""
        if hinted.move is None:
            return hint_words(hinted)
        game, style = self.table.ahead, self._terminal.style
        if style.sentences:
            return hint_words(hinted, advice_words(game, hinted.move)) + "."
        return hint_words(hinted, f"{advice_words(game, hinted.move, style.card)} ({hinted.move})")

    def show_board(self, column: str = "") -> None:
        """The table as it will be once all moves on their way are taken; or one column in words."""
        game = self.table.ahead
        if column.isascii() and column.isdecimal() and 0 < int(column) <= len(game.board.columns):
            self._terminal.say(column_sentence(game, int(column) - 1))
        else:
            self._terminal.say(*self._speaker.table(game))

    def show_time(self) -> None:
        """The clock, and how we stand."""
        left = self._connection.time_left_ms()
        if left is None:
            clock = elapsed_text(self._connection.elapsed_ms())
        else:
            clock = _("{clock} left").format(clock=clock_text(left))
        self._terminal.say(f"{clock}, {self._standing(self.table.ahead)}.")

    def show_points(self) -> None:
        """Every point with its reason."""
        game = self.table.confirmed
        if game.points is None:
            have = _("You have {standing}.").format(standing=self._standing(game))
            self._terminal.say(_(NO_POINTS), have)
        else:
            self._terminal.say(*ledger_lines(game.ledger(), game.points))

    async def typed(self, line: str) -> bool:
        """Play what was typed; False if it is no move."""
        text = move_typed(line, self.table.ruleset, self.table.ahead.board)
        if text is None:
            return False
        if not await self._price_accepted(text):
            self._terminal.say(_("Not done."))
            return True
        cards = [] if self.table.blind else carried_cards(self.table.ahead, text)
        try:
            self._awaited = self._connection.play(text)
        except IllegalMove as refusal:
            self._terminal.say(_("No: {why}.").format(why=self._why_not(refusal)))
            return True
        except TooManyMoves:
            self._terminal.say(_("The server does not answer; wait until it does."))
            return True
        except NotAtATable as error:
            self._terminal.say(f"{error}.")
            return True
        self._carried[self._awaited] = cards
        await self._wait_for_answer()
        return True

    # What comes back.

    def applied(self, answer: Applied) -> None:
        """A move counts: what it brought, and the table as it is now."""
        cards = self._carried.pop(answer.seq, [])
        game = self.table.confirmed
        standing = standing_words(answer.score, game.board.cards_up)
        self._say(self._speaker.moved(game, answer.move, cards, answer, standing))
        if answer.ended is not None:
            self.ended = True
            score = f"{standing}."
            if answer.score is not None:
                score = _("Your score: {score}.").format(score=standing)
            self._terminal.say(f"{ended_words(answer.ended)} {score}")
        elif answer.move == "u":
            self._undone = True  # a snapshot follows with the table
            return
        elif not self.table.pending:
            self._show_after()
        self._answer_seen(answer.seq)

    def snapshot(self) -> None:
        """The table anew; shown when that is news."""
        if self._undone:
            self._undone = False
            self._show_after()
            self._answer_seen(self.table.acknowledged - 1)

    def fell(self, event: facts.MovesFell) -> None:
        """A move was refused, with all that was sent after it."""
        refused, *others = event.moves
        why = refusal_words(event.because)
        self._terminal.say(_("No, not {move}: {why}.").format(move=refused, why=why))
        if others:
            fell = _("With it fell what you played after it: {moves}.")
            self._terminal.say(fell.format(moves=" ".join(others)))
        self._carried.clear()
        self._show_after()
        self._answer_seen(None)

    # How it works.

    async def _wait_for_answer(self) -> None:
        self._answered.clear()
        wait = ANSWER_S if self._terminal.interactive else SCRIPT_ANSWER_S
        try:
            async with asyncio.timeout(wait):
                await self._answered.wait()
        except TimeoutError:
            up = self._connection.up
            why = _("on its way") if up else _("no connection; it goes out later")
            self._terminal.say(f"({why})")
            if not self.table.blind:
                self._show_after()

    def _say(self, lines: Sequence[str]) -> None:
        if lines:
            self._terminal.say(*lines)

    def _show_after(self) -> None:
        self._say(self._speaker.table_after(self.table.ahead))

    def _answer_seen(self, seq: int | None) -> None:
        if seq is None or self._awaited is None or seq >= self._awaited:
            self._answered.set()

    async def _price_accepted(self, text: str) -> bool:
        """Say what a move costs before it is made; ask where it can't be taken for granted."""
        question = price_words(self.table, text, self._connection.elapsed_ms())
        if not question:
            return True
        if not self._asks or text in self._warned:
            self._terminal.say(question)
            return True
        accepted = says_yes(await self._put(question + _(" Do it? y/n > ")))
        if accepted and text != "end":
            self._warned.add(text)  # whoever said no is asked again
        return accepted

    def _why_not(self, refusal: IllegalMove) -> str:
        """What the rules object to, and the word that redeals where that helps."""
        why, game = rules_error_words(refusal), self.table.ahead
        if refusal.rule is RuleKey.STOCK_EMPTY and is_legal(game.ruleset, game.board, REDEAL):
            return _("{why}; r redeals").format(why=why)
        return why

    def _standing(self, game: Game) -> str:
        return standing_words(game.points, game.board.cards_up)
