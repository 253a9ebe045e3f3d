"""Changing a configuration file: a backup next to it, written whole, and taken back."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from workspace_memory.cli.connect.clients import ConnectedClient
from workspace_memory.cli.connect.entries import is_bare, read_entry, restore_entry, set_entry
from workspace_memory.cli.connect.errors import ConfigurationError

BACKUP = ".wsm-backup"
MODE = 0o600  # the file has a key in it
_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class ConfigurationFile:
    """The file of a client, and the name of the server in it."""

    client: ConnectedClient
    path: Path
    name: str

    @property
    def backup(self) -> Path:
        """The file as it was before the first change."""
        return self.path.with_name(self.path.name + BACKUP)

    def entry(self) -> Any:
        """Return the entry of the server, or None."""
        text = self._read()
        return None if text is None else self._in_this_file(lambda: read_entry(text, self.client, self.name))

    def connect(self, entry: Mapping[str, Any]) -> Literal["written", "unchanged"]:
        """Write the entry. Raises ConfigurationError where that is not safe; the file is then as it was."""
        text = self._read()
        changed = self._in_this_file(lambda: set_entry(text or "", self.client, self.name, entry))
        if changed == text:
            return "unchanged"
        if text is not None and not self.backup.exists():
            _write(self.backup, text)
        self._replace(text, changed)
        return "written"

    def undo(self) -> Literal["restored", "removed", "deleted", "unchanged"]:
        """Take the entry back: the file as it was, or where others changed it since, the rest as it is now."""
        text = self._read()
        before = self.backup.read_bytes().decode() if self.backup.exists() else None
        if text is None:
            self.backup.unlink(missing_ok=True)
            return "unchanged"
        now = self._in_this_file(lambda: read_entry(text, self.client, self.name))
        earlier = None if before is None else read_entry(before, self.client, self.name)
        if now is None and earlier is None:
            self.backup.unlink(missing_ok=True)
            return "unchanged"
        if before is not None and set_entry(before, self.client, self.name, now or {}) == text:
            self._replace(text, before)
            self.backup.unlink()
            return "restored"
        changed = self._in_this_file(lambda: restore_entry(text, self.client, self.name, earlier))
        if before is None and is_bare(changed, self.client):
            self.path.unlink()
            return "deleted"
        self._replace(text, changed)
        self.backup.unlink(missing_ok=True)
        return "removed"

    def _read(self) -> str | None:
        """Return the text of the file, None where there is none."""
        try:
            return self.path.read_bytes().decode()
        except FileNotFoundError:
            return None
        except UnicodeDecodeError as error:
            raise ConfigurationError(f"{self.path} is not UTF-8 text, and stays as it is.") from error

    def _in_this_file(self, work: Any) -> Any:
        try:
            return work()
        except ConfigurationError as error:
            raise ConfigurationError(f"{self.path} stays as it is. {error}") from error

    def _replace(self, before: str | None, text: str) -> None:
        if self._read() != before:
            raise ConfigurationError(f"{self.path} was changed meanwhile by another program. Run this again.")
        _write(self.path, text)


def _write(path: Path, text: str) -> None:
    """Write a file whole or not at all; a link to it stays a link."""
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, fresh = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode())
        os.chmod(fresh, MODE)
        os.replace(fresh, path)
    except OSError:
        Path(fresh).unlink(missing_ok=True)
        raise
