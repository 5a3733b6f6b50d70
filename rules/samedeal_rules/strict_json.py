"""JSON read so strictly that two programs can't read two things from one text."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from samedeal_rules.errors import MalformedRecord
from samedeal_rules.wording import Wording

__all__ = ["load_strictly"]


def load_strictly(text: str | bytes, max_bytes: int) -> Any:
    """What a JSON text in UTF-8 holds. Raises `MalformedRecord`.

    Refuses NaN and Infinity, the same key twice, nesting and numbers beyond what Python reads.
    """
    if len(text) > max_bytes:
        raise MalformedRecord("record", Wording("larger than {most} bytes", most=max_bytes))
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        text.encode()
        return json.loads(text, object_pairs_hook=_without_duplicates, parse_constant=_no_constant)
    except UnicodeError:
        raise MalformedRecord("record", Wording("not UTF-8")) from None
    except json.JSONDecodeError as error:
        why = Wording(
            "not JSON: {what} at line {line} column {column}",
            what=error.msg,
            line=error.lineno,
            column=error.colno,
        )
        raise MalformedRecord("record", why) from None
    except RecursionError:
        raise MalformedRecord("record", Wording("nested too deep")) from None
    except ValueError:  # the only one left: an integer of more digits than Python reads
        raise MalformedRecord("record", Wording("a number is too large")) from None


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise MalformedRecord("record", Wording("the same key twice in an object"))
    return found


def _no_constant(_name: str) -> NoReturn:
    raise MalformedRecord("record", Wording("NaN and Infinity are not JSON"))
