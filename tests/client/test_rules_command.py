"""`samedeal rules`: what it prints, in which language."""

from __future__ import annotations

import pytest

from samedeal_client.commands.rules import main
from samedeal_client.texts import speaking
from samedeal_rules import RULESETS


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("COLUMNS", "80")


def test_without_a_game_all_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """With a line on each."""
    assert main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(RULESETS)
    assert all(len(line.split()) > 3 for line in lines)


def test_options_are_in_the_title_and_in_the_rules(capsys: pytest.CaptureFixture[str]) -> None:
    """As the duel with them will be."""
    assert main(["klondike-3", "--option", "draw=1", "--option", "redeals=0"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("klondike-3 draw=1 redeals=0: classic Klondike\n")
    assert "none: one pass through the stock" in out


@pytest.mark.parametrize(
    "arguments", [["nothing"], ["timed", "--option", "draw=2"], ["spider-1", "--option", "draw=1"]]
)
def test_what_there_is_not_is_one_line_and_code_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Says what there is instead."""
    assert main(arguments) == 2
    assert capsys.readouterr().err.startswith("samedeal rules: ")


def test_languages(capsys: pytest.CaptureFixture[str]) -> None:
    """By option, else the one that the program speaks."""
    assert main(["spanish", "--lang", "es", "--markdown"]) == 0
    assert capsys.readouterr().out.startswith("# `spanish`: Klondike con baraja española")
    with speaking("es"):
        assert main(["freecell"]) == 0
    assert "Qué se puede hacer" in capsys.readouterr().out
    assert main(["freecell"]) == 0
    assert "What you may do" in capsys.readouterr().out
