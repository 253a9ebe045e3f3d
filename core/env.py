"""Reading the environment: one typed accessor for each kind of value, with an error that names the cure."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit


class SettingError(Exception):
    """A variable has a value that cannot be used."""


@dataclass(frozen=True, slots=True)
class Environment:
    """Variables of the process, completed by the file that a running `make run` leaves behind."""

    values: Mapping[str, str]

    @classmethod
    def load(cls, services_file: Path) -> Environment:
        """Return the process environment completed by the file, which loses to it; a missing file is not an error."""
        return cls({**_file_values(services_file), **os.environ})

    def text(self, name: str, default: str = "") -> str:
        return self.values.get(name, "").strip() or default

    def flag(self, name: str, *, default: bool = False) -> bool:
        value = self.text(name).lower()
        if value in {"", "1", "true", "yes", "on", "0", "false", "no", "off"}:
            return value in {"1", "true", "yes", "on"} if value else default
        raise SettingError(f"{name} must be true or false.")

    def integer(self, name: str, default: int, *, least: int, most: int) -> int:
        value = self.text(name, str(default))
        if value.isascii() and value.isdigit() and least <= int(value) <= most:
            return int(value)
        raise SettingError(f"{name} must be a whole number from {least} to {most}.")

    def names(self, name: str, default: str = "") -> list[str]:
        return [part.strip() for part in self.text(name, default).split(",") if part.strip()]


def _file_values(path: Path) -> dict[str, str]:
    try:
        lines = path.read_text().splitlines()
    except OSError:
        return {}
    pairs = (line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))
    return {name.strip(): value.strip() for name, value in pairs}


@dataclass(frozen=True, slots=True)
class DatabaseAddress:
    """What a `postgresql://` URL says, in Django's words."""

    name: str
    user: str
    password: str
    host: str
    port: str
    options: Mapping[str, str]

    @classmethod
    def parse(cls, url: str, *, variable: str) -> DatabaseAddress:
        """Return the address. Raises SettingError for what is not a `postgresql://` URL with a database."""
        refusal = SettingError(f"{variable} must look like postgresql://role:password@host:5432/database.")
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError as error:  # a port that is not a number, or half a pair of brackets
            raise refusal from error
        if parts.scheme not in {"postgresql", "postgres"} or not parts.path.strip("/"):
            raise refusal
        options = dict(parse_qsl(parts.query))
        return cls(
            name=unquote(parts.path.strip("/")),
            user=unquote(parts.username or ""),
            password=unquote(parts.password or ""),
            host=options.pop("host", "") or parts.hostname or "",
            port=str(port or ""),
            options=options,
        )
