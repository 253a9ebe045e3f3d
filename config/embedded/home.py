"""The folder that keeps one set of servers: data, secrets, ports, logs and the records of their processes."""

import fcntl
import os
import random
import secrets
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from config.embedded.errors import LaunchError

# Below the range from which Linux (32768) and macOS (49152) take the local port of outgoing connections:
# a client that calls a server while it is down must neither occupy its port nor connect to itself.
PORTS = range(15000, 32000)


@dataclass(frozen=True)
class Home:
    path: Path

    @property
    def run(self) -> Path:
        return self.path / "run"

    @property
    def services_env(self) -> Path:
        """Where `manage.py` finds the servers of a run that is up."""
        return self.path / "services.env"

    def log(self, name: str) -> Path:
        return self.path / "log" / f"{name}.log"

    def last_words(self, name: str) -> str:
        """For the sentence that says what failed; the log has the rest."""
        lines = self.log(name).read_text(errors="replace").splitlines() or ["nothing"]
        return f"its last words were “{lines[-1].strip()}”, the others are in {self.log(name)}"

    def record(self, name: str) -> Path:
        """First line: the process id; second line: when that process began, in seconds since 1970."""
        return self.run / f"{name}.pid"

    def hold(self, name: str) -> Path:
        """While this file exists, the supervisor leaves a server that ended as it is."""
        return self.run / f"{name}.hold"

    def ready(self, name: str) -> Path:
        """Exists while the server answers."""
        return self.run / f"{name}.ready"

    def secret(self, name: str, *, opens: Path | None = None) -> str:
        """The secret of that name, made on first use; `opens` is the data that only this secret opens."""
        path = self.path / name
        if path.exists():
            return path.read_text()
        if opens is not None and opens.exists():
            raise LaunchError(f"{path} is missing, but {opens} needs it: put it back, or delete {opens} to begin anew.")
        write_private(path, secrets.token_hex(32))
        return path.read_text()

    def port(self, name: str) -> int:
        """The port of the last start while it is free, else another one."""
        path = self.run / f"{name}.port"
        if path.exists() and is_free(port := int(path.read_text())):
            return port
        port = next(port for port in random.sample(PORTS, 1000) if is_free(port))
        path.write_text(str(port))
        return port

    def prepare(self) -> None:
        try:
            self.run.mkdir(parents=True, exist_ok=True)
            (self.path / "log").mkdir(mode=0o700, exist_ok=True)  # the demo's sign-in is among what is logged
            write_private(self.run / "writable", "")
        except OSError as error:
            raise LaunchError(
                f"Cannot write to {self.path} ({error.strerror}): choose another folder with WSM_HOME."
            ) from error

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold this home for one supervisor; the kernel gives the lock back however that process ends."""
        with (self.run / "lock").open("a+") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                file.seek(0)
                raise LaunchError(
                    f"Another run (process {file.read().strip()}) is using {self.path}: "
                    "stop it, or set WSM_HOME to another folder."
                ) from error
            file.truncate(0)
            file.write(str(os.getpid()))
            file.flush()
            yield

    def is_supervised(self) -> bool:
        try:
            with self.locked():
                return False
        except LaunchError:
            return True

    def environment(self, services: Mapping[str, str]) -> dict[str, str]:
        """What a program of the product is told: its caller's environment, the servers, the key, this folder."""
        return {
            "SECRET_KEY": self.secret("secret_key"),
            **os.environ,
            **services,
            "WSM_HOME": str(self.path),
        }

    def write_services_env(self, environment: Mapping[str, str]) -> None:
        write_private(self.services_env, "".join(f"{key}={value}\n" for key, value in environment.items()))


def write_private(path: Path, text: str) -> None:
    """Write for the owner's eyes only, whole or not at all."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.unlink(missing_ok=True)
    with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    temporary.replace(path)


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
