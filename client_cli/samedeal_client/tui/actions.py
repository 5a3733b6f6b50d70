"""All that a key can do, in one list: it feeds keys, key bar, help, palette, README. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from samedeal_client.texts import N_, _
from samedeal_rules import Game

__all__ = ["ACTIONS", "Action", "Group", "find_action", "key_words", "keys_of", "shown_now"]


class Group:
    """Where an action belongs."""

    TABLE: Final = "table"
    DUEL: Final = "duel"
    PILE: Final = "pile"
    LOBBY: Final = "lobby"
    RESULT: Final = "result"
    REPLAY: Final = "replay"
    ANYWHERE: Final = "anywhere"


@dataclass(frozen=True, slots=True)
class Action:
    """Something a player can do."""

    id: str
    """Also its name in the settings file."""
    keys: str
    """Comma-separated, as Textual names keys."""
    label: str
    """A word or two for the key bar."""
    help: str
    """A line for the help and the README."""
    group: str
    run: str
    """The method that does it, as Textual writes actions: `draw`, `pile(1)`."""
    bar: bool = False
    """Whether the key bar shows it."""


_COLUMNS: Final = tuple(
    Action(
        f"column_{n}",
        str(n % 10),
        f"{n}",
        N_("choose this column, or put there"),
        Group.PILE,
        f"pile({n - 1})",
    )
    for n in range(1, 10)
)
_CELLS: Final = tuple(
    Action(
        f"cell_{n}",
        key,
        f"{n}",
        N_("FreeCell: choose this cell, or put there"),
        Group.PILE,
        f"cell({n - 1})",
    )
    for n, key in ((2, "e"), (4, "t"))
)
"""The first and the third have the keys of waste and redeal, which FreeCell has not."""

ACTIONS: Final = (
    Action(
        "draw",
        "space",
        N_("draw"),
        N_("draw from the stock; in Spider deal a row"),
        Group.TABLE,
        "draw",
        bar=True,
    ),
    Action(
        "redeal",
        "r",
        N_("redeal"),
        N_("turn the waste back into the stock, once that is empty"),
        Group.TABLE,
        "redeal",
        bar=True,
    ),
    *_COLUMNS,
    Action(
        "column_10",
        "0",
        "0",
        N_("column 10 in Spider; in all other games the foundations"),
        Group.PILE,
        "zero",
    ),
    Action("waste", "w", N_("waste"), N_("choose the card on the waste"), Group.PILE, "waste"),
    *_CELLS,
    Action(
        "best",
        "enter,b",
        N_("best"),
        N_("send what is chosen to its best place (or its key again)"),
        Group.TABLE,
        "best",
        bar=True,
    ),
    Action(
        "up",
        "a",
        N_("up"),
        N_("put the first card that fits on its foundation"),
        Group.TABLE,
        "up",
        bar=True,
    ),
    Action("undo", "z", N_("undo"), N_("take the last move back"), Group.TABLE, "undo", bar=True),
    Action(
        "hint",
        "d",
        N_("hint"),
        N_("a move that helps, or that none does"),
        Group.TABLE,
        "hint",
        bar=True,
    ),
    Action("finish", "f", N_("finish"), N_("end your game now"), Group.TABLE, "finish", bar=True),
    Action("left", "left,h", "←", N_("move along the piles"), Group.TABLE, "step(-1)"),
    Action("right", "right,l", "→", N_("move along the piles"), Group.TABLE, "step(1)"),
    Action(
        "choose",
        "down,j",
        "↓",
        N_("choose the pile that the arrows are on, or put there"),
        Group.TABLE,
        "choose",
    ),
    Action(
        "drop", "escape,up,k", N_("let go"), N_("let go of what is chosen"), Group.TABLE, "drop"
    ),
    Action(
        "points", "p", N_("points"), N_("your points, one by one"), Group.DUEL, "points", bar=True
    ),
    Action("standings", "s", N_("standings"), N_("who is where"), Group.DUEL, "standings"),
    Action(
        "leave", "q", N_("leave"), N_("leave the duel, after asking"), Group.DUEL, "leave", bar=True
    ),
    Action(
        "ready",
        "r,enter",
        N_("ready"),
        N_("say that you are ready"),
        Group.LOBBY,
        "ready",
        bar=True,
    ),
    Action(
        "start",
        "s",
        N_("start"),
        N_("the host: start with those who are ready"),
        Group.LOBBY,
        "start",
        bar=True,
    ),
    Action(
        "copy", "c", N_("copy"), N_("copy what friends type to join"), Group.LOBBY, "copy", bar=True
    ),
    Action(
        "back", "q,escape", N_("leave"), N_("give the seat back"), Group.LOBBY, "leave", bar=True
    ),
    Action(
        "rematch",
        "r,enter",
        N_("rematch"),
        N_("play again with the same people"),
        Group.RESULT,
        "rematch",
        bar=True,
    ),
    Action(
        "save", "s", N_("save"), N_("save the record of the duel"), Group.RESULT, "save", bar=True
    ),
    Action(
        "board", "b", N_("board"), N_("look at the table again"), Group.RESULT, "board", bar=True
    ),
    Action(
        "menu", "m,q,escape", N_("menu"), N_("back to the menu"), Group.RESULT, "menu", bar=True
    ),
    Action(
        "replay",
        "v",
        N_("replay"),
        N_("look at the whole duel again, move by move"),
        Group.RESULT,
        "replay",
        bar=True,
    ),
    Action("replay_next", "right,n,l", N_("next"), N_("the next move"), Group.REPLAY, "go(1)"),
    Action("replay_back", "left,p,h", N_("back"), N_("the move before"), Group.REPLAY, "go(-1)"),
    Action("replay_on", "pagedown", N_("10 on"), N_("ten moves on"), Group.REPLAY, "go(10)"),
    Action(
        "replay_far_back", "pageup", N_("10 back"), N_("ten moves back"), Group.REPLAY, "go(-10)"
    ),
    Action(
        "replay_play",
        "space",
        N_("play"),
        N_("play it as it was, or hold"),
        Group.REPLAY,
        "play",
    ),
    Action(
        "replay_faster", "plus,up,k", N_("faster"), N_("twice as fast"), Group.REPLAY, "pace(1)"
    ),
    Action(
        "replay_slower", "minus,down,j", N_("slower"), N_("half as fast"), Group.REPLAY, "pace(-1)"
    ),
    Action(
        "replay_player",
        "tab,v",
        N_("player"),
        N_("the next player's game, at the same moment"),
        Group.REPLAY,
        "player",
    ),
    Action(
        "replay_jump",
        "slash,t",
        N_("jump"),
        N_("to a move by its number, a time, or a player"),
        Group.REPLAY,
        "jump",
    ),
    Action(
        "replay_open",
        "o",
        N_("open"),
        N_("face-down cards too, or not"),
        Group.REPLAY,
        "open",
    ),
    Action("replay_deal", "home,g", N_("deal"), N_("to the deal"), Group.REPLAY, "deal"),
    Action("replay_end", "end,e", N_("end"), N_("to the end"), Group.REPLAY, "end"),
    Action(
        "replay_leave", "q,escape", N_("leave"), N_("back from the replay"), Group.REPLAY, "leave"
    ),
    Action(
        "settings",
        "o",
        N_("settings"),
        N_("colours, cards, questions, language"),
        Group.ANYWHERE,
        "app.settings",
    ),
    Action(
        "help",
        "question_mark,f1",
        N_("help"),
        N_("rules, points, tips and keys"),
        Group.ANYWHERE,
        "app.help",
        bar=True,
    ),
)
"""In the order in which help and README list them."""

_SPELLED: Final = {
    "space": "SPACE",
    "question_mark": "?",
    "enter": "ENTER",
    "escape": "ESC",
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "f1": "F1",
    "tab": "TAB",
    "slash": "/",
    "plus": "+",
    "minus": "-",
    "pageup": "PGUP",
    "pagedown": "PGDN",
    "home": "HOME",
    "end": "END",
}


def find_action(name: str) -> Action | None:
    """The action called so."""
    return next((action for action in ACTIONS if action.id == name), None)


def keys_of(action: Action, keys: Mapping[str, str]) -> str:
    """Its keys: the player's own, else the usual ones."""
    return keys.get(action.id, action.keys)


def key_words(keys: str, *, first: bool = False) -> str:
    """Keys as one reads them: `SPACE`, `ENTER or b`."""
    spelled = [_SPELLED.get(key, key) for key in keys.split(",")]
    return spelled[0] if first else _(" or ").join(spelled)


def shown_now(game: Game | None, group: str, *, hints: bool) -> Iterator[Action]:
    """What the key bar shows: only what this game has."""
    groups = (group, Group.ANYWHERE, *_WITH.get(group, ()))
    for action in ACTIONS:
        here = action.bar and action.group in groups
        if here and (game is None or _in_game(action, game, hints=hints)):
            yield action


_WITH: Final = {Group.TABLE: (Group.DUEL,)}


def _in_game(action: Action, game: Game, *, hints: bool) -> bool:
    ruleset, board = game.ruleset, game.board
    if action.id == "draw":
        return ruleset.draw > 0 and board.drawn < len(board.talon)
    if action.id == "redeal":
        return ruleset.has_waste and 0 < board.drawn == len(board.talon)
    if action.id == "up":
        return ruleset.leaves is None
    return action.id != "hint" or hints
