"""View models of Live: one line for each event, in the product's words, and the chips of its filters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.dateparse import parse_datetime

from telemetry.actions.outcomes import Outcome
from telemetry.live.layers import LAYERS
from telemetry.live.live_event import LiveEvent, StoredEvent
from workspaces.access.callers import ActorKind
from workspaces.access.selectors import ConsoleContext, workspace_members
from workspaces.http.console_lists import Filters, chip_groups

MAX_CHIPS = 8
VERB_LABELS = {"read": "Reads", "write": "Writes", "remove": "Removals"}
LAYER_LABELS = {name: name.replace("_", " ").capitalize() for name in LAYERS}
# The last word of an address or of a tool's name, in the past tense.
DONE = {
    "accept": "accepted",
    "annotate": "annotated",
    "append": "appended",
    "ask": "asked about",
    "assemble": "assembled",
    "close": "closed",
    "consolidate": "summarised",
    "context": "assembled",
    "create": "created",
    "decide": "decided about",
    "demote": "demoted",
    "edit": "edited",
    "end": "ended",
    "evaluate": "evaluated",
    "export": "exported",
    "finish": "finished",
    "forget": "forgot",
    "import": "imported",
    "inject": "was warned by",
    "keep-apart": "kept apart",
    "learn": "learned",
    "merge": "merged",
    "observe": "compressed",
    "pin": "pinned",
    "promote": "promoted",
    "propose": "proposed",
    "purge": "purged",
    "recall": "searched",
    "reject": "rejected",
    "remember": "remembered",
    "reopen": "reopened",
    "reproduce": "reproduced",
    "rerun": "reran",
    "restore": "restored",
    "revert": "reverted",
    "search": "searched",
    "suppress": "suppressed",
    "tag": "tagged",
    "undo": "undid",
    "unpin": "unpinned",
    "unsuppress": "allowed again",
    "untag": "untagged",
    "weigh": "weighed",
    "weight": "weighed",
    "withdraw": "withdrew",
}
# Creating things at the address of their list.
DONE_AT = {
    "POST memories": "remembered",
    "POST runs": "started",
    "POST actions": "reported",
    "POST proposals": "proposed",
    "POST conversations/{conversation}/messages": "appended",
    "chat.turn": "answered",
    "proxy.turn": "passed on",
}
BY_VERB = {"read": "read", "write": "wrote", "remove": "removed"}
BY_METHOD = {"PATCH": "edited", "PUT": "set", "DELETE": "removed"}
PLURALS = {"memory": "memories", "node": "things", "receipt": "contexts"}
SINGULARS = {"node": "thing", "receipt": "context"}
OF_LAYER = {
    "working_memory": "working memory",
    "chat": "a question",
    "workspace": "settings of the workspace",
    "transfer": "data of the workspace",
    "telemetry": "telemetry",
    "plans": "a plan",
}
# The pages of objects, by their type.
PAGES = {
    "memory": "memory-detail",
    "node": "ontology-node",
    "conversation": "conversation-detail",
    "receipt": "receipt",
    "pattern": "agent-pattern",
    "sequence": "agent-sequence",
}
MAX_LINKS = 2
ACTORS = {ActorKind.SYSTEM: "the server", ActorKind.STAFF: "staff", ActorKind.USER: "a person"}


@dataclass(frozen=True, slots=True)
class LiveLink:
    """An object of an event: a short id, and its page."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class EventLine:
    """One event as `live/_rows.html` shows it."""

    id: str
    at: datetime | None
    who: str
    who_url: str
    did: str
    what: str
    links: list[LiveLink]
    layer: str
    action: str
    took: str
    is_failed: bool
    badge: str


def event_lines(seat: ConsoleContext, events: Iterable[StoredEvent]) -> list[EventLine]:
    """Return the lines of events, the newest first; one look at the members names the people among them."""
    newest_first = list(events)[::-1]
    people: dict[str, str] = {}
    if any(one.event.actor.kind == ActorKind.USER for one in newest_first):
        people = {str(member.user_id): str(member.user) for member in workspace_members(seat.caller)}
        people[seat.caller.id] = "You"
    return [_line(seat, stored, people) for stored in newest_first]


