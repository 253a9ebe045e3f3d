"""`manage.py rebuild_message_index`: make the word index of messages again."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand

from conversations.indexing.services.index_writer import rebuild_index
from workspaces.access.selectors import all_workspace_ids


class Command(BaseCommand):
    help = "Throw the word index of one workspace's messages away, or of all, and make it again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--workspace", type=UUID, help="only this workspace")

    def handle(self, *args: Any, workspace: UUID | None = None, **options: Any) -> None:
        for identity in [workspace] if workspace else all_workspace_ids():
            self.stdout.write(f"{identity}  {rebuild_index(workspace_id=identity):,} messages indexed")
