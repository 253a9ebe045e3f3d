"""Layer of what was said before and bears on the query, in whatever conversation the call reads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any
from uuid import UUID

from conversations.messages.selectors import newest_message_ids
from conversations.models import Conversation, Message, MessageRole
from conversations.search.ranking_weights import SIGNAL_WORDS
from conversations.search.services.message_search import COMPANION, RankedMessage, UnreadMessage, search_messages
from core.clock import microseconds
from core.english.replies import only_asks
from core.english.standing_instructions import Guidance
from memory.citations.selectors import quoting_answers, withheld_answers
from memory.memories.sources.selectors import messages_to_hide
from memory.recall.budget import Item
from memory.recall.exchanges import ASKED, Hit, Said, pair_exchanges, short_question
from memory.recall.later_changes import CHANGED_SINCE
from memory.recall.layers.base import KeptItem, Layer, Lines, Recall
from memory.recall.layers.changed_messages import CHANGE, add_changes
from memory.recall.previous_conversation import (
    OF_PREVIOUS,
    PreviousConversation,
    characters_of_each,
    worth_of_place,
)
from memory.recall.prompt_format import (
    MENTION_CHARACTERS,
    MESSAGE_CHARACTERS,
    message_lines,
    question_lines,
    speaker_name,
)
from memory.recall.provenance import Provenance, SourceClass, message_provenance
from memory.recall.quotation import Quotation
from memory.recall.selection import comparable
from workspaces.access.callers import Caller

MESSAGES_HEADING = "Said earlier, in passages:"
# Messages of a session that are this many places apart, or fewer, belong to one passage.
PASSAGE_GAP = 2
BESIDE = "said next to what was found"
GUIDANCE = frozenset(Guidance)
WHOLE = Quotation()
PREVIOUS = "previous"


class MessagesLayer(Layer):
    """Passages of what was said, less the messages that the caller has anyway.

    A message is a record of its day, which its line names: one that says what is no longer true stays. An answer that
    cites a memory which was suppressed or forgotten since does not, nor a message from which a suppressed memory was
    drawn, or that says it again: the words of the memory would come back by it.
    """

    name = "messages"
    heading = MESSAGES_HEADING

    def gather(self, recall: Recall) -> Sequence[Item]:
        where, home = recall.settings.recall_messages, recall.conversation
        if where == "off" or (where == "conversation" and home is None):
            return []
        recall.vector()  # made before the transaction begins

        def read() -> Sequence[Item]:
            with recall.scope():
                if recall.previous:
                    return _previous_items(recall, recall.previous)
                found, unread = _search(recall)
            characters = MENTION_CHARACTERS if recall.shape.is_of_topic else MESSAGE_CHARACTERS
            quotation = Quotation.of_query(recall.query, characters=characters)
            confidences = [*(said.hit.confidence for said in found), *(each.confidence for each in unread)]
            least = recall.floor.least(confidences)
            return message_items(found, quotation, unread=unread, least=least, tokens=recall.budget)

        return recall.run(self.name, read)

    def rewrite(self, reader: Caller, kept: Sequence[KeptItem]) -> Sequence[Iterable[Lines]]:
        messages = Message.objects.of(reader).select_related("conversation").in_bulk([item.id for item in kept])
        found = {str(identity): message for identity, message in messages.items()}
        return [[_write_lines(found[item.id], **item.parts)] if item.id in found else () for item in kept]


def _search(recall: Recall) -> tuple[list[Said], list[UnreadMessage]]:
    """Return what bears on the query, less what the caller has; and what hardly does. For the open scope."""
    where, home = recall.settings.recall_messages, recall.conversation
    wanted, until = recall.max_texts, recall.request.moments.until
    recent = recall.settings.recent_messages if home else 0
    known = newest_message_ids(recall.caller, home, recent) if home else frozenset()
    result = search_messages(
        caller=recall.caller,
        query=recall.request.query,
        limit=wanted,
        place=recall.place if where == "conversation" else replace(recall.place, conversation=None),
        embedding=recall.embedding,
        for_context=True,
        unread_below=recall.settings.min_confidence,
        without=known,
    )
    hits, unread = list(result.hits), list(result.unread)
    if until is not None:
        last = microseconds(until)
        hits = [hit for hit in hits if hit.message.created_at <= until]
        unread = [each for each in unread if each.said <= last]
    hits, unread = add_changes(recall, hits, unread)
    return _read_neighbours(recall, hits, unread, known)


def _previous_items(recall: Recall, previous: PreviousConversation) -> list[Item]:
    """Return the messages of the conversation before this one, less what the caller has and answers that quote what
    agents are not given any more. For the open scope."""
    home = recall.conversation
    known = newest_message_ids(recall.caller, home, recall.settings.recent_messages) if home else frozenset()
    taken = known | _withheld(recall, previous.messages)
    messages = [message for message in previous.messages if message.id not in taken]
    hits = [
        RankedMessage(message, 0.0, [PREVIOUS], worth_of_place(place, len(messages)), place=place)
        for place, message in enumerate(messages, start=1)
    ]
    characters = characters_of_each(len(messages), tokens=recall.budget)
    return message_items([Said(hit) for hit in hits], Quotation(characters))


def _read_neighbours(
    recall: Recall, hits: Sequence[RankedMessage], unread: list[UnreadMessage], known: Collection[UUID]
) -> tuple[list[Said], list[UnreadMessage]]:
    """Return hits with the neighbours that they are read with, less what the caller has, and those of the `unread` that
    are not among these. For the open scope."""
    until, least = recall.request.moments.until, recall.settings.min_confidence

    def read(ids: Collection[UUID]) -> Mapping[UUID, Message]:
        messages = Message.objects.of(recall.caller).in_bulk([each for each in ids if each not in known])
        return {each: said for each, said in messages.items() if until is None or said.created_at <= until}

    paired = pair_exchanges(hits, unread, least=least, read=read)
    read_now = {said.id for said in paired[len(hits) :]}
    withheld = _find_withheld(recall, paired, least=least) | _find_quotes(paired)
    found = _without_withheld(paired, withheld) if withheld else paired
    if read_now or withheld:
        unread = [each for each in unread if each.id not in read_now and each.id not in withheld]
    return _name_conversations(recall.caller, found, least=least), unread


def _name_conversations(caller: Caller, found: list[Said], *, least: float) -> list[Said]:
    """Return what was found, with the keys of its conversations where two of these may have speakers of one name."""
    unclear = conversations_of_namesakes([each.hit.message for each in found if each.hit.confidence >= least])
    if not unclear:
        return found
    keys = dict(Conversation.objects.of(caller).filter(id__in=unclear).values_list("id", "key"))
    return [
        replace(each, conversation=keys.get(each.hit.message.conversation_id, ""))
        if each.hit.confidence >= least
        else each
        for each in found
    ]


def _withheld(recall: Recall, messages: Sequence[Message]) -> set[UUID]:
    """Return those of the messages, by their ids, that would bring back what agents are not given any more."""
    hidden = messages_to_hide(recall.caller, messages, unsaid=recall.unsaid)
    return withheld_answers(recall.caller, messages) | hidden


def _find_withheld(recall: Recall, found: Sequence[Said], *, least: float) -> set[UUID]:
    """Return, of what was found and of the questions that it answers, answers that quote memories which agents are not
    given any more, and messages from which a suppressed memory was drawn, or that say it again."""
    read = [each.hit.message for each in found if each.hit.confidence >= least]
    return _withheld(recall, [*read, *(each.question.message for each in found if each.question)])


def _find_quotes(found: Sequence[Said]) -> set[UUID]:
    """Return, of what was found, answers that quote what is found itself, and what does nothing but ask for them."""
    quotes = quoting_answers(each.hit.message for each in found)
    asked = (each for each in found if each.hit.after in quotes and only_asks(each.hit.message.content))
    return quotes | {each.id for each in asked}


def _without_withheld(found: Sequence[Said], withheld: Collection[UUID]) -> list[Said]:
    stays = [each for each in found if each.id not in withheld]
    return [
        replace(each, question=None) if each.question and each.question.message.id in withheld else each
        for each in stays
    ]


def conversations_of_namesakes(messages: Sequence[Message]) -> set[UUID]:
    """Return the conversations of these messages, where two of them may have different speakers of one name.

    A name that speaks among the same other users everywhere is taken to be one person's.
    """
    speakers: defaultdict[UUID, set[str]] = defaultdict(set)
    for message in messages:
        if message.role == MessageRole.USER and (name := speaker_name(message)):
            speakers[message.conversation_id].add(name.casefold())
    company: defaultdict[str, set[frozenset[str]]] = defaultdict(set)
    for names in speakers.values():
        for name in names:
            company[name].add(frozenset(names))
    is_unclear = any(len(groups) > 1 for groups in company.values())
    return {message.conversation_id for message in messages} if is_unclear else set()


def message_items(
    found: Sequence[Said],
    quotation: Quotation = WHOLE,
    *,
    unread: Sequence[UnreadMessage] = (),
    least: float = 0.0,
    tokens: int | None = None,
) -> list[Item]:
    """Return the messages in passages, these in the order of time.

    Those below `least` confidence, of which there are many, have no text: they are left out. Neither have those that
    cannot find room in `tokens`, since better ones take it.
    """
    unwritten = frozenset() if tokens is None else quotation.beyond_room(found, least, tokens)
    written = {said.id for said in found if said.hit.confidence >= least and said.id not in unwritten}
    passages = sorted(_passages([*unread, *found]), key=lambda passage: (passage[0].said, passage[0].id))
    return [item for passage in passages for item in _items(passage, quotation, least, written)]


def _passages(found: Sequence[Said | UnreadMessage]) -> Iterator[list[Said | UnreadMessage]]:
    unique = {each.id: each for each in found}.values()
    in_order = sorted(unique, key=attrgetter("session", "place"))
    passage: list[Said | UnreadMessage] = []
    for each in in_order:
        if passage and (each.session != passage[-1].session or each.place - passage[-1].place > PASSAGE_GAP):
            yield passage
            passage = []
        passage.append(each)
    if passage:
        yield passage


def _items(
    passage: Sequence[Said | UnreadMessage], quotation: Quotation, least: float, written: Collection[UUID]
) -> Iterator[Item]:
    read = [each for each in passage if isinstance(each, Said) and each.hit.confidence >= least]
    messages = [*(said.hit.message for said in read), *(said.question.message for said in read if said.question)]
    is_of_one = len({str(_provenance(message)) for message in messages}) == 1
    name = str(passage[0].id)
    placed = {"is_of_one": is_of_one, "is_named": any(said.conversation for said in read)}
    for each in passage:
        if isinstance(each, UnreadMessage):
            yield _bare_item(str(each.id), each)
        elif each.id not in written:
            yield _bare_item(str(each.id), each.hit)
        else:
            yield _full_item(each, quotation, placed, passage=name)


def _bare_item(identity: str, hit: Hit) -> Item:
    return Item(identity, "", _reason(hit.reasons), hit.confidence, confidence=hit.confidence)


def _full_item(said: Said, quotation: Quotation, placed: Mapping[str, Any], *, passage: str) -> Item:
    hit, question, is_of_one = said.hit, said.question, bool(placed["is_of_one"])
    asked = None
    if question:
        by, conversation = _provenance(question.message), said.conversation
        lines = question_lines(question.message, question.text, by, is_of_one=is_of_one, conversation=conversation)
        asked = _item(
            question.message,
            lines,
            ASKED,
            question.confidence,
            place=hit.place - 1,
            passage=passage,
            parts={**placed, "is_question": True},
        )
    parts, by = quotation.describe(hit.message), _provenance(hit.message)
    lines = message_lines(hit.message, by, is_of_one=is_of_one, conversation=said.conversation, **parts)
    return _item(
        hit.message,
        lines,
        _reason(hit.reasons),
        hit.confidence,
        place=hit.place,
        passage=passage,
        asked=asked,
        is_guidance=_is_guidance(hit.reasons),
        parts={**placed, **parts},
    )


def _write_lines(
    message: Message,
    *,
    is_of_one: bool,
    is_named: bool,
    is_question: bool = False,
    **quoted: Any,
) -> Lines:
    """Return a message as it was read, from the parts that its receipt keeps."""
    by, conversation = _provenance(message), message.conversation.key if is_named else ""
    if is_question:
        asked = short_question(message)
        return question_lines(message, asked, by, is_of_one=is_of_one, conversation=conversation)
    return message_lines(message, by, is_of_one=is_of_one, conversation=conversation, **quoted)


def _item(
    message: Message,
    lines: tuple[str, str],
    reason: str,
    confidence: float,
    *,
    place: int,
    passage: str,
    parts: Mapping[str, Any],
    asked: Item | None = None,
    is_guidance: bool = False,
) -> Item:
    opening, line = lines
    return Item(
        str(message.id),
        line,
        reason,
        confidence,
        source=SourceClass.MESSAGE,
        author=speaker_name(message) or message.role,
        confidence=confidence,
        opening=opening,
        passage=passage,
        words=comparable(message.content[:MESSAGE_CHARACTERS]),
        provenance=str(_provenance(message)),
        day=f"{message.created_at:%Y-%m-%d}",
        place=place,
        asked=asked,
        is_guidance=is_guidance,
        parts=parts,
    )


def _provenance(message: Message) -> Provenance:
    return message_provenance(appended_by=message.appended_by, appended_by_kind=message.appended_by_kind)


def _is_guidance(reasons: Sequence[str]) -> bool:
    return bool(reasons) and reasons[0] in GUIDANCE


def _reason(reasons: Sequence[str]) -> str:
    if list(reasons) == [PREVIOUS]:
        return OF_PREVIOUS
    if list(reasons) == [CHANGE]:
        return CHANGED_SINCE
    if list(reasons) == [COMPANION]:
        return BESIDE
    if _is_guidance(reasons):
        return f"{reasons[0]} that may apply"
    return f"found by {' and '.join(SIGNAL_WORDS[reason] for reason in reasons[:2])}"
