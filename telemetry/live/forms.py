"""Form of the filters of Live, and of the place that its script asks behind."""

from __future__ import annotations

import re

from django import forms

from telemetry.actions.outcomes import Outcome
from telemetry.live.layers import LAYERS

PLACE = re.compile(r"\d{1,16}-\d{1,16}", re.ASCII)


class LiveFilter(forms.Form):
    """What the address of Live narrows it to; what does not fit is as if it were not there."""

    verb = forms.ChoiceField(choices=[(one, one) for one in ("read", "write", "remove")], required=False)
    outcome = forms.ChoiceField(choices=[(str(one), str(one)) for one in Outcome], required=False)
    layer = forms.ChoiceField(choices=[(one, one) for one in LAYERS], required=False)
    actor = forms.CharField(max_length=120, required=False)


def read_place(given: str | None) -> str:
    """Return the id of an event in an address; '' for what is none."""
    return given if given and PLACE.fullmatch(given) else ""
