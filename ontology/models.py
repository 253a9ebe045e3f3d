"""Nodes and edges, their vectors, types and connections, and the outbox that carries every change to the graph."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from django.contrib.postgres.indexes import GinIndex, OpClass
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Cast
from pgvector.django import HalfVectorField, HnswIndex

from core.clock import utc_now
from core.db.search_vectors import SearchWords
from core.text.lookalikes import fold_lookalikes
from ontology.nodes_and_edges.querysets import EdgeQuerySet, NodeQuerySet
from workspaces.access.tenancy import SpacedModel, TenantModel

BUNDLED_DIMENSIONS = 384

IN_SPACE = partial(OpClass, name="uuid_ops")
# Nodes of these types stand for memories: the app above governs them, and nothing here changes them by itself.
GOVERNED_TYPES = frozenset({"memory", "fact"})


def is_governed_type(kind: str) -> bool:
    """Return whether a type is one of memories, or reads like one: `Fact`, or with a Cyrillic a."""
    return "".join(fold_lookalikes(kind).casefold().split()) in GOVERNED_TYPES


class Connection(SpacedModel):
    """Where nodes and edges come from: deleting it takes all of them away; its row stays and tells what was removed."""

    name = models.CharField(max_length=200)
    kind = models.CharField(max_length=64, blank=True)
    is_deleted = models.BooleanField(default=False)
    deleted_at = models.DateTimeField(null=True, blank=True)
    to_remove = models.PositiveIntegerField(default=0)
    removed_nodes = models.PositiveIntegerField(default=0)
    removed_edges = models.PositiveIntegerField(default=0)
    removed_vectors = models.PositiveIntegerField(default=0)
    removed_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=utc_now)

    class Meta:
        db_table = "connections"
        constraints = [
            models.UniqueConstraint(
                fields=["workspace", "space_id", "name"], condition=Q(is_deleted=False), name="one_connection_per_name"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Node(SpacedModel):
    """A typed thing. Memories and facts are nodes without a name of their own; their text is the `body`.

    Of every other node the `body` is what its properties say, so that it is found by them. `version` rises with every
    change that the graph must learn of, so that a late projection never overwrites a newer one. `name_key` is the name
    in the form in which names are compared, `author_id` the id of the caller who wrote the node. `words_key` and
    `initials_key` are further forms of the name, which matching writes (ontology/matching/name_forms.py).
    """

    type = models.CharField(max_length=64)
    name = models.CharField(max_length=300, blank=True)
    name_key = models.CharField(max_length=300, blank=True)
    words_key = models.CharField(max_length=300, blank=True, default="", db_default="")
    initials_key = models.CharField(max_length=300, blank=True, default="", db_default="")
    body = models.TextField(blank=True)
    properties = models.JSONField(default=dict, blank=True)
    provenance = models.JSONField(default=dict, blank=True)
    author_id = models.CharField(max_length=64, blank=True, default="", db_default="")
    importance_score = models.FloatField(default=0.5)
    reference_count = models.PositiveIntegerField(default=0)
    independent_references = models.PositiveIntegerField(default=0, db_default=0)
    last_referenced_at = models.DateTimeField(null=True, blank=True)
    connection = models.ForeignKey(
        Connection,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        db_constraint=False,
        db_index=False,
    )
    valid_from = models.DateTimeField(null=True, blank=True)
    valid_to = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    suppressed_at = models.DateTimeField(null=True, blank=True)
    is_deleted = models.BooleanField(default=False)
    deleted_at = models.DateTimeField(null=True, blank=True)
    needs_embedding = models.BooleanField(default=True)
    needs_matching = models.BooleanField(default=False)
    version = models.PositiveBigIntegerField(default=1)
    created_at = models.DateTimeField(default=utc_now)
    updated_at = models.DateTimeField(default=utc_now)
    words = models.GeneratedField(
        expression=SearchWords("name", "body"), output_field=SearchVectorField(), db_persist=True
    )

    objects: ClassVar[models.Manager[Node]] = NodeQuerySet.as_manager()  # type: ignore[assignment]  # knows `of` as well

    class Meta:
        db_table = "nodes"
        constraints = [
            models.CheckConstraint(
                condition=Q(importance_score__gte=0, importance_score__lte=1), name="importance_between_0_and_1"
            ),
            models.CheckConstraint(
                condition=Q(connection=None) | ~Q(type__in=sorted(GOVERNED_TYPES)), name="memories_have_no_connection"
            ),
        ]
        indexes = [
            models.Index(fields=["workspace", "space_id", "-id"], name="nodes_newest"),
            models.Index(fields=["workspace", "space_id", "type", "-id"], name="nodes_by_type"),
            # Lists of memories: imported ones have times of their own.
            models.Index(
                fields=["workspace", "space_id", "-created_at", "-id"],
                condition=Q(type__in=sorted(GOVERNED_TYPES)),
                name="nodes_learned_last",
            ),
            models.Index(fields=["workspace", "id"], condition=Q(needs_embedding=True), name="nodes_without_vector"),
            models.Index(fields=["workspace", "id"], condition=Q(needs_matching=True), name="nodes_to_match"),
            # Lists of things, which pass by no memories.
            models.Index(
                fields=["workspace", "space_id", "-id"],
                condition=~Q(type__in=sorted(GOVERNED_TYPES)),
                name="nodes_of_things",
            ),
            # The few that several runs cited, for the ones that are used most.
            models.Index(
                fields=["workspace", "space_id", "-independent_references"],
                condition=Q(independent_references__gt=0),
                name="nodes_most_used",
            ),
            # Answers "which nodes may be recalled" without looking at the nodes, for counting and for joining vectors.
            models.Index(
                fields=["workspace", "space_id", "type", "id"],
                include=["valid_from", "valid_to", "expires_at"],
                condition=Q(is_deleted=False, suppressed_at=None),
                name="nodes_recallable",
            ),
            # What PostgreSQL puts off entering every search would read: 0.2 ms of a write save 6 (docs/why/search.md).
            GinIndex(*map(IN_SPACE, (F("workspace"), F("space_id"))), F("words"), name="nodes_words", fastupdate=False),
            models.Index(fields=["workspace", "space_id", "name_key"], name="nodes_by_name"),
            models.Index(
                fields=["workspace", "space_id", "words_key"], condition=~Q(words_key=""), name="nodes_by_words_key"
            ),
            models.Index(
                fields=["workspace", "space_id", "initials_key"],
                condition=~Q(initials_key=""),
                name="nodes_by_initials_key",
            ),
            models.Index(fields=["workspace", "connection"], condition=~Q(connection=None), name="nodes_by_connection"),
            # The few that are live and may still be hidden from a traversal.
            models.Index(
                fields=["workspace", "id"],
                condition=~Q(suppressed_at=None) | ~Q(valid_from=None) | ~Q(valid_to=None) | ~Q(expires_at=None),
                name="nodes_with_bounds",
            ),
            # For counting what was forgotten, and what was never referenced, without passing by everything else.
            models.Index(fields=["workspace", "id"], condition=Q(is_deleted=True), name="nodes_forgotten"),
            models.Index(
                fields=["workspace", "space_id", "type", "created_at"],
                condition=Q(is_deleted=False, reference_count=0),
                name="nodes_never_referenced",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.id}"


class NodeEmbedding(SpacedModel):
    """The vector of a node's text and the model that made it; a search compares vectors of one model only."""

    id = None  # type: ignore[assignment]  # the node's id is the key
    node = models.OneToOneField(
        Node, on_delete=models.CASCADE, primary_key=True, related_name="embedding", db_constraint=False
    )
    model = models.CharField(max_length=120)
    dimensions = models.PositiveSmallIntegerField()
    vector = HalfVectorField()
    created_at = models.DateTimeField(default=utc_now)

    class Meta:
        db_table = "node_embeddings"
        indexes = [
            models.Index(fields=["workspace", "space_id", "model"], name="node_embeddings_by_workspace"),
            HnswIndex(
                OpClass(Cast("vector", HalfVectorField(dimensions=BUNDLED_DIMENSIONS)), name="halfvec_cosine_ops"),
                condition=Q(dimensions=BUNDLED_DIMENSIONS),
                name="node_embeddings_nearest",
                m=16,
                ef_construction=64,
            ),
        ]


