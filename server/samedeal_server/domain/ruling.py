"""The ruleset that a duel is played by."""

from __future__ import annotations

from functools import lru_cache

from samedeal_rules import Ruleset, find_ruleset
from samedeal_rules.fairness import canonical_options
from samedeal_server.domain.duel import Duel

__all__ = ["is_chosen", "ruleset_of"]


def ruleset_of(duel: Duel) -> Ruleset:
    """The ruleset with the duel's options."""
    if not duel.options:
        return find_ruleset(duel.ruleset)[1]
    return _with_options(duel.ruleset, canonical_options(duel.options), tuple(duel.options.items()))


@lru_cache(maxsize=256)
def _with_options(
    name: str, _canonical: str, options: tuple[tuple[str, bool | int | str], ...]
) -> Ruleset:
    """Told the canonical text too, because 1 and True are the same key to a cache."""
    return find_ruleset(name, dict(options))[1]


def is_chosen(duel: Duel) -> bool:
    """Whether somebody chose the deal, by its seed or by its number, and may know it."""
    return duel.chosen_seed is not None or ruleset_of(duel).deal_number is not None
