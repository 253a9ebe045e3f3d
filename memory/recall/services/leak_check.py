"""Proving on a running installation that what must never be recalled is not: each case, through each way of recall."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db import transaction

from conversations.messages.services.message_log import NewMessage, append_messages
from conversations.models import MessageRole
from conversations.search.services.message_search import search_messages
from core.clock import utc_now
from core.ids import new_id
from llm.embedding.services.backlog import embed_pending
from memory.episodes.services.conversation_deletion import delete_conversation
from memory.memories.services.lifecycle import apply_transition
from memory.memories.services.memory_search import search_memories
from memory.memories.services.memory_writer import NewMemory, remember
from memory.memories.transitions import Verb
from memory.models import Source
from memory.recall.layers.base import ContextRequest
from memory.recall.services.context import assemble_context
from ontology.models import Node
from ontology.search.services.node_embeddings import NODE_VECTORS
from workspaces.access.callers import RIGHTS_OF_ROLE, ActorKind, Caller
from workspaces.access.scope import workspace_scope
from workspaces.accounts.services.workspace_create import found_workspace
from workspaces.models import User
from workspaces.settings.services import change_settings

SUBJECT = "The lighthouse keeper drinks smoky tea"
QUERY = "Which tea does the lighthouse keeper drink?"
BUDGET = 200  # tokens; the memory that is too long for it has some thousand
RECALLABLE, OVER_BUDGET = "recallable", "over budget"
MODES = ("hybrid", "keyword", "semantic")


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One case: what was planted, in which ways of recall it appeared, and in which of them that is wrong."""

    name: str
    seen_in: Sequence[str]
    wrong_in: Sequence[str]

    @property
    def is_passed(self) -> bool:
        return not self.wrong_in


def run_exclusion_cases() -> list[CaseResult]:
    """Plant every case into two workspaces made for it, look for each, and roll everything back.

    Nothing of it is ever committed, and no task hears of it. A memory that may be recalled is planted as well: a
    search that finds nothing at all would prove nothing.
    """
    with transaction.atomic():
        results = _results()
        transaction.set_rollback(True)
    return results


def _results() -> list[CaseResult]:
    owner = User.objects.create_user(f"{new_id()}@exclusion.invalid", name="Exclusion check")
    here, elsewhere = (_create_workspace(owner, name) for name in ("Exclusion check", "Exclusion check, next door"))
    for name, plant in PLANTS.items():
        plant(elsewhere if name == "of another workspace" else here, _text(name))
    for caller in (here, elsewhere):
        embed_pending(NODE_VECTORS, workspace_id=caller.workspace_id, most=100)
    seen = _recall_everywhere(here)
    return [_judge_case(name, seen) for name in PLANTS]


def _judge_case(name: str, recalled: Mapping[str, str]) -> CaseResult:
    seen = [way for way, text in recalled.items() if _text(name) in text]
    if name == RECALLABLE:
        return CaseResult(name, seen, [way for way in recalled if way not in seen])
    # Search finds what is too long for a context.
    return CaseResult(name, seen, [way for way in seen if name != OVER_BUDGET or way == "context"])


def _recall_everywhere(caller: Caller) -> dict[str, str]:
    """Return everything that each way of recall brings, as one text."""
    found = {
        f"search, {mode}": "\n".join(
            hit.memory.content for hit in search_memories(caller=caller, query=QUERY, mode=mode, limit=200).hits
        )
        for mode in MODES
    }
    found["context"] = assemble_context(caller=caller, wanted=ContextRequest(QUERY, token_budget=BUDGET)).assembled.text
    said = search_messages(caller=caller, query=QUERY, limit=200)
    found["message search"] = "\n".join(hit.message.content for hit in said.hits)
    return found


def _create_workspace(owner: User, name: str) -> Caller:
    workspace = found_workspace(owner=owner, name=name)
    return Caller(workspace.id, ActorKind.USER, str(owner.id), str(owner), RIGHTS_OF_ROLE["owner"])


def _text(name: str) -> str:
    return f"{SUBJECT}, case {name}."


def _remember(caller: Caller, text: str) -> UUID:
    identity: UUID = remember(caller=caller, new=NewMemory(text)).memory.pk
    return identity


def _plant_suppressed(caller: Caller, text: str) -> None:
    apply_transition(caller=caller, memory_id=_remember(caller, text), verb=Verb.SUPPRESS, reason="exclusion check")


def _plant_forgotten(caller: Caller, text: str) -> None:
    apply_transition(caller=caller, memory_id=_remember(caller, text), verb=Verb.FORGET)


def _plant_pending(caller: Caller, text: str) -> None:
    change_settings(caller=caller, memory={"review": {"rules": [{"source": Source.IMPORT}]}})
    remember(caller=caller, new=NewMemory(text, source=Source.IMPORT))


def _plant_outdated(field: str) -> Callable[[Caller, str], None]:
    """Return what plants a memory that was written like any other and ended yesterday, by this field."""

    def plant(caller: Caller, text: str) -> None:
        identity = _remember(caller, text)
        with workspace_scope(caller):
            Node.objects.filter(id=identity).update(**{field: utc_now() - timedelta(days=1)})

    return plant


def _plant_too_long(caller: Caller, text: str) -> None:
    _remember(caller, f"{text} {'And so on and so forth. ' * 200}")


def _plant_deleted_message(caller: Caller, text: str) -> None:
    append_messages(caller=caller, conversation="gone", messages=[NewMessage(MessageRole.USER, text)])
    delete_conversation(caller=caller, conversation="gone")


def _plant_foreign(caller: Caller, text: str) -> None:
    _remember(caller, text)
    append_messages(caller=caller, conversation="next door", messages=[NewMessage(MessageRole.USER, text)])


def _plant_recallable(caller: Caller, text: str) -> None:
    _remember(caller, text)
    append_messages(caller=caller, conversation="here", messages=[NewMessage(MessageRole.USER, text)])


PLANTS: dict[str, Callable[[Caller, str], None]] = {
    RECALLABLE: _plant_recallable,
    "suppressed": _plant_suppressed,
    "forgotten": _plant_forgotten,
    "pending review": _plant_pending,
    "superseded": _plant_outdated("valid_to"),
    "expired": _plant_outdated("expires_at"),
    OVER_BUDGET: _plant_too_long,
    "message of a deleted conversation": _plant_deleted_message,
    "of another workspace": _plant_foreign,
}