class Edge(SpacedModel):
    """A typed, directed relation between two nodes; a space has one live edge of a type from one node to another."""

    type = models.CharField(max_length=64)
    source = models.ForeignKey(
        Node, on_delete=models.CASCADE, related_name="edges_out", db_constraint=False, db_index=False
    )
    target = models.ForeignKey(
        Node, on_delete=models.CASCADE, related_name="edges_in", db_constraint=False, db_index=False
    )
    properties = models.JSONField(default=dict, blank=True)
    provenance = models.JSONField(default=dict, blank=True)
    connection = models.ForeignKey(
        Connection,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        db_constraint=False,
        db_index=False,
    )
    is_deleted = models.BooleanField(default=False)
    deleted_at = models.DateTimeField(null=True, blank=True)
    version = models.PositiveBigIntegerField(default=1)
    created_at = models.DateTimeField(default=utc_now)
    updated_at = models.DateTimeField(default=utc_now)

    objects: ClassVar[models.Manager[Edge]] = EdgeQuerySet.as_manager()  # type: ignore[assignment]  # knows `of` as well

    class Meta:
        db_table = "edges"
        constraints = [
            models.UniqueConstraint(
                fields=["workspace", "source", "target", "type", "space_id"],
                condition=Q(is_deleted=False),
                name="one_live_edge",
            ),
        ]
        indexes = [
            # Deleted edges go with a node, too; a traversal goes out along `one_live_edge`, and in along its mirror.
            models.Index(fields=["workspace", "source"], name="edges_of_source"),
            models.Index(fields=["workspace", "target"], name="edges_of_target"),
            models.Index(fields=["workspace", "target", "source"], condition=Q(is_deleted=False), name="live_edges_in"),
            models.Index(fields=["workspace", "space_id", "type", "-id"], name="edges_by_type"),
            models.Index(fields=["workspace", "connection"], condition=~Q(connection=None), name="edges_by_connection"),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.id}"


