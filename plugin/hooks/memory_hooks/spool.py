"""What waits to be sent, in small files that only their owner can read: where in a transcript, never what it says."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time

MAX_WAITING = 10_000
MAX_LOG_BYTES = 100_000
DAYS_OF_SESSIONS = 60
MODE, FOLDER_MODE = 0o600, 0o700


class SpoolFullError(OSError):
    """There is no room for another entry."""


class Spool:
    """A folder of the user's own. Every method may raise OSError."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._queue = os.path.join(folder, "queue")
        self._sessions = os.path.join(folder, "sessions")
        self._notice = os.path.join(folder, "notice")
        self._losses = os.path.join(folder, "losses")

    def put(self, entry: dict[str, object]) -> None:
        """Keep an entry for delivery; whole, or not at all."""
        os.makedirs(self._queue, FOLDER_MODE, exist_ok=True)
        if len(os.listdir(self._queue)) >= MAX_WAITING:
            raise SpoolFullError(0, f"{MAX_WAITING:,} entries wait already")
        _write(os.path.join(self._queue, f"{time.time_ns():020d}-{os.getpid()}.json"), json.dumps(entry))

    def waiting(self) -> list[str]:
        """Return the names of the entries, the oldest first."""
        try:
            return sorted(name for name in os.listdir(self._queue) if name.endswith(".json"))
        except FileNotFoundError:
            return []

    def read(self, name: str) -> dict[str, object]:
        """Return an entry; one that is broken is empty."""
        found = _read_text(os.path.join(self._queue, name))
        try:
            entry = json.loads(found)
        except ValueError:
            return {}
        return entry if isinstance(entry, dict) else {}

    def remove(self, name: str) -> None:
        os.unlink(os.path.join(self._queue, name))

    def lock(self) -> int | None:
        """Return a file descriptor that is the right to deliver, None while another process has it."""
        os.makedirs(self.folder, FOLDER_MODE, exist_ok=True)
        handle = os.open(os.path.join(self.folder, "lock"), os.O_RDWR | os.O_CREAT, MODE)
        try:
            _lock(handle)
        except OSError:
            os.close(handle)
            return None
        return handle

    def begin_session(self, session: str, offset: int) -> None:
        """Keep from where on a transcript is sent, unless that is known."""
        path = self._session(session, "offset")
        if not os.path.exists(path):
            os.makedirs(self._sessions, FOLDER_MODE, exist_ok=True)
            _write(path, str(offset))

    def offset(self, session: str) -> int | None:
        """Return how far a transcript was sent, None for a session that is not known."""
        return _number(_read_text(self._session(session, "offset")))

    def move_offset(self, session: str, offset: int) -> None:
        os.makedirs(self._sessions, FOLDER_MODE, exist_ok=True)
        _write(self._session(session, "offset"), str(offset))
        self._forget(self._session(session, "sending"))

    def sending(self, session: str) -> tuple[int, int] | None:
        """Return the part of a transcript whose sending was begun: it is sent again exactly so, and counts once."""
        start, _, end = _read_text(self._session(session, "sending")).partition(" ")
        numbers = _number(start), _number(end)
        return None if numbers[0] is None or numbers[1] is None else (numbers[0], numbers[1])

    def begin_sending(self, session: str, start: int, end: int) -> None:
        os.makedirs(self._sessions, FOLDER_MODE, exist_ok=True)
        _write(self._session(session, "sending"), f"{start} {end}")

    def leave_notice(self, text: str) -> None:
        """Keep a sentence for the user, which the next prompt of each session shows once."""
        _write(self._notice, text)

    def clear_notice(self) -> None:
        self._forget(self._notice)

    def notice(self) -> str:
        return _read_text(self._notice)

    def report_loss(self, text: str) -> None:
        """Keep a sentence that the next prompt shows, whatever its session, and then never again."""
        earlier = _read_text(self._losses)
        if text not in earlier:
            _write(self._losses, f"{earlier} {text}".strip())

    def take_losses(self) -> str:
        """Return the sentences about what was lost since the last prompt."""
        text = _read_text(self._losses)
        if text:
            self._forget(self._losses)
        return text

    def take_notice(self, session: str) -> str:
        """Return the sentence that this session was not shown yet, or an empty text."""
        text = self.notice()
        shown = self._session(session, "shown")
        if not text or _read_text(shown) == text:
            return ""
        os.makedirs(self._sessions, FOLDER_MODE, exist_ok=True)
        _write(shown, text)
        return text

    def workspace(self, address: str) -> str:
        """Return the workspace that a key opens at an address, where it was looked up before."""
        found = _read_text(os.path.join(self.folder, "workspace"))
        name, _, workspace = found.partition(" ")
        return workspace if name == _digest(address) else ""

    def keep_workspace(self, address: str, workspace: str) -> None:
        os.makedirs(self.folder, FOLDER_MODE, exist_ok=True)
        _write(os.path.join(self.folder, "workspace"), f"{_digest(address)} {workspace}")

    def log(self, line: str) -> None:
        """Add a line of what was done: ids, numbers and codes, nothing of what was said."""
        path = os.path.join(self.folder, "hooks.log")
        if os.path.exists(path) and os.path.getsize(path) > MAX_LOG_BYTES:
            os.replace(path, f"{path}.1")
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, MODE)
        try:
            os.write(handle, f"{time.strftime('%Y-%m-%dT%H:%M:%S')} {line}\n".encode())
        finally:
            os.close(handle)

    def forget_old_sessions(self) -> None:
        """Delete what is kept of sessions that nothing was heard of for long."""
        limit = time.time() - DAYS_OF_SESSIONS * 86_400
        for name in os.listdir(self._sessions) if os.path.isdir(self._sessions) else []:
            path = os.path.join(self._sessions, name)
            if os.path.getmtime(path) < limit:
                os.unlink(path)

    def _session(self, session: str, what: str) -> str:
        return os.path.join(self._sessions, f"{_digest(session)}.{what}")

    def _forget(self, path: str) -> None:
        try:
            os.unlink(path)
        except FileNotFoundError:
            return


def _write(path: str, text: str) -> None:
    """Write a file with mode 600, whole or not at all."""
    fresh = f"{path}.{os.getpid()}.part"
    try:
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, MODE)
        try:
            os.write(handle, text.encode())
        finally:
            os.close(handle)
        os.replace(fresh, path)
    except OSError:
        if os.path.exists(fresh):
            os.unlink(fresh)
        raise


def _read_text(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (FileNotFoundError, UnicodeDecodeError):
        return ""


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() else None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:32]


def _lock(handle: int) -> None:
    """Lock a file for this process alone. Raises OSError while another has it."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
