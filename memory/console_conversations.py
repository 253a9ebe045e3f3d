"""What the templates of conversations and receipts show: sessions, what can be done, blocks of recalled things."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import groupby
from typing import Any
from uuid import UUID

from django.urls import reverse

from conversations.models import Conversation, Message, Status
from memory.budget import OVER_BUDGET
from memory.histories import Recalled, Summed
from memory.models import ContextReceipt
from workspaces.callers import Right
from workspaces.selectors import Seat
from workspaces.switches import is_memory_enabled, memory_settings

MOST_CHARACTERS_OF_A_MESSAGE = 4_000
REASONS = {OVER_BUDGET: "No room in the token budget"}
BLOCKS = {"nodes": "Related things", "patterns": "What tends to go wrong", "profile": "About the user"}
GONE = Recalled("No longer there")


class Act(StrEnum):
    """What a person can do to a conversation, as it stands in the address."""

    CONSOLIDATE = "consolidate"
    END = "end"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What a person is asked before an act; `word` must be typed, where there is one."""

    act: Act
    url: str
    title: str
    text: str
    verb: str
    word: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One conversation of the list."""

    conversation: Conversation
    url: str
    summed: Summed


@dataclass(frozen=True, slots=True)
class Said:
    """One message as `conversations/_message.html` shows it; `receipt` says why its answer was what it was."""

    message: Message
    text: str
    is_cut: bool
    receipt: UUID | None


@dataclass(frozen=True, slots=True)
class Session:
    """Messages that belong together; `name` is '' unless their sender named the session."""

    name: str
    at: datetime
    said: Sequence[Said]


def detail_url(seat: Seat, conversation: Conversation) -> str:
    return reverse("conversation-detail", args=[seat.workspace.slug, conversation.id])


def lines_of(seat: Seat, conversations: Iterable[Conversation], sums: Mapping[UUID, Summed]) -> list[Line]:
    return [Line(one, detail_url(seat, one), sums.get(one.id, Summed())) for one in conversations]


def sessions_of(messages: Iterable[Message], *, whole: UUID | None = None) -> list[Session]:
    """Messages in the order of time, by session; only the message `whole` is shown beyond 4,000 characters."""
    sessions = []
    for label, group in groupby(messages, key=lambda message: message.session):
        said = [said_of(message, is_whole=message.id == whole) for message in group]
        sessions.append(Session("" if _is_moment(label) else label, said[0].message.created_at, said))
    return sessions


def said_of(message: Message, *, is_whole: bool = False) -> Said:
    is_cut = not is_whole and len(message.content) > MOST_CHARACTERS_OF_A_MESSAGE
    text = f"{message.content[:MOST_CHARACTERS_OF_A_MESSAGE]}…" if is_cut else message.content
    return Said(message, text, is_cut, _as_id(message.metadata.get("receipt")))


def confirmations(seat: Seat, conversation: Conversation) -> list[Confirmation]:
    """What this person may do to the conversation now, the most frequent first."""
    if not seat.caller.may(Right.WRITE):
        return []
    acts = [Act.DELETE] if conversation.status == Status.ENDED else [Act.END, Act.DELETE]
    if is_memory_enabled(seat.workspace):
        acts.insert(0, Act.CONSOLIDATE)
    return [confirmation(seat, conversation, act) for act in acts]


def confirmation(seat: Seat, conversation: Conversation, act: Act) -> Confirmation:
    url = f"{detail_url(seat, conversation)}/{act}"
    if act == Act.CONSOLIDATE:
        text = _what_consolidating_does(seat)
        return Confirmation(act, url, "Consolidate older messages?", text, "Consolidate")
    if act == Act.END:
        text = (
            "Its scratchpad is cleared, and facts and preferences are looked for in what was said. The history stays, "
            "and the next message opens it again."
        )
        return Confirmation(act, url, "End this conversation?", text, "End")
    text = (
        "Its messages, episodes and scratchpad are deleted for good. Memories that were made out of it stay; they are "
        "forgotten one by one."
    )
    return Confirmation(act, url, "Delete this conversation?", text, "Delete", word="delete")


def receipt_blocks(seat: Seat, receipt: ContextReceipt, things: Mapping[str, Recalled]) -> list[dict[str, Any]]:
    """What was in the context, as the arms of `parts/receipt.html`: a block each, in the order of the text."""
    blocks = []
    for name, group in groupby(receipt.chosen, key=lambda item: item["block"]):
        hits = [{"rank": place, "used": True, **_item(seat, item, things)} for place, item in enumerate(group, start=1)]
        blocks.append({"name": BLOCKS.get(name, name.capitalize()), "hits": hits})
    return blocks


def receipt_dropped(seat: Seat, receipt: ContextReceipt, things: Mapping[str, Recalled]) -> list[dict[str, Any]]:
    return [_item(seat, item, things) for item in receipt.dropped]


def receipt_pairs(seat: Seat, receipt: ContextReceipt, conversation: Conversation | None) -> list[dict[str, Any]]:
    """What is known of the whole context, as `parts/key_values.html` shows it."""
    methods = {"hybrid": "By words and meaning", "keyword": "By words only", "semantic": "By meaning only"}
    if conversation:
        where = {"value": conversation.title or conversation.key, "url": detail_url(seat, conversation)}
    else:
        where = {"value": "Deleted since" if receipt.conversation else "None"}
    return [
        {"label": "Id", "id": receipt.id},
        {"label": "Assembled", "at": receipt.created_at},
        {"label": "Conversation", **where},
        {"label": "Searched", "value": methods.get(receipt.method, "Not at all")},
        {"label": "Took", "value": f"{receipt.latency_ms:,.1f} ms"},
    ]


def _what_consolidating_does(seat: Seat) -> str:
    chosen = memory_settings(seat.workspace).consolidation
    kept = (
        f"The messages are kept until they are {chosen.message_retention_days:,} days old."
        if chosen.keep_sources
        else "The messages themselves are deleted."
    )
    return (
        f"Messages older than {chosen.max_age_days:,} days become summaries, called episodes, except for the "
        f"{chosen.retain_last:,} newest. {kept}"
    )


def _item(seat: Seat, item: Mapping[str, Any], things: Mapping[str, Recalled]) -> dict[str, Any]:
    thing = things.get(item["id"], GONE)
    reason = REASONS.get(item["reason"], item["reason"].capitalize())
    return {
        "text": " ".join(thing.text.split()),
        "kind": thing.memory_kind,
        "url": reverse(thing.page, args=[seat.workspace.slug, item["id"]]) if thing.page else "",
        "score": item["score"],
        "reason": f"{reason}. Forgotten since" if thing.is_forgotten else reason,
    }


def _is_moment(label: str) -> bool:
    try:
        datetime.fromisoformat(label)
    except ValueError:
        return False
    return True


def _as_id(value: object) -> UUID | None:
    try:
        return UUID(value) if isinstance(value, str) else None
    except ValueError:
        return None
