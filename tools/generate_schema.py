"""Write the protocol's JSON Schema (one file for each direction) and its AsyncAPI document.

Everything comes from the Pydantic models and the samples of PROTOCOL.md. With --check nothing is
written; the exit code says whether the files are what the code would write.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import json
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from protocol_samples import CLIENT, PROTOCOL_MD, SERVER, sections, wire_type
from samedeal_protocol import (
    SUBPROTOCOL,
    VERSION,
    Applied,
    Cancel,
    Create,
    Done,
    DuelChanged,
    Error,
    GetHint,
    GetOpen,
    GetRecord,
    GetTop,
    Hello,
    Hinted,
    Join,
    Leave,
    Message,
    OpenList,
    Ping,
    PlaceTold,
    PlayMove,
    Pong,
    Queue,
    Queued,
    Ready,
    RecordSent,
    Refused,
    Rematch,
    Result,
    Reveal,
    Snapshot,
    Standings,
    Start,
    Sync,
    TopList,
    Watch,
    Welcome,
    Where,
)

Json = dict[str, Any]

FOLDER: Final = PROTOCOL_MD.parent / "schema"
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

ANSWERS: Final[Mapping[type[Message], tuple[type[Message], ...]]] = {
    Hello: (Welcome, Error),
    Ping: (Pong,),
    Create: (DuelChanged, Error),
    Join: (DuelChanged, Error),
    Watch: (DuelChanged, Error),
    Ready: (Done, Error),
    Reveal: (Done, Error),
    Start: (Done, Error),
    PlayMove: (Applied, Refused),
    Leave: (Done, Error),
    Queue: (Queued, Error),
    Cancel: (Done, Error),
    Rematch: (DuelChanged, Error),
    Sync: (Snapshot, Error),
    Where: (PlaceTold, Error),
    GetHint: (Hinted, Error),
    GetTop: (TopList, Error),
    GetOpen: (OpenList, Error),
    GetRecord: (RecordSent, Error),
}
"""What may answer each request."""

UNASKED: Final[frozenset[type[Message]]] = frozenset(
    {DuelChanged, Snapshot, Standings, Result, Queued, Error}
)
"""What the server also (or only) sends of its own accord."""


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--check", action="store_true", help="only say whether files are stale")
    check: bool = parser.parse_args(argv).check
    stale = [name for name, text in documents().items() if _read(FOLDER / name) != text]
    if check and stale:
        print(f"stale in protocol/schema: {', '.join(stale)}; `make generate` writes them anew")
        return 1
    if not check:
        FOLDER.mkdir(exist_ok=True)
        for name, text in documents().items():
            (FOLDER / name).write_text(text, "utf-8")
    return 0


def documents() -> dict[str, str]:
    """All files by name. The same code gives the same bytes."""
    files = {
        "client-messages.json": direction(
            CLIENT, "Same Deal: client messages", "What a client may send; see PROTOCOL.md."
        ),
        "server-messages.json": direction(
            SERVER, "Same Deal: server messages", "What the server sends; see PROTOCOL.md."
        ),
        "asyncapi.json": asyncapi(),
    }
    return {
        name: json.dumps(content, indent=2, ensure_ascii=False) + "\n"
        for name, content in files.items()
    }


def direction(models: Sequence[type[Message]], title: str, description: str) -> Json:
    """The JSON Schema of one direction: exactly one of its messages."""
    return {
        "$schema": DIALECT,
        "title": title,
        "description": description,
        "type": "object",
        "oneOf": [{"$ref": f"#/$defs/{model.__name__}"} for model in models],
        "discriminator": {
            "propertyName": "type",
            "mapping": {wire_type(model): f"#/$defs/{model.__name__}" for model in models},
        },
        "$defs": _definitions(models, "#/$defs/{model}"),
    }


def asyncapi() -> Json:
    """The AsyncAPI 3 document, from the server's point of view: it receives what clients send."""
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Same Deal",
            "version": f"{VERSION}.0.0",
            "description": "Solitaire duels over WebSocket, JSON text frames, subprotocol "
            f"`{SUBPROTOCOL}`. PROTOCOL.md is the contract in prose.",
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "servers": {
            "local": {
                "host": "127.0.0.1:7777",
                "protocol": "ws",
                "description": "`samedeal serve` as it comes.",
            }
        },
        "channels": {
            "ws": {
                "address": "/ws",
                "description": "One connection of one player. `hello` first.",
                "servers": [{"$ref": "#/servers/local"}],
                "messages": {
                    model.__name__: {"$ref": f"#/components/messages/{model.__name__}"}
                    for model in (*CLIENT, *SERVER)
                },
                "bindings": {"ws": {"method": "GET", "bindingVersion": "0.1.0"}},
            }
        },
        "operations": {
            **{f"receive{model.__name__}": _receive(model) for model in CLIENT},
            **{f"send{model.__name__}": _send(model) for model in SERVER if model in UNASKED},
        },
        "components": {
            "messages": {model.__name__: _message(model) for model in (*CLIENT, *SERVER)},
            "schemas": _as_draft_7(
                _definitions((*CLIENT, *SERVER), "#/components/schemas/{model}")
            ),
        },
    }


