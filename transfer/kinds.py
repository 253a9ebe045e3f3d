"""What of a workspace is exported, table by table in the order in which it can be imported, and what is left out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Field, ForeignKey

from conversations import models as said
from llm import models as llm
from memory import models as memory
from ontology import models as ontology
from telemetry import models as telemetry
from workspaces.tenancy import TenantModel


@dataclass(frozen=True)
class Kind:
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
    Kind("connection", ontology.Connection),
    Kind("node_type", ontology.NodeType),
    Kind("edge_type", ontology.EdgeType),
    Kind("node", ontology.Node, frozenset({"needs_embedding"})),
    Kind("edge", ontology.Edge),
    Kind("ontology_change", ontology.Change),
    Kind("merge_candidate", ontology.MergeCandidate),
    Kind("merge", ontology.Merge),
    Kind("memory", memory.Memory, frozenset({"live_fingerprint"})),
    Kind("memory_revision", memory.MemoryRevision),
    Kind("conversation", said.Conversation),
    Kind("message", said.Message, frozenset({"needs_embedding"})),
    Kind("episode", memory.MemoryEpisode),
    Kind("run", memory.Run),
    Kind("run_citation", memory.RunCitation),
    Kind("context_receipt", memory.ContextReceipt),
    Kind("slot", memory.MemorySlot),
    Kind("slot_item", memory.SlotItem, frozenset({"model", "vector"})),
    Kind("user_memory", memory.UserMemory),
    Kind("model_provider", llm.ModelProvider, frozenset({"encrypted_key", "key_hint", "updated_at"})),
    Kind("model_choice", llm.ModelChoice),
    Kind("prompt_run", llm.PromptRun),
    Kind("action", telemetry.Action),
    Kind("sequence", telemetry.Sequence, frozenset({"intent_id"})),
    Kind("pattern", telemetry.Pattern),
    Kind("injection", telemetry.Injection),
    Kind("metric", telemetry.Metric),
    Kind("benchmark", telemetry.Benchmark),
)
BY_NAME = {kind.name: kind for kind in KINDS}

# What stays behind, by table, and why. A table that is in neither list fails a test.
LEFT_OUT = {
    "memberships": "people belong to the installation",
    "api_keys": "keys open the workspace that they were made in",
    "connected_apps": "an app is let into one workspace, by a person of the installation",
    "audit_events": "the record of this workspace stays where it was written",
    "idempotent_answers": "answers that are kept for a day, for clients that ask again",
    "node_embeddings": "vectors are made again",
    "message_embeddings": "vectors are made again",
    "word_blocks": "the word index is made again",
    "word_buckets": "the word index is made again",
    "message_words": "the word index is made again",
    "agent_intents": "each sequence has the words of its intent; their vectors are made again",
    "forgotten_fingerprints": "made again from the forgotten memories, each of which says when",
    "graph_outbox": "the graph is projected again",
    "graph_leases": "of the moment",
    "agent_arrivals": "of the moment",
    "agent_changes": "of the moment",
    "imports": "what came in before is in the other records",
    "import_parts": "what came in before is in the other records",
}
