"""Reading merges and merge candidates; `access_merge` and `access_candidate` take outside ids."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Q, QuerySet

from ontology.models import Merge, MergeCandidate
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import reading_scope
from workspaces.access.tenancy import refuse_absent


def recent_merges(caller: Caller, *, most: int) -> list[Merge]:
    """Return the newest merges that hold, with their nodes."""
    caller.require(Right.READ)
    with reading_scope(caller):
        return list(workspace_merges(caller).filter(undone_at=None).select_related("kept", "absorbed")[:most])


def merge_candidates(caller: Caller, *, limit: int) -> list[MergeCandidate]:
    """Pairs of live nodes that may be one and are not kept apart, the likeliest first."""
    caller.require(Right.READ)
    with reading_scope(caller):
        return list(_open_candidates(caller).order_by("-score", "-id")[:limit])


def node_candidates(caller: Caller, node_id: UUID, *, limit: int) -> list[MergeCandidate]:
    """Pairs that this node may be one with, the likeliest first."""
    caller.require(Right.READ)
    with reading_scope(caller):
        return list(_open_candidates(caller).filter(Q(first=node_id) | Q(second=node_id)).order_by("-score")[:limit])


def access_candidate(caller: Caller, candidate_id: UUID, *, lock: bool = False) -> MergeCandidate:
    """Return a pair of the caller's workspace with its nodes, kept apart or not. Raises NotFoundError."""
    caller.require(Right.READ)
    with reading_scope(caller):
        found = _candidates(caller).filter(id=candidate_id)
        candidate: MergeCandidate | None = (found.select_for_update(of=("self",)) if lock else found).first()
        return candidate or refuse_absent(found, lock=lock)


def workspace_merges(caller: Caller) -> QuerySet[Merge]:
    """Return the merges of the workspace, newest first, for an open scope."""
    return Merge.objects.of(caller).order_by("-id")


def access_merge(caller: Caller, merge_id: UUID, *, lock: bool = False) -> Merge:
    """Return a merge of the caller's workspace, undone or not. Raises NotFoundError."""
    caller.require(Right.READ)
    with reading_scope(caller):
        found = Merge.objects.of(caller).filter(id=merge_id)
        merge: Merge | None = (found.select_for_update() if lock else found).first()
        return merge or refuse_absent(found, lock=lock)


def _open_candidates(caller: Caller) -> QuerySet[MergeCandidate]:
    return _candidates(caller).filter(kept_apart_at=None, first__is_deleted=False, second__is_deleted=False)


def _candidates(caller: Caller) -> QuerySet[MergeCandidate]:
    return MergeCandidate.objects.of(caller).select_related("first", "second")
