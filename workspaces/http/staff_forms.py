"""Form of a staff member who enters a workspace."""

from __future__ import annotations

from django import forms

from workspaces.access.staff_sessions import MAX_REASON_CHARACTERS, MIN_REASON_CHARACTERS


class EnterForm(forms.Form):
    """Why a staff member looks into a workspace; its owners read it."""

    reason = forms.CharField(
        min_length=MIN_REASON_CHARACTERS,
        max_length=MAX_REASON_CHARACTERS,
        error_messages={"required": "Say what you look for: the owners of the workspace read it."},
    )
