"""What a player has chosen for all games, in `tui.toml` of the config directory."""

from __future__ import annotations

import contextlib
import os
import tempfile
import tomllib
from pathlib import Path
from typing import Literal

import tomli_w
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from samedeal_client.identity import settings_file
from samedeal_client.texts import _
from samedeal_client.tui.actions import find_action

__all__ = ["BadSettings", "Settings", "load_settings", "save_settings", "settings_file"]


class BadSettings(ValueError):
    """The file can't be used; says where and why."""


class Settings(BaseModel):
    """All of it has a default."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    theme: Literal["felt", "night", "day", "plain"] = "felt"
    """Colours of the whole screen; `plain` is those of the terminal."""
    back: Literal["mist", "brick", "cross", "dots", "plain"] = "mist"
    four_colours: bool = False
    letters: bool = False
    """Letters and ASCII lines instead of signs."""
    ask_before_costs: bool = True
    """Ask before what costs points or ends the game."""
    click: Literal["best", "choose"] = "best"
    """What a click on a card does: send it to its best place, or choose it."""
    bell: bool = True
    language: Literal["auto", "en", "es"] = "auto"
    keys: dict[str, str] = Field(default_factory=dict)
    """Action to keys, comma-separated."""

    @field_validator("keys")
    @classmethod
    def _known_actions(cls, keys: dict[str, str]) -> dict[str, str]:
        for name in keys:
            if find_action(name) is None:
                raise ValueError(_("there is no action called {name}").format(name=repr(name)))
        return keys


def load_settings(file: Path | None = None) -> Settings:
    """The settings, or the defaults where there is no file. Raises `BadSettings`."""
    file = file or settings_file()
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Settings()
    except (OSError, UnicodeError) as error:
        raise BadSettings(_("{file} can't be read: {why}").format(file=file, why=error)) from None
    try:
        return Settings.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise BadSettings(_("{file} is no TOML: {why}").format(file=file, why=error)) from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        text = _("{file}: {where}: {why}").format(file=file, where=where, why=first["msg"])
        raise BadSettings(text) from None


def save_settings(settings: Settings, file: Path | None = None) -> None:
    """Write what differs from the defaults, in one piece. Raises OSError."""
    file = file or settings_file()
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=".new-")
    try:
        with os.fdopen(handle, "wb") as out:
            tomli_w.dump(settings.model_dump(exclude_defaults=True), out)
        Path(temporary).replace(file)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise
