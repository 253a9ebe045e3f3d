"""What the memory templates show: rows with the verbs that their reader may use, tabs, filter chips, a history."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.http import QueryDict
from django.urls import reverse

from core.clock import utc_now
from core.http.form_fields import TextFormField
from core.text import excerpt
from memory.memories.facets import MAX_COUNTED, Census, Facets, Hidden, census
from memory.memories.forms import ALWAYS_NOW, EditForm, MemoryListQuery, View, parse_list_query
from memory.memories.schemas import MemoryHitResponse, MemoryResponse
from memory.memories.selectors import FactsBudget
from memory.memories.services.lifecycle import statement_hash
from memory.memories.services.memory_search import RankedMemory
from memory.memories.space_counts import ListedSpace
from memory.memories.transitions import TRANSITIONS, Verb, needs_facts_right
from memory.memories.weights import recall_gain
from memory.models import Kind, Memory, MemoryRevision, Proposal, Source
from workspaces.access.callers import Right
from workspaces.access.selectors import ConsoleContext
from workspaces.access.spaces import SHARED
from workspaces.http.console_lists import Filters, chip_groups
from workspaces.http.space_links import PARAMETER
from workspaces.models import SpaceKind

TAB_LABELS = {
    View.PINNED: "Pinned",
    View.FACTS: "Facts",
    View.SUGGESTIONS: "Suggestions",
    View.SEARCH: "All",
    View.REVIEW: "Bin",
    View.STALE: "Stale",
}
SOURCE_LABELS = {
    Source.USER: "By people",
    Source.AGENT: "By agents",
    Source.EXTRACTION: "Extracted",
    Source.IMPORT: "Imported",
}
OTHER_STEPS = {
    "remember": "Remembered",
    "edit": "Edited",
    "weigh": "Weighed",
    "propose": "Proposed",
    "accept": "Accepted from another space",
    "supersede": "Replaced",
    "open": "Current again",
    "merge": "Said again in other words",
    "repeat": "Said again",
}
WITHOUT_ICON = {Verb.UNPIN, Verb.UNSUPPRESS, Verb.CLOSE, Verb.REOPEN}
ICONS = {
    "unpin": "pin",
    "unsuppress": "restore",
    "remember": "add",
    "weigh": "switch",
    "propose": "review",
    "accept": "check",
    "supersede": "switch",
    "open": "restore",
    "merge": "check",
    "repeat": "check",
    "close": "suppress",
    "reopen": "restore",
    **{str(verb): str(verb) for verb in Verb if verb not in WITHOUT_ICON},
}
# Labels of what a revision keeps. A pin or a suppression speaks for itself.
OWN_LABELS = {
    "content": "Before:",
    "tags": "Tags before:",
    "importance": "Importance before:",
    "confidence": "Confidence before:",
    "valid_from": "Valid from before:",
    "valid_to": "Valid until before:",
    "expires_at": "Expired before:",
    "manual_weight": "Weight by hand before:",
    "author": "Written before by",
    "reason": "Reason:",
    "suppressed_reason": "It had been suppressed:",
    "space": "To",
    "superseded_by": "By",
    "merged": "In these words:",
}
# Texts of a memory other than its content and its tags, with their labels in the form.
TEXTS = {
    name: str(field.label or name.replace("_", " ").capitalize())
    for name, field in EditForm.base_fields.items()
    if isinstance(field, TextFormField) and name not in {"content", "tags"}
}
BEFORE_LABELS = {**{name: f"{label} before:" for name, label in TEXTS.items()}, **OWN_LABELS}
TIMES = ("created_at", "updated_at", "last_referenced_at", "valid_from", "valid_to", "expires_at")
SPACE_KINDS = {
    SpaceKind.SHARED: "Shared",
    SpaceKind.USER: "User",
    SpaceKind.AGENT: "Agent",
    SpaceKind.CUSTOM: "Custom",
}
MAX_CHARACTERS_OF_BEFORE = 600
NO_MOMENT: Mapping[str, str] = {}
MAX_CHARACTERS_OF_TAG = 24
MAX_CHARACTERS_OF_LINK = 90
FEW = 10


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """One memory as `parts/memory_row.html` shows it."""

    memory: Mapping[str, Any]
    urls: Mapping[str, str]
    hit: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class RevisionLine:
    """One revision as `parts/timeline_row.html` shows it."""

    title: str
    text: str
    icon: str
    revision: MemoryRevision


def build_row(seat: ConsoleContext, memory: Memory, hit: RankedMemory | None = None) -> MemoryRow:
    """Return a memory with the addresses of what this person may do to it."""
    detail = detail_url(seat, memory)
    urls = {"detail": detail, **{str(verb): f"{detail}/{verb}" for verb in _open_verbs(seat, memory)}}
    if seat.caller.may(Right.WRITE) and not memory.node.is_deleted:
        urls |= {"edit": f"{detail}/edit", "weigh": f"{detail}/weigh", "revert": f"{detail}/revert"}
        if _is_proposable(memory):
            urls["propose"] = f"{detail}/propose"
    fields = _visible_fields(memory) | {"seen": statement_hash(memory)}
    return MemoryRow(fields, urls, MemoryHitResponse.of(hit).as_json() if hit else None)


def build_rows(seat: ConsoleContext, memories: Iterable[Memory]) -> list[MemoryRow]:
    return [build_row(seat, memory) for memory in memories]


def detail_url(seat: ConsoleContext, memory: Memory) -> str:
    return reverse("memory-detail", args=[seat.workspace.slug, memory.pk])


def list_url(seat: ConsoleContext, view: View, **parameters: str) -> str:
    address = QueryDict(mutable=True)
    address.update({"view": view, **parameters})
    return f"{reverse('memory', args=[seat.workspace.slug])}?{address.urlencode()}"


def tabs(
    seat: ConsoleContext, current: View, counts: Census, moment: Mapping[str, str] = NO_MOMENT
) -> list[dict[str, Any]]:
    """Return the lists, each with how many memories it has now; those of another moment say no numbers."""
    numbers = {} if moment else _numbers(counts)
    return [
        {
            "label": label,
            "url": list_url(seat, view, **({} if view in ALWAYS_NOW else moment)),
            "current": view == current,
            "count": numbers.get(view),
            "most": MAX_COUNTED,
        }
        for view, label in TAB_LABELS.items()
    ]


def list_around_row(seat: ConsoleContext, address: str) -> dict[str, Any]:
    """Return what a row needs to know of the list that it stands in, at the `address` of the page: its tabs with their
    numbers, and how it shows times. Empty on other pages."""
    shown = urlsplit(address)
    if shown.path != reverse("memory", args=[seat.workspace.slug]):
        return {}
    look = parse_list_query(QueryDict(shown.query))
    counted = tabs(seat, look.view, census(seat.alone().caller))
    return {"tabs": counted, "selects": True, "by_day": not look.query}


def filter_chips(look: MemoryListQuery, counts: Census, offered: Facets) -> list[dict[str, Any]]:
    """Return the filters that make sense for a list; each chip is an address. A list that fits on a screen needs
    none."""
    if look.view == View.STALE or (_numbers(counts)[look.view] <= FEW and not look.filters.are_set):
        return []
    chip = look.filters.chip
    if look.view == View.REVIEW:
        chips = [
            chip("state", why.capitalize(), why, count=getattr(counts, why), most=MAX_COUNTED, alone=True)
            for why in Hidden
        ]
        return chip_groups([("Reason", chips)])
    groups = []
    if look.view == View.SEARCH:
        kinds = [("Facts", Kind.FACT), ("Memories", Kind.MEMORY)]
        groups.append(("Kind", [chip("kinds", label, kind, alone=True) for label, kind in kinds]))
    if look.view != View.PINNED:
        groups.append(("Pinned", [chip("pinned", "Pinned", "true", alone=True)]))
    sources = _merge_chosen(offered.sources, look.narrow.sources)
    if len(sources) > 1:
        groups.append(("Source", [chip("sources", SOURCE_LABELS[Source(name)], name) for name in sources]))
    # A comma would split the tag when the address is read.
    tags = [tag for tag in _merge_chosen(offered.tags, look.narrow.tags) if "," not in tag]
    groups.append(("Tags", [chip("tags", excerpt(tag, limit=MAX_CHARACTERS_OF_TAG), tag) for tag in tags]))
    return chip_groups(groups, folded={"Source", "Tags"})


@dataclass(frozen=True, slots=True)
class SpaceLine:
    """A space in the list of users and agents; `url` leads to its memories, `erase_url` to its erasure."""

    listed: ListedSpace
    title: str
    kind: str
    url: str
    erase_url: str = ""


def space_lines(seat: ConsoleContext, listed: Iterable[ListedSpace]) -> list[SpaceLine]:
    memory, erase = (reverse(name, args=[seat.workspace.slug]) for name in ("memory", "space-erase"))
    return [
        SpaceLine(
            one,
            one.person or one.space.title or (one.space.key or one.space.name),
            SPACE_KINDS[SpaceKind(one.space.kind)],
            f"{memory}?{urlencode({PARAMETER: one.space.name})}",
            "" if one.space.kind == SpaceKind.SHARED else f"{erase}?{urlencode({'name': one.space.name})}",
        )
        for one in listed
    ]


def space_chips(filters: Filters) -> list[dict[str, Any]]:
    kinds = [("Users", SpaceKind.USER), ("Agents", SpaceKind.AGENT), ("Custom", SpaceKind.CUSTOM)]
    return chip_groups([("Kind", [filters.chip("kind", label, kind, alone=True) for label, kind in kinds])])


def search_filters(look: MemoryListQuery) -> list[dict[str, str]]:
    """Return what a search from this list keeps: its filters, not the list, since a search goes through everything."""
    return [{"name": "view", "value": str(View.SEARCH)}, *look.filters.hidden_fields(without={"view", "q", "state"})]


def banners(seat: ConsoleContext, budget: FactsBudget) -> list[dict[str, str]]:
    """Return what a person should know about the whole workspace's memory."""
    if not budget.is_exceeded:
        return []
    text = (
        f"The facts take {budget.tokens:,} of {budget.budget:,} tokens. All of them are in every context, and nothing "
        "else fits next to them. Demote or shorten some, or have the budget raised."
    )
    url = reverse("settings-memory", args=[seat.workspace.slug])
    return [{"tone": "warning", "text": text, "url": url, "label": "See the budget"}]


def properties(memory: Memory) -> list[dict[str, Any]]:
    """Return what is known of a memory next to its text, as `parts/key_values.html` shows it."""
    node, by_hand = memory.node, memory.manual_weight
    gain = recall_gain(memory.independent_references)
    period = [("Valid from", node.valid_from), ("Valid until", node.valid_to), ("Expires", node.expires_at)]
    return [
        {"label": "Id", "id": memory.pk},
        *text_lines(memory),
        {"label": "Source", "value": f"{SOURCE_LABELS[Source(memory.source)]}: {memory.author}"},
        *(
            [{"label": "Copy of", "id": memory.origin_id, "help": f"in {memory.origin_space}"}]
            if memory.origin_id
            else []
        ),
        {
            "label": "Weight",
            "value": f"{memory.weight:.2f}",
            "help": f"{by_hand:.2f} by hand, {gain:.2f} from citations",
        },
        {
            "label": "Cited by",
            "value": _times(memory.times_referenced),
            "help": f"{_times(memory.independent_references)} by others than its author",
        },
        {"label": "Last cited", "at": node.last_referenced_at, "value": "Never"},
        {"label": "Importance", "value": f"{node.importance_score:.2f}"},
        {"label": "Confidence", "value": f"{memory.confidence:.2f}"},
        *({"label": label, "at": at} for label, at in period if at),
        *([{"label": "Replaced by", "id": memory.superseded_by_id}] if memory.superseded_by_id else []),
        {"label": "Created", "at": node.created_at},
        {"label": "Updated", "at": node.updated_at},
    ]


