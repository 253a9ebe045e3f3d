"""Items of a key-value store as memories: which text and which tags an item has, and back again. Pure."""

from __future__ import annotations

import json
import operator
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from urllib.parse import quote, unquote

from workspace_memory.models import StoredMemory

Namespace = tuple[str, ...]
# The tag of every item, and how the others begin.
ALL, UNDER, KEY, FIELD, TTL, ITEM = "langgraph", "in:", "key:", "field:", "ttl:", "item:"
MAX_TAG_CHARACTERS = 64
# A memory has at most 20 tags, of which an item needs up to five for itself.
MAX_DEPTH = 15
MAX_MINUTES = 60 * 24 * 365 * 100
_OPERATORS = {
    "$eq": operator.eq,
    "$ne": operator.ne,
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}


@dataclass(frozen=True, slots=True)
class StoreItem:
    """A value under a key; `ttl` is in minutes."""

    namespace: Namespace
    key: str
    value: dict[str, Any]
    ttl: float | None = None


def prefix_tag(prefix: Namespace) -> str:
    """Return the tag that every item has whose namespace begins with these labels."""
    return short_tag(UNDER, _joined(prefix)) if prefix else ALL


def item_tag(namespace: Namespace, key: str) -> str:
    """Return the tag of one item."""
    return ITEM + sha256(f"{_joined(namespace)}?{quote(key, safe='')}".encode()).hexdigest()[:32]


def contents_of(item: StoreItem) -> Iterator[str]:
    """Return the texts under which a memory may hold an item, the more readable one first.

    A value of one text is that text, unless its name would be lost. Two items may say the same, and two memories may
    not: the last text names the item, and is its own.
    """
    text = next(iter(item.value.values())) if len(item.value) == 1 else None
    names = [_joined(item.namespace), quote(item.key, safe=""), *item.value]
    fit_tags = all(len(name) <= MAX_TAG_CHARACTERS - len(FIELD) and quote(name, safe="/%") == name for name in names)
    if isinstance(text, str) and text == text.strip() and text and fit_tags and _is_readable(text):
        yield text
    whole = {"namespace": item.namespace, "key": item.key, "value": item.value}
    shown = json.dumps(whole, ensure_ascii=False)
    yield shown if shown.isprintable() else json.dumps(whole)


def tags_of(item: StoreItem, content: str) -> list[str]:
    """Return the tags of the memory that holds an item under this text. Raises ValueError for too deep a namespace."""
    if len(item.namespace) > MAX_DEPTH:
        raise ValueError(f"A namespace has at most {MAX_DEPTH} labels; this one has {len(item.namespace)}.")
    prefixes = [prefix_tag(item.namespace[:depth]) for depth in range(1, len(item.namespace) + 1)]
    is_plain = content in item.value.values()
    field = [FIELD + next(iter(item.value))] if is_plain else []
    ttl = [f"{TTL}{item.ttl:g}"] if item.ttl is not None else []
    return [ALL, *prefixes, short_tag(KEY, quote(item.key, safe="")), item_tag(item.namespace, item.key), *field, *ttl]


def read_item(memory: StoredMemory) -> StoreItem | None:
    """Return the item that a memory holds, also after a person has edited its text; None for one that holds none."""
    if ALL not in memory.tags:
        return None
    minutes = _minutes(_named(memory, TTL))
    field, whole = _named(memory, FIELD), None if _named(memory, FIELD) else _parsed(memory.content)
    if whole is not None:
        return StoreItem(tuple(whole["namespace"]), whole["key"], whole["value"], minutes)
    namespace, key = max(_all_named(memory, UNDER), key=len, default=None), _named(memory, KEY)
    if namespace is None or key is None:
        return None
    labels = tuple(map(unquote, namespace.split("/")))
    return StoreItem(labels, unquote(key), {field or "content": memory.content}, minutes)


def matches(value: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Return whether a value has what a filter wants: equal fields, or `$eq`, `$ne`, `$gt`, `$gte`, `$lt`, `$lte`."""
    return all(_has(value.get(name), expected) for name, expected in wanted.items())


def _has(found: Any, expected: Any) -> bool:
    if not isinstance(expected, Mapping):
        return bool(found == expected)
    if not any(name.startswith("$") for name in expected):
        return isinstance(found, Mapping) and matches(found, expected)
    return all(_compares(found, name, other) for name, other in expected.items())


def _compares(found: Any, name: str, other: Any) -> bool:
    """Compare a value with an operator. Raises ValueError for an unknown one; what has no order is not in it."""
    if name not in _OPERATORS:
        raise ValueError(f"Unknown operator {name}; known are {', '.join(_OPERATORS)}.")
    try:
        return bool(_OPERATORS[name](found, other))
    except TypeError:
        return False


def _joined(labels: Namespace) -> str:
    return "/".join(quote(label, safe="") for label in labels)


def short_tag(beginning: str, name: str) -> str:
    """Return a tag for a name; for a long one, a hash of it, from which the name is not read back."""
    tag = beginning + name
    return tag if len(tag) <= MAX_TAG_CHARACTERS else f"{beginning}~{sha256(name.encode()).hexdigest()[:32]}"


def _named(memory: StoredMemory, beginning: str) -> str | None:
    return next(iter(_all_named(memory, beginning)), None)


def _all_named(memory: StoredMemory, beginning: str) -> list[str]:
    found = (tag.removeprefix(beginning) for tag in memory.tags if tag.startswith(beginning))
    return [name for name in found if not name.startswith("~")]


def _parsed(content: str) -> dict[str, Any] | None:
    try:
        whole = json.loads(content)
    except ValueError:
        return None
    fields = {"namespace": list, "key": str, "value": dict}
    is_whole = isinstance(whole, dict) and all(isinstance(whole.get(name), kind) for name, kind in fields.items())
    return whole if is_whole and all(isinstance(label, str) for label in whole["namespace"]) else None


def _minutes(ttl: str | None) -> float | None:
    """Return the minutes that a tag says; None for what is not a number of them."""
    try:
        minutes = float(ttl or "nan")
    except ValueError:
        return None
    return minutes if 0 < minutes <= MAX_MINUTES else None


def _is_readable(text: str) -> bool:
    return all(character.isprintable() or character in "\n\t" for character in text)
