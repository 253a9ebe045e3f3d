"""The embedded PostgreSQL with pgvector: the truth of the product."""

import hashlib
import os
import pwd
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import psutil
import psycopg
from psycopg import sql

from embedded.errors import LaunchError
from embedded.home import Home, write_private
from embedded.processes import Account, Command, plain_environment, spawn
from embedded.program import Say
from embedded.server import BackingServer, package

OWNER, SERVING, DATABASE = "wsm_owner", "wsm_app", "wsm"
ROLES = {
    OWNER: "LOGIN NOSUPERUSER NOBYPASSRLS CREATEDB",  # migrates, owns the tables, makes the test databases
    SERVING: "LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB",  # web and worker; gets its rights on tables after each migrate
}
ACCOUNT = "embedded_postgres"
EACH_DATABASE = Path(__file__).with_name("postgres.sql")

SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "100",
    "effective_cache_size": "1GB",
    "work_mem": "16MB",
    "maintenance_work_mem": "256MB",
    "max_wal_size": "1GB",
    "checkpoint_timeout": "15min",
    "random_page_cost": "1.1",
    "jit": "off",
    "max_parallel_workers_per_gather": "1",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_line_prefix": "%m [%p] %u@%d ",
    # A failing statement, and the row in its details, hold texts of users; logs do not.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
}
FORGETFUL = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


class Postgres(BackingServer):
    name: ClassVar[str] = "postgres"
    stop_signal: ClassVar[signal.Signals] = signal.SIGINT  # end sessions, write everything, go

    def __init__(self, *, home: Home, say: Say, fast: bool) -> None:
        super().__init__(home=home, say=say, fast=fast)
        self._passwords = {role: home.secret(f"{role}_password", opens=self.data) for role in ROLES}

    @property
    def url(self) -> str:
        return self._url(SERVING)

    @property
    def owner_url(self) -> str:
        return self._url(OWNER)

    def _url(self, role: str) -> str:
        return f"postgresql://{role}:{self._passwords[role]}@127.0.0.1:{self.port}/{DATABASE}"

    @property
    def environment(self) -> dict[str, str]:
        return {"DATABASE_URL": self.url, "DATABASE_OWNER_URL": self.owner_url}

    def prepare(self) -> None:
        self.folder.mkdir(mode=0o700, exist_ok=True)
        self.folder.chmod(0o700)
        if not self.data.exists():
            self._initialise()
        self._clear_stale_lock()

    def _initialise(self) -> None:
        """Make the data folder under another name first, so that it is whole when it has its own."""
        account = self._account()
        new, password = self.folder / "new", self.folder / "password"
        shutil.rmtree(new, ignore_errors=True)
        write_private(password, self.password)
        if account is not None:
            os.chown(self.folder, account.user, account.group)
            os.chown(password, account.user, account.group)
        options = [
            "--auth=scram-sha-256",
            "--username=postgres",
            f"--pwfile={password}",
            "--encoding=UTF8",
            "--no-sync",
        ]
        process = spawn(self._command("initdb", "-D", new, *options, *_locale()), log=self.home.log(self.name))
        code = process.wait()
        password.unlink()
        if code != 0:
            raise LaunchError(
                f"PostgreSQL could not make its data folder; the reason is in {self.home.log(self.name)}."
            )
        new.rename(self.data)

    def _clear_stale_lock(self) -> None:
        """After a crash the lock file may name another program's process by now, and would refuse for ever.

        A session can outlive its killed server for a moment, still writing; PostgreSQL then waits for it by that file.
        """
        if not any(_can_use_directory(process, self.data.resolve()) for process in psutil.process_iter()):
            (self.data / "postmaster.pid").unlink(missing_ok=True)

    def command(self) -> Command:
        settings = {**SETTINGS, "port": str(self.port), **_shared_memory(), "shared_buffers": _buffers()}
        settings |= FORGETFUL if self.fast else {}
        flags = [argument for key, value in settings.items() for argument in ("-c", f"{key}={value}")]
        return self._command("postgres", "-D", self.data, *flags)

    def _command(self, program: str, *arguments: str | Path) -> Command:
        return Command(
            argv=[package("embedded_postgres") / "pginstall" / "bin" / program, *arguments],
            folder=self.folder,
            environment=plain_environment(),
            account=self._account(),
            death_signal=self.stop_signal,
        )

    def _account(self) -> Account | None:
        """PostgreSQL refuses to run as root: as root it runs as the owner of its data, at first as its own user."""
        if os.geteuid() != 0:
            return None
        if self.data.exists():
            return Account(self.data.stat().st_uid, self.data.stat().st_gid)
        return _own_account()

    def accepts(self) -> bool:
        try:
            self._complete()
        except psycopg.OperationalError:
            return False
        return True

    def _connect(self, database: str) -> psycopg.Connection:
        return psycopg.connect(
            host="127.0.0.1",
            port=self.port,
            user="postgres",
            password=self.password,
            dbname=database,
            connect_timeout=5,
            autocommit=True,
        )

    def _complete(self) -> None:
        """Roles, database, extensions: once for each version of the statements, and again if a crash came between."""
        stamp, version = self.folder / "complete", hashlib.sha256(EACH_DATABASE.read_bytes()).hexdigest()
        with self._connect("postgres") as connection:
            if stamp.exists() and stamp.read_text() == version:
                return
            self._create_roles(connection)
            if not connection.execute("SELECT FROM pg_database WHERE datname = %s", [DATABASE]).rowcount:
                connection.execute(
                    sql.SQL("CREATE DATABASE {} OWNER {}").format(sql.Identifier(DATABASE), sql.Identifier(OWNER))
                )
        for database in ("template1", DATABASE):
            with self._connect(database) as connection:
                connection.execute(EACH_DATABASE.read_bytes())
        stamp.write_text(version)

    def _create_roles(self, connection: psycopg.Connection) -> None:
        for role, rights in ROLES.items():
            if not connection.execute("SELECT FROM pg_roles WHERE rolname = %s", [role]).rowcount:
                connection.execute(sql.SQL("CREATE ROLE {}").format(sql.Identifier(role)))
            connection.execute(
                sql.SQL("ALTER ROLE {} {} PASSWORD {}").format(
                    sql.Identifier(role), sql.SQL(rights), sql.Literal(self._passwords[role])
                )
            )


