"""A client with the plugin, as far as its hooks go: a home folder, a transcript, and the program that hooks start."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.rules.source import ROOT

PLUGIN = ROOT / "plugin"
SESSION = "5f0e2a52-1111-4222-8333-944455556666"
EVENTS = {"UserPromptSubmit": "recall", "Stop": "capture", "SessionEnd": "end"}
PATIENCE = 30.0


@dataclass
class CodingAgent:
    """One session of Claude Code in a home folder, with a transcript of its own."""

    home: Path
    url: str
    key: str = "right"
    session: str = SESSION
    environment: dict[str, str] = field(default_factory=dict)
    preexec: Callable[[], None] | None = None
    logged: int = 0  # bytes of the log before the last hook

    @property
    def transcript(self) -> Path:
        return self.home / f"{self.session}.jsonl"

    @property
    def spool(self) -> Path:
        return self.home / "spool"

    @property
    def waiting(self) -> list[Path]:
        return sorted((self.spool / "queue").glob("*.json"))

    def say(self, role: str, content: Any, **fields: Any) -> None:
        """Write an entry into the transcript, as the client does."""
        entry = {"type": role, "sessionId": self.session, "message": {"role": role, "content": content}, **fields}
        with self.transcript.open("a") as file:
            file.write(json.dumps(entry) + "\n")

    def turn(self, prompt: str, answer: str) -> None:
        """Say a prompt and an answer, and call the hook that ends a turn."""
        self.say("user", prompt)
        self.say("assistant", [{"type": "text", "text": answer}])
        assert self.hook("Stop") == {}

    def hook(self, event: str, **fields: Any) -> dict[str, Any]:
        """Call a hook as hooks.json says, and return its answer; it must end well whatever happens."""
        return self.timed_hook(event, **fields)[0]

    def timed_hook(self, event: str, **fields: Any) -> tuple[dict[str, Any], float]:
        """Call a hook, and return its answer with the seconds that it held the client."""
        given = {"session_id": self.session, "transcript_path": str(self.transcript), "cwd": str(self.home)}
        self.logged = self._size_of_log()
        began = time.monotonic()
        done = subprocess.run(
            command_of(event),
            input=json.dumps({**given, "hook_event_name": event, **fields}),
            env=self._environment(),
            cwd=self.home,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
            preexec_fn=self.preexec,
        )
        held = time.monotonic() - began
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        return (json.loads(done.stdout) if done.stdout else {}), held

    def status(self) -> str:
        program = [*command_of("Stop")[:-1], "status"]
        return subprocess.run(program, env=self._environment(), capture_output=True, text=True, check=True).stdout

    def settle(self) -> None:
        """Wait until what waited is sent, or what sends it has given up, and no process delivers any more."""
        await_until(lambda: (not self.waiting or self._has_given_up()) and not self.is_delivering())

    def is_delivering(self) -> bool:
        """Whether a process has the lock. It is looked up, and not tried: trying would keep a process from it."""
        lock = self.spool / "lock"
        return lock.exists() and f":{lock.stat().st_ino} " in Path("/proc/locks").read_text()

    def _has_given_up(self) -> bool:
        log = self.spool / "hooks.log"
        since = log.read_text()[self.logged :].splitlines() if log.exists() else []
        return bool(since) and since[-1].split()[1] in {"waiting", "stopped:"}

    def _size_of_log(self) -> int:
        log = self.spool / "hooks.log"
        return log.stat().st_size if log.exists() else 0

    def _environment(self) -> dict[str, str]:
        mine = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "WSM_HOOKS": "on",
            "WSM_HOOKS_DIR": str(self.spool),
            "WSM_URL": self.url,
            "WSM_KEY": self.key,
        }
        return {name: value for name, value in {**mine, **self.environment}.items() if value}


def command_of(event: str) -> list[str]:
    """Return the command that hooks.json has for an event, as a shell would read it."""
    hooks = json.loads((PLUGIN / "hooks" / "hooks.json").read_text())["hooks"]
    (entry,) = hooks[event][0]["hooks"]
    return shlex.split(entry["command"].replace("${CLAUDE_PLUGIN_ROOT}", str(PLUGIN)))


def await_until(holds: Callable[[], bool]) -> None:
    """Wait for what another process does."""
    until = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < until, "It did not happen."
        time.sleep(0.02)
