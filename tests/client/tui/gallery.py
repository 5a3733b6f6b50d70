"""What the pictures of the README show: races of bots on fixed deals, with a clock that stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from client.tui.stage import Stage, StillConnection, StillSession, StillTable
from samedeal_bots.brain import Level, brain
from samedeal_bots.practice import Practice
from samedeal_client.fair import OwnGame, Witness
from samedeal_client.plain.client import Wish
from samedeal_client.tui.context import Context
from samedeal_client.tui.race import hear
from samedeal_client.tui.screens.base import BaseScreen
from samedeal_client.tui.screens.play import PlayScreen
from samedeal_client.tui.screens.result import ResultScreen
from samedeal_client.tui.settings import Settings
from samedeal_protocol import (
    Applied,
    DuelChanged,
    DuelPhase,
    PlayerState,
    PointsEarned,
    RankingRow,
    Result,
    Seat,
    StandingRow,
    Standings,
)
from samedeal_rules import OptionValue, deal, find_ruleset, move_text
from samedeal_rules.fairness import commitment, deal_seed, fingerprint, nonce_hash
from samedeal_rules.scoring import ITEMS

__all__ = ["GALLERY", "Picture", "stage_of"]

DUEL: Final = "p00picture"
CODE: Final = "HJK347"
SECRET: Final = "5e" * 32
START: Final = 1_700_000_000_000
DURATION_MS: Final = 300_000
PLAYERS: Final = (("Ana", Level.NORMAL), ("Bo", Level.EASY), ("Carla", Level.NORMAL))
PACES_MS: Final = (1_700, 2_100, 1_900)
"""How long each of them takes for a move."""
STANDINGS_MS: Final = 8_000


@dataclass(frozen=True)
class Picture:
    """One of them; `settings` are those of the full-screen client."""

    name: str
    ruleset: str
    ms: int
    """The moment that is shown; at DURATION_MS it is the result."""
    settings: dict[str, Any]
    keys: tuple[str, ...] = ()
    """Pressed before."""
    number: int = 0
    """Another one, another deal."""
    size: tuple[int, int] = (100, 32)

    @property
    def nonces(self) -> list[str]:
        return [f"{self.number:02x}" * 16, "b0" * 16, "ca" * 16]


GALLERY: Final = (
    Picture("race", "timed", 120_000, {}, number=65),
    Picture("freecell", "freecell", 40_000, {"theme": "night"}, ("2",), number=4),
    Picture("spider", "spider-2", 95_000, {"theme": "day", "back": "brick"}, number=6),
    Picture("result", "timed", DURATION_MS, {}, number=50),
)


class Duel:
    """One duel of PLAYERS up to a moment, as the first of them has it."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self.options: dict[str, OptionValue] = {}
        self.ruleset = find_ruleset(picture.ruleset, self.options)[1]
        self.seed = deal_seed(
            secret=SECRET, duel=DUEL, ruleset=picture.ruleset, options={},
            nonces=picture.nonces, k=0,
        )  # fmt: skip
        self.tables = [Practice.dealt(self.ruleset, self.seed, DURATION_MS) for _player in PLAYERS]
        self.brains = [brain(level, seat) for seat, (_name, level) in enumerate(PLAYERS)]
        self.moves: list[list[tuple[int, str]]] = [[] for _player in PLAYERS]
        self.over = picture.ms >= DURATION_MS
        phase = DuelPhase.FINISHED if self.over else DuelPhase.RUNNING
        self.changed = self._changed(phase)
        board = deal(self.ruleset, self.seed).view()
        self.words = fingerprint(board, self.ruleset.deck.names)
        connection = StillConnection(
            self.changed,
            StillTable(self.tables[0].view, fingerprint=self.words),
            left_ms=DURATION_MS - picture.ms,
        )
        session: Any = StillSession(connection)
        self.context = Context(session, Wish(), Settings(**picture.settings))
        self._play()
        connection.standings = self._standings()
        self._hear(connection.standings, picture.ms)
        if self.over:
            connection.result = self._result()
            own = OwnGame(self.words, self.moves[0])
            connection.checks = self._witness().check(connection.result, own)

    def _changed(self, phase: DuelPhase) -> DuelChanged:
        seats = [
            Seat(seat=seat, player=f"p{seat}", name=name, ready=True, connected=True, bot=False)
            for seat, (name, _level) in enumerate(PLAYERS)
        ]
        return DuelChanged(
            id=DUEL, code=CODE, version=1, phase=phase, ruleset=self.picture.ruleset, options={},
            duration_ms=DURATION_MS, hints=self.ruleset.hints, chosen_seed=False,
            seats=len(seats), players=seats, seated=len(seats), ready=len(seats), host=0, you=0,
            commitment=commitment(DUEL, SECRET),
            nonce_hashes=[nonce_hash(nonce) for nonce in self.picture.nonces],
            start_at=START, deadline=START + DURATION_MS, server_ms=START + self.picture.ms,
        )  # fmt: skip

    def _play(self) -> None:
        """Everybody in turn, as their pace has it; the race hears what the client would."""
        due = list(PACES_MS)
        told = STANDINGS_MS
        while (ms := min(due)) < self.picture.ms:
            seat = due.index(ms)
            due[seat] += PACES_MS[seat]
            self._move(seat, ms)
            if ms >= told:
                told += STANDINGS_MS
                self._hear(self._standings(), ms)
        if self.over:
            for table in self.tables:
                table.real.run_out()
                table.view.run_out()

    def _move(self, seat: int, ms: int) -> None:
        table = self.tables[seat]
        move = None if table.real.ended else self.brains[seat].choose(table.view, ms)
        if move is None:
            return
        played = table.play(move, ms)
        self.moves[seat].append((ms, move_text(move, self.ruleset.deck.suits)))
        if seat == 0:
            points = [
                PointsEarned(item=ITEMS[item], points=worth, what=what)
                for item, worth, what in played.points
            ]
            text = self.moves[seat][-1][1]
            applied = Applied(seq=0, move=text, ms=ms, score=None, checksum=0, points=points)
            self._hear(applied, ms)

    def _hear(self, event: Applied | Standings, ms: int) -> None:
        context = self.context
        now = START + ms
        deck = self.ruleset.deck
        context.race = hear(context.race, event, now, context.look, deck, 0)

    def _standings(self) -> Standings:
        rows = [
            StandingRow(
                place=place, seat=seat, name=PLAYERS[seat][0], score=self._score(seat),
                up=self.tables[seat].real.board.cards_up, state=self._state(seat),
            )
            for place, seat in enumerate(self._order(), 1)
        ]  # fmt: skip
        return Standings(
            duel=DUEL, version=1, server_ms=START + self.picture.ms, total=len(rows), rows=rows
        )

    def _order(self) -> Sequence[int]:
        return sorted(range(len(PLAYERS)), key=lambda seat: -(self._score(seat) or 0))

    def _score(self, seat: int) -> int | None:
        return self.tables[seat].real.points

    def _state(self, seat: int) -> PlayerState:
        ended = self.tables[seat].real.ended
        return PlayerState(ended.value) if ended else PlayerState.PLAYING

    def _result(self) -> Result:
        rows = []
        for place, seat in enumerate(self._order(), 1):
            game = self.tables[seat].real
            rows.append(
                RankingRow(
                    place=place, seat=seat, player=f"p{seat}", name=PLAYERS[seat][0],
                    score=game.points, up=game.board.cards_up, ended=self._state(seat),
                    ended_ms=game.ended_ms, moves=len(self.moves[seat]), items=game.ledger(),
                )
            )  # fmt: skip
        return Result(
            duel=DUEL, ruleset=self.picture.ruleset, options={}, ranking=rows, total=len(rows),
            commitment=commitment(DUEL, SECRET), secret=SECRET, nonces=self.picture.nonces, k=0,
            seed=self.seed, chosen_seed=False,
        )  # fmt: skip

    def _witness(self) -> Witness:
        """One that has seen the promise and the numbers being fixed, as a client has."""
        witness = Witness(DUEL)
        witness.promised.append(self.changed.commitment)
        witness.frozen = self.changed
        witness._nonces = {nonce_hash(nonce): nonce for nonce in self.picture.nonces[:1]}
        return witness


def stage_of(picture: Picture) -> Stage:
    """An app that shows it; press its keys."""
    duel = Duel(picture)
    screen: Callable[[Context], BaseScreen] = ResultScreen if duel.over else PlayScreen
    return Stage(duel.context, screen(duel.context))
