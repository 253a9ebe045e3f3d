"""The folder that keeps one set of servers: data, secrets, ports, logs and the records of their processes."""

import errno
import fcntl
import os
import random
import secrets
import shutil
import socket
import stat
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from embedded.errors import LaunchError

# Below the range from which Linux (32768) and macOS (49152) take the local port of outgoing connections:
# a client that calls a server while it is down must neither occupy its port nor connect to itself.
PORTS = range(15000, 32000)
OWNER_VARIABLE = "DATABASE_OWNER_URL"
# PostgreSQL's folder belongs to another user where root runs this, and guards itself.
FOLDERS = ("run", "log", "valkey", "graph")


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

    @property
    def owner_env(self) -> Path:
        """Where migrations find the address of the tables' owner; web and worker never read it."""
        return self.path / "owner.env"

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

    def renewal(self, name: str) -> Path:
        """While this file exists, the supervisor is asked to set a server's data aside and to begin without it."""
        return self.run / f"{name}.renew"

    def is_address(self, url: str) -> bool:
        """Return whether a run that is up serves at this address."""
        return bool(url) and self.services_env.exists() and url in self.services_env.read_text()

    def ready(self, name: str) -> Path:
        """Exists while the server answers."""
        return self.run / f"{name}.ready"

    def secret(self, name: str, *, opens: Path | None = None) -> str:
        """Return the secret of that name, made on first use; `opens` is the data that only this secret opens."""
        path = self.path / name
        if path.exists():
            return path.read_text()
        if opens is not None and opens.exists():
            raise LaunchError(f"{path} is missing, but {opens} needs it: put it back, or delete {opens} to start over.")
        write_private(path, secrets.token_hex(32))
        return path.read_text()

    @property
    def secret_key(self) -> Path:
        return self.path / "secret_key"

    def keep_secret_key(self) -> None:
        """Let a key that was made for a home without one be its key from now on."""
        if (self.path / "secret_key.new").exists() and not self.secret_key.exists():
            (self.path / "secret_key.new").rename(self.secret_key)

    def port(self, name: str) -> int:
        """Return the port of the last start while it is free, else another one."""
        path = self.run / f"{name}.port"
        if path.exists() and is_free(port := int(path.read_text())):
            return port
        port = next(port for port in random.sample(PORTS, 1000) if is_free(port))
        path.write_text(str(port))
        return port

    def prepare(self) -> None:
        """Create the folder, closed to other users; tighten one of an earlier version. Raises LaunchError."""
        try:
            self._refuse_foreign_folder()
            self.path.mkdir(parents=True, exist_ok=True)
            self._close()
            for name in ("run", "log"):
                (self.path / name).mkdir(mode=0o700, exist_ok=True)
            write_private(self.run / "writable", "")
        except OSError as error:
            if error.errno in FULL:
                raise full_disk(self.path) from error
            raise LaunchError(
                f"Cannot write to {self.path} ({error.strerror}): choose another folder with WSM_HOME."
            ) from error

    def _refuse_foreign_folder(self) -> None:
        """Raise LaunchError where `run` or `log` hold something that no earlier start of ours has put there."""
        if (self.run / "writable").exists():
            return
        for folder in (self.run, self.path / "log"):
            if folder.exists() and any(folder.iterdir()):
                raise LaunchError(f"{folder} belongs to something else: choose another folder with WSM_HOME.")

    def _close(self) -> None:
        """Take other users' rights away from this folder and what our own servers keep in it.

        Root's PostgreSQL runs as a user of its own, which has to pass through: others may then pass as well, but
        neither list the folder nor open anything in it. A sticky folder such as /tmp is not ours to change.
        """
        if not self.path.stat().st_mode & stat.S_ISVTX:
            with suppress(PermissionError):  # another user's folder, in which ours are closed all the same
                self.path.chmod(0o711 if os.geteuid() == 0 else 0o700)
        ours = [self.path / name for name in FOLDERS if (self.path / name).is_dir()]
        for path in [*ours, *(path for folder in ours for path in folder.rglob("*"))]:
            with suppress(FileNotFoundError):
                mode = stat.S_IMODE(path.lstat().st_mode)
                if not path.is_symlink() and mode & 0o077:
                    path.chmod(mode & 0o700)

    def set_aside(self, path: Path) -> Path:
        """Rename what cannot be read, and return its new path; what was set aside before it is deleted."""
        for old in path.parent.glob(f"{path.name}.damaged-*"):
            shutil.rmtree(old) if old.is_dir() else old.unlink()
        aside = path.with_name(f"{path.name}.damaged-{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}")
        path.rename(aside)
        return aside

    @contextmanager
    def lock(self) -> Iterator[None]:
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
            with self.lock():
                return False
        except LaunchError:
            return True

    def environment(self, services: Mapping[str, str]) -> dict[str, str]:
        """Return the environment of a program of the product: its caller's, the servers, the key, this folder."""
        return {
            "SECRET_KEY": self.secret_key.read_text() if self.secret_key.exists() else self.secret("secret_key.new"),
            **os.environ,
            **services,
            "WSM_HOME": str(self.path),
        }

    def write_services_env(self, environment: Mapping[str, str]) -> None:
        """Write the addresses for `manage.py`: the owner's into a file that only migrations and tests read."""
        lines = {key: f"{key}={value}\n" for key, value in environment.items()}
        if owner := lines.pop(OWNER_VARIABLE, ""):
            write_private(self.owner_env, owner)
        write_private(self.services_env, "".join(lines.values()))

    def addresses(self) -> dict[str, str]:
        """Return what a run that is up wrote with `write_services_env`."""
        files = [path for path in (self.services_env, self.owner_env) if path.exists()]
        return dict(line.split("=", 1) for path in files for line in path.read_text().splitlines())

    def remove_services_env(self) -> None:
        for path in (self.services_env, self.owner_env):
            path.unlink(missing_ok=True)


def write_private(path: Path, text: str) -> None:
    """Write for the owner's eyes only, whole or not at all."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.unlink(missing_ok=True)
    with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    temporary.replace(path)


FULL = (errno.ENOSPC, errno.EDQUOT)


def full_disk(path: Path) -> LaunchError:
    return LaunchError(f"There is no space left on the disk of {path}: free some and start again.")


@contextmanager
def refuse_full_disk(home: Home) -> Iterator[None]:
    """Turn what a full disk raises, wherever it is noticed, into one sentence. Raises LaunchError."""
    try:
        yield
    except OSError as error:
        if error.errno not in FULL:
            raise
        raise full_disk(home.path) from error


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
