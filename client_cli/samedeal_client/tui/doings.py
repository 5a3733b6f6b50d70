"""What is asked of the server, each as one thing to wait for. No Textual."""

from __future__ import annotations

from pathlib import Path

from samedeal_client.errors import ClientError
from samedeal_client.order import Order
from samedeal_client.plain.choosing import DEFAULT
from samedeal_client.record_file import record_name, write_record
from samedeal_client.replay.line import player_index
from samedeal_client.replay.reel import Reel
from samedeal_client.replay.source import replay_of
from samedeal_client.rules_words import rules_error_words
from samedeal_client.tui.context import Context
from samedeal_client.tui.orders import Purpose
from samedeal_rules import MalformedRecord

__all__ = ["make_duel", "reel_of", "save_record", "wished_order"]


def wished_order(context: Context, action: str) -> Order:
    """The duel that the command line asks for."""
    wish = context.wish
    game = wish.game or DEFAULT
    return Order(
        game.ruleset,
        game.options,
        seats={Purpose.PRACTICE: 1, Purpose.BOT: 2}.get(action, wish.seats),
        duration_s=wish.duration_s,
        untimed=wish.untimed or game.untimed,
        seed=wish.seed,
        winnable=wish.winnable or game.winnable,
        listed=wish.listed,
    )


async def make_duel(context: Context, order: Order, purpose: str, level: str) -> None:
    """A duel for a purpose; nobody waits for friends where none are asked. Raises `ClientError`."""
    session = context.session
    context.inviting = purpose == Purpose.CREATE
    if purpose == Purpose.BOT:
        await session.race_bot(order, level)
    else:
        await session.create(order)
    if purpose != Purpose.CREATE:
        await session.connection.ready()


async def reel_of(context: Context) -> Reel:
    """The finished duel to look at again, at our own game first. Raises `ClientError`."""
    text = await context.connection.record()
    try:
        replay = replay_of(text.encode())
    except MalformedRecord as error:
        raise ClientError(rules_error_words(error)) from None
    duel = context.connection.duel
    players = duel.players if duel is not None else ()
    mine = next((seat.name for seat in players if duel and seat.seat == duel.you), "")
    focus = player_index(replay.films, mine) if mine else None
    return Reel(replay).look_at(focus or 0)


async def save_record(context: Context) -> str:
    """The finished duel into a file here; what came of it, in words. Raises `ClientError`."""
    duel = context.connection.duel
    name = record_name(duel.code if duel is not None else None)
    return write_record(Path(name), await context.connection.record())
