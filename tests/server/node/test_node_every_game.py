"""Every game over the wire: created, raced, cut, resumed on another node, judged and verified."""

from __future__ import annotations

import random
from typing import Any

import pytest

from samedeal_rules import (
    RULESETS,
    Game,
    IllegalMove,
    deal,
    find_ruleset,
    hint,
    legal_moves,
    move_text,
    parse_move,
)
from samedeal_rules.duel_record import verify_duel_record
from samedeal_rules.moves import UNDO
from support.nodes import nodes
from support.player import Answered, Player, opponents

GAMES: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in RULESETS),
    ("timed", {"draw": 1, "redeals": 3}),
    ("klondike-3", {"draw": 1, "redeals": 0}),
    ("freecell", {"deal": "ms:617"}),
    ("spanish", {"stock": False, "deck": 48}),
    ("spanish", {"draw": 3, "redeals": "unlimited"}),
]
SEED = "every game"


def dealt(name: str, options: dict[str, Any], seed: str | None) -> Game:
    ruleset = find_ruleset(name, options)[1]
    return Game(ruleset, deal(ruleset, seed), None)


def fold(game: Game, text: str) -> None:
    move = parse_move(text, game.ruleset.deck.suits)
    assert move is not None
    game.play(move, 0)


async def play_on(player: Player, game: Game, count: int, dice: random.Random) -> None:
    """So many legal moves, each answered with the score and the table of the rules."""
    for _ in range(count):
        legal = list(legal_moves(game.ruleset, game.board))
        back = game.undoable > 3 and dice.random() < 0.1
        text = "u" if back else move_text(dice.choice(legal), game.ruleset.deck.suits)
        fold(game, text)
        answer = await player.play(text)
        assert (answer["type"], answer["score"]) == ("applied", game.points), text
        assert answer["checksum"] == game.board.checksum(game.ruleset.deck.names)


@pytest.mark.parametrize(("name", "options"), GAMES, ids=str)
async def test_a_race_is_resumed_and_verified(
    store_url: str, name: str, options: dict[str, Any]
) -> None:
    """Two players, one cut off and back on another node: same table, score and undo history."""
    seed = None if "deal" in options else SEED
    dice = random.Random(name)
    duel = {"ruleset": name, "options": options, "seed": seed, "duration_ms": 600_000}
    async with (
        nodes(store_url, 2) as (one, two),
        opponents(one.port, one.port, **duel) as (ann, bob),
    ):
        first, second = ann.last("snapshot"), bob.last("snapshot")
        assert first["board"] == second["board"]
        hers, his = dealt(name, options, seed), dealt(name, options, seed)
        await play_on(ann, hers, 12, dice)
        await play_on(bob, his, 5, dice)
        before = await ann.ask("sync")
        await ann.cut()
        back = await ann.again(two.port)
        snapshot = await back.has("snapshot")
        for same in ("board", "score", "items", "seq", "fingerprint", "checksum"):
            assert snapshot[same] == before[same], same
        for _ in range(hers.undoable):
            await play_undo(back, hers)
        assert hers.board.same_as(dealt(name, options, seed).board)
        await play_on(back, hers, 8, dice)
        for player in (back, bob):
            await player.play("end")
        result = await back.until("result")
        assert await bob.until("result") == result
        assert (result["ruleset"], result["options"]) == (name, options)
        if not RULESETS[name].scored:
            assert {row["score"] for row in result["ranking"]} == {None}
        checks = verify_duel_record((await bob.ask("record"))["text"])
        assert not [check for check in checks if check.ok is False]
        assert len([check for check in checks if check.name.startswith("game") and check.ok]) == 2
        await back.close()


async def play_undo(player: Player, game: Game) -> None:
    game.play(UNDO, 0)
    answer = await player.play("u")
    assert (answer["type"], answer["score"]) == ("applied", game.points)


async def test_who_is_not_first_plays_on_for_the_next_place(store_url: str) -> None:
    """Section 5: "who is not first may play on for the next place until the time is up"."""
    game = dealt("spanish", {}, "0")
    async with (
        nodes(store_url) as (node,),
        opponents(*[node.port] * 3, ruleset="spanish", seed="0", duration_ms=600_000) as (
            ann,
            bob,
            eve,
        ),
    ):
        line = []
        while game.ended is None:
            move = hint(game).move
            assert move is not None
            line.append(move_text(move, game.ruleset.deck.suits))
            game.play(move, 0)
        for text in line:
            applied = await ann.play(text)
        assert applied["ended"] == "cleared"
        assert (await ann.play("u"))["code"] == "finished"
        for text in line[:30]:
            assert (await bob.play(text))["type"] == "applied"
        await eve.play("end")
        assert not bob.seen("result")
        for text in line[30:]:
            await bob.play(text)
        ranking = (await bob.until("result"))["ranking"]
        assert [(row["seat"], row["place"], row["ended"]) for row in ranking] == [
            (0, 1, "cleared"),
            (1, 2, "cleared"),
            (2, 3, "finish"),
        ]


async def test_the_server_refuses_a_run_that_is_too_long(store_url: str) -> None:
    """Case 10: no cell and no empty column: one card, even if a hand-written client sends two."""
    game = dealt("freecell", {}, "51")
    async with (
        nodes(store_url) as (node,),
        opponents(node.port, ruleset="freecell", seed="51", duration_ms=600_000) as (ann,),
    ):
        for number in range(1, 5):
            fold(game, f"t{number}-c{number}")
            assert (await ann.play(f"t{number}-c{number}"))["type"] == "applied"
        with pytest.raises(IllegalMove):
            fold(game, "t8*2-t6")
        refused = await ann.play("t8*2-t6")
        assert (refused["code"], refused["rule"]) == ("illegal", "too_many_cards")
        assert (await ann.ask("sync"))["checksum"] == game.board.checksum(game.ruleset.deck.names)


async def test_the_151st_undo_is_refused_by_name(store_url: str) -> None:
    """ "Undo depth 150": over the wire too, and nothing else changes."""
    async with (
        nodes(store_url) as (node,),
        opponents(node.port, ruleset="klondike-1", seed=SEED, duration_ms=600_000) as (ann,),
    ):
        for count in range(151):
            assert (await ann.play("r" if count % 25 == 24 else "d"))["type"] == "applied"
        for _ in range(150):
            assert (await ann.play("u"))["type"] == "applied"
        refused = await ann.play("u")
        assert (refused["code"], refused["rule"]) == ("illegal", "undo_depth")
        assert "undo" in refused["message"]
        assert (await ann.ask("sync"))["seq"] == 301


async def test_as_many_seats_as_the_server_allows(store_url: str) -> None:
    """Section 6: "number of seats (default 2; 1 is practice; as many as the server allows)"."""
    async with nodes(store_url, max_seats=3) as (node,):
        ann = await Player.hello(node.port)
        with pytest.raises(Answered, match="out_of_range: a duel has at most 3 seats here"):
            await ann.create(seats=4)
        assert (await ann.create(seats=3))["seats"] == 3
        await ann.ask("leave")
        assert (await ann.create())["seats"] == 2
        await ann.close()


@pytest.mark.parametrize("name", [name for name in RULESETS if name != "freecell"])
async def test_numbered_deals_are_refused_elsewhere(store_url: str, name: str) -> None:
    """Section 3: only FreeCell has them; the refusal says what the game has instead."""
    async with nodes(store_url) as (node,):
        ann = await Player.hello(node.port)
        with pytest.raises(Answered, match=f"{name} has no such option; it has: "):
            await ann.create(ruleset=name, options={"deal": "ms:617"})
        await ann.close()
