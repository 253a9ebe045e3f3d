"""Keeping captured actions for a moment, so that a request never waits for the insert of what it did."""

from __future__ import annotations

import logging
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from threading import Event, Lock, Thread
from uuid import UUID

from django.db import DatabaseError, InterfaceError, OperationalError, connection

from telemetry.actions.services.action_log import NewAction

log = logging.getLogger(__name__)

# How long an action may wait; a killed process loses that much, an orderly stop nothing.
SECONDS = 0.5
# With the database away, actions wait up to this many; then the oldest are given up.
MAX_WAITING = 20_000
AT_ONCE = 1_000
# After unexpected errors in a row the thread pauses for longer and longer, and from this many on it counts as down.
MAX_ERRORS = 10
MAX_PAUSE = 60.0

Keep = Callable[[UUID, Sequence[NewAction]], object]


class ActionBuffer:
    """Actions on their way to the database, kept by one thread that starts with the first of them."""

    def __init__(self, keep: Keep, *, seconds: float = SECONDS, most: int = MAX_WAITING) -> None:
        self._keep = keep
        self._seconds = seconds
        self._waiting: deque[tuple[UUID, NewAction]] = deque(maxlen=most)
        self._starting = Lock()
        self._flushing = Lock()
        self._stopping = Event()
        self._thread: Thread | None = None
        self._errors = 0
        self._given_up = 0
        self._counting = Lock()

    @property
    def errors(self) -> int:
        """The number of unexpected errors since an action was last kept."""
        return self._errors

    @property
    def is_down(self) -> bool:
        """Whether actions are taken and not kept, though the database answers."""
        return self._errors >= MAX_ERRORS or self._has_died()

    def add(self, workspace_id: UUID, action: NewAction) -> None:
        """Take an action; costs microseconds."""
        if len(self._waiting) == self._waiting.maxlen:
            self._give_up()
        self._waiting.append((workspace_id, action))
        if self._thread is None or self._has_died():
            self._start()

    def flush(self) -> None:
        """Keep what waits. While the database does not take it, it goes on waiting."""
        with self._flushing:
            self._log_given_up()
            while taken := self._take_batch():
                by_workspace = defaultdict(list)
                for workspace_id, action in taken:
                    by_workspace[workspace_id].append(action)
                while by_workspace:
                    workspace_id, actions = by_workspace.popitem()
                    if away := self._keep_part(workspace_id, actions):
                        self._give_back({workspace_id: actions, **by_workspace})
                        log.warning("capture_waits actions=%d cause=%s", len(self._waiting), away)
                        return

    def close(self) -> None:
        """Stop the thread and keep what still waits. For an orderly stop of the process."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()
        try:
            self.flush()
        finally:
            connection.close()

    def _has_died(self) -> bool:
        return self._thread is not None and not self._thread.is_alive() and not self._stopping.is_set()

    def _start(self) -> None:
        with self._starting:
            if self._has_died():
                log.error("capture_restarted its thread had ended")
                self._thread = None
            if self._thread is None:
                self._thread = Thread(target=self._run, name="capture", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while not self._stopping.wait(self._pause()):
            if not self._waiting:
                continue
            try:
                self.flush()
            finally:
                # The thread outlives every request, and must not keep a connection of the pool for itself.
                connection.close()

    def _pause(self) -> float:
        return self._seconds if not self._errors else min(self._seconds * 2.0 ** min(self._errors, 20), MAX_PAUSE)

    def _keep_part(self, workspace_id: UUID, actions: Sequence[NewAction]) -> str:
        """Keep actions of one workspace, or give them up where they would fail again and hold up those of others.

        Return why they should wait, where the database is away.
        """
        try:
            self._keep(workspace_id, actions)
        except (OperationalError, InterfaceError) as away:
            return type(away).__name__
        except DatabaseError as refusal:
            self._log_loss(workspace_id, actions, refusal)
        except Exception as mistake:  # noqa: BLE001  # one workspace must not end the capture of all
            self._errors += 1
            self._log_loss(workspace_id, actions, mistake)
        else:
            self._errors = 0
        return ""

    def _log_loss(self, workspace_id: UUID, actions: Sequence[NewAction], error: Exception) -> None:
        cause = type(error).__name__
        log.error("capture_lost workspace=%s actions=%d cause=%s", workspace_id, len(actions), cause, exc_info=error)

    def _take_batch(self) -> list[tuple[UUID, NewAction]]:
        return [self._waiting.popleft() for _ in range(min(AT_ONCE, len(self._waiting)))]

    def _give_back(self, left: dict[UUID, list[NewAction]]) -> None:
        for workspace_id, actions in left.items():
            for action in reversed(actions):
                if len(self._waiting) < (self._waiting.maxlen or 0):
                    self._waiting.appendleft((workspace_id, action))
                else:
                    self._give_up()

    def _give_up(self) -> None:
        """Count an action that gives way to newer ones; the next look at the buffer logs how many."""
        with self._counting:
            self._given_up += 1

    def _log_given_up(self) -> None:
        with self._counting:
            given_up, self._given_up = self._given_up, 0
        if given_up:
            log.error("capture_given_up actions=%d", given_up)
