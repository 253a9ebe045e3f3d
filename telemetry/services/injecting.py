"""Warning an agent before it acts, with one warning in ten held out by lot to measure what warnings are worth."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import F, Q

from core.ids import new_id
from core.text import excerpt
from core.tokens import count_tokens
from telemetry.models import Injection, Pattern
from workspaces.callers import Caller, Right
from workspaces.models import Workspace
from workspaces.scope import workspace_scope
from workspaces.switches import is_memory_enabled

# PRODUCT section 7.
MOST_PATTERNS = 5
MOST_TOKENS = 400
HELD_OUT_SHARE = 0.1
# For the doors. Who could tell the lot beforehand could choose which warnings are measured.
DICE = secrets.SystemRandom()
HEADING = "What tends to go wrong here, learnt from earlier runs:"
MOST_CHARACTERS_OF_NOTE = 300


@dataclass(frozen=True, slots=True)
class Injected:
    """What an agent is told: nothing where nothing is known, and where the lot held it out."""

    patterns: Sequence[Pattern] = ()
    text: str = ""
    tokens: int = 0
    is_held_out: bool = False


def inject_patterns(
    *, caller: Caller, node_types: Collection[str], session: str, draw: float, action_type: str = ""
) -> Injected:
    """The promoted patterns about these types of nodes, as a text of at most 400 tokens, surest and commonest first.

    `draw` is a random number from 0 to 1; below 0.1 the warning is held out. Both are kept, so that the effect can be
    measured on what `session` does next. `action_type` narrows them to what the agent is about to do, and adds those
    about that action without a target. Nothing is told while memory is off. Raises MissingScopeError without `read`.
    """
    caller.require(Right.READ)
    with workspace_scope(caller):
        workspace = Workspace.objects.live().filter(id=caller.workspace_id).only("config").first()
        if workspace is None or not is_memory_enabled(workspace):
            return Injected()
        patterns = fitting(_candidates(caller, node_types, action_type))
        if not patterns:
            return Injected()
        is_held_out = draw < HELD_OUT_SHARE
        batch = new_id()
        Injection.objects.bulk_create(
            [
                Injection(
                    workspace_id=caller.workspace_id,
                    batch=batch,
                    pattern=pattern,
                    session=session,
                    is_held_out=is_held_out,
                )
                for pattern in patterns
            ]
        )
    if is_held_out:
        return Injected(is_held_out=True)
    text = told(patterns)
    return Injected(patterns, text, count_tokens(text))


def told(patterns: Sequence[Pattern]) -> str:
    """The warning as an agent reads it."""
    return "\n".join([HEADING, *map(pattern_line, patterns)])


def pattern_line(pattern: Pattern) -> str:
    """One pattern on one line: what goes wrong how often, what helps, and what people noted."""
    target = f" on {pattern.node_type}" if pattern.node_type else ""
    share = f"{pattern.confidence:.0%} of {pattern.attempts:,} sequences"
    note = excerpt(pattern.annotation, limit=MOST_CHARACTERS_OF_NOTE)
    return (
        f"- {pattern.action_type}{target} ends in {pattern.error_code} ({share}). {pattern.recommendation}"
        f"{f' Note by the operator: {note}' if note else ''}"
    )


def fitting(patterns: Sequence[Pattern]) -> list[Pattern]:
    """The first of these patterns that a warning has room for."""
    chosen: list[Pattern] = []
    for pattern in patterns:
        if len(chosen) < MOST_PATTERNS and count_tokens(told([*chosen, pattern])) <= MOST_TOKENS:
            chosen.append(pattern)
    return chosen


def _candidates(caller: Caller, node_types: Collection[str], action_type: str) -> list[Pattern]:
    about = Q(node_type__in=set(node_types) - {""})
    if action_type:
        about = (about | Q(node_type="")) & Q(action_type=action_type)
    live = Pattern.objects.filter(about, workspace_id=caller.workspace_id).promoted().unsuppressed()
    worth = (F("confidence") * F("support")).desc()
    return list(live.order_by(worth, "id")[: 2 * MOST_PATTERNS])
