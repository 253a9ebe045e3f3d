"""What the embedded servers have in common: a data folder, a port, a password, the variables that name them."""

from abc import abstractmethod
from importlib.metadata import distribution
from pathlib import Path

from embedded.home import Home
from embedded.program import Program, Say


class BackingServer(Program):
    def __init__(self, *, home: Home, say: Say, fast: bool) -> None:
        """`fast` trades safety against a crash of the machine for speed: for tests only."""
        super().__init__(home=home, say=say)
        self.fast = fast
        self.folder: Path = home.path / self.name
        self.port = home.port(self.name)
        self.password = home.secret(f"{self.name}_password", opens=self.data)

    @property
    def data(self) -> Path:
        """What cannot be opened without the password; absent until it is made."""
        return self.folder / "data"

    @property
    @abstractmethod
    def url(self) -> str: ...

    @property
    @abstractmethod
    def environment(self) -> dict[str, str]:
        """The variables by which settings find it."""

    def describe(self) -> str:
        return f"ready on 127.0.0.1:{self.port}"


def package(name: str) -> Path:
    """Return the folder of a package that brings a server; importing it would start what only its own users need."""
    return Path(str(distribution(name).locate_file(name)))
