"""Anything that a JSON Schema allows, as Hypothesis strategies: as much of it as ours uses."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import strategies as st

Json = dict[str, Any]


def anything_like(schema: Json, root: Json) -> st.SearchStrategy[Any]:
    """Values that the schema allows. `root` has the `$defs`."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return st.deferred(lambda: anything_like(root["$defs"][name], root))
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "anyOf" in schema:
        return st.one_of([anything_like(part, root) for part in schema["anyOf"]])
    kind = schema["type"]
    if kind == "object":
        return _objects(schema, root)
    if kind == "array":
        return _arrays(schema, root)
    if kind == "string":
        return _texts(schema)
    if kind == "integer":
        return st.integers(
            schema["minimum"], schema.get("maximum", schema.get("exclusiveMaximum", 1) - 1)
        )
    return st.booleans() if kind == "boolean" else st.none()


def _objects(schema: Json, root: Json) -> st.SearchStrategy[Any]:
    if "properties" not in schema:
        return st.dictionaries(
            _texts(schema.get("propertyNames", {"maxLength": 16})),
            anything_like(schema["additionalProperties"], root),
            max_size=min(schema["maxProperties"], 4),
        )
    fields = {name: anything_like(part, root) for name, part in schema["properties"].items()}
    required = {name: fields.pop(name) for name in schema.get("required", ())}
    return st.fixed_dictionaries(required, optional=fields)


def _arrays(schema: Json, root: Json) -> st.SearchStrategy[Any]:
    if "prefixItems" in schema:
        return st.tuples(*(anything_like(part, root) for part in schema["prefixItems"])).map(list)
    return st.lists(anything_like(schema["items"], root), max_size=min(schema["maxItems"], 3))


def _texts(schema: Json) -> st.SearchStrategy[str]:
    low, high = schema.get("minLength", 0), schema["maxLength"]
    pattern = schema.get("pattern")
    if pattern is None:
        return st.text(min_size=low, max_size=min(high, 300))
    # Ours are a fixed beginning of one sign a class, then one class as often as the length allows.
    fixed = 3 if pattern.startswith("^p") else 0
    sized = re.sub(r"\+\$$", f"{{{max(1, low - fixed)},{high - fixed}}}", pattern)
    return st.from_regex(sized, fullmatch=True)
