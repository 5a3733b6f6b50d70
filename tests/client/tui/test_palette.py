"""What roles look like: told apart in every theme, readable, and plain where there is no colour."""

from __future__ import annotations

import pytest

from samedeal_client.tui.palette import PALETTES, find_palette

STATES = ["plain", "selected", "target", "hinted"]


@pytest.mark.parametrize("name", [name for name in PALETTES if name != "plain"])
def test_states_of_a_card_differ(name: str) -> None:
    """And a back is no face."""
    palette = PALETTES[name]
    styles = [str(palette.style(f"card.red.{state}")) for state in STATES]
    styles.append(str(palette.style("back.plain")))
    assert len(set(styles)) == 5


def test_without_colour_there_is_none() -> None:
    """Bold, dim, reversed; whatever the theme."""
    palette = find_palette("felt", colour=False)
    for role in ("card.red.plain", "back.plain", "empty.plain", "clock.late", "felt", "key"):
        style = palette.style(role)
        assert style.color is None
        assert style.bgcolor is None
    assert palette.style("card.red.selected").reverse
    assert palette.style("clock.late").reverse


def test_a_few_colours_are_basic_ones() -> None:
    """But who wants none gets none."""
    assert find_palette("felt", few=True).name == "basic"
    assert find_palette("plain", few=True).name == "plain"
    assert find_palette("day").name == "day"


@pytest.mark.parametrize("name", ["felt", "night", "day"])
def test_suits_of_empty_foundations_can_be_read_on_the_table(name: str) -> None:
    """The inks of cards are too dark for a dark table. A lone sign needs a contrast of 3."""
    palette = PALETTES[name]
    for ink in ("red", "black", "green", "blue", "gold"):
        style = palette.style(f"sign.{ink}")
        assert style.color is not None
        assert _contrast(style.color.name, palette.table) >= 4, ink


@pytest.mark.parametrize("name", ["felt", "night", "day"])
def test_ink_can_be_read_on_paper(name: str) -> None:
    """A contrast of 4.5 at least, as for any small text; chosen cards too."""
    palette = PALETTES[name]
    for ink in ("red", "black", "green", "blue", "gold"):
        for state in STATES:
            style = palette.style(f"card.{ink}.{state}")
            assert style.color is not None
            assert style.bgcolor is not None
            contrast = _contrast(style.color.name, style.bgcolor.name)
            assert contrast >= (4.5 if state == "plain" else 3), (ink, state, contrast)


def _contrast(one: str, other: str) -> float:
    dark, light = sorted((_light(one), _light(other)))
    return (light + 0.05) / (dark + 0.05)


def _light(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
