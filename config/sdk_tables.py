"""The words, models and keyword arguments of the Python SDK, each with the schema of REST that it is written from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from chat.schemas import TurnResponse
from conversations.messages.schemas import ConversationResponse, MessageInput, MessageResponse, RoleName
from conversations.plans.schemas import (
    BriefingResponse,
    IterationInput,
    IterationResponse,
    PlanResponse,
    PlanStepResponse,
    StepStatus,
    TaskResponse,
)
from conversations.search.schemas import MessageHitResponse, PassageResponse
from core.http.pagination import PageQuery
from core.http.schemas import PlaceResponse, RequestSchema
from llm.configuration.schemas import (
    BudgetResponse,
    ChoiceResponse,
    PromptRunResponse,
    ProviderInput,
    ProviderResponse,
    TrialResponse,
)
from memory.citations.schemas import (
    CountedMemoryResponse,
    CountedNodeResponse,
    FinalStatus,
    FinishedResponse,
    MemoryCitationResponse,
    RunResponse,
)
from memory.episodes.schemas import AddedResponse, ConsolidatedResponse, EndedResponse, EpisodeResponse
from memory.memories.proposals.schemas import ProposalResponse, StatusName
from memory.memories.review.schemas import DecideInput, ReviewItemResponse, VerdictResponse
from memory.memories.schemas import (
    CountsResponse,
    KindName,
    MemoryDetailResponse,
    MemoryEditInput,
    MemoryFilters,
    MemoryHitResponse,
    MemoryInput,
    MemoryResponse,
    PurgedResponse,
    RevisionResponse,
    SearchMode,
    SourceName,
)
from memory.memories.sources.schemas import MemorySourceResponse, StepSourceResponse
from memory.recall.receipts.schemas import (
    MissingItemResponse,
    ReceiptResponse,
    ReceiptRow,
    ReceiptsQuery,
    ReproductionResponse,
    RerunInput,
    RerunResponse,
)
from memory.recall.schemas import (
    BlockResponse,
    ContextInput,
    ContextResponse,
    DroppedResponse,
    ItemResponse,
    LayerResponse,
    ObservationsResponse,
    RawResponse,
    WindowResponse,
)
from memory.working_memory.schemas import UserMemoryResponse
from ontology.answers.schemas import (
    AnswerResponse,
    CitedNodeResponse,
    CitedResponse,
    ClaimResponse,
    LearntEdgeResponse,
    LearntNodeResponse,
    LeftOutResponse,
    PromptedResponse,
    StepResponse,
    UpdateResponse,
    UsageResponse,
)
from ontology.connections.schemas import ConnectionResponse, RemovalResponse
from ontology.graph.schemas import (
    AtDistanceResponse,
    ImpactResponse,
    NeighbourhoodResponse,
    NeighbourResponse,
    OfTypeResponse,
    PathResponse,
    WayResponse,
)
from ontology.matching.schemas import CandidateResponse, MergeResponse
from ontology.nodes_and_edges.schemas import (
    ActorResponse,
    ChangeResponse,
    EdgeEditInput,
    EdgeInput,
    EdgeResponse,
    EdgesQuery,
    NodeEditInput,
    NodeInput,
    NodeResponse,
    NodesQuery,
    TypeResponse,
)
from ontology.search.schemas import NodeFilters, NodeHitResponse
from telemetry.actions.schemas import ActionInput, ActionResponse, ActionsQuery, CapturedResponse, OutcomeName
from telemetry.live.schemas import EventResponse, EventsQuery, EventsResponse, LiveActorResponse
from telemetry.metrics.schemas import (
    BenchmarkResponse,
    MetricChangeInput,
    MetricInput,
    MetricResponse,
    PointResponse,
    PointsResponse,
)
from telemetry.patterns.schemas import (
    ChangedPatternsResponse,
    EffectResponse,
    EvaluatedResponse,
    InjectedResponse,
    PatternResponse,
    PatternsQuery,
)
from telemetry.sequences.schemas import SequenceResponse, SequencesQuery, SequenceWithActionsResponse
from transfer.erasure.schemas import (
    ErasureActorResponse,
    ErasureCheckResponse,
    ErasureResponse,
    OneSpaceResponse,
    WorkspaceErasureResponse,
)
from transfer.imports.schemas import ImportResponse
from transfer.undo.schemas import UndoCountResponse, UndoLineResponse, UndoResponse, UndoRowResponse
from workspaces.accounts.schemas import MemberResponse, NewWorkspaceResponse, WorkspaceResponse
from workspaces.http.bulk import LineResultResponse
from workspaces.http.spaces_api import SpaceResponse
from workspaces.keys.schemas import ApiKeyResponse, KeyInput, KeyMakerResponse, NewApiKeyResponse
from workspaces.settings.schemas import SettingsResponse, ToggledResponse

# The words of the SDK for words of the API.
LITERALS: dict[str, Any] = {
    "Kind": KindName,
    "Mode": SearchMode,
    "Role": RoleName,
    "RunStatus": FinalStatus,
    "Outcome": OutcomeName,
    "Source": SourceName,
    "ProposalStatus": StatusName,
    "StepStatus": StepStatus,
}
# Of other words a newer server may answer more; an SDK that does not know them reads them all the same.
CLOSED = frozenset({"Kind", "Role"})
# The models of the SDK by name, each behind those that it is made of.
ANSWERS: dict[str, Any] = {
    "Workspace": WorkspaceResponse,
    "StoredMemory": MemoryResponse,
    "MemorySource": MemorySourceResponse,
    "StoredMemoryDetail": MemoryDetailResponse,
    "Arm": PlaceResponse,
    "Hit": MemoryHitResponse,
    "StepSource": StepSourceResponse,
    "Revision": RevisionResponse,
    "Run": RunResponse,
    "RunCitation": MemoryCitationResponse,
    "CitedMemory": CountedMemoryResponse,
    "CitedNode": CountedNodeResponse,
    "FinishedRun": FinishedResponse,
    "Proposal": ProposalResponse,
    "Space": SpaceResponse,
    "SpaceCounts": CountsResponse,
    "ErasureCheck": ErasureCheckResponse,
    "Erasure": ErasureResponse,
    "CountedSpace": OneSpaceResponse,
    "ErasureActor": ErasureActorResponse,
    "WorkspaceErasure": WorkspaceErasureResponse,
    "UndoCount": UndoCountResponse,
    "UndoRow": UndoRowResponse,
    "Undo": UndoResponse,
    "UndoLine": UndoLineResponse,
    "Purged": PurgedResponse,
    "Conversation": ConversationResponse,
    "EndedConversation": EndedResponse,
    "AddedMessages": AddedResponse,
    "Message": MessageResponse,
    "MessageHit": MessageHitResponse,
    "PlanStep": PlanStepResponse,
    "Plan": PlanResponse,
    "Iteration": IterationResponse,
    "TaskSummary": TaskResponse,
    "Briefing": BriefingResponse,
    "Episode": EpisodeResponse,
    "Observations": ObservationsResponse,
    "RawMessages": RawResponse,
    "Window": WindowResponse,
    "ContextItem": ItemResponse,
    "ContextBlock": BlockResponse,
    "Dropped": DroppedResponse,
    "Context": ContextResponse,
    "UserMemory": UserMemoryResponse,
    "Captured": CapturedResponse,
    "StoredAction": ActionResponse,
    "EventActor": LiveActorResponse,
    "Event": EventResponse,
    "RecentEvents": EventsResponse,
    "Switched": ToggledResponse,
    "WorkspaceSettings": SettingsResponse,
    "Import": ImportResponse,
    "ItemResult": LineResultResponse,
    "Consolidation": ConsolidatedResponse,
    "Passage": PassageResponse,
    "Node": NodeResponse,
    "Edge": EdgeResponse,
    "NodeType": TypeResponse,
    "NodeActor": ActorResponse,
    "NodeChange": ChangeResponse,
    "NodeHit": NodeHitResponse,
    "Neighbour": NeighbourResponse,
    "Neighbourhood": NeighbourhoodResponse,
    "AtDistance": AtDistanceResponse,
    "OfType": OfTypeResponse,
    "Impact": ImpactResponse,
    "NodePath": WayResponse,
    "FoundPath": PathResponse,
    "ConnectionRemoval": RemovalResponse,
    "Connection": ConnectionResponse,
    "MergeCandidate": CandidateResponse,
    "Merge": MergeResponse,
    "ClaimSource": CitedResponse,
    "AnsweredNode": CitedNodeResponse,
    "Claim": ClaimResponse,
    "ModelUsage": UsageResponse,
    "AnswerStep": StepResponse,
    "OntologyAnswer": AnswerResponse,
    "LearntNode": LearntNodeResponse,
    "LearntEdge": LearntEdgeResponse,
    "LeftOutName": LeftOutResponse,
    "LearntText": UpdateResponse,
    "PromptResult": PromptedResponse,
    "PatternEffect": EffectResponse,
    "Pattern": PatternResponse,
    "EvaluatedPatterns": EvaluatedResponse,
    "ChangedPatterns": ChangedPatternsResponse,
    "PatternWarnings": InjectedResponse,
    "ActionSequence": SequenceResponse,
    "ActionSequenceDetail": SequenceWithActionsResponse,
    "Metric": MetricResponse,
    "MetricPoint": PointResponse,
    "MetricTrial": PointsResponse,
    "Benchmark": BenchmarkResponse,
    "ReceiptRow": ReceiptRow,
    "Receipt": ReceiptResponse,
    "Rerun": RerunResponse,
    "MissingItem": MissingItemResponse,
    "Reproduction": ReproductionResponse,
    "Layer": LayerResponse,
    "Turn": TurnResponse,
    "ReviewItem": ReviewItemResponse,
    "Verdict": VerdictResponse,
    "KeyMaker": KeyMakerResponse,
    "ApiKey": ApiKeyResponse,
    "NewApiKey": NewApiKeyResponse,
    "NewWorkspace": NewWorkspaceResponse,
    "Member": MemberResponse,
    "ModelProvider": ProviderResponse,
    "ProviderTrial": TrialResponse,
    "ModelChoice": ChoiceResponse,
    "ModelBudget": BudgetResponse,
    "PromptRun": PromptRunResponse,
}


@dataclass(frozen=True)
class ModelModule:
    """Models that have a module of their own; `borrowed` are those of `models.py` that they are made of."""

    subject: str
    words: str
    borrowed: str = ""

    @property
    def names(self) -> list[str]:
        """The names of its models, in order."""
        return self.words.split()


MODULES = {
    "space_models.py": ModelModule(
        "spaces and erasures",
        "Space SpaceCounts Erasure CountedSpace ErasureActor ErasureCheck WorkspaceErasure",
    ),
    "plan_models.py": ModelModule("plans and iteration logs", "PlanStep Plan Iteration TaskSummary Briefing"),
    "window_models.py": ModelModule(
        "windows of conversations",
        "Observations RawMessages Window Passage Consolidation",
        borrowed="Episode, Message",
    ),
    "event_models.py": ModelModule("live events", "EventActor Event RecentEvents"),
    "undo_models.py": ModelModule("undos", "UndoCount UndoRow Undo UndoLine"),
    "node_models.py": ModelModule(
        "nodes, edges and what lies between them",
        "Node Edge NodeType NodeActor NodeChange NodeHit Neighbour Neighbourhood AtDistance OfType Impact "
        "NodePath FoundPath ConnectionRemoval Connection MergeCandidate Merge",
        borrowed="Arm",
    ),
    "answer_models.py": ModelModule(
        "questions to the ontology",
        "ClaimSource AnsweredNode Claim ModelUsage AnswerStep OntologyAnswer LearntNode LearntEdge "
        "LeftOutName LearntText PromptResult",
        borrowed="Edge, Node",
    ),
    "telemetry_models.py": ModelModule(
        "patterns, sequences and metrics",
        "PatternEffect Pattern EvaluatedPatterns ChangedPatterns PatternWarnings ActionSequence ActionSequenceDetail "
        "Metric MetricPoint MetricTrial Benchmark",
        borrowed="Outcome, StoredAction",
    ),
    "receipt_models.py": ModelModule(
        "receipts of contexts",
        "ReceiptRow Receipt Rerun MissingItem Reproduction",
        borrowed="Context, Run",
    ),
    "chat_models.py": ModelModule("turns of a chat", "Layer Turn", borrowed="CitedMemory, CitedNode, Message, Run"),
    "review_models.py": ModelModule("the review queue", "ReviewItem Verdict"),
    "admin_models.py": ModelModule(
        "keys, members and models",
        "KeyMaker ApiKey NewApiKey NewWorkspace Member ModelProvider ProviderTrial ModelChoice ModelBudget PromptRun",
        borrowed="Workspace",
    ),
}
ELSEWHERE = frozenset(name for module in MODULES.values() for name in module.names)
# What else a model is than an answer, with what it can do by that.
EXTENDS = {
    "CountedSpace": "Space",
    "StoredMemory": "Citable",
    "EndedConversation": "Conversation",
    "StoredMemoryDetail": "StoredMemory",
    "Impact": "Neighbourhood",
    "ActionSequenceDetail": "ActionSequence",
    "Receipt": "ReceiptRow",
    "NewApiKey": "ApiKey",
    "NewWorkspace": "Workspace",
}
REPORTS: dict[str, type[RequestSchema]] = {"Action": ActionInput}
PAGED = frozenset(PageQuery.model_fields)
# What callers name as keyword arguments, without what a method asks for by itself.
ARGUMENTS: dict[str, tuple[type[RequestSchema], frozenset[str]]] = {
    "MemoryFields": (MemoryInput, frozenset({"content"})),
    "MemoryChanges": (MemoryEditInput, frozenset()),
    "Filters": (MemoryFilters, frozenset()),
    "ActionFilters": (ActionsQuery, PAGED),
    "EventFilters": (EventsQuery, frozenset({"after", "limit"})),
    "MessageFields": (MessageInput, frozenset({"role", "content"})),
    "IterationFields": (IterationInput, frozenset({"action"})),
    "ContextFields": (ContextInput, frozenset({"query"})),
    "NodeFields": (NodeInput, frozenset({"type", "name"})),
    "NodeChanges": (NodeEditInput, frozenset()),
    # A name of the query string that may stand there several times is not for keyword arguments; searches take them.
    "NodeListFilters": (NodesQuery, PAGED | {"property"}),
    "NodeFilters": (NodeFilters, frozenset()),
    "EdgeFields": (EdgeInput, frozenset({"type", "source", "target"})),
    "EdgeChanges": (EdgeEditInput, frozenset()),
    "EdgeFilters": (EdgesQuery, PAGED | {"property"}),
    "PatternFilters": (PatternsQuery, PAGED),
    "SequenceFilters": (SequencesQuery, PAGED),
    "MetricFields": (MetricInput, frozenset({"name", "aggregation", "dry_run"})),
    "MetricChanges": (MetricChangeInput, frozenset()),
    "ReceiptFilters": (ReceiptsQuery, PAGED),
    "RerunFields": (RerunInput, frozenset()),
    "DecisionFields": (DecideInput, frozenset({"kind", "verdict"})),
    "KeyFields": (KeyInput, frozenset({"name", "scopes"})),
    "ProviderFields": (ProviderInput, frozenset({"name", "kind"})),
}
