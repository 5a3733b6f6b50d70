"""`samedeal judge`: replay game records, offline."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence

from samedeal_client.commands.arguments import read_file
from samedeal_client.plain.board_text import ITEM_WORDS
from samedeal_client.plain.words import game_title
from samedeal_rules import (
    ITEMS,
    RULE_WORDS,
    GameRecord,
    JudgedMove,
    Judgement,
    MalformedRecord,
    Played,
    find_ruleset,
    judge,
    parse_record,
)
from samedeal_rules.moves import pile_text
from samedeal_rules.records import MAX_RECORD_BYTES

__all__ = ["main"]


def main(argv: Sequence[str]) -> int:
    """Judge each file; exit 1 if one could not be."""
    arguments = _parser().parse_args(argv)
    failed = False
    for name in arguments.files:
        try:
            record = parse_record(read_file(name, MAX_RECORD_BYTES))
        except (OSError, MalformedRecord) as error:
            failed = True
            reason = error.strerror if isinstance(error, OSError) else None
            print(f"samedeal judge: {name}: {reason or error}", file=sys.stderr)
            if arguments.json:  # a line for each file, so that lines can be told apart by number
                print(json.dumps({"error": str(reason or error)}))
            continue
        judgement = judge(record)
        if arguments.json:
            print(json.dumps(judgement.as_data()))
        else:
            print("\n".join(_lines(name, record, judgement)))
    return 1 if failed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="samedeal judge",
        description="Replay game records: what each move did, and the score item by item.",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="a game record; - is stdin")
    parser.add_argument("--json", action="store_true", help="one line of JSON for each file")
    return parser


def _lines(name: str, record: GameRecord, judgement: Judgement) -> Iterator[str]:
    limit = "no limit" if record.duration_ms is None else f"{record.duration_ms / 1000:g} s"
    seed = "" if record.seed is None else f", seed {record.seed!r}"
    yield f"{name}: {game_title(record.ruleset, record.options)}, {limit}{seed}"
    deck = find_ruleset(record.ruleset, record.options)[1].deck
    for move in judgement.moves:
        done = _refused(move) if move.played is None else _done(move.played, deck.names, deck.suits)
        text = move.text if move.text.isprintable() else ascii(move.text)
        score = "" if move.score is None else move.score
        yield f"{move.ms / 1000:10.3f}  {text:<8} {score:>7}  {done}".rstrip()
    final = judgement.final
    score = "no points" if final.score is None else f"score {final.score}"
    yield f"{final.ended}, {final.cards_up} cards up, {score}"
    for item in ITEMS:
        if item in final.items:
            yield f"{final.items[item]:10}  {ITEM_WORDS.get(item, item)}"


def _refused(move: JudgedMove) -> str:
    assert move.why is not None
    return f"refused: {RULE_WORDS[move.why]}"


def _done(played: Played, names: tuple[str, ...], suits: str) -> str:
    """What a move set off: `turns 5H; by itself: AS from w; +100 foundation AS`."""
    parts = []
    if played.drawn:
        parts.append("draws " + " ".join(names[card] for card in played.drawn))
    parts += [f"turns {names[card]} on t{column + 1}" for column, card in played.turned]
    parts += [
        f"{names[card]} goes up by itself from {pile_text(pile, suits)}"
        for pile, card in played.automatic
    ]
    parts += [f"the run of {suits[suit]} leaves t{column + 1}" for column, suit in played.runs]
    parts += [f"{points:+} {ITEMS[item]} {what}".rstrip() for item, points, what in played.points]
    return "; ".join(parts)
