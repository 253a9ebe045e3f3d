"""The types of the TypeScript SDK: the part of the OpenAPI document that they are written from, and their file."""

from __future__ import annotations

import json
import re
import subprocess
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings

from config.openapi.document import document

PACKAGE = Path(settings.ROOT) / "clients" / "js"
TYPES = PACKAGE / "src" / "openapi.ts"
HEADER = "// Written by `manage.py write_sdk` from the OpenAPI document, whose digest is {digest}.\n"
DIGEST = re.compile(r"whose digest is ([0-9a-f]{64})")
# What says nothing about a type, or is said by the client for all of its calls.
UNTYPED = frozenset({"pattern", "example", "examples", "headers", "security", "tags", "operationId", "title"})
SPACE_PARAMETERS = frozenset(f"#/components/parameters/{name}" for name in ("user", "agent", "space", "shared"))
SPACE_FIELDS = frozenset(f"#/components/schemas/Names{name}" for name in ("User", "Agent", "Space", "Shared"))


@cache
def client_document() -> dict[str, Any]:
    """Return the OpenAPI document without refusals, headers, patterns and the names of spaces."""
    full = document()
    paths = {
        path: {method: _operation(operation) for method, operation in sorted(methods.items())}
        for path, methods in sorted(full["paths"].items())
    }
    schemas = {
        name: _strip(schema) for name, schema in sorted(full["components"]["schemas"].items()) if name[:5] != "Names"
    }
    info = {"title": full["info"]["title"], "version": ""}
    return {"openapi": full["openapi"], "info": info, "paths": paths, "components": {"schemas": schemas}}


def digest() -> str:
    """Return the digest of what the types are written from."""
    return sha256(json.dumps(client_document()).encode()).hexdigest()


def read_digest() -> str:
    """Return the digest of what the types were written from."""
    found = DIGEST.search(TYPES.read_text().partition("\n")[0]) if TYPES.exists() else None
    return found[1] if found else ""


def render_types(modules: Path) -> str:
    """Return the text of the types, as the generator in that folder of npm packages writes it."""
    with TemporaryDirectory() as folder:
        source, target = Path(folder, "openapi.json"), Path(folder, "openapi.ts")
        source.write_text(json.dumps(client_document()))
        generator = modules / ".bin" / "openapi-typescript"
        command: list[str | Path] = [generator, source, "--empty-objects-unknown", "--output", target]
        subprocess.run(command, check=True, capture_output=True)
        return HEADER.format(digest=digest()) + target.read_text()


def install_generator() -> Path:
    """Return the folder of npm packages of the TypeScript SDK, after `npm ci` where it is missing."""
    modules = PACKAGE / "node_modules"
    if not modules.exists():
        npm = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
        subprocess.run(npm, cwd=PACKAGE, check=True, capture_output=True)
    return modules


def _operation(operation: dict[str, Any]) -> dict[str, Any]:
    typed: dict[str, Any] = _strip(operation)
    typed["parameters"] = [
        parameter
        for parameter in typed.get("parameters", ())
        if parameter.get("$ref") not in SPACE_PARAMETERS and parameter.get("in") != "header"
    ]
    typed["responses"] = {status: answer for status, answer in typed["responses"].items() if status < "400"}
    return typed


def _strip(value: Any, *, is_table: bool = False) -> Any:
    """Return a piece of the document without what says nothing about types; a table has names that are not keywords."""
    if isinstance(value, list):
        return [_strip(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: _strip(item, is_table=name == "properties" and not is_table)
        for name, item in value.items()
        if (is_table or name not in UNTYPED) and not (isinstance(item, dict) and item.get("$ref") in SPACE_FIELDS)
    }
