"""`make bench-hooks`: how long the plugin's hooks hold the client, also where the server or the disk fails."""

from __future__ import annotations

import json
import os
import platform
import resource
import shlex
import socket
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

CALLS = 40
TARGET_MS = 300.0
HOME = Path(os.environ.get("WSM_HOME", "var"))
ROOT = Path(__file__).resolve().parents[1]
# What `hook.sh` starts.
PYTHON = "/usr/bin/python3" if Path("/usr/bin/python3").exists() else "python3"
PROMPT = "What did we decide about the ovens?"
WORDS = "The oven of the second shop runs ten degrees hot; the third one is new. "


@dataclass(frozen=True, slots=True)
class Case:
    """A hook under a condition."""

    label: str
    event: str
    environment: dict[str, str] = field(default_factory=dict)
    is_disk_full: bool = False


def main() -> None:
    demo = json.loads((HOME / "demo.json").read_text())
    right = {"WSM_URL": demo["url"], "WSM_KEY": demo["api_key"]}
    with socket.create_server(("127.0.0.1", 0), backlog=4096) as silent:  # it takes connections and never answers
        slow = {**right, "WSM_URL": f"http://127.0.0.1:{silent.getsockname()[1]}"}
        dead = {**right, "WSM_URL": "http://127.0.0.1:9"}
        wrong = {**right, "WSM_KEY": "oxa_live_wrong"}
        cases = [
            Case("off", "UserPromptSubmit", {**right, "WSM_HOOKS": "off"}),
            Case("recall", "UserPromptSubmit", right),
            Case("recall, server dead", "UserPromptSubmit", dead),
            Case("recall, server silent", "UserPromptSubmit", slow),
            Case("recall, wrong key", "UserPromptSubmit", wrong),
            Case("capture", "Stop", right),
            Case("capture, server dead", "Stop", dead),
            Case("capture, server silent", "Stop", slow),
            Case("capture, wrong key", "Stop", wrong),
            Case("capture, disk full", "Stop", right, is_disk_full=True),
            Case("end of the session", "SessionEnd", right),
        ]
        contexts: dict[str, int] = {}
        rows = [("Python alone", *_spread([_milliseconds([PYTHON, "-E", "-s", "-S", "-c", ""]) for _ in range(CALLS)]))]
        for case in cases:
            times, contexts[case.label] = _measure(case)
            rows.append((case.label, *_spread(times)))
    print(f"{'':24}  {'median ms':>9}  {'p95 ms':>9}  {'max ms':>9}")
    for label, *numbers in rows:
        print(f"{label:24}  " + "  ".join(f"{number:9.1f}" for number in numbers))
    print(f"\n{contexts['recall']} of {CALLS} prompts were given a context in time")
    longest = max(row[3] for row in rows)
    print(
        f"longest {longest:.0f} ms (target: at most {TARGET_MS:.0f}); {CALLS} calls of each; "
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {platform.python_version()}"
    )
    (HOME / "bench-hooks.json").write_text(json.dumps({row[0]: row[1:] for row in rows}, indent=1))


def _measure(case: Case) -> tuple[list[float], int]:
    """Return the milliseconds of each call, and the number of answers that had a context."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        transcript = home / "transcript.jsonl"
        entries = [{"type": role, "message": {"content": WORDS * 20}} for role in ("user", "assistant")]
        transcript.write_text("".join(f"{json.dumps(entry)}\n" for entry in entries * 200))
        event = {"session_id": "bench", "transcript_path": str(transcript), "prompt": PROMPT}
        environment = {"PATH": os.environ["PATH"], "HOME": folder, "WSM_HOOKS": "on", **case.environment}
        full = (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))) if case.is_disk_full else None
        times, contexts = [], 0
        for number in range(CALLS):
            given = json.dumps({**event, "session_id": f"bench-{number}"})
            began = time.perf_counter()
            answer = _run(_command(case.event), given=given, environment=environment, before=full)
            times.append((time.perf_counter() - began) * 1000)
            contexts += "additionalContext" in answer
        return times, contexts


def _command(event: str) -> list[str]:
    hooks = json.loads((ROOT / "plugin" / "hooks" / "hooks.json").read_text())["hooks"]
    return shlex.split(hooks[event][0]["hooks"][0]["command"].replace("${CLAUDE_PLUGIN_ROOT}", str(ROOT / "plugin")))


def _milliseconds(command: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, capture_output=True, check=True)
    return (time.perf_counter() - began) * 1000


def _run(command: list[str], *, given: str, environment: dict[str, str], before: Callable[[], None] | None) -> str:
    done = subprocess.run(
        command, input=given, env=environment, capture_output=True, text=True, check=True, preexec_fn=before
    )
    return done.stdout


def _spread(times: list[float]) -> tuple[float, float, float]:
    return statistics.median(times), statistics.quantiles(times, n=20)[18], max(times)


if __name__ == "__main__":
    main()
