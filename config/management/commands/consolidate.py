"""`manage.py consolidate`: turn older messages into episodes now, without waiting for the schedule."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from conversations.messages.selectors import (
    access_conversation,
    conversations_with_old_messages,
    workspace_conversations,
)
from core.errors import ProductError
from memory.episodes.services.consolidation import MIN_TURNS, summarize_old_turns
from workspaces.access.callers import Caller, system_caller
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import current_workspace
from workspaces.settings.workspace_settings import memory_settings


class Command(BaseCommand):
    help = "Turn the older messages of one conversation, or of all in a workspace, into episodes."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("workspace", type=UUID, help="the id of the workspace")
        parser.add_argument("--conversation", help="the key or id of one conversation; without it, all of them")
        parser.add_argument("--retain-last", type=int, help="the number of newest messages to leave alone")
        parser.add_argument("--max-age-days", type=int, help="take messages older than this")

    def handle(self, *args: Any, workspace: UUID, conversation: str | None = None, **options: Any) -> None:
        caller = system_caller(workspace, "consolidate")
        try:
            chosen = memory_settings(current_workspace(caller)).consolidation
            retain_last = _choose_number(options["retain_last"], chosen.retain_last)
            max_age_days = _choose_number(options["max_age_days"], chosen.max_age_days)
            ids = (
                [access_conversation(caller, conversation).id]
                if conversation
                else conversations_with_old_messages(
                    caller, older_than_days=max_age_days, retained=retain_last, at_least=MIN_TURNS
                )
            )
            if not ids:
                self.stdout.write(
                    f"Nothing to consolidate: no conversation has {MIN_TURNS} messages older than {max_age_days:,} "
                    f"days in addition to its {retain_last:,} newest."
                )
            for identity in ids:
                self._consolidate(caller, identity, retain_last=retain_last, max_age_days=max_age_days)
        except ProductError as error:
            raise CommandError(error.detail) from error

    def _consolidate(self, caller: Caller, identity: UUID, *, retain_last: int, max_age_days: int) -> None:
        with workspace_scope(caller):
            conversation = workspace_conversations(caller).get(id=identity)
        done = summarize_old_turns(
            caller=caller, conversation=conversation, retain_last=retain_last, max_age_days=max_age_days
        )
        turns = sum(episode.turn_count for episode in done.episodes)
        number = "1 episode" if len(done.episodes) == 1 else f"{len(done.episodes):,} episodes"
        self.stdout.write(f"{conversation.key}  {number} for {turns:,} messages")


def _choose_number(given: int | None, default: int) -> int:
    return default if given is None else given
