"""A process of its own that observes conversations in children which are killed while they do.

    python -m tests.conversations.crashing WORKSPACE CONVERSATION…

Each conversation is observed in a new child, which ends itself just before its n-th SQL statement, for n = 1, 2, 3 …,
until one has fewer. For each child the conversation and the signal that ended it are printed.
"""

from __future__ import annotations

import os
import sys
from uuid import UUID

import django


def run_and_die(workspace_id: str, conversation_id: str, *, point: int) -> None:
    from django.db import connection

    from conversations.models import Conversation
    from conversations.observations.services.observer import observe_conversation
    from tests.memory.crashing import Killer
    from workspaces.access.scope import workspace_scope
    from workspaces.access.space_callers import caller_of_row

    caller = caller_of_row(UUID(workspace_id), "observation", model=Conversation, row_id=conversation_id)
    assert caller is not None
    with workspace_scope(caller):
        found = Conversation.objects.of(caller).get(id=conversation_id)
    with connection.execute_wrapper(Killer(point=point)):
        observe_conversation(caller=caller, conversation=found, seconds=60)


def main(workspace_id: str, *conversation_ids: str) -> None:
    django.setup()
    # What takes long to load is loaded once. Nothing has been asked of the database before a fork, so every child opens
    # a connection of its own.
    import conversations.observations.tasks  # noqa: F401
    from core.text.tokens import count_tokens

    count_tokens("load the tokenizer")
    for number, conversation_id in enumerate(conversation_ids):
        child = os.fork()
        if child == 0:
            run_and_die(workspace_id, conversation_id, point=number)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{conversation_id} {os.WTERMSIG(status)}\n")
        if status == 0:
            break


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    main(*sys.argv[1:])
