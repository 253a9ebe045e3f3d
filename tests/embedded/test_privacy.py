"""What other users of the machine, and the programs that serve, may read of the folder of the servers."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import NoPermissionError

from embedded import Home, LaunchError
from embedded.launcher.product import Product
from embedded.processes import find_recorded_process
from embedded.valkey import Valkey
from tests.embedded.programs import Said

FOREIGN_USER = 65534


def readable_by_others(folder: Path) -> list[str]:
    """What a user who is neither the owner nor root could list or open, where they can pass."""
    mode = folder.lstat().st_mode
    found = [f"{stat.filemode(mode)} {folder}"] if mode & 0o066 and not folder.is_symlink() else []
    if folder.is_dir() and mode & 0o011:
        found += [line for path in folder.iterdir() for line in readable_by_others(path)]
    return found


def open_home(path: Path) -> Home:
    """A home as an earlier version left it: readable by everybody."""
    home = Home(path)
    for name in ("run", "log", "valkey/appendonlydir", "graph/databases"):
        (path / name).mkdir(parents=True)
    for name in ("run/writable", "run/web.port", "valkey/appendonlydir/appendonly.aof.1.incr.aof", "graph/a.bucket"):
        (path / name).write_text("1")
    for each in path.rglob("*"):
        each.chmod(0o755 if each.is_dir() else 0o644)
    path.chmod(0o755)
    return home


def test_a_home_of_an_earlier_version_is_closed_at_the_next_start(tmp_path: Path) -> None:
    home = open_home(tmp_path / "old")
    assert readable_by_others(home.path)

    home.prepare()

    assert readable_by_others(home.path) == []


def test_a_folder_that_something_else_uses_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "log").mkdir(mode=0o755)
    (tmp_path / "log" / "syslog").write_text("not ours")

    with pytest.raises(LaunchError, match=r"log belongs to something else: choose another folder with WSM_HOME"):
        Home(tmp_path).prepare()

    assert stat.S_IMODE((tmp_path / "log").stat().st_mode) == 0o755


def test_a_folder_for_everybody_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)

    Home(tmp_path).prepare()

    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o1777


def test_an_append_only_file_of_an_earlier_version_is_deleted_and_that_is_logged(tmp_path: Path) -> None:
    home, said = open_home(tmp_path / "old"), Said()
    home.prepare()
    (home.path / "valkey" / "dump.rdb").write_bytes(os.urandom(100))

    Valkey(home=home, say=said, fast=False).prepare()

    assert [path.name for path in (home.path / "valkey").iterdir()] == ["valkey.conf"]
    assert [line for line in said.lines if "appendonlydir removed" in line]


@pytest.mark.slow
def test_valkey_keeps_nothing_on_the_disk_and_obeys_no_server_commands(home: Home) -> None:
    (home.path / "valkey").mkdir()
    (home.path / "valkey" / "dump.rdb").write_bytes(os.urandom(100))  # damaged: nothing that it has to start with
    home.prepare()
    valkey = Valkey(home=home, say=Said(), fast=False)
    valkey.start()
    try:
        with Redis.from_url(valkey.url) as client:
            client.set("oxa:ws:1:slot", "WORKING-SET-SECRET")
            assert client.get("oxa:ws:1:slot") == b"WORKING-SET-SECRET"
            for refused in ("CONFIG GET dir", "FLUSHALL", "SAVE", "REPLICAOF 127.0.0.1 1", "EVAL x 0", "SET other 1"):
                with pytest.raises(NoPermissionError):
                    client.execute_command(*refused.split())
    finally:
        valkey.stop()

    assert [path.name for path in (home.path / "valkey").iterdir()] == ["valkey.conf"]
    assert readable_by_others(home.path) == []


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """The whole product, as `make run` starts it, with an owner's address in the operator's own environment."""
    with pytest.MonkeyPatch.context() as changed:
        for variable in ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "GRAPH_URL", "WSM_HOME", "SECRET_KEY"):
            changed.delenv(variable, raising=False)
        home = Home(tmp_path_factory.mktemp("product") / "home")
        home.prepare()
        with Product.start(home=home, port=home.port("web"), say=Said()) as started:
            yield started


@pytest.mark.slow
@pytest.mark.parametrize("program", ["web", "worker"])
def test_what_serves_holds_neither_the_owners_nor_the_superusers_password(product: Product, program: str) -> None:
    home = product.home
    process = find_recorded_process(home.record(program))
    assert process is not None
    everybody = [process, *process.children(recursive=True)]
    environments = [each.environ() for each in everybody]

    for environment in environments:
        assert environment["DATABASE_URL"].startswith("postgresql://wsm_app:")
        assert "DATABASE_OWNER_URL" not in environment
        for secret in ("postgres_password", "wsm_owner_password"):
            assert (home.path / secret).read_text() not in str(environment)
    assert "wsm_owner" not in home.services_env.read_text()


@pytest.mark.slow
def test_nothing_of_a_running_product_is_readable_by_other_users(product: Product) -> None:
    home = product.home
    time.sleep(2)  # the servers have written their first files

    assert readable_by_others(home.path) == []
    assert stat.S_IMODE(home.path.stat().st_mode) == (0o711 if os.geteuid() == 0 else 0o700)
    if os.geteuid() == 0:  # who can become somebody else, and look
        home.path.parent.chmod(0o711)
        for path in (home.path, home.run, home.path / "valkey", home.path / "graph", home.services_env):
            look = "cat" if path.is_file() else "ls"
            asked = ["setpriv", f"--reuid={FOREIGN_USER}", "--clear-groups", look, str(path)]
            answer = subprocess.run(asked, capture_output=True, text=True, check=False)
            assert (answer.returncode != 0, answer.stdout) == (True, ""), path


@pytest.mark.slow
def test_no_log_holds_a_password_or_a_key(product: Product) -> None:
    demo = json.loads((product.home.path / "demo.json").read_text())
    secrets = [demo["password"], demo["api_key"], demo["other"]["password"], demo["other"]["api_key"]]
    logs = {path.name: path.read_text(errors="replace") for path in (product.home.path / "log").iterdir()}

    assert "create_demo.log" in logs
    assert {name for name, text in logs.items() if any(secret in text for secret in secrets)} == set()
