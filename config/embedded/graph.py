"""The embedded graph server: ArcadeDB, which speaks Neo4j's Bolt."""

import base64
import http.client
import json
import os
import re
import shutil
from pathlib import Path
from typing import ClassVar

from config.embedded.errors import LaunchError
from config.embedded.home import Home, write_private
from config.embedded.processes import Command, plain_environment
from config.embedded.program import Say
from config.embedded.server import Server, package

DATABASE = "graph"


class Graph(Server):
    name: ClassVar[str] = "graph"

    def __init__(self, *, home: Home, say: Say, fast: bool) -> None:
        super().__init__(home=home, say=say, fast=fast)
        self.http_port = home.port("graph-http")

    @property
    def data(self) -> Path:
        """Made when the first start has come to its end."""
        return self.folder / "complete"

    @property
    def url(self) -> str:
        return f"bolt://root:{self.password}@127.0.0.1:{self.port}/{DATABASE}"

    @property
    def environment(self) -> dict[str, str]:
        return {"GRAPH_URL": self.url}

    def prepare(self) -> None:
        if not self.data.exists():  # a first start that was cut short leaves a database that does not open
            shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(exist_ok=True)
        # An argument file, since everybody on the machine can read a command line.
        write_private(self.folder / "java.args", "".join(f"{_quoted(option)}\n" for option in self._options()))

    def _options(self) -> list[str]:
        settings = {
            "server.rootPath": self.folder,
            "server.rootPassword": self.password,
            "server.defaultDatabases": f"{DATABASE}[root]",
            "server.httpIncomingHost": "127.0.0.1",
            "server.httpIncomingPort": self.http_port,
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

    def accepts(self) -> bool:
        """It listens before its database exists, so only an answered query counts."""
        token = base64.b64encode(f"root:{self.password}".encode()).decode()
        connection = http.client.HTTPConnection("127.0.0.1", self.http_port, timeout=5)
        try:
            connection.request(
                "POST",
                f"/api/v1/query/{DATABASE}",
                body=json.dumps({"language": "cypher", "command": "RETURN 1 AS one"}),
                headers={"Authorization": f"Basic {token}", "Content-Type": "application/json"},
            )
            if connection.getresponse().status != 200:
                return False
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()
        self.data.touch()
        return True


def _heap() -> str:
    heap = os.environ.get("GRAPH_HEAP", "512m")
    if not re.fullmatch(r"[1-9]\d*[mg]", heap):
        raise LaunchError(f"GRAPH_HEAP is {heap!r}: give it as a number with m or g, such as 512m.")
    return heap


def _quoted(option: str) -> str:
    return '"' + option.replace("\\", "\\\\").replace('"', '\\"') + '"'
