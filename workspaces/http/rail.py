"""The places of the console, as the rail lists them: one line each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RailPlace:
    """A place: its label and icon, the name of its first page, and the folder of the address that it owns.

    `is_near` ones stand in the bar of a phone, whose fifth entry opens the others; `is_phone_only` ones nowhere else.
    `key` leads there behind `g`.
    """

    label: str
    icon: str
    page: str
    folder: str
    is_near: bool = False
    is_phone_only: bool = False
    key: str = ""


PLACES = (
    RailPlace("Home", "home", "overview", "home", is_near=True, key="h"),
    RailPlace("Review", "review", "review", "review", is_near=True, key="r"),
    RailPlace("Memory", "memory", "memory", "memory", is_near=True, key="m"),
    RailPlace("Ask", "chat", "ask", "explain/ask", is_near=True, is_phone_only=True),
    RailPlace("Explain", "search", "explain", "explain", key="e"),
    RailPlace("Live", "live", "live", "live", key="l"),
    RailPlace("Agents", "agents", "agents", "agents", key="a"),
    RailPlace("Things", "ontology", "ontology", "ontology", key="o"),
    RailPlace("Users and agents", "person", "spaces", "spaces"),
    RailPlace("Conversations", "conversations", "conversations", "conversations", key="c"),
    RailPlace("Connect", "link", "connect", "connect"),
    RailPlace("Settings", "settings", "settings-memory", "settings"),
)
