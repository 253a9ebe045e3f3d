"""What of a workspace is exported, table by table in the order in which it can be imported, and what is left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Field, ForeignKey
from django.utils.functional import cached_property

from conversations import models as conversations
from llm import models as llm
from memory import models as memory
from ontology import models as ontology
from telemetry import models as telemetry
from workspaces import models as workspaces
from workspaces.access.tenancy import TenantModel


@dataclass(frozen=True)
class ExportedTable:
    """The rows of one table; `without` are columns that the import makes again, or that must not leave."""

    name: str
    model: type[TenantModel]
    without: frozenset[str] = frozenset()

    @cached_property
    def fields(self) -> tuple[Field[Any, Any], ...]:
        """The columns of a record."""
        return tuple(
            field
            for field in self.model._meta.concrete_fields
            if not (field.generated or field.name == "workspace" or field.attname in self.without)
        )

    @property
    def key(self) -> str:
        """The column that tells rows apart, and gives records their order."""
        return self.model._meta.pk.attname

    @cached_property
    def references(self) -> tuple[ForeignKey[Any, Any], ...]:
        """The columns that name a row of another table of the workspace."""
        return tuple(field for field in self.fields if isinstance(field, ForeignKey))


KINDS = (
    ExportedTable("space", workspaces.Space, frozenset({"erasing_since", "erasure"})),
    ExportedTable("connection", ontology.Connection),
    ExportedTable("node_type", ontology.NodeType),
    ExportedTable("edge_type", ontology.EdgeType),
    ExportedTable("node", ontology.Node, frozenset({"needs_embedding", "words_key", "initials_key"})),
    ExportedTable("edge", ontology.Edge),
    ExportedTable("ontology_change", ontology.Change),
    ExportedTable("merge_candidate", ontology.MergeCandidate),
    ExportedTable("merge", ontology.Merge),
    ExportedTable("memory", memory.Memory, frozenset({"live_fingerprint", "touched_at"})),
    ExportedTable("memory_revision", memory.MemoryRevision),
    ExportedTable("proposal", memory.Proposal),
    ExportedTable("conversation", conversations.Conversation),
    ExportedTable("observation_batch", conversations.ObservationBatch),
    ExportedTable("observation", conversations.Observation),
    ExportedTable("observation_cursor", conversations.ObservationCursor),
    ExportedTable("message", conversations.Message, frozenset({"needs_embedding", "tokens"})),
    ExportedTable("plan", conversations.Plan),
    ExportedTable("iteration", conversations.Iteration),
    ExportedTable("memory_source", memory.MemorySource),
    ExportedTable("episode", memory.MemoryEpisode),
    ExportedTable(
        "episode_statement",
        memory.EpisodeStatement,
        frozenset({"needs_embedding", "model", "dimensions", "vector"}),
    ),
    ExportedTable("run", memory.Run),
    ExportedTable("run_citation", memory.RunCitation),
    ExportedTable("context_receipt", memory.ContextReceipt, frozenset({"question", "text", "text_sha256", "layout"})),
    ExportedTable("slot", memory.MemorySlot),
    ExportedTable("slot_item", memory.SlotItem, frozenset({"model", "vector", "value_count"})),
    ExportedTable("user_memory", memory.UserMemory),
    ExportedTable("model_provider", llm.ModelProvider, frozenset({"encrypted_key", "key_hint", "updated_at"})),
    ExportedTable("model_choice", llm.ModelChoice),
    ExportedTable("prompt_run", llm.PromptRun),
    ExportedTable("action", telemetry.Action),
    ExportedTable("sequence", telemetry.Sequence, frozenset({"intent_id"})),
    ExportedTable("pattern", telemetry.Pattern),
    ExportedTable("injection", telemetry.Injection),
    ExportedTable("metric", telemetry.Metric),
    ExportedTable("benchmark", telemetry.Benchmark),
)
BY_NAME = {kind.name: kind for kind in KINDS}

# What stays behind, by table, and why. A table that is in neither list fails a test.
LEFT_OUT = {
    "memberships": "people belong to the installation",
    "api_keys": "keys open the workspace that they were made in",
    "connected_apps": "an app is let into one workspace, by a person of the installation",
    "space_grants": "people belong to the installation",
    "invitations": "an invitation leads into the workspace that sent it",
    "audit_events": "the record of this workspace stays where it was written",
    "idempotent_answers": "answers that are kept for a day, for clients that ask again",
    "node_embeddings": "vectors are made again",
    "message_embeddings": "vectors are made again",
    "workspace_embeddings": "vectors are made again",
    "workspace_embedders": "keys of providers stay behind, so that an embedding model is chosen again",
    "word_blocks": "the word index is made again",
    "word_buckets": "the word index is made again",
    "message_words": "the word index is made again",
    "agent_intents": "each sequence has the words of its intent; their vectors are made again",
    "confidence_calibrations": "fitted again from receipts and runs",
    "forgotten_fingerprints": "made again from the forgotten memories, each of which says when",
    "review_verdicts": "each memory has whether it was decided about, and its history has what was done",
    "graph_outbox": "the graph is projected again",
    "leases": "of the moment",
    "waiting_tasks": "of the moment",
    "agent_arrivals": "of the moment",
    "agent_changes": "of the moment",
    "imports": "what came in before is in the other records",
    "import_parts": "what came in before is in the other records",
    "undos": "each history has what an undo did; it is reverted where it was made",
    "undo_items": "each history has what an undo did; it is reverted where it was made",
}
