"""The model that looks ahead plays as the engine does."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from samedeal_bots.klondike_numbers import Numbers, understands
from samedeal_bots.model import State
from samedeal_bots.practice import Practice
from samedeal_bots.search import children
from samedeal_rules import Card, Game, find_ruleset, legal_moves
from samedeal_rules.moves import DRAW, UNDO

OPTIONS: list[dict[str, object]] = [{}, {"draw": 1}, {"redeals": 0}, {"draw": 1, "redeals": 1}]
OTHERS: list[tuple[str, dict[str, object]]] = [
    ("klondike-1", {}),
    ("klondike-3", {"redeals": 1}),
    ("spanish", {}),
    ("spanish", {"deck": 48, "draw": 3}),
    ("spanish", {"stock": False}),
]


def settled_table(options: dict[str, object], seed: int, name: str = "timed") -> Practice:
    """A table somewhere in the middle, after at least one move (nothing can go up by itself)."""
    random = Random(f"{seed} {options}")
    table = Practice.dealt(find_ruleset(name, options)[1], f"model-{seed}")
    for count in range(random.randrange(1, 30)):
        legal = list(legal_moves(table.real.ruleset, table.real.board))
        if not legal or table.real.ended:
            break
        table.play(random.choice(legal), count)
    return table


def agrees(state: State, game: Game) -> bool:
    board = game.board
    return (
        state.columns == tuple(tuple(c[d:]) for c, d in zip(board.columns, board.down, strict=True))
        and state.talon == tuple(board.talon)
        and (state.drawn, state.redeals) == (board.drawn, board.redeals)
        and state.foundations == tuple(board.foundations)
        and state.reserve == tuple(board.reserve)
        and (state.exempt, state.scored) == (game.exempt, game.scored)
    )


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_lines_play_on_the_engine_with_the_same_table_and_points(
    options: dict[str, object],
) -> None:
    """Three steps of purposeful moves deep, every line."""
    lines = 0
    for seed in range(40):
        table = settled_table(options, seed)
        if table.view.ended is not None:
            continue
        numbers = Numbers.of(table.view.ruleset)
        random = Random(seed)
        level = [State.of(table.view)]
        for _ in range(3):
            level = [child for state in level for child in children(state, numbers)]
            level = random.sample(level, min(len(level), 12))
            for state in level:
                game = table.view.copy()
                for move in state.line():
                    game.play(move, 200)
                closing = 0 if game.ended is None else sum(game.items[4:6])
                assert agrees(state, game)
                assert state.gained == game.score - closing - table.view.score
                assert state.length == len(state.line())
                lines += 1
    assert lines >= 20


@pytest.mark.parametrize(("name", "options"), OTHERS, ids=str)
def test_lines_of_other_klondikes_play_on_the_engine_too(
    name: str, options: dict[str, object]
) -> None:
    """On tables without hidden cards, where what turns up by itself is known."""
    lines = 0
    for seed in range(20):
        table = settled_table(options, seed, name)
        if table.real.ended is not None:
            continue
        numbers = Numbers.of(table.view.ruleset)
        root = State.of(table.real)
        hidden = [
            c[:d] for c, d in zip(table.real.board.columns, table.real.board.down, strict=True)
        ]
        unseen = [card for column in hidden for card in column]
        root = root.supposed(root, unseen, numbers)
        random = Random(seed)
        level = [root]
        for _ in range(4):
            level = [child for state in level for child in children(state, numbers)]
            level = random.sample(level, min(len(level), 12))
            for state in level:
                game = table.real.copy()
                for move in state.line():
                    game.play(move, 200)
                if game.ended is None:
                    assert piles(State.of(game)) == piles(state)
                else:
                    assert state.foundations == tuple(game.board.foundations)
                assert state.length == len(state.line())
                lines += 1
    assert lines >= 20


def piles(state: State) -> tuple[object, ...]:
    return (*state.key_at(state.drawn, state.redeals), state.down)


def test_understands_every_klondike_and_nothing_else() -> None:
    """A ruleset that differs in a rule is played by its legal moves instead."""
    ruleset = find_ruleset("timed")[1]
    for options in OPTIONS:
        assert understands(find_ruleset("timed", options)[1])
    for name, options in OTHERS:
        assert understands(find_ruleset(name, options)[1])
    assert not understands(find_ruleset("freecell")[1])
    assert not understands(find_ruleset("spider-1")[1])
    assert not understands(replace(ruleset, fills_empty=0))
    assert not understands(replace(ruleset, stacks=ruleset.stacks[::-1]))


def test_supposed_tables_hold_every_card_once() -> None:
    """Unknown cards are filled in, and the rest of the table stays."""
    for seed in range(20):
        table = settled_table({}, seed)
        deck = table.view.ruleset.deck.cards
        numbers = Numbers.of(table.view.ruleset)
        root = State.of(table.view)
        unknown = root.unknown_cards(deck)
        Random(seed).shuffle(unknown)
        whole = root.supposed(root, unknown, numbers)
        assert whole.hidden is not None
        held = [*whole.talon]
        for pile in (*whole.columns, *whole.hidden):
            held += pile
        for suit, top in enumerate(whole.foundations):
            held += [Card(suit << 4 | rank) for rank in range(1, top + 1)]
        assert sorted(held) == sorted(deck)
        assert tuple(map(len, whole.hidden)) == whole.down


def test_the_engine_agrees_after_undo() -> None:
    """The model starts from any view, also one whose last draw was taken back."""
    table = Practice.dealt(find_ruleset("timed")[1], "undo")
    table.play(DRAW, 1)
    table.play(UNDO, 2)
    root = State.of(table.view)
    assert root.walled
    assert root.drawn == 0
