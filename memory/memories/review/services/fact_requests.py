"""Four eyes: a memory becomes a fact once two people have said so, where the workspace asks for it."""

from __future__ import annotations

from core.errors import ConflictError
from core.text import fingerprint
from memory.memories.review.item_kinds import ASK, ItemKind
from memory.models import Memory, ReviewVerdict
from workspaces.access.callers import PEOPLE, Caller
from workspaces.access.selectors import current_workspace
from workspaces.access.spaces import SESSION_KIND
from workspaces.access.tenancy import SpacedQuerySet
from workspaces.settings.workspace_settings import review_policy


class NeedsTwoPeopleError(ConflictError):
    """Where four eyes are asked for, people decide about facts, and not one of them alone."""

    code = "needs_two_people"
    title = "Facts of this workspace need two people. Ask for one in the console, and have another person confirm it."


def has_four_eyes(caller: Caller) -> bool:
    """Return whether facts of the workspace need two people; those of one conversation need none."""
    return not is_of_session(caller) and review_policy(current_workspace(caller)).four_eyes


def is_of_session(caller: Caller) -> bool:
    """Return whether the caller writes for one conversation alone."""
    return caller.reach.name is not None and caller.reach.name.kind == SESSION_KIND


def may_promote(*, caller: Caller, memory: Memory) -> bool:
    """Return whether a memory may become a fact now.

    It may where four eyes are not asked for, and where another person has stated its text or asked for it. In an open
    scope. Raises NeedsTwoPeopleError for a caller that is not a person.
    """
    if not has_four_eyes(caller):
        return True
    if not caller.is_person:
        raise NeedsTwoPeopleError()
    return _has_other_author(caller, memory) or (
        asking_people(caller, memory).exclude(decided_by_id=caller.id).exists()
    )


def ask_for_fact(*, caller: Caller, memory: Memory) -> None:
    """Record that the caller wants a memory to be a fact; once for each text."""
    if asking(caller, memory).filter(decided_by_id=caller.id).exists():
        return
    ReviewVerdict.objects.create(
        workspace_id=caller.workspace_id,
        kind=ItemKind.SUGGESTION,
        item_id=memory.pk,
        verdict=ASK,
        mark=text_mark(memory),
        decided_by=caller.signature,
        decided_by_id=caller.id,
        decided_by_kind=caller.kind,
    )


def asking(caller: Caller, memory: Memory) -> SpacedQuerySet[ReviewVerdict]:
    """Return who has asked for the memory, with its present text, to be a fact."""
    asked = ReviewVerdict.objects.of(caller).filter(item_id=memory.pk, verdict=ASK, undone_at=None)
    return asked.filter(mark=text_mark(memory)).order_by("id")


def asking_people(caller: Caller, memory: Memory) -> SpacedQuerySet[ReviewVerdict]:
    """Return the people among those."""
    return asking(caller, memory).filter(decided_by_kind__in=PEOPLE)


def text_mark(memory: Memory) -> str:
    """Return the fingerprint of what a memory says."""
    return fingerprint(workspace_id=memory.workspace_id, text=memory.content)


def _has_other_author(caller: Caller, memory: Memory) -> bool:
    if memory.edited_by_kind:
        return memory.edited_by_kind in PEOPLE and memory.edited_by != caller.label
    return memory.author_kind in PEOPLE and memory.author_id not in {caller.id, ""}
