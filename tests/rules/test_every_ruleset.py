"""Section 0 of rules.md, line by line, as far as one player's game shows it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from samedeal_rules import Ended, Game, IllegalMove, OptionValue, RuleKey, parse_move
from samedeal_rules.moves import UNDO

from .games import SUITS, attempt, entries, new_game, options, picks, seeds
from .positions import automatic, cards_text, column, frozen, game_at, play


def test_same_deal() -> None:
    """ "All players of a duel get the same cards in the same order." """
    one, two = new_game("the same"), new_game("the same")
    play(one, "d", "d")
    play(two, "d", "d")
    assert one.board.same_as(two.board)


def test_only_a_face_up_card_may_be_taken_with_everything_on_top_of_it() -> None:
    """ "A player may take only a face-up card, with everything on top of it" in sequence."""
    game = game_at("t1: [9S] 8H 7S 6D\nt2: 9C\nt3: 7C")
    assert attempt(game, 0, "t1*4-t2") == "face_down"
    assert attempt(game, 0, "t1*3-t2") is None
    assert (column(game, "t1"), column(game, "t2")) == ("[9S]", "9C 8H 7S 6D")
    assert attempt(game, 0, "t2-t3") is None
    assert column(game, "t3") == "7C 6D"


def test_what_is_taken_must_be_in_sequence() -> None:
    """ "and only if what is taken is in sequence by the rules of that game"."""
    game = game_at("t1: 8H 7S 6S\nt2: 9C")
    assert attempt(game, 0, "t1*3-t2") == "not_a_run"


def test_ace_is_low_and_king_is_high_without_wrap_around() -> None:
    """ "Ace is low, king is high, no wrap-around." """
    game = game_at("t1: KS\nt2: AH\nt3: 2S\nw: KD")
    assert attempt(game, 0, "t1-t2") == "does_not_fit"
    assert attempt(game, 0, "w-t3") == "does_not_fit"
    assert attempt(game, 0, "t2-t3") is None
    game = game_at("t1: KC\nf: DK")
    assert attempt(game, 0, "fD-t1") == "does_not_fit"


def test_cards_go_to_a_foundation_one_at_a_time() -> None:
    """ "Cards go to a foundation or a cell one at a time"."""
    game = game_at("t1: 3S 2H\nf: HA S2")
    assert attempt(game, 0, "t1*2-f") == "one_card_only"
    play(game, "t1-f", "t1-f")
    assert game.board.foundations == [0, 0, 2, 3]


@pytest.mark.parametrize("text", ["fH-f", "fH-c1", "fH-w", "fH*2-t1"])
def test_from_a_foundation_a_card_goes_only_to_a_column(text: str) -> None:
    """ "from a foundation a card goes only to a column": no other text is a move."""
    assert parse_move(text, SUITS) is None


def test_of_three_cards_drawn_the_last_lies_on_top() -> None:
    """ "A stock is turned card by card: of three cards drawn the last lies on top." """
    game = game_at("s: 5C 9D KS 2H")
    assert cards_text(play(game, "d").drawn) == "5C 9D KS"
    assert cards_text(game.board.waste) == "5C 9D KS"
    play(game, "w-t1")
    assert column(game, "t1") == "KS"


def test_cards_up_are_the_cards_on_the_foundations() -> None:
    """ "Cards up are the cards on the foundations"."""
    assert game_at("f: C3 DA HK").board.cards_up == 17


@given(seeds, options, picks)
@settings(max_examples=40, deadline=None)
def test_a_refused_move_changes_nothing(
    seed: str, chosen: dict[str, OptionValue], numbers: list[int]
) -> None:
    """ "changes nothing: not the board, not the score, not the undo history"."""
    game = new_game(seed, chosen)
    for ms, text in entries(game, numbers):
        before = frozen(game)
        if attempt(game, ms, text) is not None:
            assert frozen(game) == before


@given(seeds, options, picks)
@settings(max_examples=40, deadline=None)
def test_undo_is_the_exact_inverse_of_each_move(
    seed: str, chosen: dict[str, OptionValue], numbers: list[int]
) -> None:
    """ "takes back the player's last accepted move with everything that it set off"."""
    game = new_game(seed, chosen)
    past: list[tuple[object, ...]] = []
    for ms, text in entries(game, numbers):
        before = (*frozen(game)[:6], *frozen(game)[8:12])
        score, items = game.score - game.items[3], game.items.copy()
        if attempt(game, ms, text) is not None or text == "end" or game.ended:
            continue
        if text == "u":
            expected, old_score, old_items = past.pop()
            assert (*frozen(game)[:6], *frozen(game)[8:12]) == expected
            assert game.score - game.items[3] == old_score
            assert game.items[:3] == old_items
        else:
            past.append((before, score, items[:3]))


@given(seeds, options, picks)
@settings(max_examples=25, deadline=None)
def test_undoing_everything_is_the_deal(
    seed: str, chosen: dict[str, OptionValue], numbers: list[int]
) -> None:
    """After as many undos as there are moves, only the undos' price is left."""
    game, undos = new_game(seed, chosen), 0
    for ms, text in entries(game, numbers):
        if text != "end" and attempt(game.copy(), ms, text) is None:
            play(game, text, ms=ms)
        if game.ended:
            return
    while attempt(game, 299_999, "u") is None:
        undos += 1
    assert game.board.same_as(new_game(seed, chosen).board)
    assert game.ledger() == ({"undo": -1000 * undos} if undos else {})
    assert (game.scored, game.exempt, len(game.history)) == (0, 0, 0)


