"""Catalogues of the client's texts: extract from the sources, update each .po, compile each .mo.

Translations are written by hand into client_cli/samedeal_client/texts/LANGUAGE.po. A new language
begins with its code in texts/language.py; this makes its file. `--check` only says whether
everything is up to date.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po, write_po

from samedeal_client.texts.language import ENGLISH, LANGUAGES
from samedeal_rules import RULE_WORDS

ROOT: Final = Path(__file__).parent.parent
CLIENT: Final = ROOT / "client_cli" / "samedeal_client"
RULES: Final = ROOT / "rules" / "samedeal_rules"
TEXTS: Final = CLIENT / "texts"
KEYWORDS: Final = {**DEFAULT_KEYWORDS, "_n": (1, 2), "_p": ((1, "c"), 2)}
TRANSLATED: Final = tuple(language for language in LANGUAGES if language != ENGLISH)
FIRST_LINE: Final = 1
"""Line numbers are not written: they would change with every edit elsewhere."""
HEADER: Final = "# What the Same Deal client says. Made and updated by `make texts`."
UNWANTED: Final = (
    '"Report-Msgid-Bugs-To',
    '"POT-Creation-Date',
    '"PO-Revision-Date',
    '"Last-Translator',
    '"Language-Team',
    '"Generated-By',
)
"""Lines of a header that change with every run, or say nothing."""


def template() -> Catalog:
    """Every text of the client, and every sentence of the rules that it may have to say."""
    catalog = Catalog(fuzzy=False)
    found = extract_from_dir(CLIENT, keywords=KEYWORDS, comment_tags=("Translators:",))
    for name, _line, message, comments, context in found:
        catalog.add(
            message, locations=[(name, FIRST_LINE)], auto_comments=comments, context=context
        )
    found = extract_from_dir(RULES, keywords={"Wording": None})
    for name, _line, message, _comments, _context in found:
        catalog.add(message, locations=[(f"samedeal_rules/{name}", FIRST_LINE)])
    for words in RULE_WORDS.values():
        catalog.add(words, locations=[("samedeal_rules/errors.py", FIRST_LINE)])
    return catalog


def catalogue(language: str) -> Catalog:
    """A language's translations as they stand in its file; empty if there is none yet."""
    path = TEXTS / f"{language}.po"
    text = path.read_text("utf-8") if path.exists() else ""
    return read_po(io.StringIO(text), locale=language)


def updated(language: str) -> Catalog:
    """The translations for the texts that there are now: new ones empty, unused ones gone."""
    catalog = catalogue(language)
    catalog.project, catalog.version = "samedeal", ""
    catalog.header_comment = HEADER
    catalog.fuzzy = False
    catalog.update(template(), no_fuzzy_matching=True)
    return catalog


def po_text(catalog: Catalog) -> str:
    """The file for translators, the same for the same texts."""
    out = io.BytesIO()
    write_po(out, catalog, sort_by_file=True, ignore_obsolete=True, include_lineno=False)
    lines = out.getvalue().decode().splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(UNWANTED))


def compiled(catalog: Catalog) -> bytes:
    """The file that the program reads."""
    out = io.BytesIO()
    write_mo(out, catalog)
    return out.getvalue()


def po_is_stale(language: str) -> bool:
    """Whether the texts have changed since the translators' file was updated."""
    path = TEXTS / f"{language}.po"
    return not path.exists() or path.read_text("utf-8") != po_text(updated(language))


def mo_is_stale(language: str) -> bool:
    """Whether the compiled file says something else than its source; dates don't count."""
    path = TEXTS / f"{language}.mo"
    return not path.exists() or _says(path.read_bytes()) != _says(compiled(catalogue(language)))


def _says(data: bytes) -> dict[object, object]:
    messages = read_mo(io.BytesIO(data))
    return {(str(entry.id), entry.context): entry.string for entry in messages if entry.id}


def stale() -> Iterator[str]:
    """Names of the files that `make texts` would change."""
    for language in TRANSLATED:
        if po_is_stale(language):
            yield f"{language}.po"
        if mo_is_stale(language):
            yield f"{language}.mo"


def write() -> None:
    """Bring every catalogue up to date."""
    for language in TRANSLATED:
        (TEXTS / f"{language}.po").write_text(po_text(updated(language)), "utf-8")
        if mo_is_stale(language):
            (TEXTS / f"{language}.mo").write_bytes(compiled(catalogue(language)))


def main() -> int:
    if "--check" not in sys.argv[1:]:
        write()
        return 0
    if found := list(stale()):
        print(f"stale: {', '.join(found)}; run: make texts", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
