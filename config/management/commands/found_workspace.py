"""`manage.py found_workspace`: a new, empty workspace for an existing account."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from workspaces.accounts.services.workspace_create import found_workspace
from workspaces.models import User

MAX_CHARACTERS = 120  # that the column takes


class Command(BaseCommand):
    help = "Create an empty workspace with an existing account as its first owner."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--owner", required=True, metavar="EMAIL")

    def handle(self, *args: Any, name: str, owner: str, **options: Any) -> None:
        if not 0 < len(name.strip()) <= MAX_CHARACTERS:
            raise CommandError(f"A name has 1 to {MAX_CHARACTERS} characters.")
        user = User.objects.filter(email=owner.strip().lower(), is_active=True).first()
        if user is None:
            raise CommandError(f"There is no account with {owner}: add one under Users in /admin/.")
        workspace = found_workspace(owner=user, name=name.strip())
        self.stdout.write(
            f"Workspace  {workspace.id}\n"
            f"Make a key at {settings.PUBLIC_URL}{reverse('settings-api-keys', args=[workspace.slug])}"
        )
