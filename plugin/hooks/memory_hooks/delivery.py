"""Sending what waits in the spool: by one process at a time, in order, each part of a transcript once."""

from __future__ import annotations

import json
import os
import time
from hashlib import sha256

from memory_hooks.redaction import redact
from memory_hooks.server import Answer, NoAnswerError, Server, quoted
from memory_hooks.settings import HookSettings
from memory_hooks.spool import Spool
from memory_hooks.transcript import last_turn_offset, messages_of

SECONDS = 30.0
MAX_MESSAGES, MAX_BYTES = 200, 500_000
MAX_PART_BYTES = 16_000_000
# The client may write the last lines of a turn after it has called the hook.
PAUSE, PAUSES = 0.25, 8
# Refusals that may end: the key is mended, the server is less busy. Others are of the message itself.
PASSING = frozenset({401, 402, 403, 404, 408, 409, 425, 429})
# The same part was taken before, by an attempt whose answer was lost and whose text an older version had redacted.
TAKEN_BEFORE = "idempotency_key_reused"


class WaitsError(Exception):
    """It cannot be sent now; it stays in the spool. The sentence says why."""


def deliver(settings: HookSettings) -> None:
    """Send what waits, unless another process does. What cannot be sent stays, and the next prompt says so."""
    spool = Spool(settings.folder)
    while spool.waiting():
        handle = spool.lock()
        if handle is None:
            return
        try:
            is_done = Delivery(settings, spool).send_all()
        finally:
            os.close(handle)  # and with it the lock
        if not is_done:
            return
        # An entry that came in since the last look found the lock taken: so look again.


class Delivery:
    """One run over the spool."""

    def __init__(self, settings: HookSettings, spool: Spool) -> None:
        self._spool = spool
        self._server = Server(settings, seconds=SECONDS)

    def send_all(self) -> bool:
        """Send every entry; return False, and leave a sentence for the user, where the rest has to wait."""
        try:
            for name in self._spool.waiting():
                self._begin_session(self._spool.read(name))
            for name in self._spool.waiting():
                self._send_entry(self._spool.read(name))
                self._spool.remove(name)
        except (NoAnswerError, WaitsError) as error:
            count = len(self._spool.waiting())
            waits = "1 turn waits" if count == 1 else f"{count} turns wait"
            self._spool.leave_notice(f"{error}. {waits} in {self._spool.folder}, and nothing is lost.")
            self._spool.log(f"waiting {count}: {error}")
            return False
        self._spool.clear_notice()
        self._spool.forget_old_sessions()
        return True

    def _begin_session(self, entry: dict[str, object]) -> None:
        """Settle from where on a transcript is sent whose session began before the hooks were on: from the prompt of
        the turn that was the last one then. It is not put off until the server answers, or later turns would be it."""
        session, path, size = str(entry.get("session") or ""), str(entry.get("transcript") or ""), entry.get("size")
        if session and os.path.exists(path) and self._spool.offset(session) is None:
            with open(path, "rb") as file:
                begun = file.read(size if isinstance(size, int) and size > 0 else -1)
            self._spool.begin_session(session, last_turn_offset(begun))

    def _send_entry(self, entry: dict[str, object]) -> None:
        session, path = str(entry.get("session") or ""), str(entry.get("transcript") or "")
        if not session:
            self._lose("An entry of the spool cannot be read: a turn is lost.")
            return
        root = f"/v1/workspaces/{quoted(self._server.workspace(self._spool))}"
        conversation = f"claude-code/{session}"
        space = {"space": str(entry["space"])} if entry.get("space") else {}
        is_end = entry.get("kind") == "end"
        if path and not (is_end and not self._spool.offset(session) and not os.path.exists(path)):
            self._send_transcript(session, path, f"{root}/add", {"conversation": conversation, **space})
        if is_end:
            answer = self._server.call("POST", f"{root}/conversations/{quoted(conversation)}/end", space)
            # Absent: nothing was said in it.
            if answer.status >= 500 or (answer.status in PASSING and answer.status != 404):
                raise WaitsError(_reason(answer))
            self._spool.log(f"ended {conversation}: {answer.status}")

    def _send_transcript(self, session: str, path: str, address: str, fields: dict[str, str]) -> None:
        """Send what a transcript has behind what was sent of it."""
        try:
            part = _next_part(self._spool, session, path)
        except OSError as error:
            self._lose(f"A transcript cannot be read ({error.strerror}): what was said in it since is lost.")
            return
        while part:
            start, end, lines = part
            self._spool.begin_sending(session, start, end)
            said = messages_of(lines, session=session)
            messages = [{**message, "content": redact(message["content"])} for message in said]
            for place, batch in enumerate(split_messages(messages)):
                key = sha256(f"{session} {start} {end} {place}".encode()).hexdigest()
                self._send(address, fields, batch, key)
            self._spool.move_offset(session, end)
            self._spool.log(f"sent {len(messages)} of {session}: bytes {start} to {end}")
            part = _read_part(path, end)

    def _send(self, address: str, fields: dict[str, str], messages: list[dict[str, str]], key: str) -> None:
        """Send messages; those that the server refuses for good are found one by one, and said to be lost."""
        answer = self._server.call("POST", address, {"messages": messages, **fields}, repeat_key=key)
        if answer.status < 300 or answer.code == TAKEN_BEFORE:
            return
        if answer.status >= 500 or answer.status in PASSING:
            raise WaitsError(_reason(answer))
        if len(messages) > 1:
            for place, message in enumerate(messages):
                self._send(address, fields, [message], f"{key}-{place}")
        elif "created_at" in messages[0]:  # a clock that is ahead of the server's
            without = {name: value for name, value in messages[0].items() if name != "created_at"}
            self._send(address, fields, [without], f"{key}-now")
        else:
            self._lose(f"The server refuses a message ({answer.code}): it is lost.")

    def _lose(self, sentence: str) -> None:
        self._spool.report_loss(sentence)
        self._spool.log(f"lost: {sentence}")


