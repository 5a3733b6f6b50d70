"""Every level, on any table it can come to: legal, pure, blind to what it may not know, finite."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from statistics import fmean

import pytest

from samedeal_bots.brain import SLOWNESS, Brain, Level, brain
from samedeal_bots.hard import Effort, Hard
from samedeal_bots.practice import Practice, play_out
from samedeal_rules import (
    UNKNOWN,
    Board,
    Card,
    Ended,
    Game,
    Move,
    Ruleset,
    deal,
    find_ruleset,
    legal_moves,
)
from samedeal_rules.moves import DRAW, END, FROM_FOUNDATION, REDEAL, Kind

from .laws import PACE_MS, permuted, same_table, wander

TIMED = find_ruleset("timed")[1]

OPTIONS: list[dict[str, object]] = [
    {},
    {"draw": 1},
    {"redeals": 0},
    {"redeals": 1},
    {"draw": 1, "redeals": 3},
]


def light(level: Level, seed: int) -> Brain:
    """The same player, with less work for the hard one where only laws are at stake."""
    if level is Level.HARD:
        return Hard(Random(seed), effort=Effort(plan=500, options=2, rounds=1, suppose=30))
    return brain(level, seed)


def timed(options: dict[str, object]) -> Ruleset:
    return find_ruleset("timed", options)[1]


def strange(ruleset: Ruleset) -> Ruleset:
    """A ruleset that no brain has been taught: any card fills an empty column."""
    return replace(ruleset, fills_empty=sum(1 << card for card in ruleset.deck.cards))


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("name", ["klondike-3", "freecell", "spider-1", "spanish"])
def test_without_a_limit_there_is_always_time(level: Level, name: str) -> None:
    """In a practice that lasts for hours too, every level has a move."""
    ruleset = find_ruleset(name)[1]
    view = Game(ruleset, deal(ruleset, "unhurried").view(), None)
    assert brain(level, 1).choose(view, 3 * 3_600_000) is not None


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_every_answer_on_reachable_views_is_legal_and_changes_nothing(
    level: Level, options: dict[str, object]
) -> None:
    """From wherever a player may have got to, also when the bot takes over in the middle."""
    for seed in range(3):
        random = Random(f"{seed} {options}")
        table = Practice.dealt(timed(options), f"legal-{seed}")
        ms = wander(table, random, random.randrange(60))
        player = brain(level, seed)
        for _ in range(30):
            if table.real.ended is not None:
                break
            before = same_table(table.view)
            move = player.choose(table.view, ms)
            assert same_table(table.view) == before
            assert move is not None
            table.play(move, ms)
            assert table.view.board.same_as(table.real.board.view())
            assert table.view.score == table.real.score
            ms += PACE_MS


@pytest.mark.parametrize("level", Level)
def test_equal_views_get_equal_answers(level: Level) -> None:
    """What the player can't know does not matter: those cards permuted, the answer is the same."""
    for seed in range(12):
        random = Random(seed)
        table = Practice.dealt(TIMED, f"blind-{seed}")
        ms = wander(table, random, random.randrange(40))
        other = permuted(table.real.board, random)
        assert other.view().same_as(table.view.board)
        twin = table.view.copy()
        twin.board = other.view()
        answers = {brain(level, 1).choose(game, ms) for game in (table.view, twin)}
        assert len(answers) == 1


@pytest.mark.parametrize("level", Level)
def test_the_same_seed_plays_the_same_game(level: Level) -> None:
    """Nothing but the seed and the views decides."""
    lines = [
        play_out(Practice.dealt(TIMED, "again"), brain(level, 7).choose, PACE_MS).moves
        for _ in range(2)
    ]
    assert lines[0] == lines[1]


MOST_MOVES = {Level.EASY: 400, Level.NORMAL: 400, Level.HARD: 400}
"""A game that is played out to the clear takes 100 to 200 moves."""


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("options", [{}, {"draw": 1, "redeals": 3}, {"redeals": 0}], ids=str)
def test_ends_by_itself_and_never_goes_in_circles(level: Level, options: dict[str, object]) -> None:
    """30 deals without a clock: it says `end` or clears, and no table comes twice."""
    ruleset = timed(options)
    for seed in range(30):
        table = Practice.dealt(ruleset, f"ends-{seed}", 3_600_000)
        player = light(level, seed)
        seen = {table.view.board.checksum(ruleset.deck.names)}
        for count in range(MOST_MOVES[level] + 1):
            assert count < MOST_MOVES[level]
            move = player.choose(table.view, 1000 + count)
            assert move is not None
            table.play(move, 1000 + count)
            if table.real.ended is not None:
                break
            checksum = table.view.board.checksum(ruleset.deck.names)
            assert checksum not in seen
            seen.add(checksum)


def test_levels_differ_on_fixed_deals() -> None:
    """In points at a human pace, by a margin far beyond chance; the hard one clears tables."""
    means: dict[Level, float] = {}
    cleared = dict.fromkeys(Level, 0)
    for level in Level:
        scores = []
        for seed in range(16):
            table = Practice.dealt(TIMED, f"levels-{seed}")
            game = play_out(table, brain(level, seed).choose, PACE_MS).game
            scores.append(game.score)
            cleared[level] += game.ended is Ended.CLEARED
        means[level] = fmean(scores)
    assert means[Level.HARD] > 1.4 * means[Level.NORMAL]
    assert means[Level.NORMAL] > means[Level.EASY] + 100
    assert cleared[Level.HARD] >= 3


