"""Choosing a game and its options by typing."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest

from samedeal_client.commands.play import _parser, _wish
from samedeal_client.plain.choosing import DEFAULT, Choice, choose
from samedeal_client.plain.terminal import Terminal
from samedeal_client.plain.words import chosen_deal_words
from samedeal_rules import RULESETS

from client.plain.test_words import duel  # isort: skip


class Script:
    """A terminal whose lines are typed already."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.said: list[str] = []

    async def ask(self, prompt: str) -> str | None:
        self.said.append(prompt)
        return self.lines.pop(0) if self.lines else None

    async def choice(
        self, last: Choice = DEFAULT, *, options: bool = True, alone: bool = False
    ) -> Choice | None:
        terminal = cast(
            Terminal, SimpleNamespace(ask=self.ask, say=lambda *lines: self.said.extend(lines))
        )
        return await choose(terminal, last, options=options, alone=alone)


async def test_every_game_is_offered_with_a_line_on_what_it_is() -> None:
    """Enter takes the one of last time."""
    script = Script("")
    last = Choice("klondike-1", {"draw": 3})
    assert await script.choice(last) == last
    assert [line.split()[1] for line in script.said[:-1]] == list(RULESETS)
    assert any("two suits: balanced" in line for line in script.said)
    assert script.said[-1] == "Which game [klondike-1 draw=3]: "


@pytest.mark.parametrize(
    ("typed", "choice"),
    [
        (["spider-2"], Choice("spider-2")),
        (["5"], Choice("spider-1")),
        (["8", ""], Choice("spanish")),
        (["spanish", "stock=false deck=48"], Choice("spanish", {"stock": False, "deck": 48})),
        (["3", "DRAW=1, redeals=unlimited"], Choice("klondike-3", {"draw": 1})),
        (["freecell", "deal=ms:11982"], Choice("freecell", {"deal": "ms:11982"})),
    ],
)
async def test_by_number_or_name_with_options(typed: list[str], choice: Choice) -> None:
    """What is the game's own anyway is left out."""
    assert await Script(*typed).choice() == choice


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (["klondyke-1"], "There is no such game; klondike-1?"),
        (["9"], "There is no such game."),
        (["spanish", "draw=2"], "draw in spanish can be: 1, 3."),
        (["spanish", "stock=false draw=3"], "stock false and draw can't be set together."),
        (["timed", "quick"], "must be NAME=VALUE, for example draw=1."),
    ],
)
async def test_what_is_no_choice_is_said(typed: list[str], words: str) -> None:
    """And nothing is created."""
    script = Script(*typed)
    assert await script.choice() is None
    assert script.said[-1] == words


@pytest.mark.parametrize(
    ("typed", "choice"),
    [
        (["klondike-1", "winnable"], Choice("klondike-1", winnable=True)),
        (["3", "Untimed, draw=1"], Choice("klondike-3", {"draw": 1}, untimed=True)),
        (["spider-1", "untimed"], Choice("spider-1", untimed=True)),
        (["timed", "winnable"], Choice("timed", winnable=True)),
        (
            ["klondike-3", "untimed winnable draw=1"],
            Choice("klondike-3", {"draw": 1}, winnable=True, untimed=True),
        ),
    ],
    ids=str,
)
async def test_a_deal_that_can_be_won_and_no_limit_by_one_word(
    typed: list[str], choice: Choice
) -> None:
    """Offered where they make sense, in the same line as the options."""
    script = Script(*typed)
    assert await script.choice(alone=True) == choice
    said = "\n".join(script.said)
    assert ("  winnable: " in said) == (choice.ruleset != "spider-1")
    assert ("  untimed: " in said) == (choice.ruleset != "timed")


async def test_no_limit_is_for_practice() -> None:
    """It is not offered for two, refused when typed, and not kept from the last practice."""
    script = Script("spider-1")
    assert await script.choice() == Choice("spider-1")
    assert not any("untimed" in line for line in script.said)
    script = Script("klondike-1", "untimed")
    assert await script.choice() is None
    assert script.said[-1] == "must be NAME=VALUE, for example draw=1."
    assert await Script("timed", "untimed").choice(alone=True) is None
    last = Choice("klondike-1", {"draw": 3}, winnable=True, untimed=True)
    script = Script("")
    assert await script.choice(last, alone=True) == last
    assert script.said[-1] == "Which game [klondike-1 draw=3 winnable untimed]: "
    script = Script("")
    assert await script.choice(last) == replace(last, untimed=False)
    assert script.said[-1] == "Which game [klondike-1 draw=3 winnable]: "


async def test_quick_match_has_each_games_own_rules() -> None:
    """No options are asked for, nor kept from last time."""
    assert await Script("").choice(Choice("timed", {"draw": 1}), options=False) == Choice("timed")
    assert await Script("8").choice(options=False) == Choice("spanish")


def test_flags(capsys: pytest.CaptureFixture[str]) -> None:
    """A game on the command line is not asked for; a wrong one is refused before anything."""

    def game(*arguments: str) -> Choice | None:
        return _wish(_parser().parse_args(arguments)).game

    assert game("create") is None
    assert game("create", "--ruleset", "spanish", "--option", "deck=48") == Choice(
        "spanish", {"deck": 48}
    )
    assert game("practice", "--option", "draw=1") == Choice("timed", {"draw": 1})
    for wrong in (
        ["create", "--ruleset", "x"],
        ["quick", "--option", "draw=1"],
        ["practice", "--ruleset", "spider-1", "--option", "draw=1"],
    ):
        with pytest.raises(SystemExit):
            game(*wrong)
    assert "quick match is by each game's own rules" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("practice --untimed", "timed is always played against the clock"),
        ("create --untimed --ruleset freecell", "--untimed is for practice"),
        ("practice --untimed --duration 60 --ruleset freecell", "leave one of them out"),
        ("practice --seats 3", "practice is for one"),
        ("bot --seats 3", "a race with a bot is for two"),
        ("practice --duration nan", "must be a number of seconds above 0"),
        ("practice --duration soon", "must be a number of seconds above 0"),
    ],
)
def test_no_flag_is_dropped_without_a_word(
    typed: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What does not go together is said, before anything."""
    with pytest.raises(SystemExit):
        _wish(_parser().parse_args(typed.split()))
    assert why in capsys.readouterr().err


def test_the_help_names_the_environment(capsys: pytest.CaptureFixture[str]) -> None:
    """Where a server is looked for without --server."""
    with pytest.raises(SystemExit):
        _parser().parse_args(["--help"])
    assert "SAMEDEAL_SERVER" in capsys.readouterr().out


def test_who_joins_is_told_of_a_numbered_deal() -> None:
    """Somebody may know it."""
    assert chosen_deal_words(duel()).startswith("Somebody chose this deal and may know it")
    numbered = chosen_deal_words(duel(options={"deal": "ms:5"}))
    assert numbered.startswith("Somebody chose the numbered deal ms:5 and may know it")
