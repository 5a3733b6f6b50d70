"""Numbers and short answers in the language spoken."""

from __future__ import annotations

import pytest

from samedeal_client.texts import N_, decimal, is_word, number, says_yes, signed, speaking


def test_numbers_are_written_as_the_language_does() -> None:
    """Thousands and decimals."""
    assert (number(1_234_567), number(-5), signed(0), decimal(3.25, 2)) == (
        "1,234,567",
        "-5",
        "+0",
        "3.25",
    )
    with speaking("es"):
        assert (number(1_234_567), signed(-1_000), decimal(1234.5)) == (
            "1.234.567",
            "-1.000",
            "1234,5",
        )


@pytest.mark.parametrize(
    ("answer", "english", "spanish"),
    [("y", True, True), (" YES ", True, True), ("s", False, True), ("Sí", False, True)]
    + [(no, False, False) for no in ("n", "", "yy", None)],
)
def test_yes_is_yes_in_english_and_in_the_language_spoken(
    answer: str | None, english: bool, spanish: bool
) -> None:
    """Everything else is no."""
    assert says_yes(answer) is english
    with speaking("es"):
        assert says_yes(answer) is spanish


def test_commands_have_their_english_words_in_every_language() -> None:
    """And those of the language spoken."""
    words = N_("q quit leave")
    assert is_word("Q", words)
    assert not is_word("salir", words)
    with speaking("es"):
        assert is_word("salir", words)
        assert is_word("quit", words)
        assert is_word("MENU", N_("m menu"))
        assert is_word("si", N_("y yes"))