def live_chips(narrow: Mapping[str, str], events: Iterable[StoredEvent]) -> list[dict[str, Any]]:
    """Return the chips of Live: verbs, failures, and the programs and layers of the events that are shown."""
    chip = Filters.single(narrow).chip
    seen = [stored.event for stored in events]
    names = _most_common((one.actor.name for one in seen if one.actor.name), narrow.get("actor", ""))
    layers = _most_common((one.layer for one in seen), narrow.get("layer", ""))
    outcomes = [(str(Outcome.FAILURE), "Failures"), (str(Outcome.DEAD_END), "Nothing found")]
    return chip_groups(
        [
            ("Verb", [chip("verb", label, name, alone=True) for name, label in VERB_LABELS.items()]),
            ("Outcome", [chip("outcome", label, name, alone=True) for name, label in outcomes]),
            ("Agent", [chip("actor", name, name, alone=True) for name in names]),
            ("Layer", [chip("layer", LAYER_LABELS[name], name, alone=True) for name in layers if name in LAYER_LABELS]),
        ]
    )


def describe(event: LiveEvent) -> tuple[str, str]:
    """Return what was done and to what: "searched", "12 memories"."""
    if event.door == "agent":
        return "called", event.action
    if event.action in DONE_AT:
        return DONE_AT[event.action], _what(event)
    method, _, path = event.action.rpartition(" ")
    word = path.rstrip("/").rpartition("/")[2].rpartition(".")[2]
    did = DONE.get(word) or BY_METHOD.get(method) or BY_VERB[event.verb]
    return did, _what(event)


def _line(seat: ConsoleContext, stored: StoredEvent, people: Mapping[str, str]) -> EventLine:
    event, slug = stored.event, seat.workspace.slug
    did, what = describe(event)
    is_failed = event.outcome == Outcome.FAILURE
    page = PAGES.get(event.type, "")
    links = [LiveLink(_short(one), reverse(page, args=[slug, one])) for one in event.ids[:MAX_LINKS]] if page else []
    name = event.actor.name or people.get(event.actor.id, "")
    is_agent = bool(event.actor.name) and event.actor.kind != ActorKind.SYSTEM
    return EventLine(
        id=stored.id,
        at=parse_datetime(event.at),
        who=name or ACTORS.get(ActorKind(event.actor.kind), "a program"),
        who_url=f"?{urlencode({'actor': event.actor.name})}" if is_agent else "",
        did=did,
        what=what,
        links=links,
        layer=LAYER_LABELS.get(event.layer, event.layer),
        action=event.action,
        took="" if event.milliseconds is None else _milliseconds(event.milliseconds),
        is_failed=is_failed,
        badge=event.error_code if is_failed else "nothing found" if event.outcome == Outcome.DEAD_END else "",
    )


def _what(event: LiveEvent) -> str:
    if not event.type:
        return OF_LAYER.get(event.layer, event.layer)
    number = event.count if event.count is not None else len(event.ids)
    one = SINGULARS.get(event.type, event.type)
    is_named = "_id}" in event.action
    if number == 1 or (not number and (is_named or event.verb != "read")):
        return f"a{'n' if one[0] in 'aeio' else ''} {one}"
    return f"{number:,} {PLURALS.get(event.type, one + 's')}" if number else PLURALS.get(event.type, one + "s")


def _most_common(values: Iterable[str], chosen: str) -> list[str]:
    found = [name for name, _ in Counter(values).most_common(MAX_CHIPS)]
    return found if not chosen or chosen in found else [chosen, *found]


def _short(identity: str) -> str:
    return identity[-8:]


def _milliseconds(value: float) -> str:
    return f"{value / 1000:.1f} s" if value >= 1_000 else f"{value:.0f} ms"
