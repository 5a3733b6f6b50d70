"""Read PROTOCOL.md: its section for each message, and the sample in it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, get_args

from samedeal_protocol import ClientMessage, Message, ServerMessage

__all__ = ["CLIENT", "PROTOCOL_MD", "SERVER", "Section", "sections", "wire_type"]

PROTOCOL_MD: Final = Path(__file__).parent.parent / "protocol" / "PROTOCOL.md"
CLIENT: Final[tuple[type[Message], ...]] = get_args(ClientMessage)
SERVER: Final[tuple[type[Message], ...]] = get_args(ServerMessage)

_CHAPTERS: Final = {"What a client sends": CLIENT, "What the server sends": SERVER}
_SAMPLE: Final = re.compile(r"```json\n(.*?)\n```", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Section:
    """What PROTOCOL.md says about one message."""

    text: str
    samples: tuple[str, ...]


def wire_type(model: type[Message]) -> str:
    """What stands in a message's `type`."""
    kind: str = model.model_fields["type"].default
    return kind


def sections() -> dict[type[Message], Section]:
    """The sections by message. Raises `KeyError` for one about a message that there is not."""
    found: dict[type[Message], Section] = {}
    for chapter in PROTOCOL_MD.read_text("utf-8").split("\n## ")[1:]:
        title, _, text = chapter.partition("\n")
        by_type = {wire_type(model): model for model in _CHAPTERS.get(title, ())}
        if not by_type:
            continue
        for section in text.split("\n### ")[1:]:
            heading, _, body = section.partition("\n")
            found[by_type[heading.strip("`")]] = Section(body, tuple(_SAMPLE.findall(body)))
    return found
