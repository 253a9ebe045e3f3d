"""What an import makes again instead of taking it from the file: fingerprints, intents, settings, work for others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid5

from rest_framework.exceptions import ValidationError

from conversations.services import appending, indexing
from core.queue import nudge_after_commit
from core.text import fingerprint
from memory.models import ForgottenFingerprint
from memory.services import slots
from ontology.models import Node
from ontology.services.announcing import EMBED_TASK, MATCH_TASK, PROJECT_TASK
from ontology.services.projection import queue_all
from telemetry.models import Intent, Metric
from transfer.reading import UnfitRecordError, value_of
from transfer.records import KIND
from workspaces.callers import Caller
from workspaces.inputs import SettingsInput
from workspaces.models import Workspace
from workspaces.switches import with_memory_changes, with_model_changes

# Names in a record that are no columns.
EXTRAS = {"memory": "forgotten_at", "sequence": "intent"}
FORGOTTEN_AT = ForgottenFingerprint._meta.get_field("created_at")
MOST_INTENT_CHARACTERS = 600


def complete_memories(caller: Caller, rows: Sequence[Any], forgotten_at: Sequence[Any]) -> None:
    """Fingerprints of texts are of one workspace: those of the live ones, and of those that were forgotten."""
    nodes = Node.objects.filter(workspace_id=caller.workspace_id, id__in=[row.node_id for row in rows])
    found = {identity: (text, gone) for identity, text, gone in nodes.values_list("id", "body", "is_deleted")}
    forgotten = {}
    for row, at in zip(rows, forgotten_at, strict=True):
        text, is_deleted = found.get(row.node_id, ("", True))
        mark = fingerprint(workspace_id=caller.workspace_id, text=text)
        row.live_fingerprint = None if is_deleted else mark
        if at is not None:
            forgotten[mark] = value_of(FORGOTTEN_AT, at, where="A forgotten memory")
    ForgottenFingerprint.objects.bulk_create(
        [
            ForgottenFingerprint(workspace_id=caller.workspace_id, fingerprint=mark, created_at=at)
            for mark, at in forgotten.items()
        ],
        ignore_conflicts=True,
    )


def complete_sequences(caller: Caller, rows: Sequence[Any], intents: Sequence[Any]) -> None:
    """Sequences of one intent share its row, whose id follows from the words and the workspace."""
    if not all(isinstance(words, str) and len(words) <= MOST_INTENT_CHARACTERS for words in intents):
        raise UnfitRecordError("A sequence has no intent that can be kept.")
    known = {words: uuid5(caller.workspace_id, words) for words in intents}
    Intent.objects.bulk_create(
        [
            Intent(workspace_id=caller.workspace_id, id=identity, summary=words, needs_embedding=True)
            for words, identity in known.items()
        ],
        ignore_conflicts=True,
    )
    for row, words in zip(rows, intents, strict=True):
        row.intent_id = known[words]


COMPLETIONS = {"memory": complete_memories, "sequence": complete_sequences}


def restore_settings(caller: Caller, record: Mapping[str, Any]) -> None:
    """Give the workspace the settings of a record. Raises UnfitRecordError, InvalidError."""
    reader = SettingsInput(data={name: value for name, value in record.items() if name != KIND})
    try:
        reader.is_valid(raise_exception=True)
    except ValidationError as error:
        raise UnfitRecordError("The settings are none that this server knows.") from error
    given = reader.validated_data
    workspace = Workspace.objects.select_for_update().get(id=caller.workspace_id)
    config = with_memory_changes(workspace.config, given.get("memory", {}))
    workspace.config = with_model_changes(config, given.get("models", {}))
    workspace.save(update_fields=["config", "updated_at"])


def remove_builtin_metrics(caller: Caller) -> None:
    """Those that a workspace has from the day on which memory was enabled; the export brings its own."""
    Metric.objects.filter(workspace_id=caller.workspace_id, is_builtin=True).delete()


def wake_workers(caller: Caller) -> None:
    """After the commit: the graph, vectors and word index of everything that came in."""
    queue_all(caller)
    nudge_after_commit(PROJECT_TASK, caller.workspace_id)
    nudge_after_commit(EMBED_TASK, caller.workspace_id)
    nudge_after_commit(MATCH_TASK, caller.workspace_id)
    nudge_after_commit(appending.EMBED_TASK, caller.workspace_id)
    nudge_after_commit(indexing.INDEX_TASK, caller.workspace_id)
    nudge_after_commit(slots.EMBED_TASK, caller.workspace_id)
