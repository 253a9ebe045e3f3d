"""Remembering and editing: what comes into a workspace's memory, and under which text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction

from core.clock import utc_now
from core.errors import ConflictError
from core.text import fingerprint
from memory.memories.history.past_state import WORDS_OF, TextSigner
from memory.memories.review.services.fact_requests import NeedsTwoPeopleError, ask_for_fact, has_four_eyes
from memory.memories.review.services.quarantine import note_arrival
from memory.memories.selectors import access_memory, find_duplicate
from memory.memories.services.content_rules import refuse_reversed_period, refuse_secrets, refuse_unfit_content
from memory.memories.services.corrected_statements import close_corrected_statements
from memory.memories.services.judgement_requests import request_judgement
from memory.memories.services.lifecycle import DuplicateError, TextChangedError, apply_transition
from memory.memories.services.revisions import record_revision, record_revisions, was_done_by_person
from memory.memories.services.signatures import sign_rewrite, text_signature
from memory.memories.services.supersession import (
    AUTOMATIC,
    CLOSINGS,
    close_replaced,
    find_closed,
    lock_subjects,
    needs_person,
    review_closed,
)
from memory.memories.transitions import Verb
from memory.models import ForgottenFingerprint, Kind, Memory, Source
from ontology.models import Node
from ontology.nodes_and_edges.services.node_writer import NewNode, change_node, create_nodes
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope

NODE_FIELDS = frozenset({"importance", "valid_from", "valid_to", "expires_at", "content"})
# What contexts show of a memory, and when.
SHOWN = frozenset({"content", "valid_from", "valid_to", "expires_at"})


class ForgottenBeforeError(ConflictError):
    """This text was forgotten before; automatic sources may not bring it back."""

    code = "forgotten_before"
    title = "This text was forgotten before. Only an explicit remember may bring it back."


@dataclass(frozen=True, slots=True)
class CopyOrigin:
    """The memory of another space that a new one is an accepted copy of, and the author of its words."""

    memory_id: UUID
    space: str
    author: str
    author_id: str
    author_kind: str


@dataclass(frozen=True, slots=True)
class NewMemory:
    """A memory to be stored. `importance` and `confidence` are 0 to 1.

    What comes from elsewhere may have been made and changed there: `created_at`, `updated_at`. Else both are now.
    `said_at` is when it was stated, where that is known.
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
    said_at: datetime | None = None
    origin: CopyOrigin | None = None

    @property
    def is_automatic(self) -> bool:
        """Whether it comes without a decision about it, so that what was forgotten stays out; a copy was decided on."""
        return self.source in AUTOMATIC and self.origin is None


# What a copy takes along: all that is said in a memory, and not how that one came to be.
HOW_IT_CAME = frozenset({"kind", "source", "created_at", "updated_at", "said_at", "origin"})
COPIED = tuple(one.name for one in fields(NewMemory) if one.name not in HOW_IT_CAME)


@dataclass(frozen=True, slots=True)
class Remembered:
    """The memory that now stands for the text; `is_new` is False for an exact duplicate of a live one."""

    memory: Memory
    is_new: bool


def resolve_source(caller: Caller, *, stated: Source | None = None) -> Source:
    """Return the source to record for what `caller` writes: `user` for a person, `agent` for everything else.

    A caller may state a less trusted source. `user` is recorded for persons only: stated by a key or an app, it is
    recorded as `agent`.
    """
    if caller.is_person:
        return stated or Source.USER
    return Source.AGENT if stated in {None, Source.USER} else stated


