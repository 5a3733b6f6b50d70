"""The pictures of the README: SVG files in docs/pictures. Run with PYTHONPATH=tests.

Deals, moves and clock are made up (tests/client/tui/gallery.py), so that every run draws the same.
"""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path
from typing import Final

from client.tui.gallery import (  # type: ignore[import-not-found]
    GALLERY,
    Picture,
    stage_of,
)

DOCS: Final = Path(__file__).parent.parent / "docs" / "pictures"
TITLE: Final = "Same Deal"
FONTS: Final = "'DejaVu Sans Mono', 'Cascadia Mono', Menlo, Consolas, monospace"
"""What people have; nothing is fetched. Each run of text says its length, so any of them fits."""
SIZE: Final = ("font-size: 20px", "font-size: 20.26px")
"""A character is 12.2 wide, 0.602 of the size in the first and third of them."""
_FONT_FACE: Final = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
_CLIP: Final = re.compile(r'<clipPath id="[^"]*-line-\d+">.*?</clipPath>\s*', re.DOTALL)
_CLIP_USE: Final = re.compile(r' clip-path="url\(#[^)]*-line-\d+\)"')
_BLANK: Final = re.compile(r"<text [^>]*>(?:&#160;)+</text>\s*")
_UNIQUE: Final = re.compile(r"terminal-\d+-")
_LINES: Final = re.compile(r"<text (?=[^>]*>[^<]*[\u2500-\u259f])")
"""Runs with lines or blocks: their glyphs are stretched too, or a narrow font leaves gaps."""
_LONG: Final = re.compile(r"\d+\.\d{3,}")
_COMMENT: Final = re.compile(r"<!--.*?-->\s*", re.DOTALL)


def tidy(svg: str) -> str:
    """Without fonts from elsewhere, and without what changes nothing on a picture."""
    for what in (_FONT_FACE, _CLIP, _CLIP_USE, _BLANK, _COMMENT):
        svg = what.sub("", svg)
    svg = _UNIQUE.sub("t-", svg).replace("Fira Code, monospace", FONTS)
    svg = _LINES.sub('<text lengthAdjust="spacingAndGlyphs" ', svg).replace(*SIZE)
    svg = svg.replace("font-family: arial", "font-family: sans-serif")
    svg = _LONG.sub(lambda found: f"{float(found[0]):.1f}", svg)
    return "\n".join(line.strip() for line in svg.splitlines() if line.strip()) + "\n"


async def draw(picture: Picture) -> str:
    """The SVG of one picture; about a second, for the bots think."""
    app = stage_of(picture)
    async with app.run_test(size=picture.size) as pilot:
        await pilot.pause()
        await pilot.press(*picture.keys)
        await pilot.pause()
        return tidy(app.export_screenshot(title=TITLE))


def main() -> int:
    """Write all of them."""
    DOCS.mkdir(exist_ok=True)
    for picture in GALLERY:
        file = DOCS / f"{picture.name}.svg"
        file.write_text(asyncio.run(draw(picture)), encoding="utf-8")
        print(f"{file.name}: {file.stat().st_size // 1024} KB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
