"""Tasks of the embedding queue: a turn of one workspace, one of a change of its model, the look at all of them."""

from __future__ import annotations

import logging
from uuid import UUID

from core.embedding import EmbedderError
from core.stores import queue
from llm.embedding.services import backlog, model_change
from llm.embedding.services.backlog import EMBED_TASK
from llm.embedding.services.model_choice import CHANGE_TASK
from workspaces.access.callers import Caller, maintenance_caller
from workspaces.access.every_workspace import sum_over_workspaces
from workspaces.access.leases import HeldLease, hold_lease, take_lease

log = logging.getLogger(__name__)

# After this time a workspace with more to embed queues up again, behind everything that waits meanwhile.
TURN_SECONDS = 1.0
# Two workers begin at both ends of a workspace's backlog, so that they never embed the same row; a third has no part.
ENDS = {"oldest": "id", "newest": "-id"}
EMBEDDING_LEASE = "embedding"
CHANGE_LEASE = "change of embedder"
# More than a batch takes with a slow endpoint, and than a queued turn usually waits.
LEASE_SECONDS = 150


def embed_workspace(workspace_id: str, end: str = "", holder: str = "") -> int:
    """Embed what waits in one workspace for one turn; if there is more, queue the next turn behind all other tasks.

    The next turn gets the `end` of the backlog and the `holder` of its lease, so that there are never more than two
    turns of a workspace in the queue, however many nudges there were. Return the number of rows.
    """
    identity = UUID(workspace_id)
    caller = maintenance_caller(identity, "embedding")
    if not holder:
        queue.nudge_received(EMBED_TASK, identity)
    lease = _take_end(caller, end, holder)
    if lease is None:
        return 0
    done, is_continued = 0, False
    try:
        done, is_finished = backlog.embed_for_a_while(
            workspace_id=identity, seconds=TURN_SECONDS, order=ENDS[_queue_end(lease)]
        )
        is_continued = not is_finished and lease.renew()
        if is_continued:
            queue.enqueue(EMBED_TASK, workspace_id, _queue_end(lease), str(lease.holder))
    except EmbedderError as error:  # the schedule tries again
        backlog.note_failure(identity, error.detail)
        log.warning("embedding_failed workspace=%s cause=%s", workspace_id, type(error).__name__)
    finally:
        if not is_continued:
            lease.release()
    if is_continued and not holder and _queue_end(lease) == "oldest":
        backlog.nudge_embedding(identity)  # for a second worker, at the other end
    elif not is_continued and done and backlog.is_pending(workspace_id=identity):
        backlog.nudge_embedding(identity)  # what came after the last look, and whose nudge found the lease taken
    return done


def change_embedder(workspace_id: str) -> int:
    """Make vectors of a workspace's next embedding model for one turn, or delete those of a former one.

    Queue the next turn behind all other tasks; return whether one was queued. One turn of a workspace runs at a time.
    """
    identity = UUID(workspace_id)
    queue.nudge_received(CHANGE_TASK, identity)
    caller = maintenance_caller(identity, "embedding")
    with hold_lease(caller=caller, name=CHANGE_LEASE, seconds=LEASE_SECONDS) as lease:
        if lease is None:
            return 0
        is_continued = model_change.advance_change(workspace_id=identity, seconds=TURN_SECONDS)
        is_continued |= model_change.delete_retired(workspace_id=identity, seconds=TURN_SECONDS)
    return int(is_continued and queue.enqueue_unless_waiting(CHANGE_TASK, workspace_id))


def embed_all() -> int:
    """On the schedule: in every workspace, queue what another model embedded or a lost nudge left behind.

    Return the number of workspaces where rows wait.
    """
    return sum_over_workspaces(_queue_waiting)


def _queue_waiting(workspace_id: UUID) -> bool:
    backlog.mark_other_models(workspace_id=workspace_id)
    if model_change.has_work(workspace_id=workspace_id):
        queue.enqueue_unless_waiting(CHANGE_TASK, str(workspace_id))
    is_waiting = backlog.is_pending(workspace_id=workspace_id)
    if is_waiting:
        backlog.nudge_embedding(workspace_id)
    return is_waiting


def _take_end(caller: Caller, end: str, holder: str) -> HeldLease | None:
    known = UUID(holder) if holder else None
    for name in [end] if end else ENDS:
        lease = take_lease(caller=caller, name=f"{EMBEDDING_LEASE} {name}", seconds=LEASE_SECONDS, holder=known)
        if lease:
            return lease
    return None


def _queue_end(lease: HeldLease) -> str:
    return lease.name.removeprefix(f"{EMBEDDING_LEASE} ")
