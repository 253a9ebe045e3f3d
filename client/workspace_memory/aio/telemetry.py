"""What agents did, in sequences, what keeps going wrong, and how they fare."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from typing_extensions import Unpack

from workspace_memory.aio.transport import AsyncTransport
from workspace_memory.request_fields import MetricChanges, MetricFields, PatternFilters, SequenceFilters
from workspace_memory.telemetry_models import (
    ActionSequence,
    ActionSequenceDetail,
    Benchmark,
    ChangedPatterns,
    EvaluatedPatterns,
    Metric,
    MetricTrial,
    Pattern,
    PatternWarnings,
)
from workspace_memory.wire import asked, body_of, given, quoted


class AsyncPatterns:
    """What tends to go wrong, mined from actions; `memory.patterns`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(self, *, limit: int | None = None, **filters: Unpack[PatternFilters]) -> AsyncIterator[Pattern]:
        """Patterns, newest first; `status` is `promoted` or `retired`."""
        return self._transport.each(Pattern, "patterns", asked(**body_of({**filters})), limit)

    async def get(self, id: str) -> Pattern:
        """One pattern: how sure it is, what helps, and what its warnings changed."""
        return await self._transport.ask(Pattern, "GET", f"patterns/{quoted(id)}")

    async def inject(self, node_ids: Sequence[str], *, action_type: str = "", session: str = "") -> PatternWarnings:
        """What tends to go wrong with these nodes, before an agent touches them; held out one time in ten.

        `session` is the one under which the agent reports its actions.
        """
        body = {"node_ids": [*node_ids], "action_type": action_type, "session": session}
        return await self._transport.ask(PatternWarnings, "POST", "patterns/inject", body)

    async def evaluate(self) -> EvaluatedPatterns:
        """Look for patterns now, without waiting for the next quarter of an hour."""
        return await self._transport.ask(EvaluatedPatterns, "POST", "patterns/evaluate")

    async def annotate(self, id: str, *, annotation: str | None = None, suppressed: bool | None = None) -> Pattern:
        """Note something on a pattern, keep it from agents, or both; an empty note is taken away."""
        body = given(annotation=annotation, suppressed=suppressed)
        return await self._transport.ask(Pattern, "POST", f"patterns/{quoted(id)}/annotate", body)

    async def suppress(self, key_prefix: str) -> ChangedPatterns:
        """Keep every pattern whose key begins like this from agents."""
        return await self._transport.ask(ChangedPatterns, "POST", "patterns/suppress", {"key_prefix": key_prefix})

    async def unsuppress(self, key_prefix: str) -> ChangedPatterns:
        """Let agents be warned of every pattern whose key begins like this."""
        return await self._transport.ask(ChangedPatterns, "POST", "patterns/unsuppress", {"key_prefix": key_prefix})


class AsyncActionSequences:
    """Actions of one session that follow each other; `memory.sequences`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(self, *, limit: int | None = None, **filters: Unpack[SequenceFilters]) -> AsyncIterator[ActionSequence]:
        """Sequences, the latest beginning first."""
        return self._transport.each(ActionSequence, "sequences", asked(**body_of({**filters})), limit)

    async def get(self, id: str) -> ActionSequenceDetail:
        """One sequence with its actions in order, at most a thousand of them."""
        return await self._transport.ask(ActionSequenceDetail, "GET", f"sequences/{quoted(id)}")


class AsyncMetrics:
    """What is measured every night over the sequences of the workspace; `memory.metrics`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(self, *, limit: int | None = None) -> AsyncIterator[Metric]:
        """Metrics, the built-in ones first."""
        return self._transport.each(Metric, "metrics", {}, limit)

    async def create(self, name: str, aggregation: str, **fields: Unpack[MetricFields]) -> Metric:
        """Make a metric; `aggregation` is `rate`, `average` or `p95`."""
        body = body_of({"name": name, "aggregation": aggregation, **fields})
        return await self._transport.ask(Metric, "POST", "metrics", body)

    async def try_out(self, name: str, aggregation: str, **fields: Unpack[MetricFields]) -> MetricTrial:
        """What a metric would have said of the last days; it is not stored."""
        body = body_of({"name": name, "aggregation": aggregation, "dry_run": True, **fields})
        return await self._transport.ask(MetricTrial, "POST", "metrics", body)

    async def edit(self, id: str, **changes: Unpack[MetricChanges]) -> Metric:
        """Change what is named; with `back_fill` the past is measured again."""
        return await self._transport.ask(Metric, "PATCH", f"metrics/{quoted(id)}", body_of({**changes}))

    async def delete(self, id: str) -> None:
        """Delete it with all of its values."""
        await self._transport.remove(f"metrics/{quoted(id)}")

    async def benchmark(self, metric: str) -> Benchmark:
        """The values of a metric, named by its name or id: the newest 90 days, and where they are heading."""
        return await self._transport.ask(Benchmark, "GET", f"benchmarks/{quoted(metric)}")