def remember(*, caller: Caller, new: NewMemory) -> Remembered:
    """Keep a memory, or find the live one that already says exactly this.

    That one then holds as `new` says: its time, where it is not valid, and a fact becomes one; not for an automatic
    source, which may be telling old news. What it replaces is closed, in the same transaction. What the policy has
    people look at first is held; where facts need two people, a new one is a memory until a second person confirms it.
    Raises MissingScopeError without `write` (for a fact: `facts`), InvalidError, ContentTooLargeError,
    SecretRefusedError, and ForgottenBeforeError for an automatic source.
    """
    caller.require(Right.FACTS if new.kind == Kind.FACT else Right.WRITE)
    validate_new(new)
    mark = fingerprint(workspace_id=caller.workspace_id, text=new.content)
    with workspace_scope(caller):
        if new.source != Source.IMPORT:  # which brings a thousand in one transaction
            lock_subjects(caller, new.content)
        stated = new.said_at or new.valid_from or new.created_at or utc_now()
        if new.is_automatic and (closed := find_closed(caller, new.content, before=stated)):
            return Remembered(closed, is_new=False)
        if twin := find_duplicate(caller, mark, lock=_may_restate(new)):
            return Remembered(_restate(caller, twin, new), is_new=False)
        is_asked = new.kind == Kind.FACT and has_four_eyes(caller)
        try:
            with transaction.atomic():
                marked = (replace(new, kind=Kind.MEMORY) if is_asked else new, mark)
                [memory] = insert_memories(
                    caller=caller, marked=[marked], action="accept" if new.origin else "remember"
                )
        except IntegrityError as error:
            # Another process inserted the same text between the look and the insert.
            twin = find_duplicate(caller, mark, lock=_may_restate(new))
            if twin is None:
                raise ConflictError("This text was remembered and forgotten at the same moment. Try again.") from error
            return Remembered(_restate(caller, twin, new), is_new=False)
        if is_asked:
            ask_for_fact(caller=caller, memory=memory)
        # After the insert, as a restore does: two that take the same two rows in opposite order wait for each other.
        _check_forgotten(caller, mark, new)
        if not note_arrival(caller=caller, memory=memory, is_decided=caller.is_person or new.origin is not None):
            close_replaced(caller=caller, memory=memory, at=new.valid_from or new.said_at)
        # It may have been closed itself, by something newer that was there before.
        memory = access_memory(caller, memory.pk)
        request_judgement(caller=caller, memory=memory)
    return Remembered(memory, is_new=True)


def edit_memory(
    *, caller: Caller, memory_id: UUID, changes: Mapping[str, Any], seen: str = "", signer: TextSigner | None = None
) -> Memory:
    """Change content, tags, confidence, importance or the times of a live memory.

    `seen` is the `edit_hash` of what the editor was shown; `signer` wrote the words, where they are only put back
    (`find_signer`). Raises NotFoundError, DuplicateError, TextChangedError,
    MissingScopeError (a fact needs `facts`, and so does taking back that a person closed it), and what `remember`
    raises.
    """
    if "content" in changes:
        refuse_unfit_content(changes["content"])
    if "tags" in changes:
        changes = {**changes, "tags": sorted(set(changes["tags"]))}
    refuse_secrets(changes)
    with workspace_scope(caller):
        if "content" in changes:
            lock_subjects(caller, changes["content"])
        memory = access_memory(caller, memory_id, lock=True)
        if seen and seen != edit_hash(memory):
            raise TextChangedError()
        return _change(caller, memory, changes, signer)


def edit_hash(memory: Memory) -> str:
    """Return the SHA-256 of everything about a memory that can be edited, so that two editors notice each other."""
    shown = {name: str(field_value(memory, name)) for name in sorted(NODE_FIELDS | {"tags", "confidence"})}
    return sha256(json.dumps(shown).encode()).hexdigest()


