"""Fields of records, read by hand and strictly."""

from __future__ import annotations

from typing import Any, Final

from samedeal_rules.errors import MalformedRecord
from samedeal_rules.wording import Wording

__all__ = ["as_hex", "as_integer", "as_object", "as_text"]

MAX_TEXT_LENGTH: Final = 200
_HEX: Final = frozenset("0123456789abcdef")


def as_object(value: object, where: str, fields: tuple[str, ...]) -> dict[str, Any]:
    """An object with exactly these fields. Raises `MalformedRecord`."""
    if not isinstance(value, dict):
        raise MalformedRecord(where, Wording("must be an object"))
    if set(value) != set(fields):
        raise MalformedRecord(
            where,
            Wording("must have exactly these fields: {fields}", fields=", ".join(sorted(fields))),
        )
    return value


def as_integer(value: object, where: str, low: int = -(10**9)) -> int:
    """A whole number within bounds. Raises `MalformedRecord`."""
    if type(value) is not int or not low <= value <= 2**53:  # True is an int to isinstance
        raise MalformedRecord(where, Wording("must be a whole number, {low} at least", low=low))
    return value


def as_text(value: object, where: str) -> str:
    """A text that is not too long. Raises `MalformedRecord`."""
    if not isinstance(value, str) or len(value) > MAX_TEXT_LENGTH:
        raise MalformedRecord(
            where,
            Wording("must be a text of at most {longest} characters", longest=MAX_TEXT_LENGTH),
        )
    return value


def as_hex(value: object, where: str, digits: int) -> str:
    """So many lower-case hex digits. Raises `MalformedRecord`."""
    if not isinstance(value, str) or len(value) != digits or not set(value) <= _HEX:
        raise MalformedRecord(
            where, Wording("must be {digits} lower-case hex digits", digits=digits)
        )
    return value
