"""Console pages of the review: the queue with one item at a time, verdicts about one or several, and undoing."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from django.http import HttpResponse, QueryDict
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from core.errors import InvalidError, NotFoundError, ProductError
from memory.memories.proposals.selectors import access_proposal
from memory.memories.proposals.services import AlreadyDecidedError, withdraw_proposal
from memory.memories.review.forms import MAX_BULK, DecideForm, WordsForm
from memory.memories.review.item_kinds import (
    ASK,
    ItemKey,
    ItemKind,
    VerdictKind,
    parse_item,
    parse_seen_item,
)
from memory.memories.review.judgement import Judgement
from memory.memories.review.queue_answer import RefusedWords, render_review
from memory.memories.review.queue_place import QueuePlace, read_place
from memory.memories.review.selectors import find_entry
from memory.memories.review.services.decisions import decide_item, undo_verdict
from memory.memories.review.verdict_words import quote_subject, verdict_sentence
from memory.memories.review.view_models import verdict_words
from memory.memories.selectors import access_memory
from memory.models import ReviewVerdict
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.access.spaces import NamedSpaces
from workspaces.http.console import ConsoleRequest, console_page, show_refusal, show_success

GONE = "This was decided meanwhile, or has gone. The next one is here."


@require_safe
@console_page
def listing(request: ConsoleRequest) -> HttpResponse:
    """Render what waits for a person, one item at a time."""
    return render_review(request, read_place(request.GET))


@require_POST
@console_page
def decide(request: ConsoleRequest) -> HttpResponse:
    """Carry out one verdict, about one item or several."""
    request.seat.caller.require(Right.FACTS)
    form = DecideForm(request.POST)
    chosen = [parse_seen_item(text) for text in request.POST.getlist("item")[:MAX_BULK]]
    items = {item: seen for item, seen in chosen if item}
    if not form.is_valid() or not items:
        raise InvalidError("Choose a verdict, and at least one item of the queue.")
    given = form.cleaned_data
    place, verdict = read_place(request.POST), VerdictKind(given["verdict"])
    if len(items) > 1 or "bulk" in request.POST:
        return _decide_all(request, items, verdict, place)
    content = request.POST.get("content") if verdict == VerdictKind.EDIT else None
    [(item, seen)] = items.items()
    return _decide_one(request, item, Judgement(verdict, content, given["into"], given["seen"] or seen), place)


@require_POST
@console_page
def undo(request: ConsoleRequest) -> HttpResponse:
    """Take verdicts back, the last one first."""
    request.seat.caller.require(Right.FACTS)
    asked = _both(request)
    undone = [_undo_one(request, UUID(text)) for text in reversed(asked.getlist("verdict")[:MAX_BULK]) if _is_id(text)]
    if not undone:
        raise InvalidError("Name the verdicts to take back.")
    last, place = undone[-1], read_place(asked)
    item = ItemKey(ItemKind(last.kind), last.item_id)
    place = place.move(at=item, done=max(0, place.done - len(undone)))
    subject = quote_subject(_read_text(request.seat.caller.within(last.space_id), item))
    if len(undone) == 1:
        text = f"Undone. {subject[:1].upper()}{subject[1:]} waits again."
    else:
        text = f"Undone. {len(undone)} wait again."
    return show_success(
        request, text, fragment=lambda: render_review(request, place), back=place.url(request.seat.workspace.slug)
    )


@require_POST
@console_page
def accept(request: ConsoleRequest, proposal_id: UUID) -> HttpResponse:
    """Copy what was offered into the space, in other words if they were typed."""
    request.seat.caller.require(Right.FACTS)
    access_proposal(request.seat.caller, proposal_id)
    verdict = VerdictKind.EDIT if "content" in request.POST else VerdictKind.ACCEPT
    judgement = Judgement(verdict, request.POST.get("content"))
    return _decide_one(request, ItemKey(ItemKind.PROPOSAL, proposal_id), judgement, read_place(request.POST))


@require_POST
@console_page
def reject(request: ConsoleRequest, proposal_id: UUID) -> HttpResponse:
    """Keep what was offered out of the space."""
    request.seat.caller.require(Right.FACTS)
    access_proposal(request.seat.caller, proposal_id)
    item = ItemKey(ItemKind.PROPOSAL, proposal_id)
    return _decide_one(request, item, Judgement(VerdictKind.REJECT), read_place(request.POST))


@require_POST
@console_page
def withdraw(request: ConsoleRequest, proposal_id: UUID) -> HttpResponse:
    """Take back what a space of the person offered."""
    request.seat.caller.require(Right.WRITE)
    proposal, place = access_proposal(request.seat.caller, proposal_id), read_place(request.POST)
    caller = request.seat.caller.naming(NamedSpaces(space=proposal.origin_space))
    text = "Withdrawn. It stays in its own space, and can be proposed again."
    try:
        withdraw_proposal(caller=caller.reading([caller.reach.written, proposal.space_id]), proposal_id=proposal_id)
    except AlreadyDecidedError as error:
        text = error.detail
    return _answer(request, text, place)


def _decide_one(request: ConsoleRequest, item: ItemKey, judgement: Judgement, place: QueuePlace) -> HttpResponse:
    caller = _item_caller(request, item)
    words = WordsForm.of(item, "", {"content": judgement.content or ""})
    if judgement.verdict == VerdictKind.EDIT:
        if not words.is_valid():
            return render_review(request, place.move(at=item), RefusedWords(item, words), status=422)
        judgement = Judgement(judgement.verdict, words.cleaned_data["content"], judgement.into, judgement.seen)
    subject = judgement.content or _read_text(caller, item, judgement.verdict)
    try:
        verdict = decide_item(caller=caller, item=item, judgement=judgement)
    except AlreadyDecidedError as error:
        return _answer(request, error.detail, place)
    except NotFoundError:
        return _answer(request, GONE, place)
    except ProductError as error:
        if judgement.verdict != VerdictKind.EDIT:
            raise
        show_refusal(words, error)
        return render_review(request, place.move(at=item), RefusedWords(item, words), status=422)
    return _answer(request, _words(caller, verdict, subject), place.move(done=place.done + 1), [verdict])


def _decide_all(
    request: ConsoleRequest, items: Mapping[ItemKey, str], verdict: VerdictKind, place: QueuePlace
) -> HttpResponse:
    decided: list[ReviewVerdict] = []
    refused = ""
    for item, seen in items.items():
        judgement = Judgement(_fitting(item, verdict), seen=seen)
        try:
            decided.append(decide_item(caller=_item_caller(request, item), item=item, judgement=judgement))
        except ProductError as error:
            refused = error.detail
    text = f"{len(decided)} decided: {verdict_words(decided[0]).lower()}." if decided else "Nothing was decided."
    if refused:
        text += f" {len(items) - len(decided)} left as they are: {refused}"
    return _answer(request, text, place.move(done=place.done + len(decided)), decided)


def _fitting(item: ItemKey, verdict: VerdictKind) -> VerdictKind:
    """Return the verdict that the same key gives an item of this kind."""
    if item.kind != ItemKind.PROPOSAL:
        return verdict
    return {VerdictKind.FACT: VerdictKind.ACCEPT, VerdictKind.FORGET: VerdictKind.REJECT}.get(verdict, verdict)


def _undo_one(request: ConsoleRequest, verdict_id: UUID) -> ReviewVerdict:
    caller = request.seat.caller
    with workspace_scope(caller):
        known = ReviewVerdict.objects.of(caller).filter(pk=verdict_id).first()
    if known is None:
        raise NotFoundError()
    return undo_verdict(caller=caller.within(known.space_id), verdict_id=verdict_id)


def _item_caller(request: ConsoleRequest, item: ItemKey) -> Caller:
    """Return the person as the caller who writes into the space of an item."""
    caller = request.seat.caller
    if item.kind != ItemKind.PROPOSAL:
        return caller.alone()
    proposal = access_proposal(caller, item.id)
    return caller.naming(NamedSpaces(space=proposal.space)).within(proposal.space_id)


def _read_text(caller: Caller, item: ItemKey, verdict: VerdictKind | None = None) -> str:
    """Return what a waiting item says: of two that contradict each other, what the one says that the verdict is for."""
    entry = find_entry(caller, item)
    if entry is None:
        return ""
    if item.kind == ItemKind.CONTRADICTION and verdict == VerdictKind.OLDER:
        return str(entry.row.target.body)
    return entry.text


def _words(caller: Caller, verdict: ReviewVerdict, subject: str) -> str:
    done = verdict_sentence(verdict.verdict, subject)
    if verdict.verdict == ASK:
        return f"{done} It becomes one once a second person confirms it."
    if verdict.kind == ItemKind.PROPOSAL:
        return f"{done} {_proposal_words(caller, verdict)}"
    if verdict.verdict == VerdictKind.FORGET and verdict.before.get("is_rejected"):
        return f"{verdict_sentence(VerdictKind.REJECT, subject)} In an hour its fingerprint alone is left."
    return done


def _proposal_words(caller: Caller, verdict: ReviewVerdict) -> str:
    if verdict.verdict == VerdictKind.REJECT:
        return "It stays in its own space, and can be proposed again."
    decided = access_proposal(caller, verdict.item_id)
    if decided.memory_id and access_memory(caller, decided.memory_id).origin_id != decided.origin_id:
        return f"{decided.space.capitalize()} said the same already, so nothing was added."
    return f"Agents that read {decided.space} can recall it."


def _answer(
    request: ConsoleRequest, text: str, place: QueuePlace, verdicts: list[ReviewVerdict] | None = None
) -> HttpResponse:
    slug, toast = request.seat.workspace.slug, {}
    if verdicts:
        asked = QueryDict(mutable=True)
        asked.setlist("verdict", [str(each.pk) for each in verdicts])
        asked.update(place.fields)
        toast = {"undo_url": f"{reverse('review-undo', args=[slug])}?{asked.urlencode()}", "undo_target": "#review"}
    return show_success(request, text, fragment=lambda: render_review(request, place), back=place.url(slug), **toast)


def _both(request: ConsoleRequest) -> QueryDict:
    asked = request.GET.copy()
    for name, values in request.POST.lists():
        asked.setlistdefault(name, values)
    return asked


def _is_id(text: str) -> bool:
    return parse_item(f"{ItemKind.SUGGESTION}:{text}") is not None
