"""What the REST doors of this app accept, field by field."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from core.http.fields import (
    IdField,
    StrictSerializer,
)
from workspaces.models import Role


class MemberInput(StrictSerializer):
    """The body of `POST members`."""

    email = serializers.EmailField(max_length=254)
    role = serializers.ChoiceField(Role.choices, required=False)


REVOKE, HAND_OVER = "revoke", "keep"


class MemberRemovalInput(StrictSerializer):
    """The body of `DELETE members`."""

    user_id = IdField(required=False)
    email = serializers.EmailField(max_length=254, required=False)
    keys = serializers.ChoiceField([REVOKE, HAND_OVER], required=False)

    json_rules = {"oneOf": [{"required": ["user_id"]}, {"required": ["email"]}]}
    default_error_messages = {"which_member": "Provide `user_id` or `email`, not both."}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("user_id" in attrs) == ("email" in attrs):
            self.fail("which_member")
        return attrs