def text_lines(said: Memory | Proposal) -> list[dict[str, str]]:
    """Return the texts of a memory or a proposal other than its content and its tags, with their labels."""
    return [{"label": label, "value": text} for name, label in TEXTS.items() if (text := getattr(said, name))]


def memory_links(seat: ConsoleContext, memories: Iterable[Memory]) -> list[dict[str, str]]:
    """Return memories as links that show their beginning."""
    return [
        {"url": detail_url(seat, each), "text": excerpt(each.content, limit=MAX_CHARACTERS_OF_LINK)}
        for each in memories
    ]


def _numbers(counts: Census) -> dict[View, int]:
    return {
        View.PINNED: counts.pinned,
        View.FACTS: counts.facts,
        View.SUGGESTIONS: counts.suggestions,
        View.SEARCH: counts.live,
        View.REVIEW: counts.hidden,
        View.STALE: counts.stale,
    }


def step_line(revision: MemoryRevision, *, without: Collection[str] = ()) -> RevisionLine:
    """Return one step of a memory's history in words, with what it replaced, less the fields `without`."""
    action, before = revision.action, revision.before
    title = TRANSITIONS[Verb(action)].past if action in TRANSITIONS else OTHER_STEPS.get(action, action.capitalize())
    kept = [name for name in BEFORE_LABELS if name not in without and before.get(name) not in (None, "", [])]
    lines = [f"{BEFORE_LABELS[name]} {_as_text(before[name])}" for name in kept]
    if source := revision.source:
        lines.append(f"In the conversation {excerpt(source.conversation.key, limit=MAX_CHARACTERS_OF_LINK)}")
    return RevisionLine(title, "\n".join(lines), ICONS.get(action, action), revision)


