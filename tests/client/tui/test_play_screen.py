"""The table under keys and mouse, at a connection that only notes what is played."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from client.tui.stage import Stage, StillTable, context_of, duel_of
from client.tui.tables import after, played
from samedeal_client.texts import _, speaking
from samedeal_client.tui.context import Context
from samedeal_client.tui.keystrokes import move_keys
from samedeal_client.tui.screens.ask import AskScreen
from samedeal_client.tui.screens.order import OrderScreen
from samedeal_client.tui.screens.play import CALM_S, SECOND_CLICK_S, PlayScreen
from samedeal_client.tui.spots import STOCK, Spot
from samedeal_client.tui.widgets.rows_view import RowsView
from samedeal_client.tui.widgets.table_view import TableView
from samedeal_protocol import Hinted
from samedeal_rules import Game, IllegalMove, RuleKey, legal_moves, move_text
from samedeal_rules.moves import CELL, FOUNDATION, WASTE, Kind


@asynccontextmanager
async def table(context: Context) -> AsyncIterator[Pilot[Any]]:
    app = Stage(context, PlayScreen(context))
    async with app.run_test(size=(90, 30)) as pilot:
        await pilot.pause()
        yield pilot


def of(game: Game, **settings: Any) -> Context:
    context = context_of("klondike-1", **settings)
    context.connection.table = StillTable(game)  # type: ignore[misc]
    return context


def moves(context: Context) -> list[str]:
    return context.connection.played  # type: ignore[attr-defined,no-any-return]


async def click(pilot: Pilot[Any], spot: Spot, **more: Any) -> None:
    view = pilot.app.screen.query_one(TableView)
    box = [box for box in view._drawn.boxes if box.spot == spot][-1]
    await pilot.click(TableView, offset=(box.x + 1, box.y), **more)


def between(game: Game) -> Any:
    return next(
        move
        for move in legal_moves(game.ruleset, game.board)
        if move.kind is Kind.CARRY and move.source < CELL and move.target < CELL
    )


async def test_two_keys_and_twice_the_same_key() -> None:
    """A move in two keystrokes; SPACE draws in one."""
    game = played("klondike-1", 0)
    move = between(game)
    context = of(game)
    async with table(context) as pilot:
        await pilot.press(str(move.source + 1), str(move.target + 1), "space")
    assert moves(context) == [move_text(move, "CDHS"), "d"]


async def test_keys_can_be_changed() -> None:
    """As the settings file says; the old key does nothing then."""
    context = of(played("klondike-1", 1), keys={"draw": "g"})
    async with table(context) as pilot:
        pilot.app.set_keymap(context.settings.keys)
        await pilot.press("space", "g")
    assert moves(context) == ["d"]


async def test_a_click_sends_to_the_best_place_after_a_moment() -> None:
    """A second click in that moment makes it a double click: only up."""
    game = played("klondike-1", 0)
    move = between(game)
    context = of(game)
    async with table(context) as pilot:
        await click(pilot, Spot(move.source, 1))
        await pilot.pause(SECOND_CLICK_S * 2)
        assert moves(context) == [move_text(move, "CDHS")]
        moves(context).clear()
        await click(pilot, Spot(move.source, 1), times=2)
        await pilot.pause(SECOND_CLICK_S * 2)
        assert moves(context) == []


async def test_a_drag_says_where() -> None:
    """Just the cards under the mouse, to the pile where it is let go."""
    game = played("klondike-1", 0)
    move = between(game)
    context = of(game)
    async with table(context) as pilot:
        view = pilot.app.screen.query_one(TableView)
        boxes = {box.spot: box for box in view._drawn.boxes}
        source, target = boxes[Spot(move.source, 1)], boxes[Spot(move.target, 1)]
        await pilot.mouse_down(TableView, offset=(source.x + 1, source.y))
        await pilot.mouse_up(TableView, offset=(target.x + 1, target.y))
        await pilot.pause(SECOND_CLICK_S * 2)
    assert moves(context) == [move_text(move, "CDHS")]


async def test_the_right_button_chooses_and_the_next_click_says_where() -> None:
    """Click, click."""
    game = played("klondike-1", 0)
    move = between(game)
    context = of(game)
    async with table(context) as pilot:
        await click(pilot, Spot(move.source, 1), button=3)
        await click(pilot, Spot(move.target, 1))
        await pilot.pause()
    assert moves(context) == [move_text(move, "CDHS")]


async def test_a_click_on_a_face_down_end_card_turns_it() -> None:
    """In timed Klondike, as its key does."""
    game = played("timed", 0)
    move = between(game)
    game = after(game, move_text(move, "CDHS"))
    context = of(game)
    async with table(context) as pilot:
        await click(pilot, Spot(move.source, 1))
        await pilot.press(str(move.source + 1))
    assert moves(context) == [f"x{move.source + 1}"] * 2


async def test_clicks_on_the_stock_draw_and_redeal_only_after_a_pause() -> None:
    """The click that finds the stock empty at once is no redeal."""
    game = after(played("klondike-1", 0), *["d"] * 23)
    context = of(game)
    async with table(context) as pilot:
        await click(pilot, Spot(STOCK))
        context.connection.table = StillTable(after(game, "d"))  # type: ignore[misc]
        await click(pilot, Spot(STOCK))
        assert moves(context) == ["d"]
        await pilot.pause(CALM_S * 1.2)
        await click(pilot, Spot(STOCK))
    assert moves(context) == ["d", "r"]


async def test_arrows_walk_and_choose() -> None:
    """All of it without a number key."""
    game = played("klondike-1", 0)
    context = of(game)
    async with table(context) as pilot:
        await pilot.press(*["right"] * 8, "down")
    assert moves(context) == ["d"]


async def test_the_waste_and_the_foundations_have_keys() -> None:
    """`w` `0`: up; `w` and a column."""
    game = played("klondike-1", 0)
    context = of(game)
    async with table(context) as pilot:
        await pilot.press("w")
        screen = pilot.app.screen
        assert isinstance(screen, PlayScreen)
        assert screen._mover.hand.picked is None  # nothing there yet
        context.connection.table = StillTable(after(game, "d"))  # type: ignore[misc]
        await pilot.press("w")
        assert screen._mover.hand.picked == Spot(WASTE)
        await pilot.press("escape")
        assert screen._mover.hand.picked is None
    assert FOUNDATION


async def test_capital_letters_are_places_of_the_reserve() -> None:
    """Spanish without a stock: chosen by letter, put by number."""
    game = played("spanish", 0, stock=False)
    context = of(game)
    async with table(context) as pilot:
        await pilot.press("B")
        screen = pilot.app.screen
        assert isinstance(screen, PlayScreen)
        assert screen._mover.hand.picked is not None


@pytest.mark.parametrize(("bell", "rings"), [(True, 1), (False, 0)])
async def test_the_bell_rings_in_the_last_seconds_and_can_be_switched_off(
    bell: bool, rings: int
) -> None:
    """Once at each of a few marks."""
    context = of(played("klondike-1", 0), bell=bell)
    context.connection.left_ms = 29_000  # type: ignore[attr-defined]
    rung: list[int] = []
    async with table(context) as pilot:
        pilot.app.bell = lambda: rung.append(1)  # type: ignore[method-assign]
        screen = pilot.app.screen
        assert isinstance(screen, PlayScreen)
        screen._rung = 10**9
        screen.tick()
        screen.tick()
    assert len(rung) == rings


async def test_enter_never_says_yes() -> None:
    """It is pressed at a table without looking; a click on yes is one."""
    context = of(played("klondike-1", 0))
    async with table(context) as pilot:
        await pilot.press("f", "enter", "space")
        assert moves(context) == []
        assert isinstance(pilot.app.screen, AskScreen)
        await pilot.click(".answer")
        await pilot.pause()
        assert moves(context) == ["end"]


async def test_rows_of_choices_are_clicked() -> None:
    """The first click chooses a row, the next one steps on; start is clicked too."""
    context = context_of("timed")
    app = Stage(context, OrderScreen(context, "timed", "bot"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, OrderScreen)
        await pilot.click(RowsView, offset=(10, 3))
        assert screen._rows[1].words == "three (harder)"
        await pilot.click(RowsView, offset=(10, 3))
        assert screen._rows[1].words == "one (easier)"


async def test_what_costs_is_asked_each_time() -> None:
    """A yes is for one move, not for all that are like it."""
    context = of(played("timed", 6))
    async with table(context) as pilot:
        for times in (1, 2):
            await pilot.press("z")
            assert isinstance(pilot.app.screen, AskScreen)
            await pilot.press("y")
            assert moves(context) == ["u"] * times


async def test_nobody_is_asked_about_what_is_not_allowed() -> None:
    """A redeal with cards in the stock, an undo of nothing: refused at once, though they cost."""
    context = of(played("timed", 0))
    context.connection.table.redeal_price = -400  # type: ignore[misc, union-attr]
    async with table(context) as pilot:
        for key, why in (("r", "a redeal needs an empty stock"), ("z", "nothing to undo")):
            await pilot.press(key)
            screen = pilot.app.screen
            assert isinstance(screen, PlayScreen)
            assert why in screen._said.text
    assert moves(context) == []


@pytest.mark.parametrize(("ruleset", "redeals"), [("klondike-1", True), ("spider-1", False)])
async def test_an_empty_stock_names_the_key_that_redeals_where_there_is_one(
    ruleset: str, redeals: bool
) -> None:
    """Spider has no redeals."""
    game = played(ruleset, 0)
    game.board.drawn = len(game.board.talon)
    context = of(game)
    async with table(context) as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, PlayScreen)
        screen._mover._refused(IllegalMove(RuleKey.STOCK_EMPTY))
        assert "the stock is empty" in screen._said.text
        assert ("r redeals" in screen._said.text) is redeals


@pytest.mark.parametrize(("language", "to"), [("en", "to column"), ("es", "hasta la columna")])
async def test_a_hint_is_told_in_words_and_with_its_keys(language: str, to: str) -> None:
    """No notation: the d of a draw is the key of the hint here."""
    game = played("klondike-1", 0)
    move = between(game)
    context = of(game)
    with speaking(language):
        async with table(context) as pilot:
            screen = pilot.app.screen
            assert isinstance(screen, PlayScreen)
            for text, words, keys in [
                (move_text(move, "CDHS"), f"{to} {move.target + 1}", move_keys(move, context.key)),
                ("d", "draw" if language == "en" else "robar", "SPACE"),
            ]:
                hinted = Hinted(req=1, seq=0, answer="move", move=text)
                screen.post_message(PlayScreen.HintCame(hinted))
                await pilot.pause()
                assert words in screen._said.text
                assert screen._said.text.endswith(f"({keys})")


@pytest.mark.parametrize(
    ("changes", "ruleset", "words"),
    [
        ({}, "timed", "Your score stands"),
        ({}, "spanish", "The cards that you have put up count"),
        ({"seats": 1}, "timed", "Its clock runs on"),
        ({"seats": 1, "duration_ms": None}, "spanish", "It ends as it stands"),
    ],
)
async def test_leaving_says_what_becomes_of_the_game(
    changes: dict[str, Any], ruleset: str, words: str
) -> None:
    """No score where there is none, no duel where one is alone."""
    game = played(ruleset, 1)
    context = of(game)
    context.connection.duel = duel_of(game, **changes)  # type: ignore[misc]
    async with table(context) as pilot:
        await pilot.press("q")
        question = pilot.app.screen.query_one(".question", Static)
        assert words in str(question.render())


@pytest.mark.parametrize("language", ["en", "es"])
async def test_a_small_window_says_what_it_needs_and_that_the_clock_runs(language: str) -> None:
    """Whole, just below the smallest size."""
    context = of(played("timed", 1))
    with speaking(language):
        app = Stage(context, PlayScreen(context))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.resize_terminal(49, 15)
            text = "\n".join(strip.text for strip in app.screen._compositor.render_strips())
            size = _("It needs {width} x {height}.").format(width=50, height=16)
            assert f"{size} " + _("The clock runs on.") in " ".join(text.split())
