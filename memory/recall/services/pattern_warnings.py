"""Warning an agent of what tends to go wrong with the nodes it is about to touch."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from core.clock import utc_now
from ontology.models import Node
from telemetry.actions.services.capture import caller_session
from telemetry.patterns.services.warning_injection import InjectedWarning, inject_patterns
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope


def warn_about_nodes(
    *, caller: Caller, node_ids: Sequence[UUID], draw: float, action_type: str = "", session: str = ""
) -> InjectedWarning:
    """Return the promoted patterns about the types of these nodes; ids that nothing stands for are passed over.

    `draw` is a random number from 0 to 1 that decides whether the warning is held out. `session` is where the agent's
    actions will be reported; without it, that of the caller's own calls. Raises MissingScopeError without `read`.
    """
    caller.require(Right.READ)
    with workspace_scope(caller):
        nodes = Node.objects.of(caller).recallable(utc_now()).filter(id__in=node_ids)
        types = set(nodes.values_list("type", flat=True))
        return inject_patterns(
            caller=caller,
            node_types=types,
            session=session or caller_session(caller),
            draw=draw,
            action_type=action_type,
        )
