"""`samedeal judge`: replay game records, offline."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence

from samedeal_client.commands.arguments import CommandParser, read_file
from samedeal_client.plain.board_text import item_words
from samedeal_client.plain.words import game_title
from samedeal_client.rules_words import rules_error_words
from samedeal_client.texts import _, _p, decimal
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
from samedeal_rules.judge import RUNNING
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
            reason = error.strerror if isinstance(error, OSError) else rules_error_words(error)
            print(f"samedeal judge: {name}: {reason or error}", file=sys.stderr)
            if arguments.json:  # a line for each file, so that lines can be told apart by number
                english = error.strerror if isinstance(error, OSError) else None
                print(json.dumps({"error": str(english or error)}))
            continue
        judgement = judge(record)
        if arguments.json:
            print(json.dumps(judgement.as_data()))
        else:
            print("\n".join(_lines(name, record, judgement)))
    return 1 if failed else 0


def _parser() -> CommandParser:
    parser = CommandParser(
        prog="samedeal judge",
        description=_("Replay game records: what each move did, and the score item by item."),
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help=_("a game record; - is stdin"))
    parser.add_argument("--json", action="store_true", help=_("one line of JSON for each file"))
    return parser


def _lines(name: str, record: GameRecord, judgement: Judgement) -> Iterator[str]:
    limit = _("no limit")
    if record.duration_ms is not None:
        limit = _("{seconds:g} s").format(seconds=record.duration_ms / 1000)
    seed = "" if record.seed is None else _(", seed {seed}").format(seed=repr(record.seed))
    yield f"{name}: {game_title(record.ruleset, record.options)}, {limit}{seed}"
    deck = find_ruleset(record.ruleset, record.options)[1].deck
    for move in judgement.moves:
        done = _refused(move) if move.played is None else _done(move.played, deck.names, deck.suits)
        text = move.text if move.text.isprintable() else ascii(move.text)
        score = "" if move.score is None else move.score
        yield f"{decimal(move.ms / 1000, 3):>10}  {text:<8} {score:>7}  {done}".rstrip()
    final = judgement.final
    score = _("no points")
    if final.score is not None:
        score = _("score {score}").format(score=final.score)
    up = _("{count} cards up").format(count=final.cards_up)
    yield _ended(final.ended) + f", {up}, {score}"
    for item in ITEMS:
        if item in final.items:
            yield f"{final.items[item]:10}  {item_words(item)}"


def _refused(move: JudgedMove) -> str:
    assert move.why is not None
    return _("refused: {why}").format(why=_(RULE_WORDS[move.why]))


def _done(played: Played, names: tuple[str, ...], suits: str) -> str:
    """What a move set off: `turns 5H; by itself: AS from w; +100 foundation AS`."""
    parts = []
    if played.drawn:
        parts.append(_("draws {cards}").format(cards=" ".join(names[c] for c in played.drawn)))
    parts += [
        _("turns {card} on {pile}").format(card=names[card], pile=f"t{column + 1}")
        for column, card in played.turned
    ]
    parts += [
        _("{card} goes up by itself from {pile}").format(
            card=names[card], pile=pile_text(pile, suits)
        )
        for pile, card in played.automatic
    ]
    parts += [
        _("the run of {suit} leaves {pile}").format(suit=suits[suit], pile=f"t{column + 1}")
        for column, suit in played.runs
    ]
    parts += [f"{points:+} {ITEMS[item]} {what}".rstrip() for item, points, what in played.points]
    return "; ".join(parts)


def _ended(how: str) -> str:
    words = {
        "cleared": _p("how a game ended", "cleared"),
        "finish": _p("how a game ended", "finish"),
        "timeout": _p("how a game ended", "timeout"),
        RUNNING: _p("how a game ended", "running"),
    }
    return words[how]
