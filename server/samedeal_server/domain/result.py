"""The result of a duel: a function of its sealed journals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from samedeal_rules import Board, Ended, Game, IllegalMove, Ruleset, deal, parse_move
from samedeal_rules.fairness import deal_seed
from samedeal_server.domain.duel import Duel, Seat
from samedeal_server.domain.ruling import is_chosen, ruleset_of
from samedeal_server.domain.standing import Standing, places

__all__ = ["BrokenJournal", "Replayed", "parse_entry", "replay", "result_fields", "seed_of"]


class BrokenJournal(Exception):
    """A kept entry that the rules refuse: the engine and the journal disagree."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """One player's game, rebuilt."""

    game: Game
    entries: int
    last_ms: int
    """The last entry's time; 0 without one."""


def seed_of(duel: Duel, secret: str) -> str | None:
    """The seed of the duel's deal (design, "Fairness"); None of a numbered deal."""
    if ruleset_of(duel).deal_number is not None:
        return None
    if duel.chosen_seed is not None:
        return duel.chosen_seed
    return deal_seed(
        secret=secret,
        duel=duel.id,
        ruleset=duel.ruleset,
        options=duel.options,
        nonces=[seat.nonce or "" for seat in duel.seated],
        k=duel.k or 0,
    )


def parse_entry(entry: str) -> tuple[int, str]:
    """ms and move of a journal's entry."""
    ms, move = entry.split(" ", 1)
    return int(ms), move


def replay(
    ruleset: Ruleset, dealt: Board, duration_ms: int | None, journal: Sequence[str]
) -> Replayed:
    """A board is its journal: fold the entries over the deal. Raises `BrokenJournal`."""
    game = Game(ruleset, dealt.copy(), duration_ms)
    ms = 0
    for seq, entry in enumerate(journal):
        ms, text = parse_entry(entry)
        move = parse_move(text, ruleset.deck.suits)
        if move is None:
            raise BrokenJournal(f"entry {seq} is no move")
        try:
            game.play(move, ms)
        except IllegalMove as error:
            raise BrokenJournal(f"entry {seq} is refused: {error.rule}") from error
    return Replayed(game, len(journal), ms)


def result_fields(
    duel: Duel, secret: str, journals: Sequence[Sequence[str]], winnable: str | None = None
) -> Iterator[dict[str, Any] | None]:
    """The fields of `result`, ranking whole; `winnable` is what is known about the deal.

    Yields None after each player, the fields last.

    A large duel takes a while: whoever runs this may do something else between two yields.
    """
    seed = seed_of(duel, secret)
    ruleset = ruleset_of(duel)
    dealt = deal(ruleset, seed)
    games: list[Game] = []
    for journal in journals:
        replayed = replay(ruleset, dealt, duel.duration_ms, journal)
        game = replayed.game
        game.run_out(replayed.last_ms)
        games.append(game)
        yield None
    standings = [Standing.of(game) for game in games]
    found = places(standings, duel.duration_ms, ruleset.rank)
    rows = [
        _row(place, number, seat, game, len(journal))
        for number, (seat, game, journal, place) in enumerate(
            zip(duel.seated, games, journals, found, strict=True)
        )
    ]
    rows.sort(key=lambda row: (row["place"], row["seat"]))
    yield {
        "type": "result",
        "duel": duel.id,
        "ruleset": duel.ruleset,
        "options": dict(duel.options),
        "ranking": rows,
        "total": len(rows),
        "commitment": duel.commitment,
        "secret": secret,
        "nonces": [seat.nonce for seat in duel.seated],
        "k": duel.k or 0,
        "seed": seed,
        "chosen_seed": is_chosen(duel),
        **({} if duel.solver is None else {"solver": asdict(duel.solver)}),
        **({} if winnable is None else {"winnable": winnable}),
    }


def _row(place: int, number: int, seat: Seat, game: Game, entries: int) -> dict[str, Any]:
    return {
        "place": place,
        "seat": number,
        "player": seat.player,
        "name": seat.name,
        "score": game.points,
        "up": game.board.cards_up,
        "ended": game.ended or Ended.TIMEOUT,
        "ended_ms": game.ended_ms,
        "moves": entries,
        "items": game.ledger(),
    }
