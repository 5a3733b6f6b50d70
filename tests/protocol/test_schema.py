"""The published schemas are what the code would write, and say what the models say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import generate_schema
from protocol.schemas import anything_like
from protocol_samples import CLIENT, SERVER, sections, wire_type
from samedeal_protocol import (
    MalformedMessage,
    Message,
    encode,
    parse_client_message,
    parse_server_message,
)

Json = dict[str, Any]

SCHEMAS = {
    name: json.loads((generate_schema.FOLDER / f"{name}-messages.json").read_text("utf-8"))
    for name in ("client", "server")
}
ASYNCAPI: Json = json.loads((generate_schema.FOLDER / "asyncapi.json").read_text("utf-8"))
EVERY = [("client", model) for model in CLIENT] + [("server", model) for model in SERVER]
PARSE = {"client": parse_client_message, "server": parse_server_message}


def _named(value: object) -> str | None:
    return getattr(value, "__name__", None) or (value if isinstance(value, str) else None)


def test_the_files_are_not_stale(capsys: pytest.CaptureFixture[str]) -> None:
    """`make generate` has been run since the models last changed."""
    assert generate_schema.main(["--check"]) == 0, capsys.readouterr().out


def test_a_stale_file_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """--check says which file is stale and what to do, and writes nothing."""
    monkeypatch.setattr(generate_schema, "documents", lambda: {"client-messages.json": "old"})
    assert generate_schema.main(["--check"]) == 1
    said = capsys.readouterr().out
    assert "client-messages.json" in said
    assert "make generate" in said


def test_the_same_code_writes_the_same_bytes() -> None:
    """Nothing in the files depends on the order of a set or on the time."""
    assert generate_schema.documents() == generate_schema.documents()


@pytest.mark.parametrize("direction", SCHEMAS)
def test_the_schemas_are_schemas(direction: str) -> None:
    """Each file follows the dialect that it names."""
    Draft202012Validator.check_schema(SCHEMAS[direction])


@pytest.mark.parametrize(("direction", "model"), EVERY, ids=_named)
def test_samples_fit_the_schema(direction: str, model: type[Message]) -> None:
    """A sample of PROTOCOL.md is valid in its direction's schema; with another field it is not."""
    validator = Draft202012Validator(SCHEMAS[direction])
    for sample in sections()[model].samples:
        validator.validate(json.loads(sample))
        assert not validator.is_valid({**json.loads(sample), "another": 1})
        assert not validator.is_valid({**json.loads(sample), "type": "nonsense"})


@pytest.mark.parametrize(("direction", "model"), EVERY, ids=_named)
@given(data=st.data())
@settings(deadline=None)
def test_what_the_schema_allows_is_parsed_and_comes_back(
    direction: str, model: type[Message], data: st.DataObject
) -> None:
    """Schema and models agree: any valid value parses, and its encoding parses to the same."""
    schema = SCHEMAS[direction]
    value = data.draw(anything_like(schema["$defs"][model.__name__], schema))
    message = PARSE[direction](json.dumps(value))
    assert type(message) is model
    assert PARSE[direction](encode(message)) == message
    assert encode(message).startswith(f'{{"type":"{wire_type(model)}"')


@pytest.mark.parametrize(("direction", "model"), EVERY, ids=_named)
def test_the_type_is_required(direction: str, model: type[Message]) -> None:
    """A message without `type` is none, and the schema says so."""
    schema = SCHEMAS[direction]["$defs"][model.__name__]
    assert "type" in schema["required"]
    assert schema["additionalProperties"] is False
    with pytest.raises(MalformedMessage):
        PARSE[direction]("{}")


def _parts(schema: object, path: str = "") -> Iterator[tuple[str, Json]]:
    if isinstance(schema, dict):
        yield path, schema
        for key, part in schema.items():
            yield from _parts(part, f"{path}/{key}")
    elif isinstance(schema, list):
        for index, part in enumerate(schema):
            yield from _parts(part, f"{path}/{index}")


@pytest.mark.parametrize("direction", SCHEMAS)
def test_everything_has_bounds(direction: str) -> None:
    """Every text, number, list and object of every message is bounded on both sides."""
    for path, part in _parts(SCHEMAS[direction]["$defs"]):
        if "const" in part or "enum" in part or not isinstance(part.get("type"), str):
            continue
        if part["type"] == "string":
            assert "maxLength" in part, path
        elif part["type"] == "integer":
            assert "minimum" in part, path
            assert "maximum" in part or "exclusiveMaximum" in part, path
        elif part["type"] == "array":
            assert "maxItems" in part, path
        elif part["type"] == "object":
            assert part.get("additionalProperties") is False or "maxProperties" in part, path
        else:
            assert part["type"] in ("boolean", "null"), path


# AsyncAPI.


def test_asyncapi_has_what_version_3_requires() -> None:
    """Version, title, and operations with an action and a channel."""
    assert ASYNCAPI["asyncapi"] == "3.0.0"
    assert {"title", "version"} <= set(ASYNCAPI["info"])
    assert ASYNCAPI["channels"]["ws"]["address"] == "/ws"
    for name, operation in ASYNCAPI["operations"].items():
        assert operation["action"] == ("receive" if name.startswith("receive") else "send")
        assert operation["channel"] == {"$ref": "#/channels/ws"}
        assert operation["messages"], name


def test_asyncapi_references_lead_somewhere() -> None:
    """Every $ref of the document points to a part of it."""
    for path, part in _parts(ASYNCAPI):
        if isinstance(part.get("$ref"), str):
            target: Any = ASYNCAPI
            for key in part["$ref"].removeprefix("#/").split("/"):
                assert key in target, (path, part["$ref"])
                target = target[key]


def test_asyncapi_messages_of_operations_belong_to_their_channel() -> None:
    """As the specification demands: operations refer to the channel's messages."""
    for operation in ASYNCAPI["operations"].values():
        for message in operation["messages"] + operation.get("reply", {}).get("messages", []):
            assert message["$ref"].startswith("#/channels/ws/messages/")


def test_asyncapi_has_every_message_of_both_directions() -> None:
    """Each is in the channel, is received or sent (or answers something), and has an example."""
    messages = ASYNCAPI["components"]["messages"]
    assert set(messages) == {model.__name__ for model in (*CLIENT, *SERVER)}
    assert set(ASYNCAPI["channels"]["ws"]["messages"]) == set(messages)
    said = set()
    for operation in ASYNCAPI["operations"].values():
        said |= {m["$ref"].rpartition("/")[2] for m in operation["messages"]}
        said |= {
            m["$ref"].rpartition("/")[2] for m in operation.get("reply", {}).get("messages", [])
        }
    assert said == set(messages)
    for model in (*CLIENT, *SERVER):
        message = messages[model.__name__]
        assert message["name"] == wire_type(model)
        assert message["examples"][0]["payload"]["type"] == wire_type(model)


def test_every_client_message_is_an_operation_with_its_answers() -> None:
    """A request without a line in the table of answers would be missing here."""
    assert set(generate_schema.ANSWERS) == set(CLIENT)
    for model in CLIENT:
        assert f"receive{model.__name__}" in ASYNCAPI["operations"]
