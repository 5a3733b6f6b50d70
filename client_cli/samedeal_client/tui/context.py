"""What every screen of one client shares."""

from __future__ import annotations

from dataclasses import dataclass, field

from samedeal_client.connection import Connection
from samedeal_client.plain.choosing import DEFAULT, Choice
from samedeal_client.plain.client import Wish
from samedeal_client.texts import _
from samedeal_client.tui.actions import find_action, key_words, keys_of
from samedeal_client.tui.look import Look
from samedeal_client.tui.palette import Palette, find_palette
from samedeal_client.tui.panel_text import LATE_MS, PanelView
from samedeal_client.tui.race import Race
from samedeal_client.tui.session import Session
from samedeal_client.tui.settings import Settings
from samedeal_protocol import DuelPhase
from samedeal_rules import Ruleset, UnknownRuleset, find_ruleset

__all__ = ["Context"]


@dataclass
class Context:
    """Session, settings, and the news of the duel; the screens read it, the app writes it."""

    session: Session
    wish: Wish
    settings: Settings = field(default_factory=Settings)
    signs: bool = True
    """Whether the terminal can show more than ASCII."""
    colour: bool = True
    few_colours: bool = False
    """Whether the terminal has no more than 16."""
    race: Race = field(default_factory=Race)
    game: Choice = DEFAULT
    """What was played last."""
    best: int | None = None
    """The best we have done in this game alone, before this one; None in a duel."""
    new_best: bool = False
    inviting: bool = True
    """Whether free seats are for people who must be told the code."""

    @property
    def connection(self) -> Connection:
        """The line."""
        return self.session.connection

    @property
    def look(self) -> Look:
        """How cards are written."""
        settings = self.settings
        colour = self.colour and settings.theme != "plain"
        signs = self.signs and not settings.letters
        return Look(signs, colour, settings.four_colours, settings.back)

    @property
    def palette(self) -> Palette:
        """The colours in use."""
        return find_palette(self.settings.theme, colour=self.colour, few=self.few_colours)

    def key(self, name: str, *, first: bool = True) -> str:
        """The key of an action, as one reads it."""
        action = find_action(name)
        return "" if action is None else key_words(keys_of(action, self.settings.keys), first=first)

    def ruleset(self) -> Ruleset | None:
        """Of the duel we are in, if this program knows it."""
        duel = self.connection.duel
        if duel is None:
            return None
        try:
            return find_ruleset(duel.ruleset, duel.options)[1]
        except UnknownRuleset:
            return None

    def clock_ms(self) -> int | None:
        """What the clock shows: time left, or played where there is no limit."""
        duel = self.connection.duel
        if duel is None or duel.start_at is None:
            return None
        left = self.connection.time_left_ms()
        return self.connection.elapsed_ms() if left is None else left

    def panel(self) -> PanelView:
        """What the side of the table shows now."""
        connection, duel, table = self.connection, self.connection.duel, self.connection.table
        standings, ruleset = connection.standings, self.ruleset()
        left = connection.time_left_ms()
        running = duel is not None and duel.phase is DuelPhase.RUNNING
        game = table.ahead if table is not None else None
        ended = table is not None and table.confirmed.ended is not None
        return PanelView(
            clock_ms=self.clock_ms(),
            late=running and not ended and left is not None and left <= LATE_MS,
            score=game.points if game is not None else None,
            up=game.board.cards_up if game is not None else 0,
            cards=len(ruleset.deck.cards) if ruleset is not None else 1,
            rows=standings.rows if standings is not None else (),
            total=standings.total if standings is not None else 0,
            you=duel.you if duel is not None else None,
            race=self.race,
            over=running and ended,
            signs=self.look.signs,
            best=self.best,
            words=_("deal: {words}").format(words=table.fingerprint) if table is not None else "",
        )
