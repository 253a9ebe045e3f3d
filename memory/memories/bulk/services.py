"""One verb of the lifecycle, or tags, for several memories at once: what can be done is done, the rest is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from core.errors import NotFoundError, ProductError
from core.text.validators import refuse_secret
from memory.memories.schemas import MAX_TAGS
from memory.memories.services.lifecycle import apply_transition
from memory.memories.services.memory_writer import edit_memory
from memory.memories.transitions import TRANSITIONS, Verb
from memory.models import Kind, Memory
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope

# Of one request, which is one transaction.
MAX_MEMORIES = 200
TOO_MANY_TAGS = "too_many_tags"

# Whether the step is taken already.
_IS_TAKEN: dict[Verb, Callable[[Memory], bool]] = {
    Verb.PROMOTE: lambda memory: memory.kind == Kind.FACT,
    Verb.DEMOTE: lambda memory: memory.kind == Kind.MEMORY,
    Verb.PIN: lambda memory: memory.is_pinned,
    Verb.UNPIN: lambda memory: not memory.is_pinned,
    Verb.SUPPRESS: lambda memory: memory.is_suppressed,
    Verb.UNSUPPRESS: lambda memory: not memory.is_suppressed,
    Verb.FORGET: lambda memory: memory.node.is_deleted,
    Verb.RESTORE: lambda memory: not memory.node.is_deleted,
}


@dataclass(slots=True)
class BulkOutcome:
    """What a step did: to which memories, and to how many it did not.

    `unchanged` were so already, `asked` wait for a second person, `refused` counts the others by the code of the error.
    `tags` are those that were added to, or taken from, each memory that was changed.
    """

    changed: list[UUID] = field(default_factory=list)
    unchanged: int = 0
    asked: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    tags: dict[UUID, list[str]] = field(default_factory=dict)


def apply_to_all(*, caller: Caller, chosen: Mapping[UUID, str], verb: Verb, reason: str = "") -> BulkOutcome:
    """Take one step of the lifecycle with each of at most MAX_MEMORIES memories, in one transaction.

    `chosen` has the `statement_hash` of what was shown for each id, or an empty text. Raises MissingScopeError without
    `write`, or without `facts` for a verb that always needs it; NotFoundError where none of them exists here; and
    SecretRefusedError for the reason.
    """
    caller.require(Right.WRITE)
    refuse_secret(reason, field="reason")
    step = TRANSITIONS[verb]
    if step.changes_authority or step.governs:
        caller.require(Right.FACTS)
    outcome = BulkOutcome()
    with workspace_scope(caller):
        for memory_id, memory in _lock_memories(caller, list(chosen), outcome):
            if _IS_TAKEN[verb](memory):
                outcome.unchanged += 1
                continue
            try:
                now = apply_transition(
                    caller=caller, memory_id=memory_id, verb=verb, reason=reason, seen=chosen[memory_id]
                )
            except ProductError as error:
                outcome.refused[error.code] += 1
                continue
            if _IS_TAKEN[verb](now):
                outcome.changed.append(memory_id)
            else:
                outcome.asked += 1
    return outcome


def add_tags(*, caller: Caller, memory_ids: Sequence[UUID], tags: Sequence[str]) -> BulkOutcome:
    """Add tags to each of at most MAX_MEMORIES memories, in one transaction. Raises what `apply_to_all` raises."""

    def choose(memory: Memory) -> list[str]:
        return [tag for tag in tags if tag not in memory.tags]

    return _change_tags(caller, memory_ids, choose, is_more=True)


def remove_tags(*, caller: Caller, tags: Mapping[UUID, Sequence[str]]) -> BulkOutcome:
    """Take from each memory its tags that are named, in one transaction. Raises what `apply_to_all` raises."""

    def choose(memory: Memory) -> list[str]:
        return [tag for tag in tags[memory.pk] if tag in memory.tags]

    return _change_tags(caller, list(tags), choose, is_more=False)


def _change_tags(
    caller: Caller, memory_ids: Sequence[UUID], choose: Callable[[Memory], list[str]], *, is_more: bool
) -> BulkOutcome:
    caller.require(Right.WRITE)
    outcome = BulkOutcome()
    with workspace_scope(caller):
        for memory_id, memory in _lock_memories(caller, memory_ids, outcome):
            moved = choose(memory)
            after = [*memory.tags, *moved] if is_more else [tag for tag in memory.tags if tag not in moved]
            if not moved:
                outcome.unchanged += 1
            elif len(after) > MAX_TAGS:
                outcome.refused[TOO_MANY_TAGS] += 1
            else:
                try:
                    edit_memory(caller=caller, memory_id=memory_id, changes={"tags": after})
                except ProductError as error:
                    outcome.refused[error.code] += 1
                    continue
                outcome.changed.append(memory_id)
                outcome.tags[memory_id] = moved
    return outcome


def _lock_memories(caller: Caller, memory_ids: Sequence[UUID], outcome: BulkOutcome) -> list[tuple[UUID, Memory]]:
    """Lock the memories, in the order of their ids, so that two of these do not wait for each other.

    Those that are not there are counted. Raises NotFoundError where all of them are not.
    """
    found = Memory.objects.of(caller).filter(pk__in=memory_ids).select_related("node").order_by("pk")
    memories = {memory.pk: memory for memory in found.select_for_update(of=("self", "node"), no_key=True)}
    if not memories:
        raise NotFoundError()
    if missing := len(set(memory_ids) - memories.keys()):
        outcome.refused[NotFoundError.code] += missing
    return list(memories.items())
