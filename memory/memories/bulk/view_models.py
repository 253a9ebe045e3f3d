"""What the bar under a list offers, and what it says afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.urls import reverse

from core.ids import new_id
from memory.memories.bulk.forms import ReasonForm, TagForm
from memory.memories.bulk.services import BulkOutcome
from memory.memories.forms import View
from memory.memories.transitions import TRANSITIONS, Verb
from workspaces.access.callers import Right
from workspaces.access.selectors import ConsoleContext

# The verbs that fit most of what a list shows; all of them have one key, as in the rows.
VERBS_BY_VIEW = {
    View.PINNED: (Verb.UNPIN, Verb.SUPPRESS),
    View.FACTS: (Verb.DEMOTE, Verb.PIN, Verb.SUPPRESS, Verb.FORGET),
    View.REVIEW: (Verb.RESTORE, Verb.UNSUPPRESS),
}
OTHER_VERBS = (Verb.PROMOTE, Verb.PIN, Verb.SUPPRESS, Verb.FORGET)
KEYS = {
    Verb.PROMOTE: "f",
    Verb.DEMOTE: "f",
    Verb.PIN: "p",
    Verb.UNPIN: "p",
    Verb.SUPPRESS: "s",
    Verb.UNSUPPRESS: "s",
    Verb.FORGET: "X",
    Verb.RESTORE: "z",
}
# Why some stay as they are, for one and for several, by the code of the error.
REASONS = {
    "pinned": ("was pinned and stays", "were pinned and stay"),
    "text_changed": ("says something else by now: read it again", "say something else by now: read them again"),
    "not_found": ("has gone meanwhile", "have gone meanwhile"),
    "missing_scope": ("is for those who may change facts", "are for those who may change facts"),
    "pending_review": ("waits for review", "wait for review"),
    "needs_two_people": ("needs two people", "need two people"),
    "duplicate": ("says the same as another one", "say the same as others"),
    "too_many_tags": ("has too many tags", "have too many tags"),
}


@dataclass(frozen=True, slots=True)
class BulkVerb:
    """A button of the bar. `dialog` is the id of the one that it opens first."""

    label: str
    url: str
    key: str
    dialog: str = ""


@dataclass(frozen=True, slots=True)
class BulkBar:
    """The bar under a list of memories: verbs that this person has, and where the selected are saved to a file.

    The forms are those of the dialogs.
    """

    verbs: Sequence[BulkVerb]
    export_url: str
    reason_form: ReasonForm = field(default_factory=lambda: ReasonForm(auto_id="selected-%s"))
    tag_form: TagForm = field(default_factory=lambda: TagForm(auto_id="selected-%s"))


@dataclass(frozen=True, slots=True)
class UndoForm:
    """What taking a step back sends, and where to; `id` is unique in the page."""

    url: str
    memories: Sequence[str]
    id: str = field(default_factory=lambda: f"undo-{new_id().hex}")


def build_bar(seat: ConsoleContext, view: View) -> BulkBar:
    """Return the bar of a list; a verb that needs a right which this person does not have is absent."""
    if not seat.caller.may(Right.WRITE):
        return BulkBar([], bulk_url(seat, "export"))
    verbs = [verb for verb in VERBS_BY_VIEW.get(view, OTHER_VERBS) if seat.caller.may(_right(verb))]
    buttons = [_button(seat, verb) for verb in verbs]
    if view != View.REVIEW:
        buttons.append(BulkVerb("Tag …", bulk_url(seat, "tag"), "t", dialog="tag-selected"))
    return BulkBar(buttons, bulk_url(seat, "export"))


def bulk_url(seat: ConsoleContext, step: str) -> str:
    return reverse(f"memory-selected-{step}", args=[seat.workspace.slug])


def verb_sentence(verb: Verb, outcome: BulkOutcome) -> str:
    """Return what a verb did to the selected, and what stays as it was and why."""
    past = "Forgot" if verb == Verb.FORGET else TRANSITIONS[verb].past
    return _sentence(f"{past} {_memories(len(outcome.changed))}.", outcome)


def tags_sentence(outcome: BulkOutcome, *, is_more: bool) -> str:
    """Return what was tagged, or untagged, and what stays as it was and why."""
    return _sentence(f"{'Tagged' if is_more else 'Untagged'} {_memories(len(outcome.changed))}.", outcome)


def _sentence(done: str, outcome: BulkOutcome) -> str:
    parts = [done if outcome.changed else "Nothing was changed."]
    if outcome.asked:
        parts.append(_count(outcome.asked, "waits for a second person", "wait for a second person"))
    if outcome.unchanged:
        parts.append(_count(outcome.unchanged, "was so already", "were so already"))
    for code, number in sorted(outcome.refused.items()):
        parts.append(_count(number, *REASONS.get(code, ("could not be changed", "could not be changed"))))
    return " ".join(parts)


def _button(seat: ConsoleContext, verb: Verb) -> BulkVerb:
    asks = verb == Verb.SUPPRESS
    label = f"{verb.capitalize()} …" if asks else verb.capitalize()
    return BulkVerb(label, bulk_url(seat, verb), KEYS[verb], dialog="suppress-selected" if asks else "")


def _right(verb: Verb) -> Right:
    step = TRANSITIONS[verb]
    return Right.FACTS if step.changes_authority or step.governs else Right.WRITE


def _memories(number: int) -> str:
    return "1 memory" if number == 1 else f"{number} memories"


def _count(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}."
