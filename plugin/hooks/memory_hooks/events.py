"""The events of the client: a prompt, the end of a turn, the end of a session."""

from __future__ import annotations

import json
import os
import sys

from memory_hooks.settings import HookSettings
from memory_hooks.spool import Spool

MAX_EVENT_BYTES = 20_000_000


def handle(name: str, content: bytes, settings: HookSettings, *, began: float) -> str:
    """Return what the client is answered: a context, a sentence for the user, or nothing.

    `began` is the moment of the monotonic clock at which the hook began. What is slow happens in a process of its own.
    """
    try:
        event = json.loads(content)
        session, path = str(event["session_id"]), str(event.get("transcript_path") or "")
    except (ValueError, KeyError, TypeError, AttributeError):
        return ""
    spool = Spool(settings.folder)
    if name != "recall":
        return _keep(name, session, path, settings, spool)
    message = _begin_prompt(session, path, settings, spool)
    from memory_hooks.recall import recall  # it takes time to load, which other events do not need

    context = recall(settings, str(event.get("prompt") or ""), until=began + settings.recall_seconds)
    return _answer(context=context, message=message)


def deliver_now(settings: HookSettings) -> None:
    """Send what waits, in this process."""
    from memory_hooks.delivery import deliver

    deliver(settings)


def describe(settings: HookSettings) -> str:
    """Return for people: whether hooks are on, where they send to, what waits and what the last trouble was."""
    spool = Spool(settings.folder)
    lines = [
        f"hooks    {'on' if settings.is_on else 'off (WSM_HOOKS=on turns them on)'}",
        f"server   {settings.url}{'' if settings.key else ' (no key: wsm login, or set WSM_KEY)'}",
        f"space    {settings.space or 'shared'}",
        f"spool    {settings.folder}",
        f"waiting  {len(spool.waiting())}",
        f"trouble  {spool.notice() or 'none'}",
    ]
    return "\n".join(lines) + "\n"


def _keep(name: str, session: str, path: str, settings: HookSettings, spool: Spool) -> str:
    """Put a turn, or the end of a session, into the spool and have it sent; return what the user has to know."""
    try:
        kind = "end" if name == "end" else "turn"
        size = os.path.getsize(path) if os.path.exists(path) else 0
        spool.put({"kind": kind, "session": session, "transcript": path, "size": size, "space": settings.space})
    except OSError as error:
        reason = error.strerror or type(error).__name__
        what = "The end of this session was not kept" if name == "end" else "This turn was not kept yet"
        then = "" if name == "end" else " The next turn that is takes it along."
        return _answer(message=f"{what}: {reason}.{then}")
    _start_delivery(settings)
    return ""


def _begin_prompt(session: str, path: str, settings: HookSettings, spool: Spool) -> str:
    """Note where the session begins, have sent what waits, and return a sentence that the user was not shown yet."""
    try:
        spool.begin_session(session, os.path.getsize(path) if os.path.exists(path) else 0)
        message = " ".join(filter(None, (spool.take_losses(), spool.take_notice(session))))
        if spool.waiting():
            _start_delivery(settings)
    except OSError as error:
        return f"The spool {settings.folder} cannot be used: {error.strerror}."
    return message


def _answer(*, context: str = "", message: str = "") -> str:
    answer: dict[str, object] = {}
    if message:
        answer["systemMessage"] = f"Workspace Memory: {message}"
    if context:
        answer["hookSpecificOutput"] = {"hookEventName": "UserPromptSubmit", "additionalContext": context}
    return json.dumps(answer) if answer else ""


def _start_delivery(settings: HookSettings) -> None:
    """Let a process of its own deliver, which the client neither waits for nor ends with itself."""
    try:
        if hasattr(os, "fork"):
            if os.fork() == 0:
                _be_the_delivery(settings)
        else:
            _start_program()
    except OSError:
        return  # it stays in the spool, for the next event


def _be_the_delivery(settings: HookSettings) -> None:
    """Deliver, and end: the forked process never returns to what the hook was doing."""
    try:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        os.chdir(os.sep)
        deliver_now(settings)
    except (OSError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # A full disk, or a transcript of a form that this does not know: what waits goes on waiting, and it is said.
        spool = Spool(settings.folder)
        spool.log(f"stopped: {type(error).__name__}")
        spool.leave_notice(f"Sending stopped ({type(error).__name__}); waiting: {len(spool.waiting())}.")
    finally:
        os._exit(0)


def _start_program() -> None:
    import subprocess  # Windows, where processes do not fork

    program = os.path.abspath(sys.argv[0])
    flags = 0x00000008 | 0x00000200  # DETACHED_PROCESS, CREATE_NEW_PROCESS_GROUP
    subprocess.Popen(
        [sys.executable, "-E", "-s", "-S", program, "deliver"],
        creationflags=flags,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        close_fds=True,
    )
