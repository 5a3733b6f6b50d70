"""`samedeal verify`: check finished duels from their records, offline."""

from __future__ import annotations

import json
from collections.abc import Sequence

from samedeal_client.commands.arguments import CommandParser, read_file
from samedeal_client.plain.style import printable
from samedeal_client.rules_words import worded
from samedeal_client.texts import _
from samedeal_rules.duel_record import MAX_BYTES, Check, verify_duel_record

__all__ = ["main"]


def main(argv: Sequence[str]) -> int:
    """Verify each file; exit 1 if anything in one is wrong."""
    arguments = _parser().parse_args(argv)
    failed = False
    for name in arguments.files:
        try:
            checks = verify_duel_record(read_file(name, MAX_BYTES))
        except OSError as error:
            checks = (Check("file", False, error.strerror or str(error)),)
        ok = _holds(checks)
        failed = failed or not ok
        print(_json(name, checks) if arguments.json else "\n".join(_lines(name, checks)))
    return 1 if failed else 0


def _parser() -> CommandParser:
    parser = CommandParser(
        prog="samedeal verify",
        description=_("Check a finished duel: the promise, the deal, every move, every point."),
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help=_("a duel's record; - is stdin"))
    parser.add_argument("--json", action="store_true", help=_("one line of JSON for each file"))
    return parser


def _holds(checks: Sequence[Check]) -> bool:
    """Whether nothing is wrong, as far as it could be checked here."""
    return all(check.ok is not False for check in checks)


def _lines(name: str, checks: Sequence[Check]) -> list[str]:
    ok = _holds(checks)
    marks = {True: _("ok"), False: _("FAILED"), None: "--"}
    rows = [f"  {marks[check.ok]:>6}  {printable(worded(check.why))}" for check in checks]
    verdict = _("OK") if ok else _("FAILED")
    return [f"{name}:", *rows, f"{name}: {verdict}"]


def _json(name: str, checks: Sequence[Check]) -> str:
    rows = [{"name": check.name, "ok": check.ok, "why": check.why} for check in checks]
    return json.dumps({"file": name, "ok": _holds(checks), "checks": rows})
