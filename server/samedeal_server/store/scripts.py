"""The Lua scripts, loaded once; each is a file that says what it promises."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache
from importlib.resources import files
from typing import Any, cast

from samedeal_server.store.client import Client

__all__ = ["Script", "load_script", "script_source"]

Script = Callable[[list[str], list[str | int]], Awaitable[Any]]
"""Keys and arguments to the script's answer."""


@cache
def script_source(name: str) -> str:
    """The text of `lua/NAME.lua`."""
    return files("samedeal_server.store").joinpath("lua", f"{name}.lua").read_text("utf-8")


def load_script(client: Client, name: str) -> Script:
    """The script `lua/NAME.lua`, called by its hash; sent whole when the store lost it."""
    script = client.register_script(script_source(name))

    async def call(keys: list[str], args: list[str | int]) -> Any:
        return await cast(Awaitable[Any], script(keys=keys, args=args))

    return call
