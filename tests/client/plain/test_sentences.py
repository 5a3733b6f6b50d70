"""The game for who listens: full sentences, nothing laid out."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from client.fake_server import CODE, FakeServer
from client.plain.test_play import finish_after, played
from samedeal_client.plain.card_words import card_words, pile_words
from samedeal_client.plain.sentences import (
    column_sentence,
    move_sentences,
    ranking_sentences,
    standings_sentence,
    standings_sentences,
    table_sentences,
)
from samedeal_client.texts import speaking
from samedeal_protocol import Applied, PlayerState, PointsEarned, RankingRow, StandingRow
from samedeal_rules import RULESETS, Game, deal, find_ruleset
from samedeal_rules.cards import FRENCH, SPANISH_40, UNKNOWN


@pytest.fixture
async def server() -> AsyncIterator[FakeServer]:
    async with FakeServer() as server:
        yield server


def game(ruleset: str = "timed", seed: str = "7", **options: bool | int) -> Game:
    """As its player sees it."""
    rules = find_ruleset(ruleset, options)[1]
    return Game(rules, deal(rules, seed).view(), 300_000)


def applied(move: str, **fields: object) -> Applied:
    base = {"seq": 0, "move": move, "ms": 1_000, "score": 0, "checksum": 0}
    return Applied.model_validate({**base, **fields})


def test_cards_have_names() -> None:
    """Spanish cards have Spanish ones in any language."""
    codes = FRENCH.codes
    assert [card_words(FRENCH, codes[text]) for text in ("AS", "TD", "QH", "7C")] == [
        "ace of spades",
        "10 of diamonds",
        "queen of hearts",
        "7 of clubs",
    ]
    assert card_words(FRENCH, UNKNOWN) == "a face-down card"
    codes = SPANISH_40.codes
    assert [card_words(SPANISH_40, codes[text]) for text in ("1O", "CE", "7B")] == [
        "as de oros",
        "caballo de espadas",
        "7 de bastos",
    ]
    with speaking("es"):
        assert card_words(FRENCH, FRENCH.codes["QH"]) == "reina de corazones"


def test_piles_have_names() -> None:
    """Of every kind."""
    assert [pile_words(FRENCH, pile) for pile in ("t10", "w", "f", "fH", "c2", "v12")] == [
        "column 10",
        "the waste",
        "its foundation",
        "the foundation of hearts",
        "cell 2",
        "place 12 of the reserve",
    ]


def test_a_column_is_told_from_its_end() -> None:
    """What is in play comes first; face-down cards are counted."""
    table = game()
    sentence = column_sentence(table, 3)
    assert re.fullmatch(r"Column 4, from its end: \w+ of \w+, then 3 face-down cards\.", sentence)
    assert re.fullmatch(r"Column 1, from its end: \w+ of \w+\.", column_sentence(table, 0))
    table.board.columns[0].clear()
    assert column_sentence(table, 0) == "Column 1 is empty."
    table.board.columns[1].pop()
    assert column_sentence(table, 1) == "Column 2: 1 face-down card."


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("language", ["en", "es"])
def test_every_table_is_sentences(ruleset: str, language: str) -> None:
    """Each line begins with a capital, ends with a full stop, and has no columns of text."""
    with speaking(language):
        lines = table_sentences(game(ruleset))
    assert len(lines) >= len(game(ruleset).board.columns)
    for line in lines:
        assert re.fullmatch(r"[A-ZÁÉÍÓÚ0-9].*\.", line), line
        assert "  " not in line
        assert "#" not in line


def test_cells_and_reserve_are_told_place_by_place() -> None:
    """Empty ones too."""
    lines = table_sentences(game("freecell"))
    assert "Cell 1: empty." in lines
    lines = table_sentences(game("spanish", stock=False))
    assert any(line.startswith("Place 3 of the reserve: ") for line in lines)


def test_a_move_names_the_cards_and_all_that_it_set_off() -> None:
    """Cards, piles, what turned up and went up, points, and how one stands."""
    hearts = [FRENCH.codes[text] for text in ("7H", "6C", "5D")]
    lines = move_sentences(
        game(),
        "t3*3-t5",
        hearts,
        applied(
            "t3*3-t5",
            turned=[("t3", "KS")],
            auto=[("t3", "AC"), ("w", "2C")],
            points=[
                PointsEarned(item="turned", points=100, what="t3"),
                PointsEarned(item="foundation", points=200, what="2C"),
            ],
        ),
        "1,500",
    )
    assert lines == [
        "7 of hearts and 2 cards on it from column 3 to column 5.",
        "Column 3 turns up king of spades.",
        "Ace of clubs, 2 of clubs go up by themselves.",
        "300 points for cards turned, 2 of clubs.",
        "You have 1,500.",
    ]


def test_many_points_are_told_as_a_sum() -> None:
    """Nobody remembers twenty reasons."""
    points = [PointsEarned(item="foundation", points=500, what="5C")] * 9
    lines = move_sentences(game(), "d", [], applied("d", drawn=["5C"], points=points), "4,500")
    assert lines == ["Drawn: 5 of clubs.", "4,500 points.", "You have 4,500."]


def test_other_moves() -> None:
    """Draw, redeal, undo, a deal in Spider, a run that leaves, a card that is not known."""
    table = game()
    assert move_sentences(table, "r", [], applied("r"), "0") == [
        "The waste goes back into the stock.",
        "Pass 1, next redeal free.",
    ]
    assert move_sentences(table, "u", [], applied("u"), "0") == ["The last move is taken back."]
    assert move_sentences(table, "x3", [], applied("x3", turned=[("t3", "5H")]), "0") == [
        "Column 3 turns up 5 of hearts."
    ]
    assert move_sentences(table, "w-f", [], applied("w-f"), "0") == [
        "From the waste to its foundation."
    ]
    spider = game("spider-1")
    dealt = applied("d", drawn=["5S", "KS"], runs=[("t2", "S")])
    assert move_sentences(spider, "d", [], dealt, "500") == [
        "Dealt, from column 1 on: 5 of spades, king of spades.",
        "The run of spades leaves column 2.",
    ]


def rows() -> list[StandingRow]:
    return [
        StandingRow(place=1, seat=1, name="Bo", score=1200, up=12, state=PlayerState.AWAY),
        StandingRow(place=2, seat=0, name="Ana", score=1, up=1, state=PlayerState.PLAYING),
        StandingRow(place=3, seat=2, name="Cy", score=0, up=0, state=PlayerState.PLAYING),
        StandingRow(place=4, seat=3, name="Di", score=None, up=2, state=PlayerState.PLAYING),
    ]


def test_standings_are_a_sentence_for_each() -> None:
    """Oneself is you; who passed whom is one sentence with the first three and oneself."""
    assert standings_sentences(rows(), 0) == [
        "Place 1, Bo, 1,200 points, 12 cards up, away.",
        "Place 2, you, 1 point, 1 card up.",
        "Place 3, Cy, 0 points, 0 cards up.",
        "Place 4, Di, 2 cards up.",
    ]
    news = standings_sentence(rows(), 3)
    assert news.startswith("Standings: place 1, Bo, 1,200 points, 12 cards up; place 2, Ana,")
    assert news.endswith("; place 4, you, 2 cards up.")


def test_the_end_is_told_with_the_reasons() -> None:
    """Place, how it ended, moves; then what the points were for."""
    row = RankingRow(
        place=1,
        seat=0,
        player="p",
        name="Ana",
        score=110,
        up=1,
        ended=PlayerState.FINISH,
        ended_ms=61_500,
        moves=1,
        items={"foundation": 100, "early_end": 10},
    )
    assert ranking_sentences([row], 0) == [
        "Place 1, you, 110 points, 1 card up, ended early after 61.5 s, 1 move.",
        "Points: cards on the foundations 100; early end 10.",
    ]


async def test_a_session_in_sentences(server: FakeServer, tmp_path: Path) -> None:
    """The table at the start and when asked for; after a move only what it did.

    Whatever is dealt: an open ace goes up by itself with the first draw.
    """
    ending = asyncio.create_task(finish_after(server, 2))
    code, out = await played(
        server,
        tmp_path,
        "r\nd\nb 4\nb\nt\nend\ns\nq\n",
        *("join", CODE, "--name", "Ana", "--yes", "--sentences"),
    )
    await ending
    assert code == 0, out
    assert "##" not in out
    assert len(re.findall(r"^Column 1\b", out, re.M)) == 2
    assert len(re.findall(r"^Column 4\b", out, re.M)) == 3
    assert "Drawn: " in out
    assert re.search(r"^\d:\d\d left, \d+\.$", out, re.M)
    assert re.search(r"^Place 1, you, \d+ points, \d+ cards? up, ended early", out, re.M)
