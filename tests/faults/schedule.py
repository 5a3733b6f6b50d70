"""What goes wrong and when: a function of a seed, and of nothing else."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

__all__ = ["CLIENT", "FAILOVER", "HUNT", "KINDS", "NODES", "WORKERS", "Fault", "Kind", "schedule"]

NODES: Final = 3
"""Enough for one to be dead, one frozen, and one to go on."""

CLIENT: Final = "client"
NODE: Final = "node"
STORE: Final = "store"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of fault."""

    target: str
    """`node`, `store` or `client`."""
    weight: float
    """How often, beside the others."""
    low_s: float = 0.0
    high_s: float = 0.0
    """How long it lasts."""


KINDS: Final[Mapping[str, Kind]] = MappingProxyType(
    {
        # Processes. Longer than 5 s is longer than a store call, longer than 6 s than a lease.
        "kill node": Kind(NODE, 7, 0.1, 2.0),
        "freeze node": Kind(NODE, 4, 0.2, 4.0),
        "freeze node for long": Kind(NODE, 1, 6.5, 9.0),
        "restart node": Kind(NODE, 4, 0.0, 0.0),
        "kill store": Kind(STORE, 3, 0.05, 1.5),
        "freeze store": Kind(STORE, 3, 0.2, 2.5),
        "freeze store for long": Kind(STORE, 0.3, 5.5, 7.0),
        "step clock": Kind(STORE, 2),
        # Between a node and the store; between clients and a node.
        "delay to store": Kind(NODE, 5, 0.5, 3.0),
        "stall to store": Kind(NODE, 3, 0.3, 3.0),
        "drop to store": Kind(NODE, 3, 0.3, 3.0),
        "lose replies of store": Kind(NODE, 4, 0.2, 2.0),
        "cut from store": Kind(NODE, 4),
        "half-close to store": Kind(NODE, 3),
        "delay to clients": Kind(NODE, 3, 0.5, 3.0),
        "stall to clients": Kind(NODE, 2, 0.3, 3.0),
        "drop to clients": Kind(NODE, 2, 0.3, 3.0),
        "cut from clients": Kind(NODE, 3),
        "half-close to clients": Kind(NODE, 3),
        # Clients.
        "vanish": Kind(CLIENT, 6),
        "stop reading": Kind(CLIENT, 3, 0.5, 3.0),
        "double connect": Kind(CLIENT, 9),
        "resend": Kind(CLIENT, 8),
        "conflict": Kind(CLIENT, 5),
        "gap": Kind(CLIENT, 3),
        "flood": Kind(CLIENT, 3),
        "garbage": Kind(CLIENT, 5),
    }
)
HUNT: Final[Mapping[str, Kind]] = MappingProxyType(
    {
        "kill node": Kind(NODE, 2, 0.1, 0.5),
        "delay to store": Kind(NODE, 2, 0.5, 2.0),
        "cut from store": Kind(NODE, 1),
        "vanish": Kind(CLIENT, 2),
        "double connect": Kind(CLIENT, 8),
        "resend": Kind(CLIENT, 3),
    }
)
"""For planted bugs: the same for all of them, since nobody knows which bug is there."""
FAILOVER: Final[Mapping[str, Kind]] = MappingProxyType(
    {
        name: kind
        for name, kind in KINDS.items()
        if kind.target != STORE and not name.endswith("store")
    }
    | {"fail over": Kind(STORE, 6, 0.5, 2.0), "freeze primary": Kind(STORE, 4, 0.2, 2.0)}
)
"""Where the store has a replica and sentinels: the line to it is good, and it fails over."""


WORKERS: Final[Mapping[str, Kind]] = MappingProxyType(
    {name: kind for name, kind in KINDS.items() if name != "step clock"}
    | {"kill worker": Kind(NODE, 9)}
)
"""Where each node is a parent with workers. They are started by the product, and know the time."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that goes wrong."""

    at_s: float
    """From the start of the run."""
    kind: str
    target: int
    """Which node; for clients any number, taken modulo those who play."""
    lasts_s: float
    amount: int
    """What the kind makes of it: milliseconds, or a choice."""

    def __str__(self) -> str:
        return (
            f"{self.at_s:8.2f}  {self.kind} #{self.target} for {self.lasts_s:.2f} s ({self.amount})"
        )


def schedule(
    seed: int, seconds: float, every_s: float, kinds: Mapping[str, Kind] = KINDS
) -> Iterator[Fault]:
    """Faults in the order of time, `every_s` apart on average; none in the last tenth."""
    draw = random.Random(f"faults {seed}")
    names, weights = list(kinds), [kind.weight for kind in kinds.values()]
    at_s = every_s
    while at_s < seconds * 0.9:
        name = draw.choices(names, weights)[0]
        kind = kinds[name]
        target = draw.randrange(NODES) if kind.target != CLIENT else draw.randrange(1000)
        lasts_s = draw.uniform(kind.low_s, kind.high_s)
        yield Fault(at_s, name, target, lasts_s, draw.randrange(1, 1000))
        at_s += draw.uniform(0.2, 1.8) * every_s
