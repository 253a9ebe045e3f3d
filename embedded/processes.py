"""Starting a child process so that it cannot outlive its supervisor, and ending one that did."""

import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

LOG_BYTES = 5_000_000


@dataclass(frozen=True)
class Account:
    """A system user to run as; only root can."""

    user: int
    group: int


@dataclass(frozen=True, kw_only=True)
class Command:
    argv: Sequence[str | Path]
    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    account: Account | None = None
    death_signal: signal.Signals = signal.SIGTERM


def plain_environment() -> dict[str, str]:
    """Return what a server needs to know of the caller's environment: nothing of its secrets, options or language."""
    kept = {key: os.environ[key] for key in ("PATH", "HOME", "TMPDIR") if key in os.environ}
    return {**kept, "LC_ALL": "C.UTF-8", "TZ": "UTC"}


def spawn(command: Command, *, log: Path) -> subprocess.Popen[bytes]:
    """Start `command` in a session of its own, its output going to `log`; call this from the main thread.

    (On Linux the kernel sends the death signal when the *thread* that started the child ends.)
    """
    if log.exists() and log.stat().st_size > LOG_BYTES:
        log.replace(log.with_suffix(".old.log"))
    setpriv = shutil.which("setpriv") if sys.platform == "linux" else None
    account = command.account if setpriv is None else None
    with log.open("ab") as output:
        return subprocess.Popen(
            [*([] if setpriv is None else _guard(setpriv, command)), *command.argv],
            cwd=command.folder,
            env=command.environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            umask=0o077,  # what a server or program writes is for its own user
            user=None if account is None else account.user,
            group=None if account is None else account.group,
            extra_groups=None if account is None else [],
        )


def _guard(setpriv: str, command: Command) -> list[str]:
    """`setpriv` (part of every Linux) drops root's rights, ties the child's life to ours, and becomes the child."""
    guard = [setpriv, "--pdeathsig", command.death_signal.name.removeprefix("SIG")]
    if command.account is None:
        return guard
    guard += [f"--reuid={command.account.user}", f"--regid={command.account.group}", "--clear-groups"]
    if not all(_is_open(Path(path), command.account) for path in (command.argv[0], command.folder)):
        # The account may not pass through a folder on the way, such as /root or a private temporary one.
        # Lending it the right to pass beats opening the folders of others.
        # (The secure bit makes that right count for access(2), by which PostgreSQL finds its own programs.)
        guard += [f"--{kind}=-all,+dac_override" for kind in ("inh-caps", "ambient-caps", "bounding-set")]
        guard += ["--securebits=+no_setuid_fixup"]
    return guard


def _is_open(path: Path, account: Account) -> bool:
    """Return whether the account may pass all the way, by its own folders and those that are open to everybody."""
    states = [part.stat() for part in (path, *path.parents)]
    return all(state.st_mode & (stat.S_IXUSR if state.st_uid == account.user else stat.S_IXOTH) for state in states)


def write_record(path: Path, pid: int) -> None:
    path.write_text(f"{pid}\n{psutil.Process(pid).create_time()}\n")


def find_recorded_process(path: Path) -> psutil.Process | None:
    """Return the process that a record names, while it runs."""
    process = _find_process(path)
    return process if process is not None and not _has_ended(process) else None


def end_recorded(path: Path, *, first: signal.Signals = signal.SIGKILL, seconds: float = 10) -> None:
    """End the process of a record and what it left of its group: politely with `first`, then hard."""
    if (process := find_recorded_process(path)) is not None:
        with suppress(psutil.NoSuchProcess):
            process.send_signal(first)
        deadline = time.monotonic() + seconds
        while find_recorded_process(path) is not None and time.monotonic() < deadline:
            time.sleep(0.02)
    if path.exists() and path.stat().st_mtime > psutil.boot_time():
        _kill_group(path)
    path.unlink(missing_ok=True)


def _find_process(path: Path) -> psutil.Process | None:
    """Return what has the process id of a record, if it is not another process that got the same id later."""
    try:
        pid, began = path.read_text().split()
        process = psutil.Process(int(pid))
        # Tolerance: the kernel's boot time, on which this rests, moves a little when the clock is set.
        return process if abs(process.create_time() - float(began)) < 5 else None
    except (FileNotFoundError, ValueError, psutil.NoSuchProcess):  # ValueError: cut short while it was written
        return None


def _has_ended(process: psutil.Process) -> bool:
    """Return whether it only waits for its parent to notice."""
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def _kill_group(path: Path) -> None:
    """Kill the group that a child leads, whose id is not given away for as long as a member lives."""
    with suppress(ValueError, ProcessLookupError, PermissionError):
        pid = int(path.read_text().split()[0])
        if _find_process(path) is not None or not psutil.pid_exists(pid):
            os.killpg(pid, signal.SIGKILL)
