"""Hand-made tables from text, so that a test shows the position it is about."""

from __future__ import annotations

from samedeal_rules import Board, Card, Game, parse_move
from samedeal_rules.cards import FRENCH, Deck
from samedeal_rules.game import Played
from samedeal_rules.rulesets import find_ruleset

NAMES = FRENCH.names


def position(text: str, *, redeals: int = 0, deck: Deck = FRENCH) -> Board:
    """A board from lines `pile: cards`.

    `t3: [AD 5C] 2H` is column 3, bottom card first, face-down cards in brackets; `w:` the waste,
    its top card last; `s:` the stock, next card first; `f: H4 S2` the foundations' top ranks
    (as in cards: A, 2 ... K). Piles left out are empty; not every card need be there.
    """
    columns: list[list[Card]] = [[] for _ in range(7)]
    down = [0] * 7
    talon: list[Card] = []
    stock: list[Card] = []
    foundations = [0, 0, 0, 0]
    for line in filter(str.strip, text.splitlines()):
        pile, cards = (part.strip() for part in line.split(":"))
        if pile == "f":
            for top in cards.split():
                foundations[deck.suits.index(top[0])] = deck.ranks.index(top[1]) + 1
        elif pile in "ws":
            (talon if pile == "w" else stock).extend(deck.codes[name] for name in cards.split())
        else:
            index = int(pile[1:]) - 1
            hidden, bracket, shown = cards.rpartition("]")
            down[index] = len(hidden.strip("[ ").split()) if bracket else 0
            names = [*hidden.strip("[ ").split(), *shown.split()]
            columns[index] = [deck.codes[name] for name in names]
    drawn = len(talon)
    return Board(
        columns, down, talon + stock, drawn=drawn, redeals=redeals, foundations=foundations
    )


def game_at(text: str, *, redeals: int = 0, duration_ms: int = 300_000, **options: object) -> Game:
    """A `timed` game that stands at a position; cards on foundations count as scored."""
    ruleset = find_ruleset("timed", options)[1]
    game = Game(ruleset, position(text, redeals=redeals), duration_ms)
    for suit, top in enumerate(game.board.foundations):
        for rank in range(1, top + 1):
            game.scored |= 1 << (suit << 4 | rank)
    return game


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
    cards = [NAMES[card] for card in game.board.columns[index]]
    down = game.board.down[index]
    hidden = [f"[{' '.join(cards[:down])}]"] if down else []
    return " ".join(hidden + cards[down:])


def cards_text(cards: list[Card]) -> str:
    """`5C 9D KS`."""
    return " ".join(NAMES[card] for card in cards)


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
    )
