"""Words have the room that they need at 80 columns, in every language."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.tui.stage import Stage, StillTable, context_of, duel_of
from client.tui.tables import GAMES, played, table_of
from samedeal_client.plain.board_text import item_words
from samedeal_client.plain.words import NO_POINTS
from samedeal_client.texts import _, speaking
from samedeal_client.tui.context import Context
from samedeal_client.tui.screens.base import BaseScreen
from samedeal_client.tui.screens.ledger import LEDGER_WIDTH, LedgerScreen
from samedeal_client.tui.screens.play import PlayScreen
from samedeal_client.tui.screens.watch import WatchScreen
from samedeal_client.tui.table_words import info_words
from samedeal_client.tui.titles import duel_words
from samedeal_client.tui.widgets.notice import MOST_ROWS, notice_lines
from samedeal_rules import ITEMS
from samedeal_rules.moves import END

sys.path.insert(0, str(Path(__file__).parents[3] / "tools"))
import make_texts

SAID_IN = ("race.py", "mover.py", "hand.py", "play.py", "shell.py", "errors.py", "server_words.py")
"""Where what is said under the table comes from."""
FILLED = 24
"""Columns that values add to a sentence, two cards or a short reason."""
both = pytest.mark.parametrize("language", ["en", "es"])


def said_under_the_table(language: str) -> Iterator[str]:
    catalog = make_texts.template() if language == "en" else make_texts.updated(language)
    for message in catalog:
        files = {Path(name).name for name, _line in message.locations}
        if not message.id or not files & set(SAID_IN):
            continue
        words = message.id if language == "en" else message.string
        yield from [words] if isinstance(words, str) else words


def shown(app: Stage) -> str:
    return "\n".join(strip.text.rstrip() for strip in app.screen._compositor.render_strips())


def running_on(text: str) -> str:
    """The words of a screen, without its line breaks and frames."""
    return " ".join(text.replace("│", " ").split())


@both
def test_nothing_that_is_said_under_the_table_loses_its_end(language: str) -> None:
    """Two rows for the longest of the catalogue; a third for what its values add."""
    said = list(said_under_the_table(language))
    assert len(said) > 100
    for words in said:
        lines = notice_lines(words, "text", 80)
        assert len(lines) < MOST_ROWS, words
        filled = notice_lines(words + " " + "x" * FILLED, "text", 80)
        assert all(len(line[0].text) <= 80 for line in filled)
        assert filled[-1][0].text.endswith("x" * FILLED)


@both
async def test_what_ctrl_c_says_is_whole(language: str) -> None:
    """At 80 columns beside the panel, though it takes two rows; later it is one row again."""
    context = context_of("timed")
    with speaking(language):
        app = Stage(context, PlayScreen(context))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            await pilot.press("ctrl+c")
            await pilot.pause()
            words = "Ctrl-C again leaves; the duel goes on, and `samedeal play` comes back to it."
            assert _(words) in running_on(shown(app))
            await pilot.press("escape")
            await pilot.pause()
            assert app.screen.query_one("#notice").size.height == 1


@both
@pytest.mark.parametrize("name", GAMES)
def test_titles_and_the_line_under_the_piles_fit(language: str, name: str) -> None:
    """Titles in a window of 80 columns, the line in the smallest one."""
    game = table_of(name)
    with speaking(language):
        assert len(duel_words(duel_of(game, options=GAMES[name][1]))) <= 78
        for redeals in range(4):
            game.board.redeals = redeals
            assert len(info_words(game)) <= 50


@both
async def test_the_box_of_points_is_whole_and_says_how_to_close_it(language: str) -> None:
    """Also in a game without points."""
    context = context_of("spanish")
    with speaking(language):
        assert all(len(item_words(item)) + 11 <= LEDGER_WIDTH for item in ITEMS)
        app = Stage(context, PlayScreen(context))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("p")
            await pilot.pause()
            assert isinstance(app.screen, LedgerScreen)
            page = app.screen.query_one("#result").region
            rows = shown(app).splitlines()[page.y : page.bottom]
            text = running_on("\n".join(row[page.x : page.right] for row in rows))
            assert _(NO_POINTS) in text
            assert text.endswith(running_on(_("ESC  back")))
            await pilot.press("escape")
            assert isinstance(app.screen, PlayScreen)


@both
async def test_after_the_end_only_keys_that_still_work_are_offered(language: str) -> None:
    """No draw, no undo: points, leave, help."""
    game = played("timed", 3)
    game.play(END, 60_000)
    context = context_of("timed")
    context.connection.table = StillTable(game)  # type: ignore[misc]
    with speaking(language):
        app = Stage(context, PlayScreen(context))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            bar = shown(app).splitlines()[-1]
            keys = [_("points"), _("standings"), _("leave"), _("help")]
            assert bar.split()[1::2] == keys


async def test_who_watches_sees_no_standing_of_their_own() -> None:
    """Whoever watches plays nothing: no `0 up`."""
    context = watching()
    assert " 0 " not in await picture(context, WatchScreen(context))


def watching() -> Context:
    context = context_of("timed")
    duel = duel_of(table_of("timed"), you=None)
    context.connection.duel, context.connection.table = duel, None  # type: ignore[misc]
    return context


async def picture(context: Context, screen: BaseScreen) -> str:
    app = Stage(context, screen)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        return shown(app)
