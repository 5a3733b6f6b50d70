"""What the client says, in the language of who reads it: `_("Draw from the stock")`."""

from samedeal_client.texts.figures import (
    decimal,
    is_word,
    number,
    says_yes,
    signed,
)
from samedeal_client.texts.language import LANGUAGES, UnknownLanguage, chosen_language
from samedeal_client.texts.setting import language_setting
from samedeal_client.texts.speaking import N_, _, _n, _p, current_language, speaking

__all__ = [
    "LANGUAGES",
    "N_",
    "UnknownLanguage",
    "_",
    "_n",
    "_p",
    "chosen_language",
    "current_language",
    "decimal",
    "is_word",
    "language_setting",
    "number",
    "says_yes",
    "signed",
    "speaking",
]