def _times(number: int) -> str:
    return "1 run" if number == 1 else f"{number:,} runs"


def _as_text(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, float):
        return f"{value:.2f}"
    return excerpt(str(value), limit=MAX_CHARACTERS_OF_BEFORE)


def _open_verbs(seat: ConsoleContext, memory: Memory) -> list[Verb]:
    """Return what this person may do to a memory of this kind; whether the moment fits it is the template's
    question."""
    if not seat.caller.may(Right.WRITE):
        return []
    may_state_facts = seat.caller.may(Right.FACTS)
    is_pinned = memory.pinned_at is not None
    return [
        verb for verb in Verb if may_state_facts or not needs_facts_right(verb, kind=memory.kind, is_pinned=is_pinned)
    ]


def _is_proposable(memory: Memory) -> bool:
    """Return whether it could be offered to `shared`; the service looks at its times as well."""
    return memory.space_id != SHARED.id and memory.kind == Kind.MEMORY and not memory.is_suppressed


def _visible_fields(memory: Memory) -> dict[str, Any]:
    """Return the fields of the API, with times as times, and what only pages tell."""
    node = memory.node
    times = {name: getattr(node, name) for name in TIMES}
    return {
        **MemoryResponse.of(memory).as_json(),
        **times,
        "pinned_at": memory.pinned_at,
        "suppressed_at": node.suppressed_at,
        "superseded_at": memory.superseded_at,
        "expired": any(end is not None and end <= utc_now() for end in (node.expires_at, node.valid_to)),
        "pending_embedding": node.needs_embedding and not node.is_deleted,
    }


def _merge_chosen(offered: Sequence[str], chosen: Sequence[str]) -> list[str]:
    return [*offered, *(value for value in chosen if value not in offered)]
