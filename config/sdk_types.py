"""The types of the Python SDK, written from the schemas of REST: the models of answers, and what callers may name."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import fill
from typing import Annotated, Any, Literal, get_args, get_origin

from django.conf import settings
from pydantic import TypeAdapter

from config.sdk_tables import ANSWERS, ARGUMENTS, CLOSED, ELSEWHERE, EXTENDS, LITERALS, MODULES, REPORTS, ModelModule
from core.http.field_types import JsonSchema
from core.http.schemas import RequestSchema

PACKAGE = settings.ROOT / "client" / "workspace_memory"
WRITTEN = "Written by `manage.py write_sdk` from the server's schemas."
BASES = ("Answer", "Citable", "Found", "Page", "Readiness", "Ready", "Report")

PLAIN_TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


@dataclass(frozen=True)
class Types:
    """Types of Python for JSON Schemas: how lists are called, whose words are distinguished, which models there are."""

    lists: str
    words: Collection[str]
    models: Mapping[str, str] = field(default_factory=dict)

    def of(self, schema: JsonSchema) -> str:
        """Return the type of what a schema describes; what the SDK has no model of stays JSON."""
        if "$ref" in schema:
            return self.models.get(_target(schema), "dict[str, Any]")
        if "anyOf" in schema:
            return " | ".join(dict.fromkeys(map(self.of, schema["anyOf"])))
        if "enum" in schema:
            words = {*schema["enum"]}
            return next((name for name in self.words if words == {*_words(LITERALS[name])}), "str")
        kind = str(schema.get("type"))
        if kind == "array":
            return f"{self.lists}[{self.of(schema['items'])}]"
        if kind == "object":
            values = schema.get("additionalProperties")
            return f"dict[str, {self.of(values) if isinstance(values, dict) else 'Any'}]"
        return "datetime" if schema.get("format") == "date-time" else PLAIN_TYPES.get(kind, "Any")


def modules() -> dict[Path, str]:
    """Return each generated file of the SDK with what belongs into it."""
    written = {
        "models.py": _models(),
        **{name: _own_module(module) for name, module in MODULES.items()},
        "request_fields.py": _request_fields(),
    }
    return {PACKAGE / name: _format(text) for name, text in written.items()}


def _models() -> str:
    literals = [f"{name} = Literal{list(_words(of))!r}" for name, of in LITERALS.items()]
    public = sorted([*BASES, *LITERALS, *ANSWERS.keys() - ELSEWHERE, *REPORTS])
    return "\n".join(
        [
            f'"""What the server answers, typed.\n\n{WRITTEN}\n"""',
            "from __future__ import annotations",
            "from datetime import datetime",
            "from typing import Any, Literal",
            "from pydantic import Field",
            f"from workspace_memory.base_models import {', '.join(BASES)}",
            f"# fmt: off\n__all__ = [\n{_wrap(public)},\n]\n# fmt: on",
            *literals,
            *_answers(ANSWERS.keys() - ELSEWHERE),
            *(_report(name, schema) for name, schema in REPORTS.items()),
        ]
    )


def _own_module(module: ModelModule) -> str:
    source = "node_models" if module.borrowed == "Edge, Node" else "models"
    return "\n".join(
        [
            f'"""What the server answers about {module.subject}, typed.\n\n{WRITTEN}\n"""',
            "from __future__ import annotations",
            "from datetime import datetime",
            "from typing import Any",
            "from workspace_memory.base_models import Answer",
            *([f"from workspace_memory.{source} import {module.borrowed}"] if module.borrowed else []),
            f"__all__ = {sorted(module.names)!r}",
            *_answers(module.names),
        ]
    )


def _wrap(names: list[str]) -> str:
    """Return names in quotes, as many in a line as fit."""
    quoted = ", ".join(f'"{name}"' for name in names)
    return fill(quoted, width=118, initial_indent="    ", subsequent_indent="    ")


def _request_fields() -> str:
    classes = []
    types = Types("Sequence", LITERALS)
    for name, (schema, omitted) in ARGUMENTS.items():
        fields = _properties(schema.model_json_schema(), omitted)
        lines = [f"    {key}: {_describe(types.of(found), found)}" for key, found in fields]
        classes.append("\n".join([_head(name, "TypedDict, total=False", _sentence(schema)), *lines]))
    return "\n".join(
        [
            f'"""What callers may name in a request, as keyword arguments.\n\n{WRITTEN}\n"""',
            "from __future__ import annotations",
            "from collections.abc import Sequence",
            "from datetime import datetime",
            "from typing import Annotated, Any, TypedDict",
            f"from workspace_memory.models import {', '.join(LITERALS)}",
            *classes,
        ]
    )


def _answers(names: Collection[str]) -> Iterator[str]:
    """Yield the classes of the answers with these names, made of each other."""
    answered: Literal["serialization"] = "serialization"
    wanted = [(name, answered, TypeAdapter(schema)) for name, schema in ANSWERS.items()]
    named, defined = TypeAdapter.json_schemas(wanted)
    types = Types("list", CLOSED, {_target(named[name, answered]): name for name in ANSWERS})
    for name, schema in [(name, schema) for name, schema in ANSWERS.items() if name in names]:
        found = defined["$defs"][_target(named[name, answered])]
        base = EXTENDS.get(name, "Answer")
        inherited = ANSWERS[base].model_fields.keys() if base in ANSWERS else ()
        needed = set(found.get("required", ()))
        lines = [
            f"    {name}: {_or_default(types.of(one), one, is_needed=name in needed)}"
            for name, one in _properties(found, inherited)
        ]
        yield "\n".join([_head(name, base, _sentence(schema)), *lines])


def _report(name: str, schema: type[RequestSchema]) -> str:
    """Return a class of something that is sent; what is not given is left to the server."""
    found = schema.model_json_schema()
    types = Types("list", LITERALS)
    needed = set(found["required"])
    fields = sorted(_properties(found), key=lambda item: item[0] not in needed)
    lines = [f"    {name}: {types.of(one) if name in needed else _optional(types.of(one))}" for name, one in fields]
    return "\n".join([_head(name, "Report", _sentence(schema)), *lines])


def _optional(kind: str) -> str:
    if kind.startswith("list["):
        return f"{kind} = Field(default_factory=list)"
    return f"{kind} = None" if kind.endswith("| None") else f"{kind} | None = None"


def _or_default(kind: str, schema: JsonSchema, *, is_needed: bool) -> str:
    """Return the type of a field of an answer, with its default: an older server may leave it out."""
    if is_needed and not kind.endswith("| None"):
        return kind
    return 'str = ""' if kind == "str" and "format" not in schema else _optional(kind)


def _words(annotation: Any) -> tuple[str, ...]:
    return get_args(get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation)


def _describe(kind: str, schema: JsonSchema) -> str:
    said = schema.get("description")
    return f"Annotated[{kind}, {said!r}]" if said else kind


def _properties(schema: JsonSchema, omitted: Any = ()) -> list[tuple[str, JsonSchema]]:
    return [(name, found) for name, found in schema["properties"].items() if name not in omitted]


def _head(name: str, base: str, sentence: str) -> str:
    indent = "    "
    docstring = fill(f'"""{sentence}"""', width=120, initial_indent=indent, subsequent_indent=indent)
    return f"class {name}({base}):\n{docstring}\n"


def _sentence(schema: Any) -> str:
    text = inspect.cleandoc(schema.__doc__ or "")
    return " ".join(text.partition("\n\n")[0].split())


def _target(reference: JsonSchema) -> str:
    return str(reference["$ref"]).rpartition("/")[2]


def _format(source: str) -> str:
    for command in (["check", "--fix", "--quiet", "--select=I,F401"], ["format", "--quiet"]):
        ruff = [sys.executable, "-m", "ruff", *command, "--stdin-filename=client/workspace_memory/x.py", "-"]
        done = subprocess.run(ruff, input=source, capture_output=True, text=True, check=True, cwd=settings.ROOT)
        source = done.stdout
    return source
