"""Whole duels in random orders of events, by the thousand, with a made-up clock.

SAMEDEAL_WALKS=20000 walks further than the suite does; docs/reliability.md says how fast.
"""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest

from support.whole_life import WholeLife

WALKS = int(os.environ.get("SAMEDEAL_WALKS", "1200"))
PARTS = 4
pytestmark = pytest.mark.slow

LONGEST = 400
"""Events of one walk; then time alone goes on."""


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.timeout(0 if WALKS > 5000 else 120)
def test_every_law_holds_in_whatever_order_things_happen(part: int) -> None:
    """Each walk is a duel from its first seat to its end; the walk's number makes it again."""
    ends: Counter[str] = Counter()
    events = 0
    for walk in range(part, WALKS, PARTS):
        life = WholeLife(random.Random(f"walk {walk}"))
        try:
            while not life.over and life.events < LONGEST:
                life.happen()
            life.let_time_pass()
        except Exception as error:
            raise AssertionError(f"walk {walk}, event {life.events}: {error!r}") from error
        ends["result" if life.kept.result else "aborted"] += 1
        events += life.events
        ends["acknowledged"] += len(life.heard)
    print(f"{events} events, {dict(ends)}")
    assert ends["result"] > WALKS / PARTS / 5
    assert ends["aborted"] > WALKS / PARTS / 20
    assert ends["acknowledged"] > 5 * ends["result"]
