"""Layer of what tends to go wrong with things of the types that the context holds."""

from __future__ import annotations

from collections.abc import Sequence

from memory.models import Kind
from memory.recall.budget import PROMISED, Item
from memory.recall.layers.base import Layer, Recall
from memory.recall.layers.nodes import NodesLayer
from memory.recall.provenance import SourceClass
from telemetry.actions.services.capture import caller_session
from telemetry.models import Pattern
from telemetry.patterns.services.warning_injection import HEADING, inject_patterns, pattern_line


class PatternsLayer(Layer):
    """Patterns of the types of the other nodes. Nothing while memory is off, or held out at random."""

    name = "patterns"
    heading = HEADING

    def gather(self, recall: Recall) -> Sequence[Item]:
        nodes = [*recall.prefetched[NodesLayer.name], *(hit.node for hit in recall.hits)]
        types = {node.type for node in nodes} - set(Kind.values)

        def inject() -> Sequence[Pattern]:
            with recall.own_scope():
                # Under which session what follows will be found.
                session = str(recall.conversation) if recall.conversation else caller_session(recall.caller)
                injected = inject_patterns(
                    caller=recall.caller, node_types=types, session=session, draw=recall.request.draw
                )
                return injected.patterns

        return [
            Item(
                str(pattern.id),
                pattern_line(pattern),
                "goes wrong with this type",
                pattern.confidence,
                source=SourceClass.TELEMETRY,
                author=pattern.annotated_by,
                tier=PROMISED,
            )
            for pattern in (recall.run(self.name, inject) if types else ())
        ]
