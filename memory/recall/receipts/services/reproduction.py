"""Writing the text of a receipt again, from the versions of what it names that are still kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import ConflictError
from memory.memories.sessions.selectors import with_named_session
from memory.models import ContextReceipt
from memory.recall.budget import write_block, write_text
from memory.recall.layers import LAYERS
from memory.recall.layers.base import KeptItem
from memory.recall.receipts.text_layout import KeptBlock, hash_text, read_layout
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope

# No version of the thing that is kept reads as it did.
CHANGED = "changed"


class NotReproducibleError(ConflictError):
    """The receipt does not say how its text was written."""

    code = "not_reproducible"
    title = (
        "This receipt was made before receipts kept how their text was written, or was imported. It cannot be "
        "reproduced; run it again instead."
    )


@dataclass(frozen=True, slots=True)
class MissingItem:
    """A line that cannot be written as it was: its thing was `erased` or `deleted`, or has `changed` without keeping
    how it read."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Reproduction:
    """A text that was written again, the digest of the text that was given, and what could not be written."""

    text: str
    text_sha256: str
    missing: Sequence[MissingItem]

    @property
    def is_identical(self) -> bool:
        return hash_text(self.text) == self.text_sha256


def reproduce_context(*, caller: Caller, receipt: ContextReceipt) -> Reproduction:
    """Return the text of a context as it was given, whatever was edited, pinned, forgotten or set since.

    A line is written only where a version of its thing is kept that reads as it did; any other is left out and named
    as missing. It does not need a text that was kept. Raises MissingScopeError without `read`, NotReproducibleError
    for a receipt of before.
    """
    caller.require(Right.READ)
    if not receipt.text_sha256:
        raise NotReproducibleError()
    reader = with_named_session(caller, receipt.conversation)
    blocks, missing = [], []
    with workspace_scope(reader):
        for kept in read_layout(receipt.layout, [str(item["id"]) for item in receipt.chosen]):
            lines, lost = _write_lines(reader, kept)
            blocks.append(write_block(kept.heading, lines))
            missing += lost
    return Reproduction(write_text(blocks), receipt.text_sha256, missing)


def _write_lines(reader: Caller, block: KeptBlock) -> tuple[list[str], list[MissingItem]]:
    layer = next((layer for layer in LAYERS if layer.name == block.name), None)
    if layer is None:  # it was taken out of the product
        return [], [MissingItem(line.id, CHANGED) for line in block.lines]
    found = layer.rewrite(reader, [KeptItem(line.id, line.parts) for line in block.lines])
    lines, missing = [], []
    for kept, versions in zip(block.lines, map(list, found), strict=True):
        written = kept.find_version(versions)
        if written is None:
            missing.append(MissingItem(kept.id, CHANGED if versions else layer.gone))
        else:
            lines.append(written)
    return lines, missing
