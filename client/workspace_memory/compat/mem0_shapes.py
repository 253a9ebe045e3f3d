"""What mem0 calls things and how it answers, in terms of spaces, tags and revisions. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta, timezone
from typing import Any

from workspace_memory.errors import WorkspaceMemoryError
from workspace_memory.models import Revision, StoredMemory
from workspace_memory.request_fields import Filters

# From the most to the least personal: a memory is in the space of the first that is given, and has tags for the others.
OWNERS = {"user_id": "user", "agent_id": "agent", "run_id": "run"}
MAX_TAG_CHARACTERS = 64
# What chooses versions of mem0's own API, or how it ranks; the server ranks by words and by meaning in any case.
WITHOUT_EFFECT = frozenset({"async_mode", "keyword_search", "output_format", "rerank", "version"})

# So that an expiration that is not named stays, and one that is None is taken away.
UNCHANGED: Any = object()


class NoCounterpartError(WorkspaceMemoryError, NotImplementedError):
    """Something that mem0 does and this server does not; nothing was sent."""


class MemoryMissingError(WorkspaceMemoryError, ValueError):
    """There is no memory with this id. It is a ValueError, as in mem0."""


class MemoryOffError(WorkspaceMemoryError):
    """Memory is off for the workspace, so that nothing would be kept of messages."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose memories a call is about: the space that they are in, and the tags that all of them have."""

    space: str
    tags: tuple[str, ...] = ()
    run: str = ""

    @classmethod
    def of(cls, filters: Mapping[str, Any] | None, **owners: str | None) -> Scope:
        """Return the scope of `filters` and of the owners that a call names next to them. Raises ValueError."""
        narrow = _flattened(filters or {})
        named: dict[str, str] = {}
        for name, kind in OWNERS.items():
            value = owners.get(name)
            value = narrow.pop(name, None) if value is None else value
            if value is not None:
                named[kind] = _owner(name, value)
        if not named:
            raise ValueError("Name at least one of user_id, agent_id and run_id, next to the call or in `filters`.")
        (kind, owner), *others = named.items()
        tags = [*(tag_of(other, name) for other, name in others), *tags_of(narrow)]
        return cls(f"{kind}:{owner}", tuple(tags), named.get("run", ""))

    def labelled(self, metadata: Mapping[str, Any] | None) -> Scope:
        """Return the scope of memories that have this metadata as well. Raises NoCounterpartError."""
        return replace(self, tags=(*self.tags, *tags_of(metadata or {})))

    @property
    def filters(self) -> Filters:
        """What a list of its memories is narrowed to."""
        return {"tags": self.tags} if self.tags else {}


def messages_of(messages: Any) -> list[dict[str, Any]]:
    """Return messages as a list: a text is one of the user, and parts of a content are joined. Raises ValueError."""
    if isinstance(messages, str):
        messages = [{"role": "user", "content": messages}]
    elif isinstance(messages, Mapping):
        messages = [messages]
    if not isinstance(messages, Sequence) or not all(isinstance(one, Mapping) for one in messages):
        raise ValueError("messages must be str, dict, or list[dict].")
    return [
        {
            "role": one.get("role") or "user",
            "content": _text_of(one.get("content")),
            **({"name": one["name"]} if one.get("name") else {}),
        }
        for one in messages
    ]


def tags_of(metadata: Mapping[str, Any]) -> list[str]:
    """Return metadata as tags, `name:value` for each. Raises NoCounterpartError for what no tag can hold."""
    return [tag_of(name, value) for name, value in metadata.items()]


def tag_of(name: str, value: Any) -> str:
    """Return a name and its value as a tag. A text that reads as JSON is in quotes, so that it stays a text."""
    if not isinstance(value, str | int | float | bool):
        raise NoCounterpartError(f"{name!r} is not a text, a number or a boolean: metadata becomes tags, name:value.")
    text = value if isinstance(value, str) and _value_of(value) == value else json.dumps(value)
    tag = f"{name}:{text}"
    if "," in tag or ":" in name or not tag.isprintable() or len(tag) > MAX_TAG_CHARACTERS:
        raise NoCounterpartError(
            f"{name!r} cannot be kept: metadata becomes tags of at most 64 characters, on one line without commas."
        )
    return tag


def metadata_of(tags: Iterable[str]) -> dict[str, Any]:
    """Return what tags of the form `name:value` say, but for the owners of a memory."""
    pairs = (tag.split(":", 1) for tag in tags if ":" in tag)
    return {name: _value_of(value) for name, value in pairs if name not in OWNERS.values()}


def expiry_of(day: Any) -> datetime | None:
    """Return the moment after the last day on which something is recalled. Raises ValueError."""
    if day is None:
        return None
    if isinstance(day, datetime):
        day = day.date()
    elif isinstance(day, str):
        try:
            day = date.fromisoformat(day)
        except ValueError as error:
            raise ValueError("expiration_date must be a valid date in YYYY-MM-DD format.") from error
    if not isinstance(day, date):
        raise ValueError("expiration_date must be a date string in YYYY-MM-DD format.")
    return datetime.combine(day + timedelta(days=1), time.min, timezone.utc)


