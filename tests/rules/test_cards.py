"""Decks, names and masks."""

from __future__ import annotations

from collections import Counter

from samedeal_rules.cards import FACE_DOWN, FRENCH, UNKNOWN, Card, rank_of, stacking, suit_of
from samedeal_rules.klondike import alternating_down, kings


def test_case_20_every_card_is_there_once() -> None:
    """52 cards, each rank of each suit once."""
    assert Counter(FRENCH.names[card] for card in FRENCH.cards) == Counter(
        rank + suit for suit in "CDHS" for rank in "A23456789TJQK"
    )


def test_canonical_order_is_clubs_diamonds_hearts_spades_each_ascending() -> None:
    """ "French: clubs, diamonds, hearts, spades"; "ranks ascending in each" (section 8)."""
    names = [FRENCH.names[card] for card in FRENCH.cards]
    assert " ".join(names[:14]) == "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AD"
    assert names[25:27] == ["KD", "AH"]
    assert names[-1] == "KS"


def test_cards_are_written_rank_then_suit() -> None:
    """ "`TH` is the ten of hearts" (section 9)."""
    ten_of_hearts = FRENCH.codes["TH"]
    assert (rank_of(ten_of_hearts), suit_of(ten_of_hearts)) == (10, 2)
    assert FRENCH.names[ten_of_hearts] == "TH"


def test_names_and_codes_are_inverse() -> None:
    """Each of the 52 names and `##` reads back as what it was made of."""
    for card in (UNKNOWN, *FRENCH.cards):
        assert FRENCH.codes[FRENCH.names[card]] == card
    assert len(FRENCH.codes) == 53


def test_a_face_down_card_is_two_hashes() -> None:
    """ "A face-down card is `##`" (section 9), and so is every code that is no card."""
    assert FACE_DOWN == "##"
    assert FRENCH.names[UNKNOWN] == "##"
    assert {FRENCH.names[code] for code in range(64) if code not in FRENCH.cards} == {"##"}


def test_stacking_is_down_by_one_in_alternating_colours() -> None:
    """Each of the 24 cards below a king in rank order lies on two; aces carry nothing."""
    masks = stacking(FRENCH, alternating_down)
    for lower in FRENCH.cards:
        for upper in FRENCH.cards:
            low, up = FRENCH.names[lower], FRENCH.names[upper]
            ranks = "A23456789TJQK"
            one_down = ranks.index(up[0]) + 1 == ranks.index(low[0])
            other_colour = (up[1] in "DH") != (low[1] in "DH")
            assert bool(masks[lower] >> upper & 1) is (one_down and other_colour), (up, low)


def test_nothing_lies_on_an_ace_and_no_wrap_around() -> None:
    """ "Ace is low, king is high, no wrap-around" (section 0)."""
    masks = stacking(FRENCH, alternating_down)
    for suit in "CDHS":
        assert masks[FRENCH.codes["A" + suit]] == 0
        king = FRENCH.codes["K" + suit]
        assert not any(mask >> king & 1 for mask in masks)


def test_an_unknown_card_fits_nowhere() -> None:
    """In a view, nothing may be built on or with a card that is not known."""
    masks = stacking(FRENCH, alternating_down)
    assert masks[UNKNOWN] == 0
    assert not any(mask >> UNKNOWN & 1 for mask in masks)


def test_kings_are_the_four_highest_cards() -> None:
    """The cards that may begin an empty column."""
    assert kings(FRENCH) == sum(1 << FRENCH.codes["K" + suit] for suit in "CDHS")
    assert Card(13) == FRENCH.codes["KC"]
