"""Names of spaces that look like another one and are not: refused where nothing was stored under them before."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from core.clock import utc_now
from core.text.validators import INVISIBLE_CHARACTERS
from mcp_server.registry import CALLER, TOOLS
from mcp_server.server import _run
from tests.cast import Cast, RestClient
from tests.spaces.test_bound_keys import _bound, _stamped
from workspaces.access.scope import workspace_scope
from workspaces.access.spaces import NOT_PLAIN, NOT_TRIMMED, SpaceName
from workspaces.http.space_fields import SpaceFields
from workspaces.keys.on_behalf_stamps import make_stamp
from workspaces.keys.services import caller_of_key
from workspaces.models import Space

pytestmark = pytest.mark.django_db
# Joiners that a script or an emoji needs stay.
SEEN = ["alice", "a b", "Алиса", "علی\u200cرضا", "👩\u200d💻", "a-b.c@d"]
INVISIBLE = ["alice\u200d", "a\u200bb", "ali\u00adce", "\u2060alice", "alice\ufeff", "a\u202eb", "alice\U000e0041"]
UNTRIMMED = ["alice ", " alice", "alice\u00a0", "\u3000alice"]
UNPLAIN = [f"a{each}b" for each in "\U0001d173\U0001bca0\U00013430\u070f\u0600\ufffc\ue000\ufdd0\u00a0\u2003"]
UNSEEN = [(name, INVISIBLE_CHARACTERS, "invisible_characters") for name in INVISIBLE]
UNSEEN += [(name, NOT_TRIMMED, "invalid") for name in UNTRIMMED]
UNSEEN += [(name, NOT_PLAIN, "invalid") for name in UNPLAIN]


def refusal(answer: Any) -> tuple[int, str, str, str]:
    body = answer.json()
    [problem] = body["errors"]
    return answer.status_code, problem["field"], problem["code"], problem["detail"]


@pytest.mark.parametrize(("name", "sentence", "code"), UNSEEN)
def test_no_door_takes_a_name_of_which_something_is_not_seen(
    acme: RestClient, name: str, sentence: str, code: str
) -> None:
    for field, value in (("user", name), ("agent", name), ("space", f"project:{name}"), ("space", f"user:{name}")):
        said = {field: value}
        expected = (422, field, code, sentence)
        assert refusal(acme.get("memories", **said)) == expected
        assert refusal(acme.post("memories", {"content": "Tea.", **said})) == expected
        assert refusal(acme.post("memories/search", {"query": "tea", **said})) == expected
        assert refusal(acme.post(f"conversations/c/messages?{field}={quote(value)}", {"content": "x"})) == expected
    assert refusal(acme.get(f"users/{quote(name)}/memory")) == (422, "user", code, sentence)
    assert refusal(acme.put(f"users/{quote(name)}/memory", {"content": "# User Context\nTea."}))[2:] == (code, sentence)
    asked = {"name": "k", "scopes": ["read"], "spaces": [f"user:{name}"]}
    assert refusal(acme.post("api-keys", asked)) == (422, "spaces", code, sentence)
    memory = acme.remembered("Tea is ordered on Mondays.", user="bob")["id"]
    offered = acme.post(f"memories/{memory}/propose?user=bob", {"space": f"project:{name}"})
    assert (offered.status_code, offered.json()["errors"][0]["detail"]) == (422, sentence)


@pytest.mark.parametrize(("name", "sentence", "code"), UNSEEN)
def test_tools_say_the_same(cast: Cast, name: str, sentence: str, code: str) -> None:
    caller = caller_of_key(secret=cast.acme.secret)
    token = CALLER.set(caller)
    try:
        refused = _run(TOOLS["memory.list"], {"spaces": SpaceFields(user=name)})
    finally:
        CALLER.reset(token)

    assert refused.is_error
    assert sentence in refused.content[0].text


@pytest.mark.parametrize(("name", "sentence", "code"), UNSEEN)
def test_nor_does_a_stamp(cast: Cast, name: str, sentence: str, code: str) -> None:
    stamped = _bound(cast.acme, ["user:*"], is_stamped=True)

    refused = _stamped(stamped, make_stamp(secret=stamped.secret, user=name, now=utc_now()))

    assert (refused.status_code, refused.json()["errors"][0]["detail"]) == (422, sentence)


@pytest.mark.parametrize("name", SEEN)
def test_what_is_seen_is_taken(acme: RestClient, name: str) -> None:
    acme.remembered("Tea is ordered on Mondays.", user=name)

    assert [each["content"] for each in acme.get("memories", user=name).json()["results"]] == [
        "Tea is ordered on Mondays."
    ]


@pytest.mark.parametrize("name", ["zed ", "a\u200bb", "a\ue000b"])
def test_what_was_stored_under_such_a_name_stays_in_use(
    cast: Cast, acme: RestClient, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with workspace_scope(cast.acme.caller):  # as it was before there was this rule
        Space.objects.create(id=SpaceName("user", name).id, workspace_id=acme.workspace_id, kind="user", key=name)
    acme.remembered("Tea is ordered on Mondays.", user=name)

    assert len(acme.get("memories", user=name).json()["results"]) == 1
    assert acme.get("memories", user=name.strip().replace("\u200b", "").replace("\ue000", "")).json()["results"] == []
    assert [each["key"] for each in acme.get("spaces", kind="user").json()["results"]] == [name]
