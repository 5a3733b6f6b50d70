"""The list of rulesets: adding one is a module beside this file and a line here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from samedeal_rules.errors import UnknownRuleset
from samedeal_rules.ruleset import OptionValue, Ruleset
from samedeal_rules.rulesets.freecell import FREECELL
from samedeal_rules.rulesets.klondike import KLONDIKE_1, KLONDIKE_3
from samedeal_rules.rulesets.spanish import SPANISH
from samedeal_rules.rulesets.spider import SPIDER_1, SPIDER_2, SPIDER_4
from samedeal_rules.rulesets.timed import TIMED
from samedeal_rules.wording import Wording

__all__ = ["RULESETS", "find_ruleset"]

RULESETS: Final[dict[str, Ruleset]] = {
    ruleset.name: ruleset
    for ruleset in (
        TIMED,
        KLONDIKE_1,
        KLONDIKE_3,
        FREECELL,
        SPIDER_1,
        SPIDER_2,
        SPIDER_4,
        SPANISH,
    )
}


def find_ruleset(
    name: str, options: Mapping[str, object] | None = None
) -> tuple[dict[str, OptionValue], Ruleset]:
    """The canonical options and the ruleset that they make of the one called `name`.

    Raises `UnknownRuleset`, which says what there is instead.
    """
    ruleset = RULESETS.get(name)
    if ruleset is None:
        raise UnknownRuleset(
            Wording("there is no such ruleset; there are: {names}", names=", ".join(RULESETS))
        )
    return ruleset.changed(options or {})
