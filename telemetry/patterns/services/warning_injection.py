"""Warning an agent before it acts, with one warning in ten held out at random to measure what warnings are worth."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F, Q

from core.ids import new_id
from core.text.prompt_sanitiser import flat_excerpt, flatten, label
from core.text.tokens import count_tokens
from telemetry.actions.services.action_log import reporter_name
from telemetry.models import Injection, Pattern
from workspaces.access.callers import PEOPLE, Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.models import Workspace
from workspaces.settings.workspace_settings import is_memory_enabled

# PRODUCT section 7.
MAX_PATTERNS = 5
MAX_TOKENS = 400
HELD_OUT_SHARE = 0.1
# The doors draw. A caller that could predict the draw could choose which warnings are measured.
DICE = secrets.SystemRandom()
HEADING = "What tends to go wrong here, learnt from earlier runs:"
MAX_CHARACTERS_OF_NOTE = 300


@dataclass(frozen=True, slots=True)
class InjectedWarning:
    """The warnings that an agent gets: nothing where nothing is known, and where they are held out."""

    patterns: Sequence[Pattern] = ()
    text: str = ""
    tokens: int = 0
    is_held_out: bool = False


def inject_patterns(
    *, caller: Caller, node_types: Collection[str], session: str, draw: float, action_type: str = ""
) -> InjectedWarning:
    """Return the promoted patterns about these types of nodes, as a text of at most 400 tokens, surest and commonest
    first.

    `draw` is a random number from 0 to 1; below 0.1 the warning is held out. Both are kept, so that the effect can be
    measured on what the caller does next in `session`. `action_type` narrows them to what the agent is about to do, and
    adds those about that action without a target. There are no warnings while memory is off. Raises MissingScopeError
    without `read`.
    """
    caller.require(Right.READ)
    with workspace_scope(caller):
        patterns = choose_patterns(caller=caller, node_types=node_types, action_type=action_type)
        if not patterns:
            return InjectedWarning()
        is_held_out = draw < HELD_OUT_SHARE
        ids = [pattern.pk for pattern in patterns]
        note_injection(caller=caller, pattern_ids=ids, session=session, is_held_out=is_held_out)
    if is_held_out:
        return InjectedWarning(is_held_out=True)
    text = render_warning(patterns)
    return InjectedWarning(patterns, text, count_tokens(text))


def choose_patterns(*, caller: Caller, node_types: Collection[str], action_type: str = "") -> list[Pattern]:
    """Return the patterns that `inject_patterns` warns of, for an open scope; none while memory is off."""
    workspace = Workspace.objects.live().filter(id=caller.workspace_id).only("config").first()
    if workspace is None or not is_memory_enabled(workspace):
        return []
    return fitting(_candidates(caller, node_types, action_type))


def note_injection(*, caller: Caller, pattern_ids: Sequence[UUID], session: str, is_held_out: bool) -> int:
    """Keep that `session` was warned of these patterns, or not as they were held out; return their number."""
    batch = new_id()
    rows = [
        Injection(
            workspace_id=caller.workspace_id,
            batch=batch,
            pattern_id=identity,
            reporter=reporter_name(caller),
            session=session,
            is_held_out=is_held_out,
        )
        for identity in pattern_ids
    ]
    with workspace_scope(caller):
        return len(Injection.objects.bulk_create(rows))


def render_warning(patterns: Sequence[Pattern]) -> str:
    """Return the warning as an agent reads it."""
    return "\n".join([HEADING, *map(pattern_line, patterns)])


def pattern_line(pattern: Pattern) -> str:
    """One pattern on one line: what goes wrong how often, what helps, and what people noted."""
    target = f" on {flatten(pattern.node_type)}" if pattern.node_type else ""
    share = f"{pattern.confidence:.0%} of {pattern.attempts:,} sequences"
    goes_wrong = f"{flatten(pattern.action_type)}{target} ends in {flatten(pattern.error_code)} ({share})"
    note = flat_excerpt(pattern.annotation, limit=MAX_CHARACTERS_OF_NOTE)
    return f"- {goes_wrong}. {flatten(pattern.recommendation)}{f' {_annotator(pattern)}: {note}' if note else ''}"


def _annotator(pattern: Pattern) -> str:
    """Return who is responsible for the note; what a key notes must not read as the word of a person."""
    if pattern.annotated_by_kind in PEOPLE:
        return "Note by the operator"
    return f'Note by agent key "{label(pattern.annotated_by)}"'


def fitting(patterns: Sequence[Pattern]) -> list[Pattern]:
    """Return the first of these patterns that a warning has room for."""
    chosen: list[Pattern] = []
    for pattern in patterns:
        if len(chosen) < MAX_PATTERNS and count_tokens(render_warning([*chosen, pattern])) <= MAX_TOKENS:
            chosen.append(pattern)
    return chosen


def _candidates(caller: Caller, node_types: Collection[str], action_type: str) -> list[Pattern]:
    about = Q(node_type__in=set(node_types) - {""})
    if action_type:
        about = (about | Q(node_type="")) & Q(action_type=action_type)
    live = Pattern.objects.of(caller).filter(about).promoted().unsuppressed()
    worth = (F("confidence") * F("support")).desc()
    return list(live.order_by(worth, "id")[: 2 * MAX_PATTERNS])
