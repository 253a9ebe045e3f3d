"""What an undo does with a thing, by its history: a table of cases."""

from __future__ import annotations

from uuid import UUID

import pytest

from transfer.undo.decisions import HistoryStep, UndoAct, UndoDecision, decide

INVERTIBLE = frozenset({"edit", "promote"})


def history(*steps: str) -> list[HistoryStep]:
    """Steps in order: `+edit` is among those that are undone, `edit` is Alice's, `?edit` perhaps of another run."""
    return [
        HistoryStep(
            UUID(int=number),
            step.lstrip("+?"),
            is_own=step[0] in "+?",
            by="" if step[0] in "+?" else "Alice",
            is_ambiguous=step[0] == "?",
        )
        for number, step in enumerate(steps, start=1)
    ]


@pytest.mark.parametrize(
    ("steps", "is_created", "expected"),
    [
        (("+remember",), True, (UndoAct.REMOVE, 0, "", "")),
        (("+remember", "+edit", "+promote"), True, (UndoAct.REMOVE, 0, "", "")),
        (("+remember", "promote"), True, (UndoAct.REMOVE, 0, "promoted", "Alice")),
        (("+remember", "edit", "+edit"), True, (UndoAct.REMOVE, 0, "edited", "Alice")),
        (("+remember", "edit", "pin"), True, (UndoAct.REMOVE, 0, "pinned", "Alice")),
        (("+remember", "levitate"), True, (UndoAct.REMOVE, 0, "changed", "Alice")),
        (("?remember",), True, (UndoAct.REMOVE, 0, "other_run", "")),
        ((), True, (UndoAct.REMOVE, 0, "", "")),
        (("remember", "+edit"), False, (UndoAct.REVERT, 1, "", "")),
        (("remember", "edit", "+edit", "+promote"), False, (UndoAct.REVERT, 2, "", "")),
        (("remember", "+edit", "edit"), False, (UndoAct.REVERT, 1, "edited", "Alice")),
        (("remember", "+edit", "edit", "+edit"), False, (UndoAct.REVERT, 2, "edited", "Alice")),
        (("remember", "?edit", "edit"), False, (UndoAct.REVERT, 1, "other_run", "")),
        (("remember", "+repeat"), False, None),
        (("remember", "edit"), False, None),
        ((), False, None),
    ],
)
def test_a_history_decides(
    steps: tuple[str, ...], is_created: bool, expected: tuple[UndoAct, int, str, str] | None
) -> None:
    decision = decide(history(*steps), is_created=is_created, invertible=INVERTIBLE)

    found = decision and (decision.act, len(decision.steps), decision.reason, decision.by)
    assert found == expected


def test_the_steps_to_take_back_are_those_that_have_an_inverse() -> None:
    steps = history("remember", "+edit", "+repeat", "+promote")

    decision = decide(steps, is_created=False, invertible=INVERTIBLE)
    # What has no inverse is nobody else's step, and does not keep the thing as it is.
    assert decision == UndoDecision(UndoAct.REVERT, (UUID(int=2), UUID(int=4)))
