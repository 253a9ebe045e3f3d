"""Layer of what is kept about the user whom the context is for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memory.recall.budget import PROMISED, Item
from memory.recall.layers.base import Layer, Recall
from memory.recall.prompt_format import profile_section
from memory.recall.provenance import profile_provenance
from memory.working_memory.profile_sections import filled_sections
from memory.working_memory.services.profiles import find_user_memory, user_of_call

PROFILE_HEADING = "What is known about this user:"


class ProfileLayer(Layer):
    """The profile of a user, section by section; a sub-agent is not given it."""

    name = "profile"
    heading = PROFILE_HEADING

    def prefetch(self, recall: Recall) -> Sequence[Any]:
        if recall.caller.is_sub_agent:
            recall.leave_out(self.name)
            return ()
        user = user_of_call(recall.caller, recall.request.user)
        return recall.run(self.name, lambda: _read_sections(recall, user)) if user else ()

    def gather(self, recall: Recall) -> Sequence[Item]:
        return recall.prefetched[self.name]


def _read_sections(recall: Recall, user: str) -> list[Item]:
    with recall.scope():
        known = find_user_memory(recall.caller, user)
    until = recall.request.moments.until
    if known is None or (until and known.updated_at and known.updated_at > until):
        return []  # what it said before is not kept
    by = profile_provenance(updated_by=known.updated_by, updated_by_kind=known.updated_by_kind)
    return [
        Item(
            f"{known.id}:{place}",
            profile_section(heading, text, by),
            "about the user",
            source=by.source,
            author=by.author,
            tier=PROMISED,
        )
        for place, (heading, text) in enumerate(filled_sections(known.content).items(), start=1)
    ]
