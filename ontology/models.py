"""Nodes, their vectors and types, and the outbox that carries every change to the graph."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.contrib.postgres.indexes import GinIndex, OpClass
from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Cast
from pgvector.django import HalfVectorField, HnswIndex

from core.clock import utc_now
from workspaces.tenancy import TenantModel

BUNDLED_DIMENSIONS = 384


class NodeQuerySet(models.QuerySet["Node"]):
    def live(self) -> NodeQuerySet:
        return self.filter(is_deleted=False)

    def recallable(self, at: datetime) -> NodeQuerySet:
        """What a search, a context or an answer may show at that moment: live, not suppressed, valid, not expired."""
        return self.live().filter(
            Q(valid_from=None) | Q(valid_from__lte=at),
            Q(valid_to=None) | Q(valid_to__gt=at),
            Q(expires_at=None) | Q(expires_at__gt=at),
            suppressed_at=None,
        )


class Node(TenantModel):
    """A typed thing. Memories and facts are nodes without a name of their own; their text is the `body`.

    `version` rises with every change that the graph must learn of: a late projection never overwrites a newer one.
    """

    type = models.CharField(max_length=64)
    name = models.CharField(max_length=300, blank=True)
    body = models.TextField(blank=True)
    properties = models.JSONField(default=dict, blank=True)
    importance_score = models.FloatField(default=0.5)
    reference_count = models.PositiveIntegerField(default=0)
    last_referenced_at = models.DateTimeField(null=True, blank=True)
    connection_id = models.UUIDField(null=True, blank=True)
    valid_from = models.DateTimeField(null=True, blank=True)
    valid_to = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    suppressed_at = models.DateTimeField(null=True, blank=True)
    is_deleted = models.BooleanField(default=False)
    deleted_at = models.DateTimeField(null=True, blank=True)
    needs_embedding = models.BooleanField(default=True)
    version = models.PositiveBigIntegerField(default=1)
    created_at = models.DateTimeField(default=utc_now)
    updated_at = models.DateTimeField(default=utc_now)
    words = models.GeneratedField(
        expression=SearchVector("name", "body", config="english"),
        output_field=SearchVectorField(),
        db_persist=True,
    )

    objects: ClassVar[models.Manager[Node]] = NodeQuerySet.as_manager()

    class Meta:
        db_table = "nodes"
        constraints = [
            models.UniqueConstraint(fields=["workspace", "id"], name="nodes_in_workspace"),
            models.CheckConstraint(
                condition=Q(importance_score__gte=0, importance_score__lte=1), name="importance_between_0_and_1"
            ),
        ]
        indexes = [
            models.Index(fields=["workspace", "type", "-id"], name="nodes_by_type"),
            models.Index(fields=["workspace", "id"], condition=Q(needs_embedding=True), name="nodes_without_vector"),
            # Answers "which nodes may be recalled" without looking at the nodes, for counting and for joining vectors.
            models.Index(
                fields=["workspace", "type", "id"],
                include=["valid_from", "valid_to", "expires_at"],
                condition=Q(is_deleted=False, suppressed_at=None),
                name="nodes_recallable",
            ),
            GinIndex(OpClass(F("workspace"), name="uuid_ops"), F("words"), name="nodes_words"),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.id}"


class NodeEmbedding(TenantModel):
    """The vector of a node's text and the model that made it; a search compares vectors of one model only."""

    id = None  # type: ignore[assignment]  # the node's id is the key
    node = models.OneToOneField(Node, on_delete=models.CASCADE, primary_key=True, related_name="embedding")
    model = models.CharField(max_length=120)
    dimensions = models.PositiveSmallIntegerField()
    vector = HalfVectorField()
    created_at = models.DateTimeField(default=utc_now)

    class Meta:
        db_table = "node_embeddings"
        indexes = [
            models.Index(fields=["workspace", "model"], name="node_embeddings_by_workspace"),
            HnswIndex(
                OpClass(Cast("vector", HalfVectorField(dimensions=BUNDLED_DIMENSIONS)), name="halfvec_cosine_ops"),
                condition=Q(dimensions=BUNDLED_DIMENSIONS),
                name="node_embeddings_nearest",
                m=16,
                ef_construction=64,
            ),
        ]


class NodeType(TenantModel):
    """The catalogue of types; a type registers itself with its first node."""

    name = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=utc_now)

    class Meta:
        db_table = "node_types"
        constraints = [models.UniqueConstraint(fields=["workspace", "name"], name="one_type_per_name")]

    def __str__(self) -> str:
        return self.name


class GraphOutbox(TenantModel):
    """Something changed that the graph must learn of. Written with the change, removed once the graph has it."""

    id = models.BigAutoField(primary_key=True)  # type: ignore[assignment]  # a sequence, because order matters
    entity = models.CharField(max_length=8, choices=[("node", "node")])
    entity_id = models.UUIDField()
    created_at = models.DateTimeField(default=utc_now)

    class Meta:
        db_table = "graph_outbox"
        indexes = [models.Index(fields=["workspace", "id"], name="graph_outbox_in_order")]

    def __str__(self) -> str:
        return f"{self.entity} {self.entity_id}"


class GraphLease(TenantModel):
    """Who applies a workspace's outbox just now, so that its changes reach the graph in order."""

    id = None  # type: ignore[assignment]  # the workspace is the key
    workspace = models.OneToOneField(
        "workspaces.Workspace", on_delete=models.CASCADE, primary_key=True, related_name="+"
    )
    holder = models.UUIDField()
    until = models.DateTimeField()

    class Meta:
        db_table = "graph_leases"
