"""Form of Settings → Memory → Review: what waits for a person, by where it comes from, and four eyes."""

from __future__ import annotations

from typing import Any

from django import forms

from workspaces.settings.review_policy import ReviewPolicy, ReviewRule

NEVER, ALWAYS = "never", "always"
CHOICES = [
    (NEVER, "At once"),
    ("0.5", "After review below a confidence of 0.5"),
    ("0.7", "After review below a confidence of 0.7"),
    ("0.9", "After review below a confidence of 0.9"),
    (ALWAYS, "After review"),
]
LABELS = {"extraction": "Extracted from conversations", "agent": "Written by agents", "import": "Imported"}


class ReviewPolicyForm(forms.Form):
    """When agents read what comes in."""

    extraction = forms.ChoiceField(choices=CHOICES, label=LABELS["extraction"])
    agent = forms.ChoiceField(choices=CHOICES, label=LABELS["agent"])
    imported = forms.ChoiceField(choices=CHOICES, label=LABELS["import"])
    four_eyes = forms.BooleanField(
        required=False,
        label="Facts need two people",
        help_text="A memory becomes a fact once its proposer and another person have said so. Keys make none.",
    )

    @classmethod
    def of(cls, policy: ReviewPolicy) -> ReviewPolicyForm | None:
        """Return the form of a policy; None for one whose rules say more than it can show."""
        chosen = dict.fromkeys(LABELS, NEVER)
        for rule in policy.rules:
            value = ALWAYS if rule.below_confidence is None else f"{rule.below_confidence:g}"
            is_plain = rule == ReviewRule(source=rule.source, below_confidence=rule.below_confidence)
            if not is_plain or chosen.get(rule.source or "") != NEVER or value not in dict(CHOICES):
                return None
            chosen[str(rule.source)] = value
        chosen["imported"] = chosen.pop("import")
        return cls(initial={**chosen, "four_eyes": policy.four_eyes})

    def changes(self) -> dict[str, Any]:
        """Return the policy that was chosen."""
        chosen = {"extraction": "extraction", "agent": "agent", "imported": "import"}
        rules = []
        for name, source in chosen.items():
            value = self.cleaned_data[name]
            if value != NEVER:
                rules.append({"source": source, **({} if value == ALWAYS else {"below_confidence": float(value)})})
        return {"rules": rules, "four_eyes": self.cleaned_data["four_eyes"]}
