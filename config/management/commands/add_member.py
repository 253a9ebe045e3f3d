"""`manage.py add_member`: a role in a workspace for a person who has an account, without an invitation."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from core.errors import ProductError
from workspaces.access.callers import ActorKind, Caller, Right
from workspaces.access.selectors import all_workspace_ids
from workspaces.accounts.services.memberships import add_member
from workspaces.models import Role


class Command(BaseCommand):
    help = "Make a person who has an account a member of a workspace, or change their role, without asking them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("workspace", type=UUID, metavar="WORKSPACE_ID")
        parser.add_argument("email", metavar="EMAIL")
        parser.add_argument("--role", choices=Role.values, default=Role.MEMBER.value)

    def handle(self, *args: Any, workspace: UUID, email: str, role: str, **options: Any) -> None:
        if workspace not in all_workspace_ids():
            raise CommandError(f"There is no workspace {workspace}. Its id is in the answer of found_workspace.")
        operator = Caller(workspace, ActorKind.SYSTEM, "add_member", "add_member", frozenset(Right))
        try:
            add_member(caller=operator, email=email, role=role)
        except ProductError as error:
            raise CommandError(error.detail) from error
        self.stdout.write(f"{email} is {role} of {workspace}.")
