"""Starting, watching and ending processes: nothing outlives its supervisor, and nobody else's process is touched."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from embedded import Home, LaunchError, control
from embedded.processes import end_recorded, find_recorded_process, write_record
from embedded.program import STARTS_PER_MINUTE
from tests.awaiting import comes_true
from tests.embedded.programs import Said, Shell

pytestmark = pytest.mark.heavy

SUPERVISOR = """
import sys, time
from pathlib import Path
from embedded import Home
from tests.embedded.programs import Said, Shell
shell = Shell("sleep 60 & sleep 60", home=Home(Path(sys.argv[1])), say=Said())
shell.start()
print("up", flush=True)
time.sleep(60)
"""


@pytest.fixture
def said() -> Said:
    return Said()


@pytest.fixture
def shell(home: Home, said: Said) -> Iterator[Shell]:
    shell = Shell("sleep 60 & sleep 60", home=home, say=said)
    yield shell
    shell.kill()


def members(group: int) -> list[psutil.Process]:
    """What still lives of a process group."""
    found = []
    for process in psutil.process_iter():
        try:
            if os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except (ProcessLookupError, psutil.NoSuchProcess):
            continue
    return found


def test_a_started_program_is_recorded_and_leads_a_group_of_its_own(shell: Shell, home: Home) -> None:
    shell.start()

    process = find_recorded_process(home.record("shell"))
    assert process is not None
    assert process.pid in {member.pid for member in members(process.pid)}
    assert home.ready("shell").exists()


def test_stopping_leaves_nothing_of_the_group(shell: Shell, home: Home) -> None:
    shell.start()
    pid = int(home.record("shell").read_text().split()[0])

    shell.stop()

    assert comes_true(lambda: not members(pid))
    assert not home.record("shell").exists()
    assert not home.ready("shell").exists()


def test_a_program_that_dies_is_started_again_and_that_is_said(shell: Shell, said: Said, home: Home) -> None:
    shell.start()
    first = find_recorded_process(home.record("shell"))
    assert first is not None
    time.sleep(1)  # one that dies at once waits for a second

    first.kill()
    while find_recorded_process(home.record("shell")) in (None, first):
        shell.tick()

    assert "shell ended unexpectedly (SIGKILL); starting it again." in said.lines


def test_a_program_that_keeps_dying_stays_down(home: Home, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("embedded.program.PAUSE_SECONDS", 0)
    shell = Shell("echo no room; exit 3", home=home, say=said)
    shell.accepts = lambda: False  # type: ignore[method-assign]  # it never gets that far

    with pytest.raises(LaunchError, match="shell does not start: its last words were “no room”"):
        shell.start()

    assert said.lines.count("shell ended unexpectedly (exit code 3); starting it again.") == STARTS_PER_MINUTE - 1


def test_a_killed_program_stays_down_until_it_is_started(shell: Shell, home: Home) -> None:
    shell.start()

    control.kill(home, "shell")
    shell.tick()
    assert not shell.is_running

    shell.start()
    assert shell.is_running


def test_what_a_killed_supervisor_left_is_ended_before_the_next_start(home: Home, shell: Shell) -> None:
    command = [sys.executable, "-c", SUPERVISOR, str(home.path)]
    root = Path(__file__).parents[2]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE) as supervisor:
        assert supervisor.stdout is not None
        assert supervisor.stdout.readline() == b"up\n"
        left = int(home.record("shell").read_text().split()[0])
        supervisor.kill()

    shell.start()

    assert comes_true(lambda: not members(left))


def test_a_record_whose_process_id_was_reused_ends_nobody(home: Home) -> None:
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as innocent:
        write_record(home.record("web"), innocent.pid)
        pid, began = home.record("web").read_text().split()
        home.record("web").write_text(f"{pid}\n{float(began) - 3600}\n")

        end_recorded(home.record("web"))

        assert innocent.poll() is None
        innocent.kill()
    assert not home.record("web").exists()


def test_only_a_supervised_server_can_be_started_from_outside(home: Home) -> None:
    with pytest.raises(LaunchError, match=r"No run is using .*: start one with"):
        control.start(home, "graph")
