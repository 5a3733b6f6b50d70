"""What the parts of a move cost, each in a hot loop."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from samedeal_protocol import parse_client_message
from samedeal_rules import RULESETS, Board, Game, Move, Ruleset, deal, parse_move
from samedeal_rules.legality import legal_moves
from samedeal_rules.moves import DRAW, REDEAL, UNDO
from samedeal_server.domain.audience import applied_payload, snapshot_payload
from samedeal_server.domain.duel import Duel, DuelId, DuelMs, PlayerId, Seat, Timing
from samedeal_server.domain.messages import StandingsMessage
from samedeal_server.net import text_frame
from samedeal_server.store.client import open_client
from samedeal_server.store.clock import DuelClock
from samedeal_server.store.duels import DuelStore
from samedeal_server.store.embedded import embedded_store

__all__ = ["measure_parts"]

ROUNDS: Final = 5
_LINE: Final = 150
"""Moves of a line of play: about those of a game."""
FRAME: Final = b'{"type":"move","seq":12,"move":"t5*3-t2"}'


def _time(work: Callable[[], object], count: int) -> float:
    """Microseconds a call, the best of some rounds: the machine only ever adds."""
    best = float("inf")
    for _ in range(ROUNDS):
        began = time.process_time()
        for _ in range(count):
            work()
        best = min(best, (time.process_time() - began) / count)
    return best * 1e6


def _duel(seats: int) -> Duel:
    return Duel(
        id=DuelId("p00bench"),
        code="AAAAAA",
        ruleset="timed",
        options={},
        duration_ms=300_000,
        hints=False,
        seats=seats,
        commitment="0" * 64,
        touched_at=DuelMs(0),
        seated=tuple(Seat(PlayerId(f"player{n}"), f"Player {n}") for n in range(seats)),
        start_at=DuelMs(0),
        deadline=DuelMs(300_000),
    )


def measure_parts(*, as_json: bool) -> int:
    """Measure and print all parts."""
    rows = {**_rules(), **_rulesets(), **_messages(), **asyncio.run(_commits())}
    if as_json:
        print(json.dumps({name: round(cost, 2) for name, cost in rows.items()}))
    else:
        for name, cost in rows.items():
            print(f"{name:48} {cost:9.2f} us")
    return 0


def _rules() -> dict[str, float]:
    ruleset = RULESETS["timed"]
    board = deal(ruleset, "bench")
    game = Game(ruleset, board.copy(), 10**9)

    def draw() -> None:
        game.play(REDEAL if game.board.drawn == len(game.board.talon) else DRAW, 0)

    def draw_and_undo() -> None:
        game.play(DRAW if game.board.drawn < len(game.board.talon) else REDEAL, 0)
        game.play(UNDO, 0)

    names = ruleset.deck.names
    return {
        "rules: deal": _time(lambda: deal(ruleset, "bench"), 500),
        "rules: parse a move's text": _time(lambda: parse_move("t5*3-t2", "CDHS"), 20_000),
        "rules: apply and score a draw": _time(draw, 10_000),
        "rules: apply a draw, undo it": _time(draw_and_undo, 5_000),
        "rules: all legal moves": _time(lambda: list(legal_moves(ruleset, board)), 1_000),
        "rules: checksum of the visible board": _time(lambda: board.checksum(names), 5_000),
    }


def _rulesets() -> dict[str, float]:
    """For each ruleset: a move applied and scored, and all legal moves listed, along one line."""
    rows = {}
    for name, ruleset in RULESETS.items():
        dealt = deal(ruleset, "bench")
        line, boards = _line_of_play(ruleset, dealt)

        def replay(
            ruleset: Ruleset = ruleset, dealt: Board = dealt, line: list[Move] = line
        ) -> None:
            game = Game(ruleset, dealt.copy(), 10**9)
            for move in line:
                game.play(move, 0)

        def list_all(ruleset: Ruleset = ruleset, boards: list[Board] = boards) -> None:
            for board in boards:
                list(legal_moves(ruleset, board))

        rows[f"{name}: apply and score a move"] = _time(replay, 50) / len(line)
        rows[f"{name}: all legal moves"] = _time(list_all, 20) / len(boards)
    return rows


def _line_of_play(ruleset: Ruleset, dealt: Board) -> tuple[list[Move], list[Board]]:
    """Legal moves from the deal on, chosen without a plan, and the tables on the way."""
    game = Game(ruleset, dealt.copy(), 10**9)
    chance = Random(1)
    line: list[Move] = []
    boards: list[Board] = []
    while len(line) < _LINE and game.ended is None:
        moves = list(legal_moves(ruleset, game.board))
        if not moves:
            break
        line.append(chance.choice(moves))
        boards.append(game.board.copy())
        game.play(line[-1], 0)
    return line, boards


def _messages() -> dict[str, float]:
    ruleset = RULESETS["timed"]
    dealt = deal(ruleset, "bench")
    game = Game(ruleset, dealt.copy(), 10**9)
    played = game.play(DRAW, 0)
    duel, large = _duel(16), _duel(1000)
    everybody = StandingsMessage(large, {}, {}, 1, DuelMs(0))

    def standings() -> bytes:
        return text_frame(StandingsMessage(duel, {}, {}, 1, DuelMs(0)).for_reader(3))

    return {
        "protocol: parse a move": _time(lambda: parse_client_message(FRAME), 20_000),
        "server: build and frame applied": _time(
            lambda: text_frame(applied_payload(0, "d", 0, game, played)), 5_000
        ),
        "server: snapshot": _time(lambda: snapshot_payload(duel, game, dealt, 0, DuelMs(0)), 1_000),
        "server: standings of 16, once a duel": _time(standings, 1_000),
        "server: standings of 1000, the window of one": _time(
            lambda: text_frame(everybody.for_reader(500)), 5_000
        ),
    }


async def _commits() -> dict[str, float]:
    """CPU of this process for one script call of the store, by the size of the batch."""
    rows = {}
    with TemporaryDirectory(prefix="samedeal-bench-") as folder:
        async with embedded_store(Path(folder)) as embedded:
            redis = open_client(embedded.url)
            clock = DuelClock(redis)
            await clock.measure()
            store = DuelStore(redis, "bench", Timing(), clock)
            duel = _duel(1)
            await store.write(None, duel)
            player = duel.seated[0].player
            await store.attach(duel, player, "epoch")
            seq = 0
            for size in (1, 8, 32, 128):
                calls = 50
                began = time.process_time()
                for _ in range(calls):
                    entries = [
                        (duel.id, player, "epoch", seq + n, seq + n, "d", "P:0:0")
                        for n in range(size)
                    ]
                    answers = await store.commit("p00", entries)
                    assert min(answers) >= 0, answers
                    seq += size
                cost = (time.process_time() - began) / calls / size * 1e6
                rows[f"store: commit, for each move of a batch of {size}"] = cost
            await store.close()
            await redis.aclose()
    return rows
