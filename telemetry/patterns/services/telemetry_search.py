"""Search over patterns and sequences by filters: by what they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from telemetry.models import Pattern
from telemetry.models import Sequence as SequenceRow
from telemetry.patterns.selectors import ranked_patterns
from telemetry.sequences.selectors import workspace_sequences
from telemetry.sequences.services.intent_search import DEFAULT_LIMIT, require_limit
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope


@dataclass(frozen=True, slots=True)
class TelemetrySearch:
    """What to look for: both kinds unless one is named. The filters are those of `GET patterns` and `GET sequences`."""

    patterns: Mapping[str, Any] | None = field(default_factory=dict)
    sequences: Mapping[str, Any] | None = field(default_factory=dict)
    limit: int = DEFAULT_LIMIT


@dataclass(frozen=True, slots=True)
class TelemetryFound:
    """Patterns, the surest and commonest promoted ones first, and sequences, the latest first; `limit` of each."""

    patterns: Sequence[Pattern] = ()
    sequences: Sequence[SequenceRow] = ()


def search_telemetry(*, caller: Caller, wanted: TelemetrySearch) -> TelemetryFound:
    """Patterns and sequences of the workspace by filters. What is None in `wanted` is not looked for.

    Raises MissingScopeError without `read`, InvalidError for a limit outside 1 to 200.
    """
    caller.require(Right.READ)
    require_limit(wanted.limit)
    with workspace_scope(caller):
        patterns: Sequence[Pattern] = ()
        sequences: Sequence[SequenceRow] = ()
        if wanted.patterns is not None:
            patterns = list(ranked_patterns(caller, wanted.patterns)[: wanted.limit])
        if wanted.sequences is not None:
            sequences = list(workspace_sequences(caller, wanted.sequences)[: wanted.limit])
    return TelemetryFound(patterns, sequences)
