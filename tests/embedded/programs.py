"""Small programs in place of servers, for the rules of starting and ending."""

from dataclasses import dataclass, field
from typing import ClassVar

from embedded.home import Home
from embedded.processes import Command, plain_environment
from embedded.program import Program


@dataclass
class Said:
    """Collects the lines that a supervisor says."""

    lines: list[str] = field(default_factory=list)

    def __call__(self, line: str) -> None:
        self.lines.append(line)


class Shell(Program):
    """A line of shell that is ready as soon as it runs."""

    name: ClassVar[str] = "shell"

    def __init__(self, script: str, *, home: Home, say: Said) -> None:
        super().__init__(home=home, say=say)
        self._script = script

    def command(self) -> Command:
        return Command(argv=["/bin/sh", "-c", self._script], folder=self.home.path, environment=plain_environment())

    def accepts(self) -> bool:
        return True
