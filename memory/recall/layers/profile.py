"""Layer of what is kept about the user whom the context is for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from memory.models import UserMemory
from memory.recall.budget import PROMISED, Item
from memory.recall.layers.base import KeptItem, Layer, Lines, Recall, present_lines
from memory.recall.prompt_format import profile_section
from memory.recall.provenance import Provenance, profile_provenance
from memory.working_memory.profile_sections import filled_sections
from memory.working_memory.services.profiles import find_user_memory, user_of_call
from workspaces.access.callers import Caller

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

    def rewrite(self, reader: Caller, kept: Sequence[KeptItem]) -> Sequence[Iterable[Lines]]:
        profiles = UserMemory.objects.of(reader).filter(pk__in={item.id.partition(":")[0] for item in kept})
        sections = (section for profile in profiles for section in _section_lines(profile).items())
        return present_lines(kept, {identity: ("", line) for identity, line in sections})


def _read_sections(recall: Recall, user: str) -> list[Item]:
    with recall.scope():
        known = find_user_memory(recall.caller, user)
    until = recall.request.moments.until
    if known is None or (until and known.updated_at and known.updated_at > until):
        return []  # what it said before is not kept
    by = _provenance(known)
    return [
        Item(identity, line, "about the user", source=by.source, author=by.author, tier=PROMISED)
        for identity, line in _section_lines(known).items()
    ]


def _section_lines(known: UserMemory) -> Mapping[str, str]:
    """Return the sections of a profile as they are read, by its id and their places."""
    by = _provenance(known)
    return {
        f"{known.id}:{place}": profile_section(heading, text, by)
        for place, (heading, text) in enumerate(filled_sections(known.content).items(), start=1)
    }


def _provenance(known: UserMemory) -> Provenance:
    return profile_provenance(updated_by=known.updated_by, updated_by_kind=known.updated_by_kind)
