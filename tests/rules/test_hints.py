"""Section 7 of rules.md: hints that help, never in circles, and `stuck` only when certain."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samedeal_rules import Game, deal, find_ruleset, legal_moves, move_text, parse_move
from samedeal_rules.hints import Hint, HintAnswer, hint

from .games import GAMES, Chosen, any_game, game_name, new_game, picks, run, seeds
from .positions import frozen, game_of, play

_KINGS = ["KS", "KC", "QS", "QC", "KS", "KC"]
_BLACK = ["9S", "JC", "JS", "9C", "7S", "7C", "QS"]
BLOCKED = "\n".join(f"t{n}: [2H] {card}" for n, card in enumerate(_KINGS, 1))
"""Six columns that take nothing and give nothing; the seventh is what a test is about."""
TO_AND_FRO = BLOCKED.replace("t1: [2H] KS", "t1: [4C] 9H 8S") + "\nt7: [4D] 9D"
FULL = "\n".join(f"t{n}: KS {card}" for n, card in enumerate(_BLACK, 2))

RECORDS = Path(__file__).parents[1] / "data" / "records"


def said(game: Game) -> str:
    """The move's text, or the answer."""
    found = hint(game)
    if found.move is None:
        return found.answer.value
    return move_text(found.move, game.ruleset.deck.suits)


@pytest.mark.parametrize(
    ("name", "table", "move"),
    [
        # "it turns a face-down card"
        ("timed", f"{BLOCKED}\nt7: [5C 9D]", "x7"),
        ("klondike-1", "t1: [5C 9D] 8S\nt2: 9H\nt3: [2C] 4C", "t1-t2"),
        ("spider-2", "t1: [5H] 8H\nt2: 9S\nt3: KS", "t1-t2"),
        # "empties a column"
        ("klondike-1", "t1: 8S\nt2: 9H\nt3: [2C] 4C\nt4: [2H] 4D\nt5: [7C] TS", "t1-t2"),
        ("freecell", FULL.replace("t8: KS QS", "t8: 9H") + "\nt1: 8S", "t1-t8"),
        # "puts a card on its foundation"
        ("klondike-1", "t1: [5C] 3H\nt2: KS\nf: H2", "t1-f"),
        ("freecell", "t1: 6C 3H\nt2: KS\nf: H2", "t1-f"),
        ("spanish", "t1: [5C] 1O", "t1-f"),
        ("spanish", "t1: [5C] 3E\nv: 5C -- 1O", "v3-f"),
        # "or as the first of a few moves that do"
        ("freecell", f"t1: 2H KD\n{FULL}\nf: HA\nc: -- 5D -- --", "t1-c1"),
        ("klondike-1", "t1: [5C] 8S 7D\nt2: [2S] 8C\nt3: 9H\nf: CA", "t1*2-t3"),
        # "completes a run (Spider)"
        ("spider-1", "t1: KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S\nt2: 5S AS", "t2-t1"),
        # "brings a new useful card up from the stock"
        ("klondike-1", f"{BLOCKED}\nt7: [4S] 4D\ns: 8C 3C", "d"),
        # "if no move on the table helps and stock cards that the player has not seen remain, draws"
        ("klondike-3", f"{BLOCKED}\nt7: [4H] 9D\ns: 2C 3C 5C 6C", "d"),
        # "(in Spider: deals, if that is allowed)"
        ("spider-4", "\n".join(f"t{n}: [4C] KS" for n in range(1, 11)) + "\ns:" + " 4H" * 10, "d"),
    ],
)  # fmt: skip
def test_a_hint_is_a_move_that_really_helps(name: str, table: str, move: str) -> None:
    """Each thing that section 7 lists as help."""
    assert said(game_of(name, table)) == move


def test_never_one_that_only_shuffles_cards_to_and_fro() -> None:
    """A run that could go from one column to another and back is left alone."""
    game = game_of("klondike-1", TO_AND_FRO)
    assert [move_text(move, "CDHS") for move in legal_moves(game.ruleset, game.board)] == ["t1-t7"]
    assert said(game) == "stuck"


def test_case_17_a_card_taken_back_can_be_the_way() -> None:
    """3C up turns 4H, 3C returns onto it, 2H onto 3C turns 5C; never `stuck` on the way."""
    game = game_of("klondike-1", "t1: [AD 5C] 2H\nt2: [9S 4H] 3C\nf: C2")
    for expected in ("t2-f", "fC-t2", "t1-t2"):
        assert said(game) == expected
        play(game, expected)


def test_case_18_no_draw_where_a_whole_pass_brings_nothing() -> None:
    """x A p x x q in pass 2: neither p nor q fits, the ace can't be reached: not `draw`."""
    game = game_of("klondike-3", f"{BLOCKED}\nt7: [9H] 7D\ns: 8C AC 4C 8H 9C 9S", redeals=1)
    assert said(game) == "stuck"


def test_case_18_the_ace_can_be_reached_once_the_card_on_it_fits() -> None:
    """p = 4C fits on the 5H: draw, play it, and then the ace goes up."""
    game = game_of("klondike-3", f"{BLOCKED}\nt7: [9H] 5D\ns: 8C AC 4C 8H 9C 9S", redeals=1)
    for expected in ("d", "w-t7", "w-f"):
        assert said(game) == expected
        play(game, expected)


