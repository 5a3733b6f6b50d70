"""Hand-made tables from text, so that a test shows the position it is about."""

from __future__ import annotations

from samedeal_rules import Board, Card, Game, Ruleset, parse_move
from samedeal_rules.board import EMPTY
from samedeal_rules.cards import FRENCH, Deck
from samedeal_rules.game import Played
from samedeal_rules.rulesets import find_ruleset

NAMES = FRENCH.names


def position(text: str, *, redeals: int = 0, deck: Deck = FRENCH, columns: int = 7) -> Board:
    """A board from lines `pile: cards`.

    `t3: [AD 5C] 2H` is column 3, bottom card first, face-down cards in brackets; `w:` the waste,
    its top card last; `s:` the stock, next card first; `f: H4 S2` the foundations' top ranks
    (as in cards: A, 2 ... K); `c: 5H -- -- --` the cells, `v:` the reserve, `g: S H` the suits of
    the runs that are gone. Piles left out are empty; not every card need be there.
    """
    piles: list[list[Card]] = [[] for _ in range(columns)]
    down = [0] * columns
    singles: dict[str, list[Card]] = {"w": [], "s": [], "c": [], "v": []}
    foundations, gone = [0, 0, 0, 0], []
    codes = {**deck.codes, "--": EMPTY}
    for line in filter(str.strip, text.splitlines()):
        pile, cards = (part.strip() for part in line.split(":"))
        if pile == "f":
            for top in cards.split():
                foundations[deck.suits.index(top[0])] = deck.ranks.index(top[1]) + 1
        elif pile == "g":
            gone = [deck.suits.index(suit) for suit in cards.split()]
        elif pile in singles:
            singles[pile] = [codes[name] for name in cards.split()]
        else:
            index = int(pile[1:]) - 1
            hidden, bracket, shown = cards.rpartition("]")
            down[index] = len(hidden.strip("[ ").split()) if bracket else 0
            names = [*hidden.strip("[ ").split(), *shown.split()]
            piles[index] = [codes[name] for name in names]
    return Board(
        piles,
        down,
        singles["w"] + singles["s"],
        drawn=len(singles["w"]),
        redeals=redeals,
        foundations=foundations,
        cells=singles["c"],
        reserve=singles["v"],
        gone=gone,
    )


_COLUMNS = {"freecell": 8, "spider-1": 10, "spider-2": 10, "spider-4": 10}


def game_of(
    name: str,
    text: str,
    *,
    redeals: int = 0,
    duration_ms: int | None = 300_000,
    score: int = 0,
    **options: object,
) -> Game:
    """A game of any ruleset that stands at a position; cards on foundations count as scored.

    A score to begin with stands under `foundation`.
    """
    ruleset = find_ruleset(name, options)[1]
    if name == "freecell" and "c:" not in text:
        text += "\nc: -- -- -- --"
    table = position(text, redeals=redeals, deck=_all_cards(ruleset), columns=_COLUMNS.get(name, 7))
    game = Game(ruleset, table, duration_ms)
    for suit, top in enumerate(game.board.foundations):
        for rank in range(1, top + 1):
            game.scored |= 1 << (suit << 4 | rank)
    game.score = game.items[0] = score
    return game


def _all_cards(ruleset: Ruleset) -> Deck:
    """A deck that knows the names of all suits, also where only some are in play."""
    return FRENCH if ruleset.deck.suits == FRENCH.suits else ruleset.deck


def game_at(text: str, *, redeals: int = 0, duration_ms: int = 300_000, **options: object) -> Game:
    """A `timed` game that stands at a position."""
    return game_of("timed", text, redeals=redeals, duration_ms=duration_ms, **options)


def play(game: Game, *texts: str, ms: int = 0) -> Played:
    """Play moves by their texts, all at the same time; what the last one set off."""
    for text in texts:
        move = parse_move(text, game.ruleset.deck.suits)
        assert move is not None, text
        played = game.play(move, ms)
    return played


def column(game: Game, name: str) -> str:
    """`[5C 9D] KS`: a column as `position` would have it written."""
    index = int(name[1:]) - 1
    names = _all_cards(game.ruleset).names
    cards = [names[card] for card in game.board.columns[index]]
    down = game.board.down[index]
    hidden = [f"[{' '.join(cards[:down])}]"] if down else []
    return " ".join(hidden + cards[down:])


def cells(game: Game) -> str:
    """`5H -- -- --`."""
    return " ".join(NAMES[card] if card else "--" for card in game.board.cells)


def cards_text(cards: list[Card], names: tuple[str, ...] = NAMES) -> str:
    """`5C 9D KS`."""
    return " ".join(names[card] for card in cards)


def automatic(played: Played) -> list[str]:
    """The cards that went up by themselves, in order."""
    return [NAMES[card] for _, card in played.automatic]


def frozen(game: Game) -> tuple[object, ...]:
    """Everything about a game that a refused move must leave alone."""
    board = game.board
    piles = [tuple(pile) for pile in board.columns]
    return (
        piles,
        tuple(board.down),
        tuple(board.talon),
        board.drawn,
        board.redeals,
        tuple(board.foundations),
        game.score,
        tuple(game.items),
        game.scored,
        game.exempt,
        len(game.history),
        game.undoable,
        game.ended,
        game.ended_ms,
        tuple(board.cells),
        tuple(board.reserve),
        tuple(board.gone),
    )
