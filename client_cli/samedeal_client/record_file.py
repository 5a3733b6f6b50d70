"""The record of a finished duel as a file."""

from __future__ import annotations

from pathlib import Path

from samedeal_client.texts import _

__all__ = ["record_name", "write_record"]


def record_name(code: str | None) -> str:
    """What the file of a duel is called unless somebody says otherwise."""
    return f"samedeal-{code or 'duel'}.json"


def write_record(path: Path, text: str) -> str:
    """Write a new file, never over an old one; what came of it, in words."""
    try:
        path = path.expanduser()
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        return _("{file} is there already: save under another name.").format(file=path)
    except (OSError, ValueError, RuntimeError) as error:
        why = getattr(error, "strerror", None) or error
        return _("{file} can't be written: {why}.").format(file=path, why=why)
    return _("Saved. Check it with: samedeal verify {file}").format(file=path)