def encoded_id(id: str, space: str) -> str:
    """Return an id that leads to a memory from any process: mem0 asks for ids alone, and a memory is in its space."""
    return f"{id}@{space}"


def decoded_id(memory_id: str) -> tuple[str, str]:
    """Return the id and the space of a memory; that of a bare id is what is shared."""
    id, _, space = memory_id.partition("@")
    return id, space or "shared"


def memory_shape(memory: StoredMemory, space: str) -> dict[str, Any]:
    """Return a memory as mem0 answers it."""
    kind, _, key = space.partition(":")
    owners = {**dict(tag.split(":", 1) for tag in memory.tags if ":" in tag), kind: key}  # whose it is, its space says
    shape = {
        "id": encoded_id(memory.id, space),
        "memory": memory.content,
        "hash": hashlib.md5(memory.content.encode(), usedforsecurity=False).hexdigest(),
        "metadata": metadata_of(memory.tags) or None,
        "created_at": memory.created_at.isoformat(),
        "updated_at": memory.updated_at.isoformat(),
        **{name: owners[word] for name, word in OWNERS.items() if word in owners},
    }
    if memory.expires_at is not None:
        shape["expiration_date"] = (memory.expires_at - timedelta(days=1)).date().isoformat()
    return shape


def history_shape(memory: StoredMemory, revisions: Sequence[Revision], memory_id: str) -> list[dict[str, Any]]:
    """Return the steps of a memory that mem0 has, oldest first; `revisions` are newest first."""
    content: str | None = memory.content
    steps = []
    for revision in revisions:
        before = revision.before.get("content")
        event = _event_of(revision)
        if event is None:
            continue
        old = {"ADD": None, "UPDATE": before, "DELETE": content}[event]
        step = {
            "id": revision.id,
            "memory_id": memory_id,
            "old_memory": old,
            "new_memory": None if event == "DELETE" else content,
            "event": event,
            "created_at": memory.created_at.isoformat(),
            "updated_at": None if event == "ADD" else revision.at.isoformat(),
            "is_deleted": event == "DELETE",
            "actor_id": revision.by,
            "role": None,
        }
        steps.append(step)
        content = before if event == "UPDATE" else content
    return steps[::-1]


def require_known(given: Mapping[str, Any], known: Iterable[str] = ()) -> None:
    """Raise NoCounterpartError for an argument of mem0 that this server has nothing for, unless it is None or False."""
    taken = WITHOUT_EFFECT | {*known}
    unknown = [name for name, value in given.items() if value is not None and value is not False and name not in taken]
    if unknown:
        raise NoCounterpartError(f"{', '.join(sorted(unknown))}: this server has no counterpart of it. Leave it out.")


def missing(memory_id: str) -> MemoryMissingError:
    """Return the error for an id that leads to no memory."""
    return MemoryMissingError(f"Memory with id {memory_id} not found. Please provide a valid 'memory_id'")


def _event_of(revision: Revision) -> str | None:
    if revision.action in {"remember", "accept"}:
        return "ADD"
    if revision.action == "forget":
        return "DELETE"
    return "UPDATE" if "content" in revision.before else None


def _flattened(filters: Mapping[str, Any]) -> dict[str, Any]:
    """Filters of equal values, those below `AND` as well. Raises NoCounterpartError for every other operator, and
    ValueError for two values of one name: the last one would widen what the first one narrows, to another user."""
    flat: dict[str, Any] = {}
    for name, value in filters.items():
        if name == "AND" and isinstance(value, Sequence):
            for part in value:
                flat = _joined(flat, _flattened(part))
        elif name in {"AND", "OR", "NOT"} or not isinstance(value, str | int | float | bool) or value == "*":
            raise NoCounterpartError(f"filters: {name!r} is more than an equal value, which is all that tags compare.")
        else:
            flat = _joined(flat, {name: value})
    return flat


def _joined(some: dict[str, Any], others: dict[str, Any]) -> dict[str, Any]:
    for name in some.keys() & others.keys():
        if (type(some[name]), some[name]) != (type(others[name]), others[name]):
            raise ValueError(f"filters: {name!r} has two values, and nothing has both. Name one of them.")
    return {**some, **others}


def _owner(name: str, value: Any) -> str:
    text = str(value).strip()
    if not text or any(character.isspace() for character in text):
        raise ValueError(f"Invalid {name}: it is empty, or has spaces in it.")
    return text


def _text_of(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = [content] if isinstance(content, Mapping) else content
    texts = [
        part.get("text") if isinstance(part, Mapping) and part.get("type") == "text" else None for part in parts or ()
    ]
    if not texts or None in texts:
        raise NoCounterpartError("A content is a text: this server does not read images or files.")
    return "\n".join(map(str, texts))


def _value_of(text: str) -> Any:
    """The JSON that a text is, where that is not an object, a list or null; else the text."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, str | int | float | bool) else text
