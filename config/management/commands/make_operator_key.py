"""`manage.py make_operator_key`: a key with which a script makes workspaces."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from workspaces.accounts.operators.services.operator_keys import create_operator_key

MAX_CHARACTERS = 120  # that the column takes


class Command(BaseCommand):
    help = "Make a key that makes workspaces over REST and opens none. Its secret is printed once and kept nowhere."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--name", required=True, help="what will use it, for example signup-service")

    def handle(self, *args: Any, name: str, **options: Any) -> None:
        if not 0 < len(name.strip()) <= MAX_CHARACTERS or not name.strip().isprintable():
            raise CommandError(f"A name has 1 to {MAX_CHARACTERS} characters, on one line.")
        made = create_operator_key(name=name.strip())
        self.stdout.write(f"Key     {made.key.id}\nSecret  {made.secret}")
        self.stderr.write("The secret is not shown again. manage.py revoke_operator_key takes the id.")
