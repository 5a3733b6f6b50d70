"""Packed deeds come back as they were put in, newest first, move by move."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from samedeal_rules.history import FIRST_OF_MOVE, Deed, History, Verb

deeds = st.builds(
    Deed,
    verb=st.sampled_from(Verb),
    source=st.integers(0, 255),
    target=st.integers(0, 255),
    size=st.integers(0, 255),
    marks=st.integers(0, 127),
    points=st.integers(-32_768, 32_767),
)


@given(st.lists(st.lists(deeds, min_size=1, max_size=5), max_size=8))
def test_moves_come_off_in_reverse(moves: list[list[Deed]]) -> None:
    """Each `pop_move` gives one move's deeds, the last first; then there is nothing."""
    history = History()
    for move in moves:
        for index, deed in enumerate(move):
            history.add(*deed._replace(marks=deed.marks | (0 if index else FIRST_OF_MOVE)))
    for move in reversed(moves):
        popped = [deed._replace(marks=deed.marks & ~FIRST_OF_MOVE) for deed in history.pop_move()]
        assert popped == move[::-1]
    assert list(history.pop_move()) == []
    assert len(history) == 0
