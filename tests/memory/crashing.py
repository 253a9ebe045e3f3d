"""A process of its own that consolidates conversations in children which are killed while they do.

    python -m tests.memory.crashing (statements | delays) WORKSPACE CONVERSATION…

For each conversation the worker's task runs in a new child. With `statements`, the child ends itself just before its
n-th SQL statement, for n = 1, 2, 3 …, until one has fewer: between two statements lies at most a commit, so that every
state of the database is met. With `delays`, all but the first are killed from outside, within the time that the
quickest before took. For each child the conversation and the signal that ended it are printed, 0 where it came to its
end before.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

import django

NEVER = 1_000_000


class Killer:
    """Counts the statements of a connection and ends the process before one of them."""

    def __init__(self, *, point: int) -> None:
        self.countdown = point

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if self.countdown == 0:
            die()
        self.countdown -= 1
        return execute(sql, params, many, context)


def die() -> None:
    """End as a crash does: no handler, no rollback of ours, no goodbye to the database."""
    os.kill(os.getpid(), signal.SIGKILL)


def run_and_die(workspace_id: str, conversation_id: str, *, point: int) -> None:
    from django.db import connection

    from memory.episodes.tasks import consolidate_conversation

    with connection.execute_wrapper(Killer(point=point)):
        consolidate_conversation(workspace_id, conversation_id, 0, 30)


def main(how: str, workspace_id: str, *conversation_ids: str) -> None:
    django.setup()
    # What takes long to load is loaded once. Nothing has been asked of the database before a fork, so every child opens
    # a connection of its own.
    import memory.episodes.tasks  # noqa: F401
    from core.text.tokens import count_tokens

    count_tokens("load the tokenizer")
    chance, longest = random.Random(20), 0.0
    for number, conversation_id in enumerate(conversation_ids):
        began = time.monotonic()
        child = os.fork()
        if child == 0:
            run_and_die(workspace_id, conversation_id, point=number if how == "statements" else NEVER)
            os._exit(0)
        if how == "delays" and longest:
            time.sleep(chance.uniform(0, longest))
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        if status == 0:  # the first one is slower than the others: everything is new to it
            longest = min(longest or NEVER, time.monotonic() - began)
        sys.stdout.write(f"{conversation_id} {os.WTERMSIG(status)}\n")
        if how == "statements" and status == 0:
            break


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    main(*sys.argv[1:])
