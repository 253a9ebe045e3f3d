"""Form of the timeline's filters."""

from __future__ import annotations

from django import forms
from django.http import QueryDict

from telemetry.actions.outcomes import Outcome

MONO = forms.TextInput(attrs={"class": "mono", "autocomplete": "off", "spellcheck": "false"})


class TimelineFilter(forms.Form):
    """What the address of the timeline narrows it to; what does not fit is as if it were not there."""

    outcome = forms.ChoiceField(choices=[(str(one), str(one)) for one in Outcome], required=False)
    agent = forms.CharField(max_length=120, required=False)
    session = forms.CharField(max_length=200, required=False)
    action_type = forms.CharField(max_length=64, required=False)
    node_type = forms.CharField(max_length=64, required=False)
    error_code = forms.CharField(max_length=64, required=False)


def valid_filters(form: type[forms.Form], given: QueryDict) -> dict[str, str]:
    """Return the filters of an address that can be understood."""
    read = form(given)
    read.is_valid()
    return {name: value for name, value in read.cleaned_data.items() if value}
