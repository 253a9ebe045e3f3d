"""Verdicts about proposals from other spaces. In the open scope of the decision."""

from __future__ import annotations

from core.text import fingerprint
from memory.memories.proposals.services import accept_proposal, reject_proposal, reopen_proposal
from memory.memories.review.item_kinds import ItemKey, VerdictKind
from memory.memories.review.judgement import Judgement, JudgementOutcome
from memory.models import ReviewVerdict
from workspaces.access.callers import Caller


def decide(caller: Caller, item: ItemKey, judgement: Judgement) -> JudgementOutcome:
    """Accept what was proposed, in its own words or others, or reject it."""
    if judgement.verdict == VerdictKind.REJECT:
        decided = reject_proposal(caller=caller, proposal_id=item.id)
    else:
        decided = accept_proposal(caller=caller, proposal_id=item.id, content=judgement.content)
    return JudgementOutcome(judgement.verdict, fingerprint(workspace_id=caller.workspace_id, text=decided.content), {})


def undo(caller: Caller, verdict: ReviewVerdict) -> None:
    """Make a proposal wait again; the copy that accepting made is forgotten."""
    reopen_proposal(caller=caller, proposal_id=verdict.item_id)
