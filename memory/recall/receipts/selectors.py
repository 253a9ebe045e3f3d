"""Reading receipts as lists, and what belongs to each: the run that followed it, its question, its memories' origin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce

from conversations.models import Conversation, Message, MessageRole
from core.clock import utc_now
from core.ids import parse_id
from memory.models import ContextReceipt, MemorySource, Run, RunStatus
from memory.recall.receipts.query_digest import hash_query
from workspaces.access.callers import Caller
from workspaces.access.scope import reading_scope

# A run belongs to the contexts of its conversation that were made so long before its end.
MAX_RUN = timedelta(hours=1)
# What is looked for by its contents is looked for in this many of the newest receipts of a space.
SEARCHED_RECEIPTS = 5_000
MAX_OF_A_MEMORY, MAX_OF_A_RUN, MAX_BEHIND_ANSWERS = 500, 50, 500
# A question is looked for among this many messages before its context, of whom asked it.
SEARCHED_MESSAGES = 20
# The questions of a list of contexts are looked for among this many messages of their conversations.
SEARCHED_FOR_A_LIST = 100
LIST_COLUMNS = ("text", "chosen", "dropped", "asked", "layout")


@dataclass(frozen=True, slots=True)
class ReceiptFilter:
    """What a list of receipts is narrowed to: those that hold a memory, message, node or the like (`item`), those of a
    conversation, by its key or id, and those of an agent, by the name of its key, app or person."""

    item: UUID | None = None
    conversation: str = ""
    agent: str = ""


@dataclass(frozen=True, slots=True)
class ContextsOfMemory:
    """In how many of the newest contexts a memory was, how their runs ended, and the newest of them.

    Each run counts once, whatever number of contexts it had. `is_more` says that there may be older ones.
    """

    number: int
    outcomes: Mapping[str, int]
    newest: Sequence[ContextReceipt]
    runs: Mapping[UUID, Run]
    is_more: bool


@dataclass(frozen=True, slots=True)
class ContextNames:
    """What people know contexts of a list by: their questions, by context, and the names of their conversations, by the
    address that was given."""

    questions: Mapping[UUID, str]
    conversations: Mapping[str, str]


def workspace_receipts(caller: Caller, narrow: ReceiptFilter) -> QuerySet[ContextReceipt]:
    """Return the receipts that the caller may see, newest first, in an open scope; without what they chose and dropped.

    By what they hold and by agent the newest 5,000 are looked through.
    """
    found = _visible(caller)
    if narrow.conversation:
        found = found.filter(conversation__in=_conversation_names(caller, narrow.conversation))
    if narrow.item or narrow.agent:
        found = found.filter(id__gte=_floor(found))
    if narrow.item:
        found = found.filter(chosen_ids__contains=[narrow.item])
    if narrow.agent:
        found = found.filter(actor_label=narrow.agent)
    return found.defer(*LIST_COLUMNS).order_by("-id")


def recent_agents(caller: Caller, *, limit: int) -> list[str]:
    """Return who asked for the newest contexts, in an open scope, the most frequent first."""
    newest = _visible(caller).order_by("-id").values_list("actor_label", flat=True)[:200]
    return [label for label, _ in Counter(each for each in newest if each).most_common(limit)]


def find_next_runs(caller: Caller, receipts: Sequence[ContextReceipt]) -> dict[UUID, Run]:
    """Return the run that followed each receipt, in an open scope: the next one to end in its conversation and space
    within an hour, or one that is still running."""
    asked = [each for each in receipts if each.conversation]
    if not asked:
        return {}
    keys = _keys(caller, {each.conversation for each in asked})
    names = {name for address in keys for name in (address, *keys[address])}
    first, last = min(each.created_at for each in asked), max(each.created_at for each in asked)
    ended = Q(finished_at__gte=first, finished_at__lte=last + MAX_RUN)
    running = Q(status=RunStatus.RUNNING, started_at__gte=first - MAX_RUN, started_at__lte=last + MAX_RUN)
    runs = list(
        Run.objects.of(caller)
        .filter(ended | running, conversation__in=names)
        .order_by(Coalesce("finished_at", "started_at"), "id")
    )
    return {each.id: run for each in asked if (run := _next_run(each, runs, keys[each.conversation]))}


def receipts_of_run(caller: Caller, run: Run) -> list[ContextReceipt]:
    """Return the contexts that a run was given, in an open scope, the oldest first."""
    if not run.conversation:
        return []
    until = run.finished_at or utc_now()
    names = _conversation_names(caller, run.conversation)
    since = until - MAX_RUN if run.finished_at else run.started_at - MAX_RUN
    near = _visible(caller).filter(conversation__in=names, space_id=run.space_id)
    found = list(near.filter(created_at__gte=since, created_at__lte=until).order_by("-id")[:MAX_OF_A_RUN])
    followed = find_next_runs(caller, found)
    return [each for each in reversed(found) if each.id in followed and followed[each.id].id == run.id]


def contexts_of_memory(caller: Caller, memory_id: UUID, *, limit: int) -> ContextsOfMemory:
    """Return in which contexts a memory was and how the runs ended that had them."""
    with reading_scope(caller):
        found = list(workspace_receipts(caller, ReceiptFilter(item=memory_id))[: MAX_OF_A_MEMORY + 1])
        followed = find_next_runs(caller, found[:MAX_OF_A_MEMORY])
    outcomes = Counter(run.status for run in {run.id: run for run in followed.values()}.values())
    return ContextsOfMemory(
        min(len(found), MAX_OF_A_MEMORY), outcomes, found[:limit], followed, is_more=len(found) > MAX_OF_A_MEMORY
    )


def receipts_behind_answers(
    caller: Caller, conversation: Conversation, messages: Sequence[Message]
) -> dict[UUID, UUID]:
    """Return for answers of a conversation the newest context that was made for it in the hour before, by message."""
    answers = [each for each in messages if each.role == MessageRole.ASSISTANT]
    if not answers:
        return {}
    first, last = min(each.created_at for each in answers), max(each.created_at for each in answers)
    with reading_scope(caller):
        near = _visible(caller).filter(conversation__in=[conversation.key, str(conversation.id)])
        near = near.filter(created_at__gte=first - MAX_RUN, created_at__lte=last).order_by("-created_at")
        made = list(near.values_list("created_at", "id")[:MAX_BEHIND_ANSWERS])
    behind = {}
    for each in answers:
        newest = next((found for found in made if found[0] <= each.created_at), None)
        if newest and each.created_at - newest[0] <= MAX_RUN:
            behind[each.id] = newest[1]
    return behind


def find_question(caller: Caller, receipt: ContextReceipt) -> str:
    """Return the question of a context: as it was kept, or the message of its conversation that has its digest."""
    if receipt.question or not receipt.conversation:
        return str(receipt.question)
    with reading_scope(caller):
        conversation = _find_conversation(caller, receipt.conversation)
        if conversation is None:
            return ""
        said = Message.objects.of(caller).filter(conversation=conversation, created_at__lte=receipt.created_at)
        texts = said.order_by("-created_at", "-id").values_list("content", flat=True)[:SEARCHED_MESSAGES]
        return next((text for text in texts if hash_query(text) == receipt.query_sha256), "")


def name_contexts(caller: Caller, receipts: Sequence[ContextReceipt]) -> ContextNames:
    """Return the questions of contexts and the names of their conversations, as far as either is known; in two
    statements, whatever their number."""
    known = _find_conversations(caller, {each.conversation for each in receipts if each.conversation})
    names = {address: found[0].title or found[0].key for address, found in known.items()}
    questions = {each.id: str(each.question) for each in receipts if each.question}
    asking = [each for each in receipts if each.id not in questions and each.conversation in known]
    if asking:
        conversations = {one.id for each in asking for one in known[each.conversation]}
        said = _recent_questions(caller, conversations, asking)
        questions |= {each.id: said[each.query_sha256] for each in asking if each.query_sha256 in said}
    return ContextNames(questions, names)


def most_certain_items(caller: Caller, receipts: Sequence[ContextReceipt]) -> dict[UUID, str]:
    """Return the id of the item of each context that bears on its question most certainly; none of an empty one."""
    with reading_scope(caller):
        found = ContextReceipt.objects.of(caller).filter(id__in=[each.id for each in receipts])
        chosen = dict(found.values_list("id", "chosen"))
    return {
        receipt: max(items, key=lambda item: item.get("confidence") or 0.0)["id"]
        for receipt, items in chosen.items()
        if items
    }


def name_conversations(caller: Caller, addresses: Collection[str]) -> dict[str, str]:
    """Return the names of conversations, by the key or the id that was given; unknown ones are left out."""
    return {
        address: found[0].title or found[0].key for address, found in _find_conversations(caller, addresses).items()
    }


def newest_sources(caller: Caller, memory_ids: Collection[UUID]) -> dict[UUID, MemorySource]:
    """Return the newest message that said each memory, with its conversation."""
    with reading_scope(caller):
        found = MemorySource.objects.of(caller).filter(memory_id__in=memory_ids).select_related("conversation")
        return {each.memory_id: each for each in found.order_by("said_at", "id")}


def _visible(caller: Caller) -> QuerySet[ContextReceipt]:
    """Return the receipts of what the caller reads; not those of calls that read more spaces than it does."""
    found: QuerySet[ContextReceipt] = ContextReceipt.objects.of(caller)
    return found if caller.reach.every else found.filter(read_spaces__contained_by=list(caller.reach.read))


def _floor(found: QuerySet[ContextReceipt]) -> UUID:
    place = found.order_by("-id").values_list("id", flat=True)[SEARCHED_RECEIPTS : SEARCHED_RECEIPTS + 1]
    return next(iter(place), UUID(int=0))


def _find_conversation(caller: Caller, address: str) -> Conversation | None:
    identity = parse_id(address)
    named = Q(key=address) | Q(id=identity) if identity else Q(key=address)
    found: Conversation | None = Conversation.objects.of(caller).filter(named).first()
    return found


def _conversation_names(caller: Caller, address: str) -> list[str]:
    conversation = _find_conversation(caller, address)
    return [conversation.key, str(conversation.id)] if conversation else [address]


def _keys(caller: Caller, addresses: Collection[str]) -> dict[str, frozenset[str]]:
    """Return for each address of a conversation all of its names: its key and its id."""
    ids = {identity for address in addresses if (identity := parse_id(address))}
    known = Conversation.objects.of(caller).filter(Q(key__in=addresses) | Q(id__in=ids)).values_list("key", "id")
    names = {name: frozenset({key, str(identity)}) for key, identity in known for name in (key, str(identity))}
    return {address: names.get(address, frozenset({address})) for address in addresses}


def _find_conversations(caller: Caller, addresses: Collection[str]) -> dict[str, list[Conversation]]:
    """Return the conversations that each key or id may mean."""
    if not addresses:
        return {}
    ids = {identity for address in addresses if (identity := parse_id(address))}
    with reading_scope(caller):
        known = Conversation.objects.of(caller).filter(Q(key__in=addresses) | Q(id__in=ids))
        found = list(known.only("id", "key", "title"))
    meant: dict[str, list[Conversation]] = {}
    for each in found:
        for address in {each.key, str(each.id)} & set(addresses):
            meant.setdefault(address, []).append(each)
    return meant


def _recent_questions(
    caller: Caller, conversations: Collection[UUID], receipts: Sequence[ContextReceipt]
) -> dict[str, str]:
    """Return what users said in the conversations around the times of the contexts, by its digest."""
    times = [each.created_at for each in receipts]
    with reading_scope(caller):
        near = Message.objects.of(caller).filter(conversation_id__in=conversations, role=MessageRole.USER)
        near = near.filter(created_at__gte=min(times) - MAX_RUN, created_at__lte=max(times)).order_by("-created_at")
        texts = list(near.values_list("content", flat=True)[:SEARCHED_FOR_A_LIST])
    return {hash_query(text): text for text in texts}


def _next_run(receipt: ContextReceipt, runs: Sequence[Run], names: frozenset[str]) -> Run | None:
    near = [each for each in runs if each.space_id == receipt.space_id and each.conversation in names]
    ended = (each for each in near if each.finished_at and each.finished_at >= receipt.created_at)
    first = next(ended, None)
    if first and first.finished_at and first.finished_at - receipt.created_at <= MAX_RUN:
        return first
    is_near = (each for each in near if not each.finished_at and each.started_at <= receipt.created_at + MAX_RUN)
    return next((each for each in is_near if each.started_at >= receipt.created_at - MAX_RUN), None)
