"""The embedded graph server: ArcadeDB, which speaks Neo4j's Bolt."""

import base64
import http.client
import json
import os
import re
import shutil
from pathlib import Path
from typing import Any, ClassVar

from core.stores.graph_probe import PROBES, READ_SENTINELS, SENTINELS, WRITE_SENTINELS, is_intact, sample_starts
from embedded.errors import LaunchError
from embedded.home import Home, write_private
from embedded.processes import Command, end_recorded, plain_environment
from embedded.program import Say
from embedded.server import BackingServer, package

DATABASE = "graph"
SAMPLES = 8
# A store that is damaged may keep the server reading for ever; a sound one answers in milliseconds.
READ_SECONDS = 20
# Something else may have ended the first start.
STARTS_WITHOUT_ANSWER = 2
# What the file `complete` says of a store that has all sentinels.
WITH_SENTINELS = "sentinels of nodes and telemetry\n"


class GraphServer(BackingServer):
    name: ClassVar[str] = "graph"

    def __init__(self, *, home: Home, say: Say, fast: bool) -> None:
        super().__init__(home=home, say=say, fast=fast)
        self.http_port = home.port("graph-http")
        # Data are set aside once in a run: a server that fails with new ones as well lacks something else.
        self.is_renewed = False
        self._starts_without_answer = 0

    @property
    def data(self) -> Path:
        """Made when the first start has come to its end."""
        return self.folder / "complete"

    @property
    def url(self) -> str:
        return f"bolt://root:{self.password}@127.0.0.1:{self.port}/{DATABASE}"

    @property
    def environment(self) -> dict[str, str]:
        return {"GRAPH_URL": self.url, "GRAPH_SENTINELS": "true"}

    @property
    def empty_marker(self) -> Path:
        """Exists while the graph is empty and PostgreSQL is not: what it stands for has to be queued again."""
        return self.home.run / "graph.unfilled"

    def prepare(self) -> None:
        if self._starts_without_answer == STARTS_WITHOUT_ANSWER and self.data.exists() and not self.is_renewed:
            self._set_aside("does not start with its data")
            self.empty_marker.touch()
        self._starts_without_answer += 1
        if not self.data.exists():  # a first start that was cut short leaves a database that does not open
            shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(mode=0o700, exist_ok=True)
        # An argument file, since everybody on the machine can read a command line.
        write_private(self.folder / "java.args", "".join(f"{_quote(option)}\n" for option in self._options()))

    def _options(self) -> list[str]:
        settings = {
            "server.rootPath": self.folder,
            "server.rootPassword": self.password,
            "server.defaultDatabases": f"{DATABASE}[root]",
            "server.httpIncomingHost": "127.0.0.1",
            "server.httpIncomingPort": self.http_port,
            "studio.enabled": "false",
            "server.plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
            "bolt.host": "127.0.0.1",
            "bolt.port": self.port,
        }
        return [
            f"-Xmx{_heap()}",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "--add-modules=jdk.incubator.vector",
            "--enable-native-access=ALL-UNNAMED",
            *(f"-Darcadedb.{key}={value}" for key, value in settings.items()),
            "-cp",
            f"{package('arcadedb_embedded')}/jars/*",
            "com.arcadedb.server.ArcadeDBServer",
        ]

    def command(self) -> Command:
        return Command(
            argv=[package("arcadedb_embedded") / "jre" / "bin" / "java", f"@{self.folder}/java.args"],
            folder=self.folder,
            environment=plain_environment(),
        )

    def tick(self) -> None:
        if self.home.renewal(self.name).exists():
            self.home.renewal(self.name).unlink()
            self._begin_without_data("was asked to begin without its data")
        super().tick()

    def accepts(self) -> bool:
        """It listens before its database exists, so only an answered query counts, and one that reads what it holds."""
        if self._rows("RETURN 1 AS one", seconds=5) is None:
            return False
        if self.data.exists() and not self.is_renewed and not self._is_readable():
            self._begin_without_data("cannot read its data")
            self.empty_marker.touch()
            return False
        if not self._has_sentinels and not self._rows(WRITE_SENTINELS, SENTINELS, seconds=READ_SECONDS, writes=True):
            return False
        self._starts_without_answer = 0
        write_private(self.data, WITH_SENTINELS)
        return True

    @property
    def _has_sentinels(self) -> bool:
        """Whether this store was given sentinels; one of an earlier version gets them at its first start."""
        return self.data.exists() and self.data.read_text() == WITH_SENTINELS

    def _is_readable(self) -> bool:
        if self._has_sentinels and not self._rows(READ_SENTINELS, SENTINELS, seconds=READ_SECONDS):
            return False
        samples = (
            self._rows(probe, {"start": start}, seconds=READ_SECONDS)
            for probe in PROBES
            for start in sample_starts(SAMPLES)
        )
        return all(rows is not None and is_intact(rows) for rows in samples)

    def _begin_without_data(self, why: str) -> None:
        end_recorded(self.home.record(self.name))
        if self._process is not None:
            self._process.wait()
        self._set_aside(why)
        self.launch()

    def _set_aside(self, why: str) -> None:
        aside = self.home.set_aside(self.folder)
        self.is_renewed = True
        self.say(f"graph {why}: they are set aside as {aside.name}, and PostgreSQL fills the graph again.")

    def _rows(
        self, statement: str, parameters: object = None, *, seconds: float, writes: bool = False
    ) -> list[dict[str, Any]] | None:
        """Rows of a statement; None when it fails or is not answered in time."""
        token = base64.b64encode(f"root:{self.password}".encode()).decode()
        connection = http.client.HTTPConnection("127.0.0.1", self.http_port, timeout=seconds)
        try:
            connection.request(
                "POST",
                f"/api/v1/{'command' if writes else 'query'}/{DATABASE}",
                body=json.dumps({"language": "cypher", "command": statement, "params": parameters or {}}),
                headers={"Authorization": f"Basic {token}", "Content-Type": "application/json"},
            )
            response = connection.getresponse()
            rows: list[dict[str, Any]] | None = None
            if response.status == 200:
                rows = json.loads(response.read())["result"]
        except (OSError, http.client.HTTPException, ValueError):
            return None
        finally:
            connection.close()
        return rows


def _heap() -> str:
    heap = os.environ.get("GRAPH_HEAP", "512m")
    if not re.fullmatch(r"[1-9]\d*[mg]", heap):
        raise LaunchError(f"GRAPH_HEAP is {heap!r}: give it as a number with m or g, such as 512m.")
    return heap


def _quote(option: str) -> str:
    return '"' + option.replace("\\", "\\\\").replace('"', '\\"') + '"'
