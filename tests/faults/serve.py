"""A node as the harness starts it: the product, on a store whose TIME can be shifted.

`python -m faults.serve NAME FLAGS...` with NAME `sound`, or one of the bugs of `planted.py`. The
product knows nothing of this: scripts and calls that ask the store for its TIME are told one that
`faults:shift_ms` has been added to, as if somebody had set the store's clock.
"""

from __future__ import annotations

import sys
from typing import Any, Final

from redis.asyncio.client import Pipeline

from faults.planted import PLANTED
from samedeal_server.store import scripts

__all__ = ["SHIFT", "main"]

SHIFT: Final = "faults:shift_ms"
"""String: milliseconds by which the store's clock is wrong."""

_SHIFTED: Final = f"""
local real_redis = redis
local redis = setmetatable({{call = function(command, ...)
  local answer = real_redis.call(command, ...)
  if command ~= 'TIME' then
    return answer
  end
  local shift = tonumber(real_redis.call('GET', '{SHIFT}') or '0') or 0
  local us = tonumber(answer[1]) * 1000000 + tonumber(answer[2]) + shift * 1000
  return {{string.format('%d', math.floor(us / 1000000)), string.format('%d', us % 1000000)}}
end}}, {{__index = real_redis}})
"""
_TIME: Final = _SHIFTED + "local t = redis.call('TIME') return {tonumber(t[1]), tonumber(t[2])}"


def _shift_time() -> None:
    """Before anything else of the server is imported."""
    source = scripts.script_source

    def shifted(name: str) -> str:
        return _SHIFTED + source(name)

    def time(self: Any, **_kwargs: Any) -> Any:
        return self.eval(_TIME, 0)

    scripts.script_source = shifted  # type: ignore[assignment]
    Pipeline.time = time  # type: ignore[method-assign]


def main(argv: list[str]) -> int:
    """Plant what is asked for, and serve."""
    name, *flags = argv
    if name != "sound":
        PLANTED[name]()
    _shift_time()
    from samedeal_server.cli import main as serve

    return serve(flags)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
