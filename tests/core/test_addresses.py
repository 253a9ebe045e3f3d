"""Addresses of servers in the environment: what is read out of them, and what is refused with a sentence."""

from __future__ import annotations

import pytest

from core.env import DatabaseAddress, SettingError
from core.stores.graph import server_address


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("bolt://root:s%40cret@127.0.0.1:7687/graph", "bolt://127.0.0.1:7687"),
        ("neo4j+s://graph.example", "neo4j+s://graph.example"),
        ("bolt://root:secret@[::1]:7688/graph", "bolt://[::1]:7688"),
        ("bolt://[2001:db8::7]", "bolt://[2001:db8::7]"),
    ],
)
def test_the_address_of_the_graph_has_no_password_and_keeps_brackets(url: str, address: str) -> None:
    assert server_address(url) == address


@pytest.mark.parametrize(
    "url",
    ["", "mysql://a@b/c", "postgresql://host", "postgresql://host:port/database", "postgresql://[::1/database"],
)
def test_an_address_of_a_database_that_cannot_be_read_names_its_variable(url: str) -> None:
    with pytest.raises(SettingError, match="DATABASE_URL must look like postgresql://"):
        DatabaseAddress.parse(url, variable="DATABASE_URL")


def test_an_address_of_a_database_is_read_into_its_parts() -> None:
    found = DatabaseAddress.parse("postgresql://r%2Fo:p%40ss@[::1]:5433/memory?sslmode=require", variable="X")

    assert (found.user, found.password, found.host, found.port) == ("r/o", "p@ss", "::1", "5433")
    assert (found.name, found.options) == ("memory", {"sslmode": "require"})
