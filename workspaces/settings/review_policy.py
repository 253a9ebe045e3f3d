"""What a workspace has people look at before agents read it: rules by source, kind and confidence, and four eyes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from core.errors import FieldProblem

SOURCES, KINDS = ("user", "agent", "extraction", "import"), ("memory", "fact")
MAX_RULES = 20


@dataclass(frozen=True, slots=True)
class ReviewRule:
    """One rule: which memories it is about, and whether these wait for a person. What is None matches everything.

    below_confidence: memories with a smaller confidence, 0 to 1.
    """

    source: str | None = None
    kind: str | None = None
    below_confidence: float | None = None
    needs_person: bool = True

    def matches(self, *, source: str, kind: str, confidence: float) -> bool:
        """Return whether the rule is about such a memory."""
        return (
            self.source in {None, source}
            and self.kind in {None, kind}
            and (self.below_confidence is None or confidence < self.below_confidence)
        )


@dataclass(frozen=True, slots=True)
class ReviewPolicy:
    """The `memory.review` part of the settings. Without rules nothing waits.

    rules: the first that matches a memory decides; at most 20.
    four_eyes: a memory becomes a fact once two people, its proposer and another, have said so.
    """

    rules: tuple[ReviewRule, ...] = ()
    four_eyes: bool = False

    def needs_person(self, *, source: str, kind: str, confidence: float) -> bool:
        """Return whether such a memory waits for a person before anything recalls it."""
        matching = (rule for rule in self.rules if rule.matches(source=source, kind=kind, confidence=confidence))
        first = next(matching, None)
        return first is not None and first.needs_person

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> ReviewPolicy:
        """Return the stored policy; names that this version does not know are ignored."""
        known = {each.name for each in fields(ReviewRule)}
        rules = tuple(
            ReviewRule(**{name: value for name, value in rule.items() if name in known})
            for rule in stored.get("rules", ())
        )
        return cls(rules, stored.get("four_eyes") is True)


def find_policy_problems(changes: Mapping[str, Any]) -> tuple[FieldProblem, ...]:
    """Return what is wrong with a changed policy."""
    if len(changes.get("rules", ())) > MAX_RULES:
        return (FieldProblem("memory.review.rules", "too_many", f"Give at most {MAX_RULES} rules."),)
    return ()