@given(seeds, options, picks)
@settings(max_examples=25, deadline=None)
def test_a_board_is_its_journal(
    seed: str, chosen: dict[str, OptionValue], numbers: list[int]
) -> None:
    """The accepted moves alone, undos too, rebuild board, score and ledger."""
    game = new_game(seed, chosen)
    journal = [(ms, text) for ms, text in entries(game, numbers) if attempt(game, ms, text) is None]
    again = new_game(seed, chosen)
    for ms, text in journal:
        play(again, text, ms=ms)
    assert frozen(again) == frozen(game)


@given(seeds, options, picks)
@settings(max_examples=40, deadline=None)
def test_the_score_is_the_sum_of_its_ledger(
    seed: str, chosen: dict[str, OptionValue], numbers: list[int]
) -> None:
    """Every point has its reason: in the ledger, and in what each move reports."""
    game, reported = new_game(seed, chosen), 0
    for ms, text in entries(game, numbers):
        move = parse_move(text, SUITS)
        if move is None:
            continue
        try:
            reported += sum(points.points for points in game.play(move, ms).points)
        except IllegalMove:
            continue
        assert game.score == sum(game.ledger().values()) == reported


def test_undo_charges_its_price_after_taking_back() -> None:
    """ "takes back ... then charges the ruleset's undo price"."""
    game = game_at("t1: [5C 9D]")
    play(game, "x1")
    assert [(points.item, points.points) for points in play(game, "u").points] == [
        (1, -100),
        (3, -1000),
    ]


def test_the_clock_is_not_given_back() -> None:
    """An undo at 250 s leaves 50 s: `end` then brings floor(50 / 3) = 16."""
    game = game_at("s: 5C")
    play(game, "d", ms=10_000)
    play(game, "u", "end", ms=250_000)
    assert game.ledger() == {"undo": -1000, "early_end": 16}


def test_an_undo_is_not_itself_undone() -> None:
    """A second undo takes back the move before, not the first undo."""
    game = game_at("s: 5C 9D KS 2H 3H")
    play(game, "d", "d", "u")
    assert cards_text(game.board.waste) == "5C 9D KS"
    play(game, "u")
    assert cards_text(game.board.waste) == ""
    assert attempt(game, 0, "u") == "nothing_to_undo"


def test_a_card_that_the_undone_move_turned_is_face_down_again() -> None:
    """ "A card that the undone move had turned up is face down again." """
    game = game_at("t1: [5C 9D]")
    play(game, "x1")
    assert column(game, "t1") == "[5C] 9D"
    play(game, "u")
    assert column(game, "t1") == "[5C 9D]"


def test_an_undone_card_up_scores_again() -> None:
    """ "if it put a card up, putting it up again scores again"."""
    game = game_at("t1: 2H\nf: HA")
    play(game, "t1-f", "u")
    assert game.ledger() == {"undo": -1000}
    play(game, "t1-f")
    assert game.ledger() == {"foundation": 200, "undo": -1000}


def test_an_undone_redeal_is_no_longer_counted() -> None:
    """ "a redeal that it made is no longer counted": not for the price, not for the limit."""
    game = game_at("w: 5C 9D", redeals=0)
    play(game, "r", "u")
    assert (game.board.redeals, game.board.drawn) == (0, 2)
    play(game, "r", "d", "r")
    assert game.ledger() == {"undo": -1000, "passes": -400}
    limited = game_at("w: 5C 9D")
    limited.ruleset = new_game("", {"redeals": 1}).ruleset
    play(limited, "r", "u", "r", "d")
    assert attempt(limited, 0, "r") == "no_redeals_left"


