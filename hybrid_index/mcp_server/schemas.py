"""Output schemas, slimmed: an agent pays for each one on every turn, so they say types and nothing else.

The field names say what a field means; `titles`, defaults and `additionalProperties` say nothing to a model.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import BaseModel

_NOISE = {"title", "default", "additionalProperties", "description"}
# Parts that every reply has: a model needs to know these fields of them; the rest is sent and allowed all the same.
_BRIEF = {"IndexState": ("status", "reason", "coverage", "vector"), "Omitted": ("count", "what")}


@cache
def _raw(model: type[BaseModel]) -> dict[str, Any]:
    return model.model_json_schema(mode="serialization")


def output_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of a reply; what a client validates against it is the reply's JSON."""
    schema = _slim(_raw(model))
    assert isinstance(schema, dict)
    for name, fields in _BRIEF.items():
        definition = schema["$defs"][name]
        definition["properties"] = {field: definition["properties"][field] for field in fields}
    return schema


def input_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a tool's input schema without titles, closed to arguments that the tool does not have."""
    properties = {
        name: {key: value for key, value in prop.items() if key != "title"}
        for name, prop in schema.get("properties", {}).items()
    }
    closed = {"type": "object", "properties": properties, "additionalProperties": False}
    return closed | ({"required": schema["required"]} if schema.get("required") else {})


def _slim(node: Any) -> Any:
    if isinstance(node, list):
        return [_slim(item) for item in node]
    if not isinstance(node, dict):
        return node
    slim: dict[str, Any] = {}
    for key, value in node.items():
        if key in ("properties", "$defs"):
            slim[key] = {name: _slim(child) for name, child in value.items()}
        elif key == "required" or key in _NOISE:
            continue  # every field is always sent; clients need no list of them
        elif key == "anyOf":
            slim |= _union(value)
        else:
            slim[key] = _slim(value)
    return slim


def _union(options: list[dict[str, Any]]) -> dict[str, Any]:
    """Write "a type or null" as a list of types where that says the same."""
    simple = [option for option in options if set(option) <= {"type"}]
    if len(simple) == len(options):
        return {"type": [option["type"] for option in options]}
    return {"anyOf": [_slim(option) for option in options]}