def test_case_18_no_rotation_that_costs_400_and_yields_nothing() -> None:
    """In `timed` the waste is not turned over for nothing; for a card that fits it is."""
    fruitless = game_of("timed", f"{BLOCKED}\nt7: [3C] 7D\nw: 8C 9C 4C 8H TC 9S", redeals=2)
    assert said(fruitless) == "stuck"
    fruitful = game_of("timed", f"{BLOCKED}\nt7: [3C] 5D\nw: 8C 9C 4C 8H TC 9S", redeals=2)
    for expected in ("r", "d", "w-t7"):
        assert said(fruitful) == expected
        play(fruitful, expected)


def test_with_unseen_stock_cards_a_table_is_not_stuck() -> None:
    """ "With unseen stock cards a table is not stuck"; seen and useless, it is."""
    table = BLOCKED + "\nt7: [5H] 7D\n{}: 8C 9C 8H"
    assert said(game_of("klondike-3", table.format("s"))) == "d"
    assert said(game_of("klondike-3", table.format("w"))) == "stuck"
    assert said(game_of("klondike-3", table.format("s"), redeals=1)) == "stuck"


def test_spider_deals_are_prepared_where_a_column_is_empty() -> None:
    """Nothing else helps: a card goes to the empty column, then ten are dealt."""
    rest = "\n".join(f"t{n}: KH" for n in range(3, 11))
    game = game_of("spider-4", f"t1: 8C JS\n{rest}\ns: 5D" + " 4H" * 9)
    for expected in ("t1-t2", "d"):
        assert said(game) == expected
        play(game, expected)


def test_a_search_that_was_cut_short_says_nothing() -> None:
    """ "*Stuck* is said only when it is certain"."""
    game = game_of("klondike-1", TO_AND_FRO)
    assert hint(game, max_positions=1) == Hint(HintAnswer.NO_MOVE_HELPS)
    assert hint(game, max_positions=2) == Hint(HintAnswer.STUCK)


def test_an_ended_game_has_no_hints() -> None:
    """Nothing helps any more, but that is not the table's fault."""
    game = game_of("klondike-1", "t1: [4C] AS")
    play(game, "end")
    assert hint(game) == Hint(HintAnswer.NO_MOVE_HELPS)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("chosen", GAMES, ids=game_name)
def test_following_hints_500_times_never_repeats_a_position(chosen: Chosen, seed: int) -> None:
    """Nor proposes anything that the rules refuse; and it says why it ends."""
    game = new_game(f"hint {seed}", chosen[1], None if chosen[0] != "timed" else 300_000, chosen[0])
    seen = set()
    for _ in range(500):
        board = game.board
        text = board.text(game.ruleset.deck.names).split(" ")
        position = (text[0], *text[2:], game.exempt)  # not the count of redeals
        assert position not in seen
        seen.add(position)
        found = hint(game)
        if found.move is None:
            break
        game.play(found.move, 0)
    else:
        pytest.fail("500 hints and no end")
    assert game.ended is not None or found.answer is not HintAnswer.MOVE


@given(any_game, seeds, picks, st.integers(0, 60))
@settings(max_examples=25, deadline=None)
def test_equal_views_give_equal_hints_and_nothing_changes(
    chosen: Chosen, seed: str, numbers: list[int], size: int
) -> None:
    """ "Both use only what the player may know"."""
    game = new_game(seed, chosen[1], name=chosen[0])
    run(game, numbers)
    before = frozen(game)
    view = game.copy()
    view.board = game.board.view()
    assert hint(view, size) == hint(game, size)
    assert frozen(game) == before


CLEARED = sorted(
    path
    for path in RECORDS.glob("*/clear*.json")
    if not any(word in path.name for word in ("expected", "slow", "then-more"))
)


@pytest.mark.parametrize("path", CLEARED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_no_position_on_a_winning_line_is_stuck(path: Path) -> None:
    """Replayed move by move, a game that was won is never called lost."""
    record = json.loads(path.read_text("utf-8"))
    ruleset = find_ruleset(record["ruleset"], record["options"])[1]
    game = Game(ruleset, deal(ruleset, record["seed"]), None)
    for _, text in record["moves"]:
        if game.ended is not None:
            break
        assert hint(game).answer is not HintAnswer.STUCK
        move = parse_move(text, ruleset.deck.suits)
        assert move is not None
        game.play(move, 0)


@given(st.sampled_from(["klondike-1", "klondike-3", "spanish"]), seeds)
@settings(max_examples=15, deadline=None)
def test_stuck_agrees_with_exhaustive_search(name: str, seed: str) -> None:
    """From where hints end as `stuck`, no line of play reaches a better table."""
    game = new_game(seed, None, None, name)
    found = hint(game)
    while found.move is not None and not game.ended:
        game.play(found.move, 0)
        found = hint(game)
    if found.answer is not HintAnswer.STUCK:
        return
    board = game.board
    best = (sum(board.down), len(board.talon), board.cards_up)
    names = game.ruleset.deck.names
    todo, seen = [game], set()
    while todo:
        at = todo.pop()
        key = at.board.text(names) + str(at.exempt) if name == "spanish" else _without_redeals(at)
        if key in seen:
            continue
        seen.add(key)
        now = at.board
        assert (sum(now.down), len(now.talon)) == best[:2]
        assert now.cards_up <= best[2]
        for move in legal_moves(at.ruleset, now):
            after = at.copy()
            after.play(move, 0)
            todo.append(after)


def _without_redeals(game: Game) -> str:
    stock, _, rest = game.board.text(game.ruleset.deck.names).split(" ", 2)
    return f"{stock} {rest}"