def test_automatic_moves_belong_to_the_move_that_set_them_off() -> None:
    """ "Automatic moves ... follow an accepted move and belong to it": one undo, one price."""
    game = game_at("t1: AS 8H\nt2: 9C\nt3: 2S\nt4: 3S\nf: C2 D2 H2")
    before = game.board.copy()
    assert automatic(play(game, "t1-t2")) == ["AS", "2S", "3S"]
    play(game, "u")
    assert game.board.same_as(before)
    assert game.ledger() == {"undo": -1000}


def test_nothing_moves_by_itself_at_the_deal() -> None:
    """ "Nothing moves by itself at the deal, even if an ace lies open"."""
    game = game_at("t1: AS\ns: 5C 9D")
    assert game.board.cards_up == 0
    assert automatic(play(game, "d")) == ["AS"]


def test_nothing_moves_by_itself_after_an_undo() -> None:
    """ "nor after an undo": the ace lies open again and stays until the next move."""
    game = game_at("t1: AS\ns: 5C 9D KD 2H")
    assert automatic(play(game, "d", "u")) == []
    assert column(game, "t1") == "AS"
    assert automatic(play(game, "d")) == ["AS"]


def test_a_refused_move_sets_nothing_off() -> None:
    """Automatic moves follow an accepted move only."""
    game = game_at("t1: AS\nt2: 9C\ns: 5C")
    assert attempt(game, 0, "t2-t3") == "needs_king"
    assert column(game, "t1") == "AS"


def test_sweeps_take_one_card_from_each_place_from_the_left_then_the_waste() -> None:
    """ "one card from each place that has one, columns left to right, then waste ..., again"."""
    game = game_at("t1: 3C 2C\nt2: 3D 2D\nt3: 2S\nt5: 9S\nt6: TH\nw: 3H 2H\nf: CA DA HA SA")
    assert automatic(play(game, "t5-t6")) == ["2C", "2D", "2S", "2H", "3C", "3D", "3H"]


def test_a_game_ends_when_the_table_is_clear() -> None:
    """ "when the table is clear": the last card up ends it."""
    game = game_at("t1: KS\nf: CK DK HK SQ")
    play(game, "t1-f", ms=1234)
    assert (game.ended, game.ended_ms, game.board.cards_up) == (Ended.CLEARED, 1234, 52)


def test_a_game_ends_when_the_player_ends_it() -> None:
    """ "when the player ends it (`end`)"."""
    game = game_at("t1: KS")
    play(game, "end", ms=1234)
    assert (game.ended, game.ended_ms) == (Ended.FINISH, 1234)


def test_a_game_ends_when_the_countdown_ends() -> None:
    """ "or when the countdown ends": at the deadline, whenever that is noticed."""
    game = game_at("t1: KS")
    game.run_out()
    assert (game.ended, game.ended_ms, game.score) == (Ended.TIMEOUT, 300_000, 0)


def test_running_out_does_not_touch_an_ended_game() -> None:
    """Who has ended has ended."""
    game = game_at("t1: KS")
    play(game, "end", ms=1234)
    game.run_out()
    assert (game.ended, game.ended_ms) == (Ended.FINISH, 1234)


def over(game: Game) -> list[str | None]:
    return [attempt(game, 300, text) for text in ("d", "t1-t2", "x1", "r", "u", "end")]


def test_after_that_no_move_is_accepted() -> None:
    """ "After that no move is accepted from that player": however the game ended."""
    finished = game_at("t1: KS\ns: 5C")
    play(finished, "d", "end")
    timed_out = game_at("t1: KS\ns: 5C")
    timed_out.run_out()
    cleared = game_at("t1: KS\nf: CK DK HK SQ")
    play(cleared, "t1-f")
    for game in (finished, timed_out, cleared):
        before = frozen(game)
        assert over(game) == ["game_over"] * 6
        assert frozen(game) == before


@pytest.mark.parametrize("ms", [300_000, 300_001, 10**9])
def test_a_move_received_at_or_after_the_deadline_is_refused(ms: int) -> None:
    """ "A move counts if the server had received it before the deadline"; D itself is late."""
    game = game_at("s: 5C 9D")
    play(game, "d", ms=299_999)
    for text in ("d", "u", "end"):
        assert attempt(game, ms, text) == RuleKey.TIME_OVER
    assert game.ended is None


def test_undo_itself_is_subject_to_the_clock() -> None:
    """One millisecond before the deadline an undo still counts."""
    game = game_at("s: 5C")
    play(game, "d", ms=0)
    game.play(UNDO, 299_999)
    assert game.score == -1000