class MergeCandidate(SpacedModel):
    """Two nodes that may be one; the pair stays when they are kept apart, so that it is not proposed again."""

    first = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False)
    second = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False)
    score = models.FloatField()
    reasons = models.JSONField(default=list)
    kept_apart_at = models.DateTimeField(null=True, blank=True)
    kept_apart_by = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(default=utc_now)

    class Meta:
        db_table = "merge_candidates"
        # The smaller id first, so that a pair is one row.
        constraints = [models.UniqueConstraint(fields=["workspace", "first", "second"], name="one_candidate_per_pair")]
        indexes = [
            models.Index(
                fields=["workspace", "space_id", "-score"],
                condition=Q(kept_apart_at=None),
                name="candidates_best_first",
            ),
            models.Index(fields=["workspace", "second"], name="candidates_by_second"),
        ]

    def __str__(self) -> str:
        return f"{self.first_id} and {self.second_id}"


class Merge(SpacedModel):
    """One node went into another. `record` says what it moved and added, to the last edge, for undoing it."""

    kept = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False)
    absorbed = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False)
    record = models.JSONField(default=dict)
    merged_by = models.CharField(max_length=200)
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_by = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(default=utc_now)

    class Meta:
        db_table = "merges"
        constraints = [
            models.UniqueConstraint(
                fields=["workspace", "absorbed"], condition=Q(undone_at=None), name="absorbed_once_at_a_time"
            ),
        ]
        indexes = [
            models.Index(fields=["workspace", "-id"], name="merges_newest"),
            models.Index(fields=["workspace", "kept"], name="merges_by_kept"),
        ]

    def __str__(self) -> str:
        return f"{self.absorbed_id} into {self.kept_id}"


class CatalogueEntry(SpacedModel):
    """A type registers itself with the first node or edge of it; a deleted entry comes back with the next one."""

    name = models.CharField(max_length=64)
    description = models.CharField(max_length=500, blank=True)
    is_deleted = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=utc_now)

    class Meta(SpacedModel.Meta):
        abstract = True

    def __str__(self) -> str:
        return self.name


class NodeType(CatalogueEntry):
    """The catalogue of the types of nodes."""

    class Meta:
        db_table = "node_types"
        constraints = [models.UniqueConstraint(fields=["workspace", "space_id", "name"], name="one_type_per_name")]


class EdgeType(CatalogueEntry):
    """The catalogue of the types of edges."""

    class Meta:
        db_table = "edge_types"
        constraints = [models.UniqueConstraint(fields=["workspace", "space_id", "name"], name="one_edge_type_per_name")]


class Entity(models.TextChoices):
    """What the ontology is made of."""

    NODE = "node"
    EDGE = "edge"


class Change(SpacedModel):
    """One step in the life of a node or an edge after it was made: who did what, and what it was before."""

    entity = models.CharField(max_length=8, choices=Entity.choices)
    entity_id = models.UUIDField()
    action = models.CharField(max_length=16)
    actor_kind = models.CharField(max_length=10)
    actor_id = models.CharField(max_length=64, blank=True)
    actor_label = models.CharField(max_length=200, blank=True)
    before = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=utc_now)

    class Meta:
        db_table = "changes"
        indexes = [models.Index(fields=["workspace", "entity_id", "-id"], name="changes_of_entity")]

    def __str__(self) -> str:
        return f"{self.action} {self.entity} {self.entity_id}"


class Projected(models.TextChoices):
    """What has a twin in the graph: the ontology, and what telemetry knows."""

    NODE = "node"
    EDGE = "edge"
    SEQUENCE = "sequence"
    ACTION = "action"
    PATTERN = "pattern"
    BENCHMARK = "benchmark"
    # Not a twin: the edges between a node and the actions that touched it are to be compared with the rows.
    HISTORY = "history"


class GraphOutbox(TenantModel):
    """Something changed that the graph must learn of. Written with the change, removed once the graph has it.

    An edge is entered with the ends that it has, and once more with those that it had when they changed: the graph
    finds a relationship by its ends.
    """

    id = models.BigAutoField(primary_key=True)  # type: ignore[assignment]  # a sequence, because order matters
    entity = models.CharField(max_length=12, choices=Projected.choices)
    entity_id = models.UUIDField()
    source_id = models.UUIDField(null=True, blank=True)
    target_id = models.UUIDField(null=True, blank=True)
    created_at = models.DateTimeField(default=utc_now)

    class Meta:
        db_table = "graph_outbox"
        indexes = [models.Index(fields=["workspace", "id"], name="graph_outbox_in_order")]

    def __str__(self) -> str:
        return f"{self.entity} {self.entity_id}"
