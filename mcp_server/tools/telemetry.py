"""Tools for what agents did: patterns and sequences, warnings before an action, metrics and benchmarks."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from conversations.search.schemas import Query
from core.errors import FieldProblem, InvalidError
from core.http.field_types import Id, WholeRange
from core.http.schemas import NOT_GIVEN
from mcp_server.arguments import omit
from mcp_server.registry import reads, removes, writes
from mcp_server.schemas import MetricsResponse, SimilarSequencesResponse, TelemetryResponse
from memory.recall.services.pattern_warnings import warn_about_nodes
from telemetry.actions.schemas import AgentLine, AnyShortName, NodeIds, NodeTypeLine, OutcomeName
from telemetry.metrics.schemas import BenchmarkResponse, MetricInput, MetricResponse
from telemetry.metrics.schemas import Name as MetricName
from telemetry.metrics.selectors import metric_history
from telemetry.metrics.services.metrics import create_metric, delete_metric, metric_named, workspace_metrics
from telemetry.patterns.schemas import AnnotationInput, InjectedResponse, PatternResponse
from telemetry.patterns.services.pattern_admin import annotate_pattern
from telemetry.patterns.services.telemetry_search import TelemetrySearch, search_telemetry
from telemetry.patterns.services.warning_injection import DICE
from telemetry.sequences.schemas import SequenceResponse
from telemetry.sequences.services.intent_search import similar_sequences
from workspaces.access.callers import Caller

Limit = Annotated[int, WholeRange(1, 200), Field(description="The maximum number of each.")]
Sought = Annotated[
    Literal["both", "patterns", "sequences"], Field(description="Patterns, sequences of actions, or both.")
]
ActionType = Annotated[AnyShortName, Field(description="What you are about to do, such as tool_call.")]
NodeType = Annotated[NodeTypeLine, Field(description="Only about nodes of this type.")]
ErrorCode = Annotated[AnyShortName, Field(description="Only with this error code.")]
Ending = Annotated[OutcomeName, Field(description="Only sequences that ended so; patterns are left out.")]
AgentName = Annotated[AgentLine, Field(description="Only sequences of this agent; patterns are left out.")]
TouchedNodes = Annotated[NodeIds, Field(min_length=1, description="The nodes you are about to touch.")]
PatternId = Annotated[Id, Field(description="The id of a pattern, as memory_search answers it.")]
MetricNameOrId = Annotated[MetricName, Field(description="The name or the id of a metric.")]


@reads("memory.search", "Search patterns and sequences", action=None)
def search(
    caller: Caller,
    *,
    kind: Sought = "both",
    action_type: ActionType = "",
    node_type: NodeType = "",
    error_code: ErrorCode = "",
    outcome: Ending = NOT_GIVEN,
    agent: AgentName = NOT_GIVEN,
    limit: Limit = 20,
) -> TelemetryResponse:
    """What agents did in this workspace and what keeps going wrong. For memories, use memory_recall."""
    given = {"action_type": action_type, "node_type": node_type, "error_code": error_code}
    narrow = {name: value for name, value in given.items() if value}
    of_sequences = {name: value for name, value in (("outcome", outcome), ("agent", agent)) if value}
    if of_sequences and kind == "patterns":
        sentence = "Patterns have no outcome and no agent; leave it out, or search for sequences."
        raise InvalidError(problems=tuple(FieldProblem(name, "not_of_patterns", sentence) for name in of_sequences))
    wanted = TelemetrySearch(
        patterns=None if kind == "sequences" or of_sequences else narrow,
        sequences=None if kind == "patterns" else {**narrow, **of_sequences},
        limit=limit,
    )
    found = search_telemetry(caller=caller, wanted=wanted)
    return TelemetryResponse(
        patterns=[PatternResponse.of(pattern) for pattern in found.patterns],
        sequences=[SequenceResponse.of(sequence) for sequence in found.sequences],
    )


@reads("memory.context", "Find similar work", action=None)
def context(caller: Caller, *, query: Query, limit: Limit = 20) -> SimilarSequencesResponse:
    """Earlier sequences of actions that were about something like this, the latest of each intent, and how they ended.
    Use it before a task that may have been tried. For what the workspace knows about a question, use
    context_assemble."""
    found = similar_sequences(caller=caller, query=query, limit=limit)
    return SimilarSequencesResponse.of(found)


@reads("memory.context_inject", "Be warned before an action", action=None)
def context_inject(caller: Caller, *, node_ids: TouchedNodes, action_type: ActionType = "") -> InjectedResponse:
    """What tends to go wrong with nodes like these, as a text of at most 400 tokens. Ask right before you act. One
    answer in ten is held out, so that the effect of the others can be measured."""
    warned = warn_about_nodes(caller=caller, node_ids=node_ids, draw=DICE.random(), action_type=action_type)
    return InjectedResponse.of(warned)


@writes("memory.annotate", "Annotate or suppress a pattern", is_idempotent=True, action=None)
def annotate(caller: Caller, *, pattern_id: PatternId, body: AnnotationInput) -> PatternResponse:
    """Note something on a pattern, or keep it from agents. Only when a person asked for it."""
    changed = annotate_pattern(
        caller=caller, pattern_id=pattern_id, annotation=body.annotation, suppressed=body.suppressed
    )
    return PatternResponse.of(changed)


@writes("memory.metric_create", "Define a metric", action=None)
def metric_create(caller: Caller, *, body: Annotated[MetricInput, omit("description", "dry_run")]) -> MetricResponse:
    """A number that is measured every night over sequences of actions. An error names the place in an expression."""
    made = create_metric(caller=caller, new=body.metric(), back_fill=body.back_fill)
    return MetricResponse.of(made)


@removes("memory.metric_delete", "Delete a metric", action=None)
def metric_delete(caller: Caller, *, name: MetricNameOrId) -> MetricResponse:
    """Delete a metric of this workspace's own and its values, for good. Only when a person asked for it."""
    return MetricResponse.of(delete_metric(caller=caller, address=name))


@reads("memory.metric_list", "List metrics", action=None)
def metric_list(caller: Caller) -> MetricsResponse:
    """The metrics of this workspace: three that are built in, and its own."""
    return MetricsResponse(results=[MetricResponse.of(metric) for metric in workspace_metrics(caller)])


@reads("memory.benchmark_get", "Read a benchmark", action=None)
def benchmark_get(caller: Caller, *, metric: MetricNameOrId) -> BenchmarkResponse:
    """The nightly values of a metric, the latest of them, and where it is heading."""
    found = metric_named(caller, metric)
    return BenchmarkResponse.of(metric_history(caller, found))