def split_messages(messages: list[dict[str, str]]) -> list[list[dict[str, str]]]:
    """Return the messages in lists that the server takes at once."""
    batches: list[list[dict[str, str]]] = []
    size = 0
    for message in messages:
        needed = len(json.dumps(message))
        if not batches or len(batches[-1]) == MAX_MESSAGES or size + needed > MAX_BYTES:
            batches.append([])
            size = 0
        batches[-1].append(message)
        size += needed
    return batches


def _next_part(spool: Spool, session: str, path: str) -> tuple[int, int, bytes] | None:
    """Return the part to send: the one whose sending was begun, or all whole lines behind what was sent."""
    if begun := spool.sending(session):
        with open(path, "rb") as file:
            file.seek(begun[0])
            return *begun, file.read(begun[1] - begun[0])
    offset = spool.offset(session) or 0
    for _ in range(PAUSES):
        part = _read_part(path, offset)
        if part and any(message["role"] == "assistant" for message in messages_of(part[2])):
            return part
        time.sleep(PAUSE)
    return _read_part(path, offset)


def _read_part(path: str, offset: int) -> tuple[int, int, bytes] | None:
    """Return where the next whole lines begin and end, and the lines; None where there are none."""
    with open(path, "rb") as file:
        file.seek(0, os.SEEK_END)
        offset = 0 if offset > file.tell() else offset  # another file took its place
        file.seek(offset)
        found = file.read(MAX_PART_BYTES)
    end = found.rfind(b"\n") + 1
    if not end and len(found) == MAX_PART_BYTES:
        end = len(found)  # a line that is longer than anything a person said
    return (offset, offset + end, found[:end]) if end else None


def _reason(answer: Answer) -> str:
    if answer.status in {401, 403}:
        return f"The server refuses the key ({answer.code})"
    return f"The server cannot take it now ({answer.code})"