def _change(caller: Caller, memory: Memory, changes: Mapping[str, Any], signer: TextSigner | None = None) -> Memory:
    caller.require(Right.FACTS if memory.kind == Kind.FACT else Right.WRITE)
    with workspace_scope(caller):
        before = {name: field_value(memory, name) for name in changes if field_value(memory, name) != changes[name]}
        if not before:
            return memory
        if "content" in before and memory.kind == Kind.FACT and has_four_eyes(caller):
            raise NeedsTwoPeopleError("A fact of this workspace needs two people. Demote it, edit it, and ask again.")
        if not SHOWN.isdisjoint(before) and memory.is_pinned and caller.is_agent:
            caller.require(Right.FACTS)  # the pin says that people want these words to be seen, and go on being
        if "valid_to" in before and memory.is_closed and was_done_by_person(caller, memory, CLOSINGS):
            caller.require(Right.FACTS)  # another end takes the closing back, as reopening does
        refuse_reversed_period(
            changes.get("valid_from", memory.node.valid_from), changes.get("valid_to", memory.node.valid_to)
        )
        signed = text_signature(caller, signer) if "content" in before else {}
        _apply(caller, memory, {name: changes[name] for name in before} | signed)
        if "content" in before:
            before |= {WORDS_OF: asdict(signer)} if signer else sign_rewrite(caller, memory)
        record_revision(caller=caller, memory_id=memory.pk, action="edit", before=_plain(before))
        changed = access_memory(caller, memory.pk)
        if "content" in before:
            review_closed(caller=caller, memory=changed)
            if not memory.is_pending and not caller.is_person:
                note_arrival(caller=caller, memory=changed, is_decided=False)
                changed = access_memory(caller, memory.pk)
            if signer:  # words from before replace nothing that was stated since
                close_replaced(caller=caller, memory=changed, is_restored=True)
            else:
                close_replaced(caller=caller, memory=changed, at=utc_now(), learned=utc_now())
            changed = access_memory(caller, memory.pk)
            if not changed.is_suppressed:
                close_corrected_statements(caller, changed)
            request_judgement(caller=caller, memory=changed)
        return changed


def field_value(memory: Memory, name: str) -> Any:
    """Return the value of a field that can be edited, by the name that the API has for it."""
    if name == "importance":
        return memory.node.importance_score
    return getattr(memory.node if name in NODE_FIELDS - {"content"} else memory, name)


def _may_restate(new: NewMemory) -> bool:
    return not new.is_automatic or new.kind == Kind.FACT


def _restate(caller: Caller, memory: Memory, new: NewMemory) -> Memory:
    """Let the locked memory that says the same hold as it is stated now, so that a row made before swallows nothing.

    A fact stays one, and what a person suppressed stays suppressed.
    """
    if not _may_restate(new):
        return memory
    # What an agent proposed and a person accepts stays the agent's words.
    takes_over = new.origin is None and not needs_person(memory) and (caller.is_person or new.kind == Kind.FACT)
    fields = _restatement_fields(caller, memory, new, takes_over=takes_over)
    changed = _change(caller, memory, fields) if fields else memory
    if takes_over:
        changed = _replace_author(caller, memory, new)
    if new.kind == Kind.FACT and memory.kind != Kind.FACT:
        changed = apply_transition(caller=caller, memory_id=memory.pk, verb=Verb.PROMOTE)
    is_hidden = memory.is_suppressed and not was_done_by_person(caller, memory, (Verb.SUPPRESS,))
    if is_hidden and caller.may(Right.FACTS) and (caller.is_person or not memory.is_pending):
        changed = apply_transition(caller=caller, memory_id=memory.pk, verb=Verb.UNSUPPRESS)
    if changed is not memory:
        changed = access_memory(caller, memory.pk)
        close_replaced(caller=caller, memory=changed, at=new.valid_from or new.said_at or utc_now(), learned=utc_now())
    return access_memory(caller, memory.pk)


def _replace_author(caller: Caller, memory: Memory, new: NewMemory) -> Memory:
    """Make the caller the one who says it, in place of an agent."""
    now = {"edited_by": caller.label, "edited_by_kind": caller.kind, "source": new.source}
    Memory.objects.filter(pk=memory.pk).update(**now)
    record_revision(caller=caller, memory_id=memory.pk, action="remember", before={"source": memory.source})
    return access_memory(caller, memory.pk)


