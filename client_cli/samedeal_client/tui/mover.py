"""From what a player means to moves on their way: the hand, the prices, the refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from samedeal_client.errors import NotAtATable
from samedeal_client.outbox import TooManyMoves
from samedeal_client.prices import price_words
from samedeal_client.reach import is_face_down, upward
from samedeal_client.rules_words import rules_error_words
from samedeal_client.texts import _
from samedeal_client.tui.context import Context
from samedeal_client.tui.hand import Hand, Wanted, drop, pick_spot, press, send, send_up
from samedeal_client.tui.race import Tone
from samedeal_client.tui.spots import Spot
from samedeal_protocol import DuelPhase
from samedeal_rules import Game, IllegalMove, Move, RuleKey, move_text
from samedeal_rules.legality import is_legal
from samedeal_rules.moves import FOUNDATION, REDEAL, RESERVE

__all__ = ["Mover", "Stage"]


class Stage(Protocol):
    """Where the player sees what comes of it."""

    def say(self, words: str, kind: str = Tone.PLAIN) -> None:
        """A line; empty takes the last one away."""

    def put(self, question: str, then: Callable[[bool], None]) -> None:
        """A question with yes or no; the answer comes later."""

    def news(self) -> None:
        """Hand or table have changed."""


class Mover:
    """One player at one table."""

    def __init__(self, context: Context, stage: Stage) -> None:
        self.hand = Hand()
        self._context, self._stage = context, stage

    @property
    def game(self) -> Game | None:
        """The table as it will be once all moves on their way are taken."""
        table = self._context.connection.table
        return table.ahead if table is not None else None

    @property
    def over(self) -> bool:
        """Whether our own game has ended."""
        table, duel = self._context.connection.table, self._context.connection.duel
        ended = table is not None and table.confirmed.ended is not None
        return ended or (duel is not None and duel.phase is not DuelPhase.RUNNING)

    def press(self, pile: int) -> None:
        """A pile's key."""
        if self.game is not None:
            self._take(press(self.hand, self.game, pile))

    def best(self, pile: int | None) -> None:
        """What is chosen, else this pile, to its best place."""
        game, picked = self.game, self.hand.picked
        if game is None:
            return
        if picked is not None:
            exact = picked.count if self.hand.exactly else 0
            self._take(send(game, Spot(picked.pile, exact)))
        elif pile is not None:
            self._take(send(game, Spot(pile, 0)))
        else:
            self._stage.say(_("Choose a column first: its number."))

    def up(self) -> None:
        """One card to its foundation."""
        game = self.game
        move = upward(game.ruleset, game.board) if game is not None else None
        if game is None or move is None:
            self._stage.say(_("No card goes up now."))
        else:
            self._send(game, move)

    def let_go(self) -> None:
        """Nothing is chosen, nothing hinted, nothing said."""
        self.hand = Hand()
        self._stage.say("")
        self._stage.news()

    # The mouse.

    def click(self, spot: Spot, *, choose: bool) -> Wanted | None:
        """What a click means: done at once, or given back if it may become a double click."""
        game = self.game
        if game is None:
            return None
        picked = self.hand.picked
        if picked is not None:
            same = picked.pile == spot.pile
            self._take(Wanted(Hand()) if same else drop(self.hand, game, spot.pile))
        elif is_face_down(game.board, spot.pile):
            self._take(press(self.hand, game, spot.pile))
        elif choose or FOUNDATION < spot.pile < RESERVE:
            self._take(pick_spot(game, spot))
        else:
            wanted = send(game, spot)
            if wanted.move is not None and wanted.move.target != FOUNDATION:
                return wanted
            self._take(wanted)
        return None

    def double_click(self, spot: Spot) -> None:
        """Up, or nowhere."""
        if self.game is not None:
            self._take(send_up(self.game, spot))

    def drag(self, source: Spot, target: Spot) -> None:
        """Just these cards, to there."""
        game = self.game
        if game is not None:
            picked = pick_spot(game, source)
            chosen = picked.hand.picked is not None
            self._take(drop(picked.hand, game, target.pile) if chosen else picked)

    def take(self, wanted: Wanted) -> None:
        """A click that did not become a double one; the table may have changed since."""
        self._take(wanted)

    # Moves.

    def play(self, move: str) -> None:
        """Say what it costs, ask where that is wished, and play it."""
        context = self._context
        table = context.connection.table
        if table is None or self.over:
            self._stage.say(_("Your game has ended; the others still play."))
            return
        elapsed_ms = context.connection.elapsed_ms()
        price = price_words(table, move, elapsed_ms)
        asks = context.settings.ask_before_costs and not context.wish.sure
        if not price or not asks:
            self._play(move, price)
            return
        try:
            table.check(move, elapsed_ms)  # nobody is asked about what is not allowed
        except IllegalMove as refusal:
            self._refused(refusal)
            return
        question = price + " " + _("Do it?")
        self._stage.put(question, lambda sure: self._answered(move, sure=sure))

    def _answered(self, move: str, *, sure: bool) -> None:
        if not sure:
            self._stage.say(_("Not done."))
            return
        self._play(move, "")

    def _play(self, move: str, words: str) -> None:
        self.hand = Hand()
        self._stage.say(words)
        try:
            self._context.connection.play(move)
        except IllegalMove as refusal:
            self._refused(refusal)
        except TooManyMoves:
            self._stage.say(_("The server does not answer; wait until it does."), Tone.WARN)
        except NotAtATable as error:
            self._stage.say(f"{error}.", Tone.WARN)
        self._stage.news()

    def _refused(self, refusal: IllegalMove) -> None:
        """Say why not, and what to do where that is known."""
        why, game = rules_error_words(refusal), self.game
        if refusal.rule is RuleKey.STOCK_EMPTY and game is not None and _can_redeal(game):
            words = _("No: {why}; {key} redeals.")
            words = words.format(why=why, key=self._context.key("redeal"))
        else:
            words = _("No: {why}.").format(why=why)
        self._stage.say(words, Tone.WARN)

    def _take(self, wanted: Wanted) -> None:
        game = self.game
        self.hand = wanted.hand
        if wanted.move is not None and game is not None:
            self._send(game, wanted.move)
            return
        if wanted.words:
            self._stage.say(wanted.words, Tone.WARN)
        elif wanted.hand.picked is not None:
            self._stage.say("")
        self._stage.news()

    def _send(self, game: Game, move: Move) -> None:
        self.play(move_text(move, game.ruleset.deck.suits))


def _can_redeal(game: Game) -> bool:
    return is_legal(game.ruleset, game.board, REDEAL)
