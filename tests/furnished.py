"""A workspace with at least one row in every tenant table, so that tests can tell an empty table from a hidden one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from core.clock import utc_now
from core.ids import new_id
from memory.lifecycle import Verb
from memory.models import RunStatus
from memory.services.citing import finish_run, start_run
from memory.services.standing import change_standing
from memory.services.writing import NewMemory, remember
from ontology.models import GraphLease, NodeEmbedding
from tests.cast import Household
from workspaces.scope import workspace_scope
from workspaces.selectors import keys_of


@dataclass(frozen=True)
class Belongings:
    """The ids of what a workspace owns, named like the parameters of the REST addresses."""

    ws: UUID
    memory_id: UUID
    run_id: UUID
    key_id: UUID


def furnish(household: Household) -> Belongings:
    """Keep one memory, cited and embedded, forget another, and hold the lease of the graph."""
    caller, name = household.caller, household.workspace.name
    kept = remember(caller=caller, new=NewMemory(f"{name} orders tea on Mondays.", tags=("tea",))).memory
    gone = remember(caller=caller, new=NewMemory(f"{name} orders coffee on Fridays.")).memory
    change_standing(caller=caller, memory_id=gone.pk, verb=Verb.FORGET)
    run = start_run(caller=caller, agent="clerk")
    finish_run(caller=caller, run_id=run.id, status=RunStatus.SUCCEEDED, output=f"Tea, see [mem:{kept.pk}].")
    with workspace_scope(caller):
        NodeEmbedding.objects.create(
            workspace_id=caller.workspace_id, node_id=kept.pk, model="by hand", dimensions=3, vector=[0.0, 0.6, 0.8]
        )
        GraphLease.objects.create(
            workspace_id=caller.workspace_id, holder=new_id(), until=utc_now() - timedelta(hours=1)
        )
    return Belongings(caller.workspace_id, kept.pk, start_run(caller=caller, agent="clerk").id, keys_of(caller)[0].id)
