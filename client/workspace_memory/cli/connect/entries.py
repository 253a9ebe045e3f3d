"""The entry of one MCP server in the text of a configuration file: reading, setting, removing it. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from workspace_memory.cli.connect.clients import ConnectedClient
from workspace_memory.cli.connect.errors import ConfigurationError
from workspace_memory.cli.connect.jsonc import read_document, remove_member, set_member
from workspace_memory.cli.connect.toml import read_toml, remove_table, set_table

# What an entry has that says how the server is reached: what a new one does not have is taken out of it.
OF_THE_WAY = frozenset({"type", "url", "serverUrl", "headers", "http_headers", "bearer_token_env_var"})
OF_THE_WAY |= {"command", "args", "env"}


def read_entry(text: str, client: ConnectedClient, name: str) -> Any:
    """Return the entry of a server, or None. Raises ConfigurationError for a text that cannot be read."""
    servers = _read(text, client).get(client.servers)
    return servers.get(name) if isinstance(servers, dict) else None


def set_entry(text: str, client: ConnectedClient, name: str, entry: Mapping[str, Any]) -> str:
    """Return the text with the entry of a server; what else an entry of this name has stays.

    Raises ConfigurationError for a text that cannot be changed safely.
    """
    known = read_entry(text, client, name)
    merged = _merge(known, entry) if isinstance(known, dict) else dict(entry)
    if merged == known:
        return text
    if client.format == "toml":
        return set_table(text, (client.servers, name), merged)
    changed = text
    if isinstance(known, dict):
        for field in known.keys() - merged.keys():
            changed = remove_member(changed, (client.servers, name, field))
        for field, value in merged.items():
            changed = set_member(changed, (client.servers, name, field), value)
    else:
        changed = set_member(changed, (client.servers, name), merged)
    _compare(text, changed, client, name)
    return changed


def restore_entry(text: str, client: ConnectedClient, name: str, earlier: Any) -> str:
    """Return the text with the entry as it was earlier, or without it where that is None."""
    path = (client.servers, name)
    if client.format == "toml":
        return remove_table(text, path) if earlier is None else set_table(text, path, earlier)
    changed = remove_member(text, path) if earlier is None else set_member(text, path, earlier)
    _compare(text, changed, client, name)
    return changed


def is_bare(text: str, client: ConnectedClient) -> bool:
    """Return whether nothing is left but the frame in which an entry stood."""
    has_comment = any(mark in text for mark in ("//", "/*", "#"))
    return _read(text, client) in ({}, {client.servers: {}}) and not has_comment


def write_snippet(client: ConnectedClient, name: str, entry: Mapping[str, Any]) -> str:
    """Return the entry as it would stand in a file of its own."""
    if client.format == "toml":
        return set_table("", (client.servers, name), entry)
    return json.dumps({client.servers: {name: entry}}, indent=2, ensure_ascii=False) + "\n"


def _merge(known: Mapping[str, Any], entry: Mapping[str, Any]) -> dict[str, Any]:
    kept = {field: value for field, value in known.items() if field in entry or field not in OF_THE_WAY}
    for field, value in entry.items():
        earlier = known.get(field)
        kept[field] = {**earlier, **value} if isinstance(earlier, dict) and isinstance(value, dict) else value
    return kept


def _read(text: str, client: ConnectedClient) -> dict[str, Any]:
    found = read_toml(text) if client.format == "toml" else read_document(text).value
    if not isinstance(found, dict):
        raise ConfigurationError("It is not an object.")
    return found


def _compare(before: str, after: str, client: ConnectedClient, name: str) -> None:
    """Read both again: all but the entry must be what it was. Raises ConfigurationError."""
    was, is_now = (_without(_read(text, client), client, name) for text in (before, after))
    if was != is_now:
        raise ConfigurationError("It cannot be changed without touching other things in it.")


def _without(document: dict[str, Any], client: ConnectedClient, name: str) -> dict[str, Any]:
    servers = document.get(client.servers, {})
    others = {key: value for key, value in servers.items() if key != name} if isinstance(servers, dict) else servers
    return {**document, client.servers: others}
