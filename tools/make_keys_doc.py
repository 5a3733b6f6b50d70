"""The key table of the README, from the client's list of actions. `--check` only looks."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final

from samedeal_client.tui.key_table import MOUSE, key_rows

README: Final = Path(__file__).parent.parent / "README.md"
TABLE: Final = re.compile(
    r"(<!-- keys: tools/make_keys_doc.py -->\n).*?(<!-- /keys -->)", re.DOTALL
)


def table() -> str:
    """As Markdown."""
    rows = [*key_rows({}), *MOUSE]
    lines = ["| key | what it does |", "| --- | --- |"]
    return "\n".join([*lines, *(f"| {key} | {words} |" for key, words in rows)]) + "\n"


def main() -> int:
    """Write it, or say that it is not what it should be."""
    old = README.read_text(encoding="utf-8")
    new = TABLE.sub(lambda found: found[1] + table() + found[2], old)
    if "--check" not in sys.argv:
        README.write_text(new, encoding="utf-8")
    elif new != old:
        print("the key table of README.md is old: make generate")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
