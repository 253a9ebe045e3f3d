"""The document for programs, and the same for people to read."""

from __future__ import annotations

import json
from itertools import groupby
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from config.openapi.document import document
from config.openapi.schema_descriptions import type_in_words
from config.openapi.space_parameters import resolve_parameter


@require_safe
def openapi_json(request: HttpRequest) -> JsonResponse:
    """OpenAPI 3.1; open to everybody, since it holds nothing of anybody."""
    return JsonResponse(document())


@require_safe
def openapi_page(request: HttpRequest) -> HttpResponse:
    """Render every operation with its parameters, bodies and answers, on one page that needs no script."""
    shapes = {name: _schema_json(shape) for name, shape in document()["components"]["schemas"].items()}
    return render(request, "openapi/page.html", {"document": document(), "groups": _groups(), "shapes": shapes})


def _groups() -> list[dict[str, Any]]:
    """Return the operations by their tag, as the page shows them."""
    shown = [
        {"method": method.upper(), "path": path, **operation, **_bodies(operation)}
        for path, methods in document()["paths"].items()
        for method, operation in methods.items()
    ]
    shown.sort(key=lambda operation: operation["tags"][0])
    return [{"name": name, "operations": list(group)} for name, group in groupby(shown, key=lambda one: one["tags"][0])]


def _bodies(operation: dict[str, Any]) -> dict[str, Any]:
    content: dict[str, dict[str, Any]] = operation.get("requestBody", {}).get("content", {})
    media = next(iter(content), "")
    body = content.get(media, {})
    return {
        "media": media,
        "takes": [
            {**parameter, "type": type_in_words(parameter["schema"]).replace("`", "")}
            for parameter in (resolve_parameter(given, document()) for given in operation.get("parameters", ()))
        ],
        "body_schema": _schema_json(body.get("x-line", body.get("schema"))) if body else "",
        "body_example": _example(body.get("example")),
        "answers": [
            {"status": status, "description": answer.get("description", ""), "schema": _schema(answer)}
            for status, answer in operation["responses"].items()
            if "$ref" not in answer
        ],
        "problems": ", ".join(status for status, answer in operation["responses"].items() if "$ref" in answer),
    }


def _schema(answer: dict[str, Any]) -> str:
    schemas = [content["schema"] for content in answer.get("content", {}).values()]
    return "\n".join(map(_schema_json, schemas))


def _schema_json(schema: Any) -> str:
    """Return the schema as JSON, without the patterns of texts: long, and for validators."""
    return json.dumps(_without_patterns(schema), indent=2)


def _without_patterns(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_without_patterns(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: _without_patterns(value)
        for name, value in schema.items()
        if not (name == "pattern" and isinstance(value, str))
    }


def _example(example: Any) -> str:
    return example if isinstance(example, str) else json.dumps(example, indent=2) if example else ""
