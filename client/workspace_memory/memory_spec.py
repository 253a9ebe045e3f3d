"""MemorySpec: what an agent declares about one of its slots, in Python or in YAML. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_args

import yaml
from pydantic import BaseModel

from workspace_memory.errors import WorkspaceMemoryError

Schema = type[BaseModel]
Tier = Literal["working", "session", "episodic", "semantic"]
SlotType = Literal["dict", "list"]

TENANT = "tenant_id"
REFERENCE = "$ref:"
# Seconds; a slot of the working tier lives on with every reading.
DEFAULT_TTL: Mapping[Tier, int | None] = {"working": 3_600, "session": 86_400, "episodic": None, "semantic": None}
MAX_TTL = 10 * 365 * 86_400
# What the server takes, and so every backend.
MAX_ITEMS = 10_000
MIN_MEGABYTES, MAX_MEGABYTES = 0.000001, 64
MAX_VERSION = 1_000_000

_DURATION = re.compile(r"([0-9]{1,12})\s*([smhdw])")
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")


class SpecError(WorkspaceMemoryError, ValueError):
    """A declaration that cannot be; the message names the field and the cure."""


@dataclass(frozen=True, kw_only=True)
class MemorySpec:
    """One slot of an agent's memory.

    `tier` chooses store and lifetime: working (Redis, for an hour after the last reading), session (a day), episodic
    and semantic (until deleted). `scope` names the dimensions that tell one value from another, such as `user_id`; the
    tenant is always the first of them. `type` is dict (one value) or list (items); the working tier keeps any value.
    Where nothing else is said, the semantic tier has lists, which are searchable, and every other tier a dict.
    `ttl` is in seconds or like 30s, 15m, 1h, 30d, 2w. A list keeps its newest `max_items`; a value over `max_size_mb`
    is refused. `schema` is a Pydantic model that every value (of a list: every item) is checked against when it is
    written and when it is read; `schema_version` is stored with it. `reference_syntax` is how references begin.
    A scratchpad of an agent is cleared at the end of its run, unless it says `keep_after_run`; then its `ttl` counts.
    """

    tier: Tier
    scope: Sequence[str] | str = ()
    type: SlotType | None = None
    ttl: str | int | None = None
    max_items: int | None = None
    auto_capture: bool = False
    max_size_mb: float | None = None
    searchable: bool | None = None
    description: str = ""
    schema: Schema | None = None
    schema_version: int = 1
    reference_syntax: str = REFERENCE
    keep_after_run: bool = False

    def __post_init__(self) -> None:
        is_semantic = self.tier == "semantic"
        if self.type is None:
            object.__setattr__(self, "type", "list" if is_semantic else "dict")
        if self.searchable is None:
            object.__setattr__(self, "searchable", is_semantic)
        for holds, said in _objections(self):
            if holds:
                raise SpecError(said)
        object.__setattr__(self, "scope", self.dimensions)

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The names of its scope, the tenant first."""
        declared = (self.scope,) if isinstance(self.scope, str) else tuple(self.scope)
        return (TENANT, *dict.fromkeys(name for name in declared if name != TENANT))

    @property
    def ttl_seconds(self) -> int | None:
        """How long a value stays; None for good."""
        return DEFAULT_TTL[self.tier] if self.ttl is None else seconds_of(self.ttl)

    def scope_of(self, *, tenant: str, values: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
        """Its scope with values, the tenant first; a tenant among the values is ignored. Raises SpecError."""
        given = {**values, TENANT: tenant}
        missing = [name for name in self.dimensions if not given.get(name)]
        if missing:
            raise SpecError(f"The scope needs a value for {', '.join(missing)}.")
        return tuple((name, str(given[name])) for name in self.dimensions)


def scratchpad(*, scope: Sequence[str] | str = "run_id", ttl: str | int = "1h", **more: Any) -> MemorySpec:
    """Where the results of tool calls go, so that a prompt holds their names and not the results."""
    return MemorySpec(**{"tier": "working", "scope": scope, "ttl": ttl, "auto_capture": True, **more})


def conversation_memory(
    *, scope: Sequence[str] | str = "user_id", ttl: str | int = "30d", max_items: int = 100, **more: Any
) -> MemorySpec:
    """What was said, across runs: a list that keeps its newest items."""
    return MemorySpec(
        **{"tier": "episodic", "type": "list", "scope": scope, "ttl": ttl, "max_items": max_items, **more}
    )


def semantic_memory(*, scope: Sequence[str] | str = "user_id", description: str = "", **more: Any) -> MemorySpec:
    """What was learned, to be found by meaning: a list that is searched."""
    declared = {"tier": "semantic", "type": "list", "scope": scope, "searchable": True, "description": description}
    return MemorySpec(**{**declared, **more})


def load_specs(source: str | Path, *, schemas: Mapping[str, Schema] | None = None) -> dict[str, MemorySpec]:
    """The specs under `memory:` of a YAML file (a Path) or text. Raises SpecError, naming the slot and the field.

    A `schema` there is a name in `schemas`, so that a file never imports code.
    """
    if not isinstance(source, str | Path):
        raise SpecError("Specs are read from a Path, or from the text itself.")
    text = source.read_text() if isinstance(source, Path) else source
    try:
        document = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise SpecError(f"This is not YAML: {error}") from error
    declared = document.get("memory") if isinstance(document, dict) else None
    if not isinstance(declared, dict):
        raise SpecError("The file needs `memory:` with one entry for each slot.")
    return {str(name): _loaded(str(name), given, schemas or {}) for name, given in declared.items()}


def seconds_of(duration: str | int) -> int:
    """Seconds of `90`, `30s`, `15m`, `1h`, `30d` or `2w`. Raises SpecError."""
    if isinstance(duration, bool) or not isinstance(duration, str | int):
        raise SpecError(f"ttl is {duration!r}: give seconds, or something like 30s, 15m, 1h, 30d.")
    if isinstance(duration, int):
        seconds = duration
    else:
        match = _DURATION.fullmatch(duration.strip())
        if match is None:
            raise SpecError(f"ttl is {duration!r}: give seconds, or something like 30s, 15m, 1h, 30d.")
        seconds = int(match[1]) * _SECONDS[match[2]]
    if not 1 <= seconds <= MAX_TTL:
        raise SpecError(f"ttl is {duration!r}: from one second to ten years.")
    return seconds


def _loaded(name: str, given: Any, schemas: Mapping[str, Schema]) -> MemorySpec:
    if not isinstance(given, dict):
        raise SpecError(f"{name}: fields are expected here, such as `tier: working`.")
    unknown = sorted(map(str, given.keys() - {field.name for field in fields(MemorySpec)}))
    if unknown:
        raise SpecError(f"{name}: {', '.join(unknown)} is not a field of a spec.")
    schema = given.get("schema")
    if schema is not None and (not isinstance(schema, str) or schema not in schemas):
        raise SpecError(f"{name}: the schema {schema!r} is not among those that the program gave.")
    try:
        return MemorySpec(**{**given, **({"schema": schemas[schema]} if schema is not None else {})})
    except (SpecError, TypeError) as error:
        raise SpecError(f"{name}: {error}") from error


def _objections(spec: MemorySpec) -> list[tuple[bool, str]]:
    """What is wrong with a spec, in the order in which it is said."""
    if spec.ttl is not None:
        seconds_of(spec.ttl)
    is_listing = spec.type == "list" or spec.tier == "working"
    return [
        (spec.tier not in get_args(Tier), f"tier is {spec.tier!r}: one of {', '.join(get_args(Tier))}."),
        (spec.type not in get_args(SlotType), f"type is {spec.type!r}: dict or list."),
        (not _are_names(spec.scope), f"scope is {spec.scope!r}: names such as user_id."),
        *(
            (not isinstance(getattr(spec, name), bool), f"{name} is {getattr(spec, name)!r}: true or false.")
            for name in ("auto_capture", "searchable", "keep_after_run")
        ),
        (spec.auto_capture and spec.tier != "working", "auto_capture belongs to the tier working."),
        (spec.keep_after_run and spec.tier != "working", "keep_after_run belongs to the tier working."),
        (
            bool(spec.searchable) and spec.tier == "working",
            "searchable belongs to the tiers session, episodic and semantic.",
        ),
        (spec.max_items is not None and not is_listing, "max_items belongs to the type list."),
        (
            not _is_within(spec.max_items, int, 1, MAX_ITEMS),
            f"max_items is {spec.max_items!r}: a whole number from 1 to {MAX_ITEMS:,}.",
        ),
        (
            not _is_within(spec.max_size_mb, int | float, MIN_MEGABYTES, MAX_MEGABYTES),
            f"max_size_mb is {spec.max_size_mb!r}: a number over 0, at most {MAX_MEGABYTES}.",
        ),
        (
            spec.schema_version is None or not _is_within(spec.schema_version, int, 1, MAX_VERSION),
            f"schema_version is {spec.schema_version!r}: a whole number from 1 to {MAX_VERSION:,}.",
        ),
        (not _is_schema(spec.schema), f"schema is {spec.schema!r}: a Pydantic model."),
        (not isinstance(spec.description, str), f"description is {spec.description!r}: a text."),
        (
            not isinstance(spec.reference_syntax, str) or not spec.reference_syntax.strip(),
            f"reference_syntax is {spec.reference_syntax!r}: a text that is not empty.",
        ),
    ]


def _are_names(scope: Any) -> bool:
    names = (scope,) if isinstance(scope, str) else scope
    is_listed = isinstance(names, Sequence) and not isinstance(names, bytes)
    return is_listed and all(isinstance(name, str) and _NAME.fullmatch(name) for name in names)


def _is_schema(schema: Any) -> bool:
    return schema is None or (isinstance(schema, type) and issubclass(schema, BaseModel))


def _is_within(number: Any, kind: Any, least: float, most: float) -> bool:
    """Whether a number is in a range, or not said at all."""
    is_number = isinstance(number, kind) and not isinstance(number, bool)
    return number is None or (is_number and least <= number <= most)