def _restatement_fields(caller: Caller, memory: Memory, new: NewMemory, *, takes_over: bool) -> dict[str, Any]:
    """Return what changes: all where a person speaks in an agent's place, the times of one that is over or to come."""
    now, node = utc_now(), memory.node
    times = {"valid_from": new.valid_from, "valid_to": new.valid_to, "expires_at": new.expires_at}
    if new.origin and needs_person(memory):
        return {}
    if takes_over:
        own = {"tags": sorted(set(new.tags)), "importance": new.importance, "confidence": new.confidence}
        return {"content": new.content, **own, **times}
    if any(end and end <= now for end in (node.expires_at, node.valid_to)):
        return times
    may_begin = caller.may(Right.FACTS) or not needs_person(memory)
    if may_begin and node.valid_from and node.valid_from > max(new.valid_from or now, now):
        return {"valid_from": new.valid_from}
    return {}


def _apply(caller: Caller, memory: Memory, changes: Mapping[str, Any]) -> None:
    own = {name: value for name, value in changes.items() if name not in NODE_FIELDS}
    is_open = not memory.is_closed or "valid_to" in changes  # another end takes the closing back
    if memory.is_closed and is_open:
        own |= {"superseded_by": None, "superseded_at": None}
    if is_open and ("content" in changes or memory.is_closed):
        text = changes.get("content", memory.content)
        own["live_fingerprint"] = fingerprint(workspace_id=caller.workspace_id, text=text)
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


def insert_memories(*, caller: Caller, marked: Sequence[tuple[NewMemory, str]], action: str) -> list[Memory]:
    """Insert memories, each with the fingerprint of its text, and their first revision, in an open scope.

    Raises IntegrityError for a text that a live memory has, QuotaExceededError.
    """
    now = utc_now()
    nodes = create_nodes(caller=caller, new=[_new_node(new, now) for new, _ in marked])
    memories: list[Memory] = Memory.objects.bulk_create(
        _new_row(caller, node, new, mark) for node, (new, mark) in zip(nodes, marked, strict=True)
    )
    record_revisions(caller=caller, memory_ids=[memory.pk for memory in memories], action=action)
    return memories


def _new_node(new: NewMemory, now: datetime) -> NewNode:
    # Whatever the clock of an elsewhere says: what is made later would be the latest word until then.
    made = min(new.created_at or new.updated_at or now, now)
    return NewNode(
        type=new.kind,
        body=new.content,
        importance_score=new.importance,
        valid_from=new.valid_from,
        valid_to=new.valid_to,
        expires_at=new.expires_at,
        created_at=made,
        updated_at=max(made, min(new.updated_at or made, now)),
        author_id=new.origin.author_id if new.origin else "",
    )


def _new_row(caller: Caller, node: Node, new: NewMemory, mark: str) -> Memory:
    own = {name: getattr(new, name) for name in COPIED if name not in NODE_FIELDS} | {"tags": sorted(set(new.tags))}
    return Memory(
        workspace_id=caller.workspace_id,
        node=node,
        source=new.source,
        live_fingerprint=mark,
        **own,
        **_authorship(caller, new.origin),
    )


def _authorship(caller: Caller, origin: CopyOrigin | None) -> dict[str, Any]:
    """Return who wrote the words: an agent stays the author of what was copied, so that it cannot cite it up itself."""
    if origin is None:
        return {"author": caller.signature, "author_id": caller.id, "author_kind": caller.kind}
    return {
        "author": origin.author,
        "author_id": origin.author_id,
        "author_kind": origin.author_kind,
        "origin_id": origin.memory_id,
        "origin_space": origin.space,
    }


def _check_forgotten(caller: Caller, mark: str, new: NewMemory) -> None:
    forgotten = ForgottenFingerprint.objects.in_written_space(caller).filter(fingerprint=mark)
    if new.is_automatic:
        if forgotten.exists():
            raise ForgottenBeforeError()
    else:
        forgotten.delete()


def validate_new(new: NewMemory) -> None:
    """Raise InvalidError, ContentTooLargeError or SecretRefusedError for what cannot be kept by its content alone."""
    refuse_unfit_content(new.content)
    refuse_secrets({name: getattr(new, name) for name in COPIED})
    refuse_reversed_period(new.valid_from, new.valid_to)


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in values.items()}
