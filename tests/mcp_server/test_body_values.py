"""The values of a body of MCP are counted before it is read, as those of REST are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from core.http.body_parsers import MAX_JSON_VALUES
from tests.cast import Cast, assemble_cast
from tests.mcp_server.serving import door_served

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    """The cast for a server in another thread, which sees only what is committed."""
    return assemble_cast()


@pytest.fixture
def address() -> Iterator[str]:
    with door_served() as address:
        yield address


def sent(address: str, secret: str, arguments: str) -> httpx.Response:
    body = (
        '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", '
        f'"params": {{"name": "memory.list", "arguments": {arguments}}}}}'
    )
    headers = {"Authorization": f"Bearer {secret}", "Accept": "application/json", "Content-Type": "application/json"}
    return httpx.post(address, content=body, headers=headers, timeout=60)


@pytest.mark.parametrize("many", ["[{}%s]" % (",{}" * (MAX_JSON_VALUES // 2)), "[0%s]" % (",0" * MAX_JSON_VALUES)])
def test_a_body_of_many_values_is_not_parsed(
    address: str, cast: Cast, many: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[Any] = []
    monkeypatch.setattr(
        "mcp.server.streamable_http_manager.StreamableHTTPSessionManager.handle_request",
        lambda *given: calls.append(given),
    )

    answer = sent(address, cast.acme.rest().secret, f'{{"query": {many}}}')

    assert (answer.status_code, answer.json()["error"]["data"]["code"]) == (413, "too_many_values")
    assert answer.json()["error"]["message"].startswith("too_many_values: At most 200,000 JSON values")
    assert calls == []


def test_commas_and_brackets_in_texts_are_no_values(address: str, cast: Cast) -> None:
    answer = sent(address, cast.acme.rest().secret, '{"cursor": "%s"}' % (",[{" * MAX_JSON_VALUES))

    assert answer.status_code == 200, answer.text
    assert "result" in answer.json()


def test_who_has_no_key_is_told_so_first(address: str, cast: Cast) -> None:
    assert sent(address, "oxa_live_none", "[0%s]" % (",0" * MAX_JSON_VALUES)).status_code == 401
