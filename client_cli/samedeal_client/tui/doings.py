"""What is asked of the server, each as one thing to wait for. No Textual."""

from __future__ import annotations

from pathlib import Path

from samedeal_client.plain.choosing import DEFAULT
from samedeal_client.texts import _
from samedeal_client.tui.context import Context
from samedeal_client.tui.orders import Purpose
from samedeal_client.tui.session import Order

__all__ = ["make_duel", "save_record", "wished_order", "write_record"]


def wished_order(context: Context, action: str) -> Order:
    """The duel that the command line asks for."""
    wish = context.wish
    return Order(
        game=wish.game or DEFAULT,
        seats={Purpose.PRACTICE: 1, Purpose.BOT: 2}.get(action, wish.seats),
        duration_s=wish.duration_s,
        untimed=wish.untimed,
        seed=wish.seed,
        winnable=wish.winnable,
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
    name = f"samedeal-{duel.code if duel is not None else 'duel'}.json"
    return write_record(Path(name), await context.connection.record())


def write_record(path: Path, text: str) -> str:
    """Write a new file, never over an old one; what came of it, in words."""
    try:
        with path.expanduser().open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        return _("{file} is there already.").format(file=path)
    except (OSError, ValueError, RuntimeError) as error:
        why = getattr(error, "strerror", None) or error
        return _("{file} can't be written: {why}.").format(file=path, why=why)
    return _("Saved. Check it with: samedeal verify {file}").format(file=path)
