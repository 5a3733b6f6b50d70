"""A double of the server's side of one table: the whole deal, answers as PROTOCOL says."""

from __future__ import annotations

from collections.abc import Mapping

from samedeal_protocol import (
    Applied,
    BoardView,
    PlayerState,
    PlayMove,
    PointsEarned,
    RefusalCode,
    Refused,
    ServerMessage,
    Snapshot,
)
from samedeal_rules import (
    ITEMS,
    Game,
    IllegalMove,
    OptionValue,
    RuleKey,
    Ruleset,
    deal,
    find_ruleset,
    move_text,
    parse_move,
)
from samedeal_rules.fairness import fingerprint
from samedeal_rules.moves import Kind, pile_text

DURATION_MS = 300_000
START_AT = 1_000_000


class FullTable:
    """One player's game as the server holds it, with its journal."""

    def __init__(
        self,
        seed: str,
        duel: str = "p00test",
        duration_ms: int | None = DURATION_MS,
        ruleset: str = "timed",
        options: Mapping[str, OptionValue] | None = None,
    ) -> None:
        self.ruleset: Ruleset = find_ruleset(ruleset, options)[1]
        self.seed = seed
        self.duration_ms = duration_ms
        self.duel = duel
        self.journal: list[tuple[int, str]] = []
        self.fingerprint = fingerprint(deal(self.ruleset, seed), self.ruleset.deck.names)
        self.game = Game(self.ruleset, deal(self.ruleset, seed), duration_ms)

    def answer(self, message: PlayMove, ms: int) -> list[ServerMessage]:
        """What the server would send, in order."""
        if message.seq < len(self.journal):
            if self.journal[message.seq][1] == message.move:
                return [self._again(message.seq)]
            return [Refused(seq=message.seq, code=RefusalCode.CONFLICT, message="taken")]
        if message.seq > len(self.journal):
            return [
                Refused(
                    seq=message.seq,
                    code=RefusalCode.GAP,
                    message="gap",
                    expected=len(self.journal),
                )
            ]
        try:
            applied = self._play(self.game, message.seq, message.move, ms)
        except IllegalMove as refusal:
            return [
                Refused(
                    seq=message.seq,
                    code=RefusalCode.ILLEGAL,
                    message=str(refusal),
                    rule=refusal.rule,
                )
            ]
        self.journal.append((ms, message.move))
        return [applied, self.snapshot()] if message.move == "u" else [applied]

    def lose_tail(self, count: int) -> None:
        """A failover: the last moves are gone from the store."""
        del self.journal[len(self.journal) - count :]
        self.game = Game(self.ruleset, deal(self.ruleset, self.seed), self.duration_ms)
        for seq, (ms, text) in enumerate(self.journal):
            self._play(self.game, seq, text, ms)

    def snapshot(self, req: int | None = None) -> Snapshot:
        game, deck = self.game, self.ruleset.deck
        view = game.board.view()
        names = deck.names
        known = list(dict.fromkeys(deck.cards))
        return Snapshot(
            req=req,
            duel=self.duel,
            seq=len(self.journal),
            board=BoardView(
                columns=[[names[card] for card in column] for column in view.columns],
                down=view.down,
                waste=[names[card] for card in view.waste],
                stock=[names[card] for card in view.stock],
                foundations=view.foundations,
                redeals=view.redeals,
                cells=[names[card] if card else None for card in view.cells],
                reserve=[names[card] if card else None for card in view.reserve],
                runs=[deck.suits[suit] for suit in view.gone],
            ),
            score=game.points,
            items=game.ledger(),
            scored=[names[card] for card in known if game.scored >> card & 1],
            exempt=[names[card] for card in known if game.exempt >> card & 1],
            undos_left=game.undoable,
            redeals_left=None,
            redeal_price=self.ruleset.scoring.redeal(game.board.redeals + 2),
            fingerprint=self.fingerprint,
            checksum=game.board.checksum(names),
            ended=None if game.ended is None else PlayerState(game.ended.value),
            ended_ms=game.ended_ms,
            server_ms=START_AT,
            start_at=START_AT,
            deadline=None if self.duration_ms is None else START_AT + self.duration_ms,
        )

    def _again(self, seq: int) -> Applied:
        game = Game(self.ruleset, deal(self.ruleset, self.seed), self.duration_ms)
        for index, (ms, text) in enumerate(self.journal[: seq + 1]):
            applied = self._play(game, index, text, ms)
        return applied

    def _play(self, game: Game, seq: int, text: str, ms: int) -> Applied:
        deck = self.ruleset.deck
        move = parse_move(text, deck.suits)
        if move is None:
            raise IllegalMove(RuleKey.NOT_A_MOVE)
        played = game.play(move, ms)
        assert move_text(move, deck.suits) == text
        hidden = move.kind is Kind.UNDO
        return Applied(
            seq=seq,
            move=text,
            ms=ms,
            score=game.points,
            checksum=game.board.checksum(deck.names),
            turned=[]
            if hidden
            else [(f"t{column + 1}", deck.names[card]) for column, card in played.turned],
            drawn=[] if hidden else [deck.names[card] for card in played.drawn],
            auto=[
                (pile_text(pile, deck.suits), deck.names[card]) for pile, card in played.automatic
            ],
            runs=[(f"t{column + 1}", deck.suits[suit]) for column, suit in played.runs],
            points=[
                PointsEarned(item=ITEMS[item], points=points, what=what)
                for item, points, what in played.points
            ],
            ended=None if game.ended is None else PlayerState(game.ended.value),
        )
