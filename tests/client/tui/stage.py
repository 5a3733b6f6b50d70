"""Screens as they are in play, without a server and without a clock: for pictures."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from client.tui.tables import GAMES, table_of
from samedeal_client.plain.client import Wish
from samedeal_client.tui.context import Context
from samedeal_client.tui.race import Earned, Race
from samedeal_client.tui.screens.base import BaseScreen
from samedeal_client.tui.settings import Settings
from samedeal_client.tui.shell import Shell
from samedeal_protocol import DuelChanged, DuelPhase, PlayerState, Result, Seat, Standings
from samedeal_protocol.server_messages import RankingRow, StandingRow
from samedeal_rules import Game, parse_move
from samedeal_rules.moves import Kind

NOW = 1_700_000_100_000
LEFT_MS = 192_000


@dataclass
class StillTable:
    """A table of which nothing is on its way."""

    ahead: Game
    acknowledged: int = 0
    pending: tuple[str, ...] = ()
    redeal_price: int = 0
    fingerprint: str = "acorn willow pepper comet"

    @property
    def confirmed(self) -> Game:
        return self.ahead

    def check(self, text: str, _ms: int) -> None:
        move = parse_move(text, self.ruleset.deck.suits)
        assert move is not None
        if move.kind is not Kind.UNDO or not self.ahead.undoable:
            self.ahead.copy().play(move, 1000)

    @property
    def ruleset(self) -> Any:
        return self.ahead.ruleset


@dataclass
class StillConnection:
    """What screens read of a connection."""

    duel: DuelChanged | None
    table: StillTable | None = None
    standings: Standings | None = None
    result: Result | None = None
    name: str = "Ana"
    place: str = "idle"
    up: bool = True
    left_ms: int | None = LEFT_MS
    called_off: int = 0
    checks: tuple[Any, ...] = ()
    played: list[str] = field(default_factory=list)

    def server_now_ms(self) -> int:
        return NOW

    def time_left_ms(self) -> int | None:
        return self.left_ms

    def elapsed_ms(self) -> int:
        return 300_000 - (self.left_ms or 0)

    def fairness(self) -> tuple[Any, ...]:
        return self.checks

    def play(self, move: str) -> int:
        self.played.append(move)
        return len(self.played) - 1


@dataclass
class StillSession:
    """What screens read of a session."""

    connection: StillConnection
    address: str = "ws://192.168.1.20:7777"
    private: bool = False
    open: bool = True


class Stage(Shell):
    """Shows one screen."""

    def __init__(self, context: Context, screen: BaseScreen) -> None:
        super().__init__(context)
        self._first = screen

    def on_mount(self) -> None:
        self.animation_level = "none"
        self.push_screen(self._first)


def duel_of(game: Game, seats: int = 3, **changes: Any) -> DuelChanged:
    """A duel about a game."""
    names = ["Ana", "Bo", "Norma"][:seats]
    values: dict[str, Any] = {
        "id": "p00test",
        "code": "HJK347",
        "version": 1,
        "phase": DuelPhase.RUNNING,
        "ruleset": game.ruleset.name,
        "options": {},
        "duration_ms": 300_000,
        "hints": game.ruleset.hints,
        "chosen_seed": False,
        "seats": seats,
        "players": [
            Seat(seat=n, player=f"p{n}", name=name, ready=n < 2, connected=True, bot=n == 2)
            for n, name in enumerate(names)
        ],
        "seated": seats,
        "ready": 2,
        "host": 0,
        "you": 0,
        "commitment": "5e" * 32,
        "start_at": NOW - 108_000,
        "deadline": NOW + LEFT_MS,
        "server_ms": NOW,
    }
    return DuelChanged(**{**values, **changes})


def standings_of(game: Game) -> Standings:
    """Three players, one of them away."""
    rows = [
        StandingRow(
            place=1, seat=2, name="Norma-unj", score=game.points and 2350, up=9,
            state=PlayerState.PLAYING,
        ),
        StandingRow(
            place=2, seat=0, name="Ana", score=game.points, up=game.board.cards_up,
            state=PlayerState.PLAYING,
        ),
        StandingRow(
            place=3, seat=1, name="Bo", score=game.points and 100, up=1, state=PlayerState.AWAY,
        ),
    ]  # fmt: skip
    return Standings(duel="p00test", version=3, server_ms=NOW, total=3, rows=rows)


def race_of() -> Race:
    """Some points fell, a place was lost."""
    return Race(
        earned=(Earned("+200 2♥", 200), Earned("+100 turned", 100), Earned("-400 pass", -400)),
        history={0: (0, 100, 100, 300, 200, 400), 1: (0, 100), 2: (0, 500, 900, 2350)},
        moved={0: (-1, NOW), 2: (1, NOW)},
        places={0: 2, 1: 3, 2: 1},
    )


def context_of(name: str, *, seats: int = 3, **settings: Any) -> Context:
    """One of GAMES in play."""
    game = table_of(name)
    _ruleset, options, _moves = GAMES[name]
    duel = duel_of(game, seats, options=options)
    connection = StillConnection(duel, StillTable(game), standings_of(game))
    context = Context(StillSession(connection), Wish(), Settings(**settings))  # type: ignore[arg-type]
    context.race = race_of()
    return context


def result_of() -> Result:
    """The end of a duel of two."""
    rows = [
        RankingRow(
            place=1, seat=0, player="p0", name="Ana", score=5230, up=14,
            ended=PlayerState.FINISH, ended_ms=250_400, moves=101,
            items={"foundation": 5600, "turned": 1000, "passes": -400, "undo": -1000},
        ),
        RankingRow(
            place=2, seat=2, player="p2", name="Norma-unj", score=2350, up=9,
            ended=PlayerState.TIMEOUT, ended_ms=300_000, moves=88,
            items={"foundation": 1950, "turned": 400},
        ),
    ]  # fmt: skip
    return Result(
        duel="p00test", ruleset="timed", options={}, ranking=rows, total=2, commitment="5e" * 32,
        secret="5e" * 32, nonces=["00" * 16] * 2, k=0, seed="7", chosen_seed=False, winnable="yes",
    )  # fmt: skip
