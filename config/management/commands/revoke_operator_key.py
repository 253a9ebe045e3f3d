"""`manage.py revoke_operator_key`: end a key with which workspaces are made."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from core.errors import ProductError
from workspaces.accounts.operators.services.operator_keys import revoke_operator_key


class Command(BaseCommand):
    help = "Revoke an operator's key for good. The workspaces that it made, and their API keys, stay as they are."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("key", type=UUID, metavar="KEY_ID")

    def handle(self, *args: Any, key: UUID, **options: Any) -> None:
        try:
            revoked = revoke_operator_key(key_id=key)
        except ProductError as error:
            raise CommandError(error.detail) from error
        self.stdout.write(f"{revoked.name} ({revoked.id}) is revoked.")
