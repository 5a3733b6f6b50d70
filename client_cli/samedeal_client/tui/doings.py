"""What is asked of the server, each as one thing to wait for. No Textual."""

from __future__ import annotations

from pathlib import Path

from samedeal_client.order import Order
from samedeal_client.plain.choosing import DEFAULT
from samedeal_client.record_file import record_name, write_record
from samedeal_client.tui.context import Context
from samedeal_client.tui.orders import Purpose

__all__ = ["make_duel", "save_record", "wished_order"]


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


async def save_record(context: Context) -> str:
    """The finished duel into a file here; what came of it, in words. Raises `ClientError`."""
    duel = context.connection.duel
    name = record_name(duel.code if duel is not None else None)
    return write_record(Path(name), await context.connection.record())
