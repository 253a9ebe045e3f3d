"""What doors read and answer of workspaces and their members, field by field."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from core.http.field_types import Email, Id, TextRules, refuse
from core.http.schemas import NOT_GIVEN, FilledId, IdText, MomentText, RequestSchema, ResponseSchema
from workspaces.accounts.operators.services.provision import ProvisionedWorkspace
from workspaces.keys.schemas import NewApiKeyResponse
from workspaces.models import Invitation, Membership

RoleName = Literal["owner", "admin", "member", "viewer"]


class MemberInput(RequestSchema):
    """The body of `POST members`."""

    email: Annotated[Email, Field(examples=["bob@acme.example"])]
    role: Annotated[RoleName, Field(examples=["viewer"])] = "member"


class MemberRemovalInput(RequestSchema):
    """The body of `DELETE members`."""

    json_rules = {"oneOf": [{"required": ["user_id"]}, {"required": ["email"]}]}

    user_id: Annotated[Id, Field(description="A member.", examples=["<user_id>"])] = NOT_GIVEN
    email: Annotated[Email, Field(description="The address of an invitation that was not accepted yet.")] = NOT_GIVEN
    keys: Annotated[
        Literal["revoke", "keep"],
        Field(description="What becomes of the API keys that the person made; `keep` hands them over to the caller."),
    ] = "revoke"

    @model_validator(mode="after")
    def _names_one(self) -> Self:
        if ("user_id" in self.model_fields_set) == ("email" in self.model_fields_set):
            refuse("which_member", "Provide exactly one of `user_id` and `email`.")
        return self


class WorkspaceInput(RequestSchema):
    """The body of `POST /v1/workspaces`."""

    name: Annotated[str, TextRules(max_length=120, is_line=True), Field(examples=["Harbour Bakery"])]
    owner: Annotated[
        Email | None,
        Field(
            description="Who is invited as the owner; without it the workspace has its admin key alone.",
            examples=["anna@harbour.example"],
        ),
    ] = None


class WorkspaceResponse(ResponseSchema):
    """A workspace that the caller may enter."""

    id: IdText
    name: str
    slug: str


class NewWorkspaceResponse(WorkspaceResponse):
    """A workspace that was just made, with its first API key, which has every scope."""

    api_key: NewApiKeyResponse

    @classmethod
    def of_provisioned(cls, made: ProvisionedWorkspace) -> Self:
        """Return a workspace with its admin key, whose secret nothing else ever answers."""
        key = NewApiKeyResponse.of_new(made.key.key, secret=made.key.secret)
        return cls.model_construct(**dict(WorkspaceResponse.of(made.workspace)), api_key=key)


class MemberResponse(ResponseSchema):
    """A member, or a person who was invited and has not accepted yet."""

    user_id: FilledId
    email: str | None
    name: str
    role: RoleName
    status: Literal["active", "pending"]
    since: MomentText

    @classmethod
    def of_member(cls, member: Membership, *, shows_email: bool) -> Self:
        """Return a member; the address is for those who govern the workspace."""
        return cls.model_validate(
            {
                "user_id": member.user_id,
                "email": member.user.email if shows_email else None,
                "name": member.user.name,
                "role": member.role,
                "status": "active",
                "since": member.created_at,
            }
        )

    @classmethod
    def of_invitation(cls, invitation: Invitation) -> Self:
        """Return a member to be, in the shape of one. Whether the address has an account is not disclosed."""
        return cls.model_validate(
            {
                "user_id": None,
                "email": invitation.email,
                "name": "",
                "role": invitation.role,
                "status": "pending",
                "since": invitation.created_at,
            }
        )
