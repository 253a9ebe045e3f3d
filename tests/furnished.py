"""A workspace with at least one row in every tenant table, so that tests can tell an empty table from a hidden one."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.db import models

from conversations.models import Conversation, Observation
from conversations.observations.block import count_observation_tokens
from core.clock import utc_now
from core.ids import new_id
from llm.call_kinds import CallKind
from memory.citations.services import finish_run, start_run
from memory.memories.review.item_kinds import ItemKey, ItemKind, VerdictKind
from memory.memories.review.judgement import Judgement
from memory.memories.review.services.decisions import decide_item
from memory.memories.services.lifecycle import apply_transition
from memory.memories.services.memory_writer import NewMemory, remember
from memory.memories.sessions.services import remember_in_session
from memory.memories.transitions import Verb
from memory.models import RunStatus
from memory.working_memory.services.slots import write_slot
from memory.working_memory.slot_limits import SlotAddress, SlotLimits
from ontology.matching.services.merges import merge_nodes
from ontology.nodes_and_edges.services.edges import NewEdge, add_edge
from ontology.nodes_and_edges.services.node_editor import NodeDraft, add_node
from telemetry.metrics.services.metrics import ensure_builtin_metrics
from tests.cast import Household
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.access.tenancy import TenantModel
from workspaces.accounts.services.space_grants import grant_space
from workspaces.keys.services import create_key
from workspaces.oauth.services.connected_apps import connect_app
from workspaces.settings.services import set_memory_enabled


def furnish(household: Household) -> None:
    """Keep one memory, cited, and forget another; then put a row into every table that is still empty.

    Memory is on, so that every door opens.
    """
    caller, name = household.caller, household.workspace.name
    set_memory_enabled(caller=caller, enabled=True)
    ensure_builtin_metrics(caller=caller)
    kept = remember(caller=caller, new=NewMemory(f"{name} orders tea on Mondays.", tags=("tea",))).memory
    said = Judgement(VerdictKind.KEEP)
    decide_item(caller=caller, item=ItemKey(ItemKind.SUGGESTION, kept.pk), judgement=said)
    gone = remember(caller=caller, new=NewMemory(f"{name} orders coffee on Fridays.")).memory
    apply_transition(caller=caller, memory_id=gone.pk, verb=Verb.FORGET)
    run = start_run(caller=caller, agent="clerk")
    finish_run(caller=caller, run_id=run.id, status=RunStatus.SUCCEEDED, output=f"Tea, see [mem:{kept.pk}].")
    write_slot(
        caller=caller, address=SlotAddress("semantic", "plan", {}), value=[f"{name} has tea."], limits=SlotLimits()
    )
    grant_space(caller=caller, user_id=household.owner.id, space="project:tea")
    create_key(caller=caller, name="spare", scopes=[Right.READ])
    connect_app(
        user=household.owner,
        workspace_id=caller.workspace_id,
        client_id=f"client of {name}",
        name="Desk",
        scopes=[Right.READ],
    )
    start_run(caller=caller, agent="clerk")
    ada, bob = (add_node(caller=caller, draft=NodeDraft("person", person)) for person in ("Ada", "Bob"))
    add_edge(caller=caller, new=NewEdge("knows", ada.id, bob.id))
    twins = [add_node(caller=caller, draft=NodeDraft("person", "Eve")) for _ in range(2)]
    merge_nodes(caller=caller, keep_id=twins[0].id, absorb_id=twins[1].id)
    with workspace_scope(caller):
        for model in apps.get_models():
            if issubclass(model, TenantModel):
                some_row(model, caller)
        for each in Observation.objects.of(caller):  # which an import counts again
            each.tokens = count_observation_tokens(kind=each.kind, text=each.text, observed_at=each.observed_at)
            each.save()
        conversation = some_row(Conversation, caller)
        remember_in_session(caller=caller, conversation=str(conversation.pk), new=NewMemory(f"{name} is in a hurry."))


def some_row(model: type[models.Model], caller: Caller) -> models.Model:
    """A row of the workspace, made up where there is none, inside its open scope."""
    found = model._default_manager.filter(workspace_id=caller.workspace_id).first()
    return found or model._default_manager.create(
        **{field.attname: _made_up(field, caller) for field in model._meta.concrete_fields if _must_be_given(field)}
    )


def _must_be_given(field: models.Field[Any, Any]) -> bool:
    may_be_left_out = field.has_default() or field.has_db_default() or field.null or field.blank or field.generated
    return not (may_be_left_out or isinstance(field, models.AutoField))


def _made_up(field: models.Field[Any, Any], caller: Caller) -> Any:
    if field.name == "workspace":
        return caller.workspace_id
    if named := NAMED.get(f"{field.model.__name__}.{field.name}"):
        return named
    if isinstance(field, models.ForeignKey):
        return some_row(field.related_model, caller).pk
    if field.choices:
        return next(iter(field.flatchoices))[0]
    value = MADE_UP[field.get_internal_type()]
    made = value() if callable(value) else value
    return made[-field.max_length :] if field.max_length and isinstance(made, str) else made


# Texts that pages take for the names of something.
NAMED = {"Proposal.space": "shared", "PromptRun.kind": str(CallKind.QA)}
MADE_UP: dict[str, Any] = {
    "ArrayField": [],
    "BooleanField": False,
    "BinaryField": b"x",
    "CharField": lambda: new_id().hex,
    "DateField": lambda: utc_now().date(),
    "DateTimeField": utc_now,
    "DecimalField": 1,
    "FloatField": 0.5,
    "HalfVectorField": [0.5],
    "IntegerField": 1,
    "JSONField": {},
    "PositiveBigIntegerField": 1,
    "PositiveIntegerField": 1,
    "PositiveSmallIntegerField": 1,
    "TextField": "made up",
    "UUIDField": new_id,
}