def _receive(model: type[Message]) -> Json:
    return {
        "action": "receive",
        "channel": {"$ref": "#/channels/ws"},
        "summary": _summary(model),
        "messages": [_in_channel(model)],
        "reply": {
            "channel": {"$ref": "#/channels/ws"},
            "messages": [_in_channel(answer) for answer in ANSWERS[model]],
        },
    }


def _send(model: type[Message]) -> Json:
    return {
        "action": "send",
        "channel": {"$ref": "#/channels/ws"},
        "summary": _summary(model),
        "messages": [_in_channel(model)],
    }


def _in_channel(model: type[Message]) -> Json:
    return {"$ref": f"#/channels/ws/messages/{model.__name__}"}


def _message(model: type[Message]) -> Json:
    return {
        "name": wire_type(model),
        "title": model.__name__,
        "summary": _summary(model),
        "contentType": "application/json",
        "payload": {"$ref": f"#/components/schemas/{model.__name__}"},
        "examples": [{"payload": json.loads(sample)} for sample in sections()[model].samples],
    }


def _summary(model: type[Message]) -> str:
    return inspect.getdoc(model) or ""


# Pydantic's schema, with what it leaves out: field docstrings, and that `type` must be there.


def _definitions(models: Sequence[type[Message]], ref_template: str) -> Json:
    _, schema = models_json_schema(
        [(model, "validation") for model in models], ref_template=ref_template
    )
    definitions: Json = schema["$defs"]
    described = {model.__name__: model for model in _with_parts(models)}
    for name, definition in definitions.items():
        for field, content in definition.get("properties", {}).items():
            content.pop("title", None)
            if field == "type" and "const" in content:
                content.pop("default", None)
                definition["required"] = ["type", *definition.get("required", ())]
            elif text := _field_docs(described[name]).get(field):
                content["description"] = text
    return dict(sorted(definitions.items()))


def _with_parts(models: Sequence[type[BaseModel]]) -> set[type[BaseModel]]:
    """The models, and those of which their fields are made: all that their modules define."""
    modules = {inspect.getmodule(model) for model in models}
    return {
        member
        for module in modules
        for member in vars(module).values()
        if inspect.isclass(member) and issubclass(member, BaseModel)
    }


@cache
def _field_docs(model: type[BaseModel]) -> Mapping[str, str]:
    """The string under each field. Pydantic could read them, but at each start of every program."""
    body = ast.parse(inspect.getsource(model)).body[0]
    assert isinstance(body, ast.ClassDef)
    docs = {}
    for field, below in zip(body.body, body.body[1:], strict=False):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(below, ast.Expr)
            and isinstance(below.value, ast.Constant)
            and isinstance(below.value.value, str)
        ):
            docs[field.target.id] = inspect.cleandoc(below.value.value).replace("\n", " ")
    return docs


def _as_draft_7(schema: Any) -> Any:
    """AsyncAPI's schemas are of JSON Schema's draft 7, where tuples are spelled otherwise."""
    if isinstance(schema, list):
        return [_as_draft_7(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        "items" if key == "prefixItems" else key: _as_draft_7(value)
        for key, value in schema.items()
    }


def _read(path: Path) -> str | None:
    return path.read_text("utf-8") if path.exists() else None


if __name__ == "__main__":
    sys.exit(main())
