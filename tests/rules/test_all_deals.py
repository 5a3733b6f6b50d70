"""Case 19 for every ruleset: the same deal, everywhere and always (rules, section 8)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from samedeal_rules import deal, find_ruleset

from .games import Chosen, new_game, numbers, run
from .naive_deals import naive_microsoft
from .naive_game import Referee

DATA = Path(__file__).parents[1] / "data" / "deals"
"""By file: the deck in the order in which it is dealt, of five seeds. Made by the referee."""

FILES: dict[str, Chosen] = {
    "timed": ("timed", {}),
    "klondike-1": ("klondike-1", {}),
    "klondike-3": ("klondike-3", {}),
    "freecell": ("freecell", {}),
    "spider-1": ("spider-1", {}),
    "spider-2": ("spider-2", {}),
    "spider-4": ("spider-4", {}),
    "spanish": ("spanish", {}),
    "spanish-48": ("spanish", {"deck": 48}),
}

PRINT_DEALT = """
import json, sys
from samedeal_rules import deal, find_ruleset
found = []
for name, options, seed in json.loads(sys.argv[1]):
    ruleset = find_ruleset(name, options)[1]
    board, names = deal(ruleset, seed), ruleset.deck.names
    piles = [*board.columns, board.stock, board.reserve]
    found.append([[names[card] for card in pile] for pile in piles])
print(json.dumps(found))
"""


def known(file: str) -> dict[str, str]:
    deals: dict[str, str] = json.loads((DATA / f"{file}.json").read_text("utf-8"))
    return deals


def laid_out(name: str, deck: str) -> list[list[str]]:
    """Columns, stock and (empty) reserve, dealt by hand."""
    cards = deck.split()
    if name.startswith("spider"):
        columns = [cards[index:54:10] for index in range(10)]
        return [*columns, cards[54:], []]
    if name == "freecell":
        return [*(cards[index::8] for index in range(8)), [], []]
    columns = [[] for _ in range(7)]
    for row in range(7):
        for column in range(row, 7):
            columns[column].append(cards.pop(0))
    return [*columns, cards, []]


@pytest.mark.parametrize("hash_seed", ["0", "1", "random"])
def test_case_19_known_seeds_deal_the_same_in_a_fresh_process(hash_seed: str) -> None:
    """Five seeds for each deck, whatever PYTHONHASHSEED is; and three numbered deals."""
    asked = [
        (*chosen, seed, laid_out(chosen[0], deck))
        for file, chosen in FILES.items()
        for seed, deck in known(file).items()
    ]
    asked += [
        ("freecell", {"deal": number}, None, laid_out("freecell", deck))
        for number, deck in known("microsoft").items()
    ]
    assert len(asked) == 5 * len(FILES) + 3
    done = subprocess.run(
        [sys.executable, "-c", PRINT_DEALT, json.dumps([ask[:3] for ask in asked])],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        check=True,
        text=True,
    )
    assert json.loads(done.stdout) == [ask[3] for ask in asked]


@pytest.mark.parametrize("file", FILES)
def test_case_19_the_data_is_what_other_lines_say(file: str) -> None:
    """The referee's shuffle and layout, and the engine's."""
    name, options = FILES[file]
    for seed, deck in known(file).items():
        referee = Referee(name, seed, options)
        dealt = [
            *([card.lstrip("-") for card in column] for column in referee.s["columns"]),
            referee.s["stock"],
            [],
        ]
        assert dealt == laid_out(name, deck)
        assert sorted(deck.split()) == sorted(referee.pack())


def test_known_numbered_deals_are_what_other_lines_say() -> None:
    """1, 617 and 11982, the unsolvable one."""
    assert known("microsoft") == {
        f"ms:{number}": " ".join(naive_microsoft(number)) for number in (1, 617, 11_982)
    }


@pytest.mark.parametrize("file", FILES)
def test_case_19_the_same_deal_again_after_50_moves(file: str) -> None:
    """Nothing that was played changes what a seed deals."""
    name, options = FILES[file]
    game = new_game("again", options, name=name)
    before = game.board.copy()
    run(game, numbers(7, 50))
    assert new_game("again", options, name=name).board.same_as(before)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("klondike-1", {"draw": 3, "redeals": 0}),
        ("klondike-3", {"draw": 1}),
        ("spanish", {"draw": 3, "redeals": "unlimited"}),
    ],
)
def test_options_do_not_change_the_deal(name: str, options: dict[str, object]) -> None:
    """ "A duel is never started with two different deals, not even by an option" (section 0)."""
    plain = new_game("s", name=name).board
    assert deal(find_ruleset(name, options)[1], "s").same_as(plain)