def _own_account() -> Account:
    try:
        entry = pwd.getpwnam(ACCOUNT)
    except KeyError:
        _make_account()
        entry = pwd.getpwnam(ACCOUNT)
    return Account(entry.pw_uid, entry.pw_gid)


def _make_account() -> None:
    try:
        subprocess.run(
            ["useradd", "--system", "--shell", "/usr/sbin/nologin", ACCOUNT], check=True, capture_output=True
        )
    except (OSError, subprocess.CalledProcessError) as error:
        raise LaunchError(
            "PostgreSQL does not run as root, and useradd could not make a user for it: run this as an ordinary user."
        ) from error


def _can_use_directory(process: psutil.Process, folder: Path) -> bool:
    try:
        return process.name() == "postgres" and process.cwd() == str(folder)
    except psutil.NoSuchProcess:  # also said of one that has ended but was not yet waited for
        return False
    except psutil.AccessDenied:
        return True


def _locale() -> Sequence[str]:
    """Sort by code point everywhere alike; the C library only says which characters are letters (for full text)."""
    letters = "C.UTF-8" if sys.platform == "linux" else "en_US.UTF-8"
    return ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--lc-collate=C", f"--lc-ctype={letters}"]


def _buffers() -> str:
    """Return an eighth of the machine's memory, from 256 to 1,024 MB: an index of vectors that fits is walked much
    faster."""
    return f"{min(max(psutil.virtual_memory().total // 8 // 2**20, 256), 1_024)}MB"


def _shared_memory() -> dict[str, str]:
    """Parallel index builds need room in /dev/shm, of which containers often have 64 MB."""
    shm = Path("/dev/shm")  # noqa: S108  # asked for its size only
    if shm.exists() and shutil.disk_usage(shm).free < 1_000_000_000:
        return {"dynamic_shared_memory_type": "mmap"}
    return {}
