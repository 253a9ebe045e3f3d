"""The first command on a fresh machine: what cannot work is said in one sentence, before anything slow."""

import re
import socket
import subprocess
from pathlib import Path

import pytest

from embedded.launcher import venv_setup
from embedded.launcher.log_tail import Tail

ROOT = Path(__file__).parents[2]


def bootstrap(*, path: Path) -> subprocess.CompletedProcess[str]:
    """Run the first script with only the programs of one folder."""
    return subprocess.run(
        ["/bin/sh", str(ROOT / "embedded" / "launcher" / "bootstrap.sh"), "runtime"],
        env={"PATH": str(path)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    "file",
    ["embedded/launcher/web_and_worker.py", "deploy/Containerfile", "deploy/README.md", "docs/how-to/own-servers.md"],
)
def test_nobody_tells_uvicorn_where_a_call_comes_from_or_ends(file: str) -> None:
    """By itself it believes the `X-Forwarded-For` of everybody on this machine, whatever TRUST_PROXY says, and takes
    what follows an `Upgrade` for a request of its own wherever httptools is installed."""
    said = (ROOT / file).read_text()
    assert "--no-proxy-headers" in said
    assert re.search(r"--http\W+h11", said)
    assert re.search(r"--ws\W+none", said)


@pytest.mark.heavy
def test_without_python_one_sentence_names_the_cure(tmp_path: Path) -> None:
    ended = bootstrap(path=tmp_path)

    assert ended.returncode == 1
    assert ended.stderr.startswith("No Python from 3.11 to 3.14 was found: install one")
    assert ended.stderr.count("\n") == 1


@pytest.mark.heavy
def test_without_the_venv_module_one_sentence_names_the_cure(tmp_path: Path) -> None:
    python = tmp_path / "python3"
    python.write_text("#!/bin/sh\ncase $2 in *ensurepip*) exit 1;; esac\n")
    python.chmod(0o755)

    ended = bootstrap(path=tmp_path)

    assert ended.returncode == 1
    assert ended.stderr.startswith("python3 lacks the venv module: install it")
    assert ended.stderr.count("\n") == 1


def test_a_used_port_is_refused_before_anything_is_installed() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]

        with pytest.raises(venv_setup.Refusal, match=rf"Port {port} cannot be used \(address already in use\)"):
            venv_setup.refuse_hopeless_start(port=str(port))


@pytest.mark.parametrize("port", ["", "http", "0", "65536", "-1", "80.5"])
def test_a_port_that_is_no_port_is_refused(port: str) -> None:
    with pytest.raises(venv_setup.Refusal, match="give a number from 1 to 65535"):
        venv_setup.refuse_hopeless_start(port=port)


def test_a_folder_that_cannot_be_written_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(venv_setup, "ROOT", Path("/proc"))  # read-only even for root

    with pytest.raises(venv_setup.Refusal, match="Cannot write to /proc: copy the project"):
        venv_setup.refuse_hopeless_start(port=None)


def test_a_machine_without_ready_made_servers_is_told_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "riscv64")

    with pytest.raises(venv_setup.Refusal, match=r"exist ready-made for Linux .* only: .* the containers of deploy/"):
        venv_setup.refuse_hopeless_start(port=None)


def test_changed_requirements_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("requirements.txt", "requirements-embedder.txt", "requirements-dev.txt", "requirements-client.txt"):
        (tmp_path / name).write_text("django==5.2.19\n")
    monkeypatch.setattr(venv_setup, "ROOT", tmp_path)
    runtime, dev = venv_setup.read_version("runtime"), venv_setup.read_version("dev")

    (tmp_path / "requirements-dev.txt").write_text("pytest==9.2.0\n")

    assert venv_setup.read_version("runtime") == runtime
    assert venv_setup.read_version("dev") != dev


def test_every_requirement_is_pinned() -> None:
    for name in ("requirements.txt", "requirements-dev.txt", "requirements-embedder.txt"):
        for line in (ROOT / name).read_text().splitlines():
            assert not line.strip() or line.startswith(("#", "-r ")) or "==" in line, f"{name}: {line}"
            assert "://" not in line, f"{name}: {line}"


def test_a_log_is_shown_as_it_grows_and_after_it_was_replaced(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    log = tmp_path / "web.log"
    log.write_text("before\n")
    tail = Tail(log)

    log.write_text("before\nafter\n")
    tail.show()
    log.write_text("new\n")
    tail.show()

    assert capfdbinary.readouterr().out == b"after\nnew\n"
