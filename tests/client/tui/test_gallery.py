"""The pictures of the README."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from client.tui.gallery import GALLERY, Picture

ROOT = Path(__file__).parents[3]
PICTURES = ROOT / "docs" / "pictures"
NAMES = {f"{picture.name}.svg" for picture in GALLERY}
ELSEWHERE = re.compile(r"url\((?!#)|https?://(?!www\.w3\.org/)|/home/|/tmp/|wss?://")
LARGEST = 100_000
"""Bytes of one: a README with four of them still opens at once."""


@pytest.mark.parametrize("picture", GALLERY, ids=lambda picture: picture.name)
async def test_each_can_be_made(picture: Picture, monkeypatch: pytest.MonkeyPatch) -> None:
    """`make pictures`: the same ones each time, and nothing in them is fetched from anywhere."""
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    from make_pictures import draw

    svg = await draw(picture)
    assert svg == await draw(picture)
    assert not ELSEWHERE.search(svg)
    assert ElementTree.fromstring(svg).tag.endswith("svg")
    assert "Ana" in svg


def test_the_readme_shows_exactly_these() -> None:
    """Each with words for those who don't see it; no file is left over."""
    readme = (ROOT / "README.md").read_text()
    shown = re.findall(r'<img src="docs/pictures/(.*?)" .*?alt="(.*?)">', readme)
    assert readme.count("docs/pictures/") == len(shown)
    assert {file for file, _alt in shown} == NAMES
    assert len(shown) == len(NAMES)
    assert all(len(alt.split()) >= 4 for _file, alt in shown)
    assert {file.name for file in PICTURES.iterdir()} == NAMES


@pytest.mark.parametrize("name", sorted(NAMES))
def test_those_that_are_kept_are_small_and_whole(name: str) -> None:
    """No fonts or hosts of others in them either."""
    text = (PICTURES / name).read_text()
    assert len(text) < LARGEST
    assert not ELSEWHERE.search(text)
    ElementTree.fromstring(text)
