"""The form on which a person lets a program into a workspace: which one, what it may do there, and in which spaces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django import forms
from oauth2_provider.forms import AllowForm
from oauth2_provider.models import Application

from workspaces.access.callers import RIGHTS_OF_ROLE, Right
from workspaces.access.selectors import grant_names, own_space
from workspaces.access.spaces import SHARED
from workspaces.keys.forms import LIFETIMES, SCOPES
from workspaces.models import Membership
from workspaces.oauth.services.client_registration import is_loopback

EVERY_SPACE = "*"


class ConsentForm(AllowForm):  # type: ignore[misc]  # django-oauth-toolkit ships no types
    """Its hidden fields are those of the request; `scope` becomes what the person ticked."""

    workspace = forms.TypedChoiceField(coerce=UUID, widget=forms.RadioSelect, required=False)
    scopes = forms.MultipleChoiceField(
        choices=SCOPES, widget=forms.CheckboxSelectMultiple, label="It may", required=False
    )

    spaces = forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple,
        label="It gets",
        required=False,
        help_text="Whose memory it may use. It reaches no other.",
    )

    def __init__(self, *args: Any, seats: Sequence[Membership], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        usual = [str(SHARED), *{str(own_space(seat.user_id)) for seat in seats}]
        self._spaces = {seat.workspace_id: {*usual, *grant_names(seat)} for seat in seats}
        labels = ("Shared: what everybody in the workspace may know", "Mine: what is yours alone")
        self.fields["spaces"].choices = [*zip(usual, labels, strict=False), *_grant_choices(seats)]
        self.initial["spaces"] = usual
        self._roles = {seat.workspace_id: seat.role for seat in seats}
        self.fields["workspace"].choices = [(seat.workspace_id, seat.workspace.name) for seat in seats]
        if len(seats) == 1:
            self.initial["workspace"] = seats[0].workspace_id
        rights = set().union(*(RIGHTS_OF_ROLE[role] for role in self._roles.values()))
        self.fields["scopes"].choices = [(right, label) for right, label in SCOPES if right in rights]
        self.initial["scopes"] = [scope for scope in str(self.initial.get("scope", "")).split() if scope in rights]

    @property
    def application(self) -> Application | None:
        """The registered program that asks."""
        client_id = self.cleaned_data.get("client_id") if self.is_bound else self.initial.get("client_id")
        return Application.objects.filter(client_id=client_id).first() if client_id else None

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        given["application"] = self.application
        if given["application"] is None:
            raise forms.ValidationError("This app is no longer registered. Connect it again from the app.")
        if not given.get("allow"):
            return given
        workspace = given.get("workspace")
        if not workspace and "workspace" not in self.errors:
            self.add_error("workspace", "Choose one.")
        chosen = [Right(scope) for scope in given.get("scopes", [])]
        if not chosen and "scopes" not in self.errors:
            self.add_error("scopes", "Choose at least one.")
        elif workspace and (
            lacking := [right for right in chosen if right not in RIGHTS_OF_ROLE[self._roles[workspace]]]
        ):
            self.add_error(
                "scopes", f"As {self._roles[workspace]} of that workspace you cannot give it: {', '.join(lacking)}."
            )
        self._check_spaces(given, workspace)
        given["scope"] = " ".join(chosen)
        return given

    def _check_spaces(self, given: Mapping[str, Any], workspace: UUID | None) -> None:
        chosen = given.get("spaces", [])
        if not chosen and "spaces" not in self.errors:
            self.add_error("spaces", "Choose at least one.")
        elif workspace and (lacking := sorted({*chosen} - self._spaces[workspace])):
            self.add_error("spaces", f"In that workspace you do not have: {', '.join(lacking)}.")


class KeyConsentForm(ConsentForm):
    """The form on which a person lets a program on their machine make itself an API key; `seats` are those in which
    they may make keys."""

    lifetime = forms.ChoiceField(choices=LIFETIMES, initial="90", label="The key expires after", required=False)

    def __init__(self, *args: Any, seats: Sequence[Membership], **kwargs: Any) -> None:
        super().__init__(*args, seats=seats, **kwargs)
        self.fields["workspace"].choices = [
            (seat.workspace_id, f"{seat.workspace.name}, where you are {seat.role}") for seat in seats
        ]
        field = self.fields["spaces"]
        field.help_text = "Whose memory the key opens. It reaches no other."
        field.choices = [*field.choices, (EVERY_SPACE, "Every space of the workspace, those of its users among them")]
        self._spaces = {workspace: {*names, EVERY_SPACE} for workspace, names in self._spaces.items()}

    def clean(self) -> dict[str, Any]:
        given = super().clean()
        if given.get("allow") and not is_loopback(given.get("redirect_uri", "")):
            raise forms.ValidationError("A key is handed to a program on this machine only (http://127.0.0.1).")
        if given.get("allow") and not given.get("lifetime") and "lifetime" not in self.errors:
            self.add_error("lifetime", "Choose one.")
        if EVERY_SPACE in given.get("spaces", []):
            given["spaces"] = []
        return given


def _grant_choices(seats: Sequence[Membership]) -> list[tuple[str, str]]:
    """Return the custom spaces of a person, each with the workspaces in which it was granted."""
    places: dict[str, list[str]] = {}
    for seat in seats:
        for name in grant_names(seat):
            places.setdefault(name, []).append(seat.workspace.name)
    return [(name, f"{name}, granted to you in {', '.join(found)}") for name, found in sorted(places.items())]
