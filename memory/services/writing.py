"""Remembering and editing: what comes into a workspace's memory, and under which text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction

from core.clock import utc_now
from core.errors import ConflictError, FieldProblem, InvalidError
from core.text import fingerprint
from memory.models import ForgottenFingerprint, Kind, Memory, Source
from memory.selectors import access_memory, live_twin
from memory.services.revising import record_revision
from ontology.content import ContentTooLargeError, refuse_invisible, refuse_secret
from ontology.services.nodes import NewNode, change_node, create_node
from workspaces.callers import Caller, Right
from workspaces.scope import workspace_scope

# A memory is a statement, not a document: about 2,500 words.
MOST_CHARACTERS = 16_000

# What comes in without somebody saying so stays out once it was forgotten.
AUTOMATIC = frozenset({Source.EXTRACTION, Source.IMPORT})

NODE_FIELDS = frozenset({"importance", "valid_from", "valid_to", "expires_at", "content"})


class ForgottenBeforeError(ConflictError):
    """Somebody forgot exactly this; automatic sources may not bring it back."""

    code = "forgotten_before"
    title = "Somebody forgot exactly this. Only an explicit remember may bring it back."


class DuplicateError(ConflictError):
    """Another live memory has the same text."""

    code = "duplicate"
    title = "Another live memory has the same text. Edit that one, or forget it first."


@dataclass(frozen=True, slots=True)
class NewMemory:
    """What somebody wants remembered. `importance` and `confidence` are 0 to 1.

    What comes from elsewhere may have been made and changed there: `created_at`, `updated_at`. Else both are now.
    """

    content: str
    kind: Kind = Kind.MEMORY
    source: Source = Source.AGENT
    tags: tuple[str, ...] = ()
    importance: float = 0.5
    confidence: float = 1.0
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Remembered:
    """The memory that now stands for the text; `is_new` is False for an exact duplicate of a live one."""

    memory: Memory
    is_new: bool


def remember(*, caller: Caller, new: NewMemory) -> Remembered:
    """Keep a memory, or find the live one that already says exactly this.

    One whose time is over is valid again, for as long as `new` says; not for an automatic source, which may be telling
    old news. Raises MissingScopeError without `write` (for a fact: `facts`), InvalidError, ContentTooLargeError,
    SecretRefusedError, and ForgottenBeforeError for an automatic source.
    """
    caller.require(Right.FACTS if new.kind == Kind.FACT else Right.WRITE)
    _refuse_unfit(new.content)
    _refuse_empty_period(new.valid_from, new.valid_to)
    mark = fingerprint(workspace_id=caller.workspace_id, text=new.content)
    with workspace_scope(caller):
        if twin := live_twin(caller, mark):
            return Remembered(_valid_again(caller, twin, new), is_new=False)
        try:
            with transaction.atomic():
                memory = _insert(caller, new, mark)
        except IntegrityError as error:
            # Somebody inserted the same text between the look and the insert.
            twin = live_twin(caller, mark)
            if twin is None:
                raise ConflictError("This text was remembered and forgotten at the same moment. Try again.") from error
            return Remembered(twin, is_new=False)
        # After the insert, as a restore does: two that take the same two rows in opposite order wait for each other.
        _settle_with_the_forgotten(caller, mark, new.source)
    return Remembered(memory, is_new=True)


def edit_memory(*, caller: Caller, memory_id: UUID, changes: Mapping[str, Any]) -> Memory:
    """Change content, tags, confidence, importance or the times of a live memory.

    Raises NotFoundError, DuplicateError, MissingScopeError (a fact needs `facts`), and what `remember` raises.
    """
    if "content" in changes:
        _refuse_unfit(changes["content"])
    with workspace_scope(caller):
        memory = access_memory(caller, memory_id, lock=True)
        caller.require(Right.FACTS if memory.kind == Kind.FACT else Right.WRITE)
        before = {name: _value(memory, name) for name in changes if _value(memory, name) != changes[name]}
        if not before:
            return memory
        _refuse_empty_period(
            changes.get("valid_from", memory.node.valid_from), changes.get("valid_to", memory.node.valid_to)
        )
        _apply(caller, memory, {name: changes[name] for name in before})
        record_revision(caller=caller, memory_id=memory_id, action="edit", before=_plain(before))
        return access_memory(caller, memory_id)


def _valid_again(caller: Caller, twin: Memory, new: NewMemory) -> Memory:
    now = utc_now()
    is_over = any(end and end <= now for end in (twin.node.expires_at, twin.node.valid_to))
    if not is_over or new.source in AUTOMATIC:
        return twin
    times = {"valid_from": new.valid_from, "valid_to": new.valid_to, "expires_at": new.expires_at}
    return edit_memory(caller=caller, memory_id=twin.pk, changes=times)


def _apply(caller: Caller, memory: Memory, changes: Mapping[str, Any]) -> None:
    own = {name: value for name, value in changes.items() if name not in NODE_FIELDS}
    if "content" in changes:
        own["live_fingerprint"] = fingerprint(workspace_id=caller.workspace_id, text=changes["content"])
    try:
        with transaction.atomic():
            if own:
                Memory.objects.filter(pk=memory.pk).update(**own)
    except IntegrityError as error:
        raise DuplicateError() from error
    names = {"content": "body", "importance": "importance_score"}
    node = {names.get(name, name): value for name, value in changes.items() if name in NODE_FIELDS}
    if node:
        change_node(caller=caller, node_id=memory.pk, expected={"is_deleted": False}, changes=node)


def _insert(caller: Caller, new: NewMemory, mark: str) -> Memory:
    made = new.created_at or new.updated_at or utc_now()
    node = create_node(
        caller=caller,
        new=NewNode(
            type=new.kind,
            body=new.content,
            importance_score=new.importance,
            valid_from=new.valid_from,
            valid_to=new.valid_to,
            expires_at=new.expires_at,
            created_at=made,
            updated_at=max(made, new.updated_at or made),
        ),
    )
    memory: Memory = Memory.objects.create(
        workspace_id=caller.workspace_id,
        node=node,
        tags=sorted(set(new.tags)),
        source=new.source,
        author=caller.label,
        author_id=caller.id,
        confidence=new.confidence,
        live_fingerprint=mark,
    )
    record_revision(caller=caller, memory_id=node.id, action="remember")
    return memory


def _settle_with_the_forgotten(caller: Caller, mark: str, source: Source) -> None:
    forgotten = ForgottenFingerprint.objects.filter(workspace_id=caller.workspace_id, fingerprint=mark)
    if source in AUTOMATIC:
        if forgotten.exists():
            raise ForgottenBeforeError()
    else:
        forgotten.delete()


def _refuse_unfit(content: str) -> None:
    refuse_invisible(content, field="content")
    if len(content) > MOST_CHARACTERS:
        raise ContentTooLargeError(
            f"A memory has at most {MOST_CHARACTERS:,} characters; this text has {len(content):,}."
        )
    refuse_secret(content, field="content")


def _refuse_empty_period(start: datetime | None, end: datetime | None) -> None:
    if start and end and start >= end:
        problem = FieldProblem("valid_to", "before_valid_from", "Must be later than valid_from.")
        raise InvalidError(problems=(problem,))


def _value(memory: Memory, name: str) -> Any:
    if name == "importance":
        return memory.node.importance_score
    return getattr(memory if name in {"content", "tags", "confidence"} else memory.node, name)


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in values.items()}
