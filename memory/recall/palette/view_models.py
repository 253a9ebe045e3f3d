"""View models of the palette: entries in groups, at most twelve in all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode

from django.urls import reverse

from conversations.models import Conversation
from memory.episodes.conversations.view_models import detail_url as conversation_url
from memory.memories.view_models import detail_url as memory_url
from memory.models import Memory
from memory.recall.overview.selectors import AgentActivity
from memory.recall.overview.view_models import agent_url
from memory.recall.palette.commands import FIRST, PAGES, VERBS, Command, match_commands, share_out
from memory.recall.palette.selectors import FoundObjects
from ontology.models import Node
from ontology.nodes_and_edges.view_models import node_title, node_url
from workspaces.access.selectors import ConsoleContext, is_owner
from workspaces.settings.workspace_settings import is_memory_enabled

MAX_RESULTS = 12


@dataclass(frozen=True, slots=True)
class PaletteEntry:
    """One result: where it leads, or with `fields` the form that it sends there. `kind` is that of a memory."""

    label: str
    url: str
    icon: str = ""
    kind: str = ""
    detail: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PaletteGroup:
    """Results of one kind under their heading."""

    label: str
    entries: Sequence[PaletteEntry]


def build_groups(seat: ConsoleContext, query: str, found: FoundObjects) -> list[PaletteGroup]:
    """Return what fits the query, in groups; before one is typed the first verbs and what was used last."""
    verbs = _usable_commands(seat, VERBS)
    if query:
        verbs, pages = match_commands(verbs, query), match_commands(_usable_commands(seat, PAGES), query)
    else:
        verbs, pages = [each for each in verbs if each.label in FIRST], []
    latest = "" if query else "Latest "
    groups = [
        PaletteGroup("Do", [_command(seat, each) for each in verbs]),
        PaletteGroup("Go to", [_command(seat, each) for each in pages]),
        PaletteGroup(f"{latest}memories".capitalize(), [_memory(seat, each) for each in found.memories]),
        PaletteGroup("Things", [_thing(seat, each) for each in found.things]),
        PaletteGroup(
            f"{latest}conversations".capitalize(), [_conversation(seat, each) for each in found.conversations]
        ),
        PaletteGroup("Agents", [_agent(seat, each) for each in found.agents]),
    ]
    shown = share_out([len(group.entries) for group in groups], most=MAX_RESULTS - bool(query))
    cut = [PaletteGroup(group.label, group.entries[:most]) for group, most in zip(groups, shown, strict=True) if most]
    return [*cut, _asking(seat, query)] if query else cut


def count_entries(groups: Iterable[PaletteGroup]) -> int:
    return sum(len(group.entries) for group in groups)


def _usable_commands(seat: ConsoleContext, commands: Iterable[Command]) -> list[Command]:
    """Return the commands that this person may use now."""
    is_on, owns = is_memory_enabled(seat.workspace), is_owner(seat.caller)
    return [
        each
        for each in commands
        if seat.caller.may(each.right) and each.while_memory in (None, is_on) and (owns or not each.is_for_owners)
    ]


def _command(seat: ConsoleContext, command: Command) -> PaletteEntry:
    address = reverse(command.page, args=[seat.workspace.slug] if command.is_of_workspace else [])
    return PaletteEntry(command.label, f"{address}{command.query}", icon=command.icon, fields=command.fields)


def _asking(seat: ConsoleContext, query: str) -> PaletteGroup:
    address = f"{reverse('ask', args=[seat.workspace.slug])}?{urlencode({'question': query})}"
    return PaletteGroup("Ask", [PaletteEntry(f"Ask “{query}”", address, icon="chat")])


def _memory(seat: ConsoleContext, memory: Memory) -> PaletteEntry:
    return PaletteEntry(memory.content, memory_url(seat, memory), kind=memory.kind)


def _thing(seat: ConsoleContext, node: Node) -> PaletteEntry:
    return PaletteEntry(node_title(node), node_url(seat, node), icon="ontology", detail=node.type)


def _conversation(seat: ConsoleContext, conversation: Conversation) -> PaletteEntry:
    label = conversation.title or conversation.key
    return PaletteEntry(label, conversation_url(seat, conversation), icon="conversations")


def _agent(seat: ConsoleContext, agent: AgentActivity) -> PaletteEntry:
    return PaletteEntry(agent.name, agent_url(seat, agent.name), icon="agents")
