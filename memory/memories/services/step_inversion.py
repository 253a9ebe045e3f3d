"""Taking back steps of a memory's history, through the services that made them, so that each leaves one of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.utils.dateparse import parse_datetime

from memory.memories.history.past_state import TextSigner, find_unfit_value
from memory.memories.history.selectors import UnreadableStepError, find_signers
from memory.memories.review.item_kinds import ReviewState
from memory.memories.review.services.quarantine import HOLD
from memory.memories.selectors import access_memory
from memory.memories.services.lifecycle import apply_transition, weigh_memory
from memory.memories.services.memory_writer import edit_memory
from memory.memories.transitions import TRANSITIONS, Verb
from memory.models import Memory, MemoryRevision
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope

EDIT, WEIGH = "edit", "weigh"
# What an edit puts back; who is named as the author follows from who edits.
EDITABLE = frozenset({"content", "tags", "confidence", "importance"})
TIMES = frozenset({"valid_from", "valid_to", "expires_at"})
# Steps that can be taken back. What follows from others by itself (what closed, or opened) goes with those.
INVERTIBLE = frozenset({EDIT, WEIGH, HOLD, *Verb})


def invert_steps(*, caller: Caller, memory_id: UUID, steps: Sequence[MemoryRevision]) -> None:
    """Take steps of a memory back, the newest first; those that have no inverse are passed over.

    Words that are put back stay those of who wrote them. What was held for a person is let out last, when it says again
    what was not held. Raises NotFoundError, UnreadableStepError, and what the steps back raise: MissingScopeError,
    DuplicateError, NeedsTwoPeopleError, PendingReviewError, PinnedError, SecretRefusedError, …
    """
    if any(find_unfit_value(step.action, step.before) for step in steps):
        raise UnreadableStepError()
    with workspace_scope(caller):
        memory = access_memory(caller, memory_id, with_forgotten=True)
        has_words = any(step.action == EDIT and "content" in step.before for step in steps)
        signers = find_signers(caller, memory) if has_words else {}
        for step in sorted(steps, key=lambda each: (each.action != HOLD, each.pk), reverse=True):
            _invert(caller, memory_id, step, signers.get(step.pk))


def _invert(caller: Caller, memory_id: UUID, step: MemoryRevision, signer: TextSigner | None) -> None:
    if step.action == EDIT:
        edit_memory(caller=caller, memory_id=memory_id, changes=_old_values(step.before), signer=signer)
    elif step.action == WEIGH:
        now = access_memory(caller, memory_id, lock=True)
        weigh_memory(caller=caller, memory_id=memory_id, delta=step.before["manual_weight"] - now.manual_weight)
    elif step.action == HOLD:
        if not step.before.get("suppressed"):
            _let_out(caller, memory_id)
    elif step.action in TRANSITIONS:
        undo = TRANSITIONS[Verb(step.action)].undo
        apply_transition(caller=caller, memory_id=memory_id, verb=undo, force=True)


def _let_out(caller: Caller, memory_id: UUID) -> None:
    """Let out what was held; nothing has been decided about what it says."""
    apply_transition(caller=caller, memory_id=memory_id, verb=Verb.UNSUPPRESS)
    decided = Memory.objects.of(caller).filter(pk=memory_id, review=ReviewState.DECIDED)
    decided.update(review=ReviewState.OPEN)


def _old_values(before: Mapping[str, Any]) -> dict[str, Any]:
    values = {name: before[name] for name in EDITABLE & before.keys()}
    if "tags" in values:
        values["tags"] = values["tags"] or []
    return values | {name: parse_datetime(before[name] or "") for name in TIMES & before.keys()}
