"""Places, names, limits: small values with exact answers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samedeal_protocol import ErrorCode
from samedeal_rules import Ended
from samedeal_rules.ranking import by_score
from samedeal_server.domain.errors import PlayerError
from samedeal_server.domain.limits import TokenBucket
from samedeal_server.domain.names import clean_name, folded, looks_like, shown_name
from samedeal_server.domain.standing import Standing, places

DURATION = 300_000


def _ended(score: int, ms: int) -> Standing:
    return Standing(score, 0, Ended.FINISH, ms)


def test_one_millisecond_decides() -> None:
    """Case 58: equal points; the one whose game ended earlier is before the other."""
    assert places([_ended(36100, 100_001), _ended(36100, 100_000)], DURATION, by_score) == [2, 1]


def test_equal_in_both_share_a_place_and_the_next_is_skipped() -> None:
    """1, 1, 3: also for two who ran out the clock, still playing or not."""
    tied = [Standing(100, 1), Standing(100, 5).run_out(DURATION), Standing(50, 0)]
    assert places(tied, DURATION, by_score) == [1, 1, 3]
    assert places([_ended(7, 5)] * 3 + [_ended(7, 6)] * 2, DURATION, by_score) == [1, 1, 1, 4, 4]
    assert places([], DURATION, by_score) == []


@given(
    st.lists(
        st.tuples(st.integers(-400_000, 36_950), st.none() | st.integers(0, DURATION)),
        max_size=40,
    )
)
def test_places_are_exact_in_the_whole_range(rows: list[tuple[int, int | None]]) -> None:
    """One more than the number of those who are better, whatever the numbers."""
    standings = [Standing(score, 0) if ms is None else _ended(score, ms) for score, ms in rows]
    keys = [(-score, DURATION if ms is None else ms) for score, ms in rows]
    assert places(standings, DURATION, by_score) == [1 + sum(o < k for o in keys) for k in keys]


@given(
    st.integers(-(10**9), 10**9),
    st.integers(0, 104),
    st.none() | st.tuples(st.sampled_from(list(Ended)), st.integers(0, 3_600_000)),
)
def test_a_standing_is_read_back_exactly(
    score: int, up: int, end: tuple[Ended, int] | None
) -> None:
    """Text and back; E first once the game has ended, for the scripts."""
    standing = Standing(score, up) if end is None else Standing(score, up, *end)
    assert Standing.parse(standing.text()) == standing
    assert standing.text().startswith("E") == (end is not None)


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "   ",
        "\u200b" * 15,
        "\u00a0",
        "\u00a0 \u2003",
        "Ana\u200b",
        "Ana\u202eanA",
        "Ana\nBob",
        "Ana\u0000",
        "a" * 5000,
        "a" * 21,
        "\ud83d",
        "e" + "\u0301" * 200,
        "\u3164",
        "\u2800",
        "\u0301\u0301",
        "a\ue000",
    ],
    ids=lambda typed: ascii(typed[:8]).strip("'").replace("\\", ""),
)
def test_names_that_are_refused(typed: str) -> None:
    """Case 48: nothing to see, too long, or hiding something."""
    with pytest.raises(PlayerError) as refused:
        clean_name(typed)
    assert refused.value.code is ErrorCode.BAD_NAME


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Íñigo", "Íñigo"),
        ("李", "李"),
        ("Zoë", "Zoë"),
        (" Ana", "Ana"),
        ("Ana  Bo ", "Ana Bo"),
        ("Zoe\u0308", "Zoë"),
        ("Ａｎａ", "Ana"),
        ("a" * 20, "a" * 20),
        ("🂡 ace", "🂡 ace"),
        ("7", "7"),
        ("दीपिका", "दीपिका"),
    ],
)
def test_names_that_are_kept(typed: str, kept: str) -> None:
    """Case 48: people's names, in one spelling."""
    assert clean_name(typed) == kept
    assert clean_name(kept) == kept


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("Ana", "ANA", True),
        ("Ana", "Аnа", True),
        ("Ana", "A na", True),
        ("Zoë", "Zoe\u0308", True),
        ("Bill", "Bi1l", True),
        ("O0", "00", True),
        ("Ann", "Bob", False),
        ("Ann", "Anna", False),
        ("李", "王", False),
    ],
)
def test_names_that_look_alike(one: str, other: str, alike: bool) -> None:
    """At a glance: case, alphabets, blanks, and letters that are digits."""
    assert looks_like(one, other) is looks_like(other, one) is alike
    if folded(one) == folded(other):
        assert alike


@given(st.text(max_size=60))
def test_any_text_is_cleaned_or_refused(text: str) -> None:
    """A name that was kept stays as it is, and can be shown and folded."""
    try:
        name = clean_name(text)
    except PlayerError:
        return
    assert clean_name(name) == name
    assert shown_name(name) == name
    assert folded(folded(name)) == folded(name)


@given(st.text(st.characters(codec=None, categories=None), max_size=100))
def test_whatever_is_stored_can_be_shown(stored: str) -> None:
    """Case 69: half an emoji, NUL and the like become a replacement sign."""
    shown_name(stored).encode()
    assert len(shown_name(stored)) <= 40


def test_a_bucket_holds_the_rate_and_no_more_than_its_burst() -> None:
    """10 a second are never refused; a flood gets its burst and the rate."""
    bucket = TokenBucket.full(25, 75, 0)
    assert all(bucket.take(ms) for ms in range(0, 60_000, 100))
    flood = TokenBucket.full(25, 75, 0)
    taken = sum(flood.take(i / 5) for i in range(50_000))  # 5000 a second for 10 s
    assert 75 + 250 - 1 <= taken <= 75 + 250 + 1
    assert 1 <= flood.wait_ms() <= 40
    assert flood.take(10_000 + flood.wait_ms() + 1)