@pytest.mark.parametrize("level", Level)
def test_plays_rulesets_it_was_never_taught(level: Level) -> None:
    """By their legal moves alone, and to an end."""
    for options in OPTIONS:
        table = Practice.dealt(strange(timed(options)), "strange", 3_600_000)
        out = play_out(table, brain(level, 3).choose, PACE_MS)
        assert out.game.ended in (Ended.FINISH, Ended.CLEARED)
        assert len(out.moves) < 1000


@pytest.mark.parametrize("level", Level)
def test_waits_once_the_game_or_its_time_is_over(level: Level) -> None:
    """There is no legal move then."""
    table = Practice.dealt(TIMED, "over")
    assert brain(level, 0).choose(table.view, TIMED.duration_ms) is None
    table.play(END, 10)
    assert brain(level, 0).choose(table.view, 20) is None


@pytest.mark.parametrize("level", [Level.NORMAL, Level.HARD])
def test_turns_an_uncovered_card_at_once(level: Level) -> None:
    """It is worth 100 and tells more than anything else does."""
    table = Practice.dealt(TIMED, "turn")
    player = brain(level, 0)
    turned = 0
    for count in range(60):
        board = table.view.board
        bare = any(c and d == len(c) for c, d in zip(board.columns, board.down, strict=True))
        move = player.choose(table.view, count * PACE_MS)
        assert move is not None
        assert (move.kind is Kind.TURN) == bare
        turned += bare
        table.play(move, count * PACE_MS)
        if table.real.ended is not None:
            break
    assert turned


def test_slower_levels_are_the_weaker_ones() -> None:
    """The runner multiplies its pace by these."""
    assert SLOWNESS[Level.EASY] > SLOWNESS[Level.NORMAL] > SLOWNESS[Level.HARD] == 1


def codes(text: str) -> list[Card]:
    return [TIMED.deck.codes[name] for name in text.split()]


def endgame(columns: list[str], talon: str, foundations: list[int]) -> Practice:
    """All is face up and seen, the waste is the whole talon, the second pass is over."""
    cards = [codes(column) for column in columns] + [[] for _ in range(7 - len(columns))]
    waste = codes(talon)
    board = Board(cards, [0] * 7, waste, drawn=len(waste), redeals=1, foundations=foundations)
    table = Practice.of(TIMED, board, TIMED.duration_ms)
    away = {*waste, *(card for column in cards for card in column)}
    for game in (table.real, table.view):
        game.scored = sum(1 << card for card in TIMED.deck.cards if card not in away)
    return table


def test_pays_400_for_a_pass_that_brings_more() -> None:
    """Everything waits for cards in the waste, of which the top goes nowhere."""
    blacks = ["JC", "QC", "KC", "TS", "JS", "QS", "KS"]
    table = endgame(blacks, "TC 9S TH QH JH KH", [9, 13, 9, 8])
    assert brain(Level.HARD, 0).choose(table.view, 1000) == REDEAL
    out = play_out(table, brain(Level.HARD, 0).choose, PACE_MS)
    assert out.game.ended is Ended.CLEARED
    assert out.game.ledger()["passes"] == -400


def test_plays_back_from_foundations_where_that_frees_more() -> None:
    """Kings and queens come back to hold the clubs that lie on the wanted ones."""
    out = play_out(endgame([], "TC JC QC KC", [9, 13, 13, 13]), brain(Level.HARD, 0).choose, 800)
    assert out.game.ended is Ended.CLEARED
    assert any(move.source > FROM_FOUNDATION for move in out.moves)
    assert "passes" not in out.game.ledger()


def something_is_left(game: Game, most: int) -> bool | None:
    """Whether any known moves uncover a card or score, by trying all; None if too many to try."""
    names = game.ruleset.deck.names
    start = game.copy()
    start.ended = None
    seen = {start.board.checksum(names)}
    queue = [start]
    for at in queue:
        for move in legal_moves(at.ruleset, at.board):
            ahead = at.copy()
            ahead.play(move, 0)
            board = ahead.board
            uncovered = any(
                d and d == len(c) for c, d in zip(board.columns, board.down, strict=True)
            )
            if uncovered or ahead.score > start.score:
                return True
            if len(seen) > most:
                return None
            checksum = board.checksum(names)
            if checksum not in seen and board.redeals <= start.board.redeals + 1:
                seen.add(checksum)
                queue.append(ahead)
    return False


def test_ends_early_and_only_when_nothing_is_left() -> None:
    """No known moves uncover a card or score, checked by trying all that are legal."""
    checked = 0
    for seed in range(16):
        table = Practice.dealt(TIMED, f"left-{seed}")
        out = play_out(table, light(Level.HARD, seed).choose, PACE_MS)
        if out.game.ended is not Ended.FINISH:
            continue
        assert out.game.ended_ms is not None
        assert out.game.ended_ms < 250_000
        assert not table.view.board.drawn or UNKNOWN not in table.view.board.talon
        left = something_is_left(table.view, 800)
        assert not left
        checked += left is False
    assert checked >= 5


def test_does_not_draw_what_it_knows_to_be_useless() -> None:
    """From the second pass on the stock is known: no draws only to look."""
    draws = 0
    for seed in range(10):
        table = Practice.dealt(TIMED, f"useless-{seed}")
        moves: list[Move] = play_out(table, light(Level.HARD, seed).choose, PACE_MS).moves
        if moves[-1] == END:
            draws += moves[-2] in (DRAW, REDEAL) and table.real.board.redeals > 0
    assert draws == 0
