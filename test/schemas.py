# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds what --json of the tools prints against the schemas of doc/schema."""

import json
from pathlib import Path

import jsonschema

FOLDER = Path(__file__).resolve().parents[1] / "doc/schema"


def closed(schema):
    """The schema, which lets readers ignore what a later release adds, without that: all that is printed stands in it."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: closed(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict):
        result["additionalProperties"] = False
    return result


def load(name):
    return closed(json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8")))


def check(name, text):
    """The content of the text, which is what the schema says, or else jsonschema.ValidationError."""
    content = json.loads(text)
    schema = load(name)
    validator = jsonschema.Draft202012Validator
    validator.check_schema(schema)
    others = {path.name: load(path.stem) for path in FOLDER.glob("*.json")}
    resolver = jsonschema.RefResolver("", schema, store=others)
    validator(schema, resolver=resolver).validate(content)
    return content
