"""Layer of what tends to go wrong with things of the types that the context holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from uuid import UUID

from memory.models import Kind
from memory.recall.budget import PROMISED, Assembled, Block, Item
from memory.recall.guard import run_layer
from memory.recall.layers.base import KeptItem, Layer, Lines, Recall, present_lines
from memory.recall.layers.nodes import NodesLayer
from memory.recall.provenance import SourceClass
from telemetry.actions.services.capture import caller_session
from telemetry.models import Pattern
from telemetry.patterns.services.warning_injection import (
    HEADING,
    HELD_OUT_SHARE,
    choose_patterns,
    note_injection,
    pattern_line,
)
from workspaces.access.callers import Caller


class PatternsLayer(Layer):
    """Patterns of the types of the other nodes. Nothing while memory is off; `settle_warning` may hold them out."""

    name = "patterns"
    heading = HEADING
    asks_hits = True

    def gather(self, recall: Recall) -> Sequence[Item]:
        nodes = [*recall.prefetched[NodesLayer.name], *(hit.node for hit in recall.hits)]
        types = {node.type for node in nodes} - set(Kind.values)

        def choose() -> Sequence[Pattern]:
            with recall.scope():
                return choose_patterns(caller=recall.caller, node_types=types)

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
            for pattern in (recall.run(self.name, choose) if types else ())
        ]

    def rewrite(self, reader: Caller, kept: Sequence[KeptItem]) -> Sequence[Iterable[Lines]]:
        patterns = Pattern.objects.of(reader).filter(pk__in=[item.id for item in kept])
        return present_lines(kept, {str(each.pk): ("", pattern_line(each)) for each in patterns})


def settle_warning(recall: Recall, fill: Callable[[Sequence[Block]], Assembled], blocks: Sequence[Block]) -> Assembled:
    """Return the filled blocks, in which patterns are only as they were kept for measuring what warnings are worth.

    What the budget leaves out warns of nothing. Held out at random are those that would have been read.
    """
    filled = fill(blocks)
    read = [UUID(item.id) for block in filled.blocks if block.name == PatternsLayer.name for item in block.items]
    if not read:
        return filled
    is_held_out = recall.request.draw < HELD_OUT_SHARE

    def note() -> int:
        # Under which session what follows will be found.
        session = str(recall.conversation) if recall.conversation else caller_session(recall.caller)
        return note_injection(caller=recall.caller, pattern_ids=read, session=session, is_held_out=is_held_out)

    if run_layer(PatternsLayer.name, note) is None:
        recall.leave_out(PatternsLayer.name)
    elif not is_held_out:
        return filled
    return fill([block for block in blocks if block.name != PatternsLayer.name])
