"""What an import makes again instead of taking it from the file: fingerprints, intents, settings, work for others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Sum
from django.db.models.expressions import DatabaseDefault

from conversations.indexing.services import index_writer
from conversations.models import BatchState, Observation
from conversations.observations.block import count_observation_tokens
from core.errors import InvalidError
from core.stores.queue import nudge_after_commit
from core.text import fingerprint
from llm.embedding.services.backlog import nudge_embedding
from memory.memories.history import past_state
from memory.models import ForgottenFingerprint, MemorySlot
from memory.working_memory.slot_limits import value_count
from ontology.graph.services.projection import queue_all
from ontology.models import Node
from ontology.nodes_and_edges import past_versions
from ontology.nodes_and_edges.services.outbox import MATCH_TASK, PROJECT_TASK
from telemetry.models import Intent, Metric
from telemetry.sequences.services.sequencer import intent_id
from transfer.exports.records import KIND
from transfer.imports.decoder import UnfitRecordError, decode_value
from workspaces.access.callers import Caller
from workspaces.access.space_registry import forget_entered
from workspaces.models import Space, Workspace
from workspaces.settings.retention import with_retention_changes
from workspaces.settings.schemas import SettingsInput
from workspaces.settings.workspace_settings import with_memory_changes, with_model_changes

# Names in a record that are not columns.
EXTRAS = {"memory": "forgotten_at", "sequence": "intent"}
FORGOTTEN_AT = ForgottenFingerprint._meta.get_field("created_at")
MAX_INTENT_CHARACTERS = 600


def complete_memories(caller: Caller, rows: Sequence[Any], forgotten_at: Sequence[Any]) -> None:
    """Compute the fingerprints of live and of forgotten memories, which are other ones in each workspace."""
    nodes = Node.objects.of(caller).filter(id__in=[row.node_id for row in rows])
    found = {identity: (text, gone) for identity, text, gone in nodes.values_list("id", "body", "is_deleted")}
    forgotten = {}
    for row, at in zip(rows, forgotten_at, strict=True):
        text, is_deleted = found.get(row.node_id, ("", True))
        mark = fingerprint(workspace_id=caller.workspace_id, text=text)
        row.live_fingerprint = None if is_deleted or row.superseded_at else mark
        if at is not None:
            forgotten[row.space_id, mark] = decode_value(FORGOTTEN_AT, at, where="A forgotten memory")
    ForgottenFingerprint.objects.bulk_create(
        [
            ForgottenFingerprint(workspace_id=caller.workspace_id, space_id=space_id, fingerprint=mark, created_at=at)
            for (space_id, mark), at in forgotten.items()
        ],
        ignore_conflicts=True,
    )


def complete_sequences(caller: Caller, rows: Sequence[Any], intents: Sequence[Any]) -> None:
    """Make the intents of sequences. Those of one intent share its row in each space; its id follows from the words."""
    if not all(isinstance(words, str) and len(words) <= MAX_INTENT_CHARACTERS for words in intents):
        raise UnfitRecordError("A sequence has no intent that can be kept.")
    places = {(row.space_id, words) for row, words in zip(rows, intents, strict=True)}
    known = {place: intent_id(caller.workspace_id, *place) for place in places}
    Intent.objects.bulk_create(
        [
            Intent(
                workspace_id=caller.workspace_id, space_id=space_id, id=identity, summary=words, needs_embedding=True
            )
            for (space_id, words), identity in known.items()
        ],
        ignore_conflicts=True,
    )
    for row, words in zip(rows, intents, strict=True):
        row.intent_id = known[row.space_id, words]


def check_spaces(rows: Sequence[Any]) -> None:
    """Refuse a space under the id of another, which would put its name on the memory of another user."""
    for row in rows:
        if row.id != row.parsed_name.id:
            raise UnfitRecordError("A space has an id that does not follow from its name.")


def check_revisions(rows: Sequence[Any]) -> None:
    """Refuse a step of a memory of which nothing can be made: histories, other moments and undos read it."""
    for row in rows:
        if name := past_state.find_unfit_value(row.action, row.before):
            raise UnfitRecordError(f"A step '{row.action}' of a memory has no {name} that can be kept.")


def check_changes(rows: Sequence[Any]) -> None:
    """Refuse the same of nodes and edges."""
    for row in rows:
        if name := past_versions.find_unfit_value(row.before):
            raise UnfitRecordError(f"A change '{row.action}' of a node or an edge has no {name} that can be kept.")


def complete_slot_items(caller: Caller, rows: Sequence[Any]) -> None:
    """Count the values of items of slots, which bound what is added to them. An export from before items had versions
    of their own has that of their slot."""
    older = [row for row in rows if isinstance(row.schema_version, DatabaseDefault)]
    slots = MemorySlot.objects.of(caller).filter(id__in={row.slot_id for row in older})
    versions = dict(slots.values_list("id", "schema_version"))
    for row in older:
        row.schema_version = versions.get(row.slot_id, 1)
    for row in rows:
        row.value_count = value_count(row.value)


def complete_observations(rows: Sequence[Any]) -> None:
    """Count the tokens of observations, by which those that a budget holds are chosen."""
    for row in rows:
        row.tokens = count_observation_tokens(kind=row.kind, text=row.text, observed_at=row.observed_at)


def complete_cursors(caller: Caller, rows: Sequence[Any]) -> None:
    """Count what there is of observations; a number of a file would have the observer look for them for ever."""
    active = Observation.objects.of(caller).filter(batch__state=BatchState.ACTIVE)
    here = active.filter(conversation__in=[row.conversation_id for row in rows]).order_by().values("conversation")
    tokens = dict(here.annotate(total=Sum("tokens")).values_list("conversation", "total"))
    for row in rows:
        row.observation_tokens = tokens.get(row.conversation_id, 0)
        row.reflected_tokens = min(row.reflected_tokens, row.observation_tokens)


CHECKS = {"space": check_spaces, "memory_revision": check_revisions, "ontology_change": check_changes}
COMPLETIONS = {"memory": complete_memories, "sequence": complete_sequences}


def restore_settings(caller: Caller, record: Mapping[str, Any]) -> None:
    """Give the workspace the settings of a record. Raises UnfitRecordError, InvalidError."""
    try:
        given = SettingsInput.read({name: value for name, value in record.items() if name != KIND}).changes()
    except InvalidError as error:
        raise UnfitRecordError("The settings have fields that this server does not know.") from error
    workspace = Workspace.objects.select_for_update().get(id=caller.workspace_id)
    config = with_memory_changes(workspace.config, given.get("memory", {}))
    config = with_model_changes(config, given.get("models", {}))
    workspace.config = with_retention_changes(config, given.get("retention", {}))
    workspace.save(update_fields=["config", "updated_at"])


def remove_builtin_metrics(caller: Caller) -> None:
    """Remove the built-in metrics that enabling memory created, and the list of spaces; the export brings its own."""
    Metric.objects.of(caller).filter(is_builtin=True).delete()
    Space.objects.of(caller).delete()
    forget_entered()


def wake_workers(caller: Caller) -> None:
    """After the commit: the graph, vectors and word index of everything that came in."""
    queue_all(caller)
    nudge_after_commit(PROJECT_TASK, caller.workspace_id)
    nudge_embedding(caller.workspace_id)
    nudge_after_commit(MATCH_TASK, caller.workspace_id)
    nudge_after_commit(index_writer.INDEX_TASK, caller.workspace_id)
