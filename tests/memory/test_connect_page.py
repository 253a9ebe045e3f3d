"""The Connect page: from an empty workspace to an agent that remembers, and who may do what on the way."""

from __future__ import annotations

import json
import re
import shlex
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from mcp_server import tools  # noqa: F401  # fills the registry
from mcp_server.registry import TOOLS
from memory.memories.onboarding.client_setups import CLIENTS, PLACEHOLDER, SetupTarget
from tests.cast import Answer, Cast, RestClient
from tests.pages import Visitor, as_role, text_of
from workspaces.access.selectors import workspace_keys
from workspaces.keys.services import create_key, revoke_key
from workspaces.models import ApiKey, Role
from workspaces.settings.services import set_memory_enabled

SECRET = re.compile(r"oxa_live_[\w-]{43}")
FORM = {"name": "Cursor", "access": "remember", "spaces": "", "lifetime": "90"}


def make(visitor: Visitor, client: str = "cursor", **fields: str) -> Answer:
    return visitor.post(f"connect?client={client}", **{**FORM, **fields})


def newest_key(cast: Cast) -> ApiKey:
    return workspace_keys(cast.acme.caller)[0]


def poll(visitor: Visitor, key: ApiKey, seen: str) -> Answer:
    headers = {"HX-Request": "true", "HX-SetupTarget": "first-call"}
    return visitor.client.get(visitor.address(f"connect/keys/{key.id}"), {"seen": seen}, headers=headers)


@pytest.mark.parametrize("client", CLIENTS)
def test_each_set_up_carries_the_address_and_the_new_key(alice: Visitor, cast: Cast, client: str) -> None:
    assert PLACEHOLDER in text_of(alice.get("connect", client=client))

    page = unescape(text_of(make(alice, client)))

    secrets = set(SECRET.findall(page))
    assert len(secrets) == 1
    home = "http://testserver"
    assert (
        (f"{home}/mcp" in page) or (f"{home}/v1/workspaces/{cast.acme.workspace.id}" in page) or (f'"{home}"' in page)
    )
    assert RestClient(cast.acme.workspace.id, secrets.pop()).get("memories").status_code == 200
    assert PLACEHOLDER not in page


@pytest.mark.parametrize("setup", CLIENTS.values(), ids=list(CLIENTS))
def test_set_ups_are_well_formed(setup: Any) -> None:
    target = SetupTarget("https://memory.example", "w-1", "oxa_live_x")
    for step in [*setup.steps(target), *(setup.sign_in(target) if setup.sign_in else [])]:
        if step.code.startswith("{"):
            json.loads(step.code)
        if setup.slug == "python" and "import" in step.code:
            compile(step.code, "set-up", "exec")


def test_curl_calls_a_tool_over_mcp_as_the_page_says() -> None:
    last = CLIENTS["curl"].steps(SetupTarget("https://memory.example", "w-1", "oxa_live_x"))[-1]
    words = shlex.split(last.code)
    body = json.loads(words[words.index("-d") + 1])

    assert words[:2] == ["curl", "https://memory.example/mcp"]
    assert "Accept: application/json" in words
    assert (body["method"], body["params"]["name"] in TOOLS) == ("tools/call", True)


@pytest.mark.parametrize(
    ("access", "scopes"),
    [("remember", ["read", "write"]), ("read", ["read"]), ("facts", ["facts", "read", "write"])],
)
def test_the_key_may_what_was_chosen(alice: Visitor, cast: Cast, access: str, scopes: list[str]) -> None:
    assert make(alice, access=access, spaces="shared, agent:clerk", name="Clerk").status_code == 200

    key = newest_key(cast)
    assert (key.name, key.scopes, key.spaces, key.created_by) == (
        "Clerk",
        scopes,
        ["shared", "agent:clerk"],
        cast.alice,
    )
    assert key.expires_at is not None


def test_what_is_refused_is_said_at_its_field_and_makes_no_key(alice: Visitor, cast: Cast) -> None:
    before = len(workspace_keys(cast.acme.caller))

    for wrong in ({"name": ""}, {"access": "admin"}, {"lifetime": "7"}, {"spaces": "no such: space"}):
        answer = make(alice, **wrong)
        assert answer.status_code == 422, wrong
        assert "errorlist" in text_of(answer), wrong
        assert SECRET.search(text_of(answer)) is None
    assert len(workspace_keys(cast.acme.caller)) == before


def test_the_page_waits_for_the_first_call_and_the_first_memory(alice: Visitor, cast: Cast) -> None:
    page = unescape(text_of(make(alice)))
    found = SECRET.search(page)
    assert found
    key, agent = newest_key(cast), RestClient(cast.acme.workspace.id, found[0])
    assert "Waiting for the first call" in page
    assert poll(alice, key, "waiting").status_code == 204

    assert agent.get("memories").status_code == 200
    called = poll(alice, key, "waiting")
    assert "Connected" in text_of(called)
    assert "127.0.0.1" in text_of(called)
    assert "ask it to remember" in text_of(called)
    assert poll(alice, key, "called").status_code == 204

    agent.remembered("The <b>rye</b> loaf proves for five hours.")
    last = text_of(poll(alice, key, "called"))
    assert "The &lt;b&gt;rye&lt;/b&gt; loaf proves" in last
    assert "hx-trigger" not in last.partition("<h2")[0]

    without_script = text_of(alice.get(f"connect/keys/{key.id}"))
    assert "Connected" in without_script
    assert SECRET.search(without_script) is None


def test_only_the_first_call_is_noted(cast: Cast, acme: RestClient) -> None:
    acme.get("memories")
    first = workspace_keys(cast.acme.caller)[0]
    acme.get("memories")
    again = workspace_keys(cast.acme.caller)[0]

    assert first.first_used_from == "127.0.0.1"
    assert first.first_used_at == again.first_used_at is not None


def test_a_refused_call_is_not_the_first_one(cast: Cast) -> None:
    made = create_key(caller=cast.acme.caller, name="gone", scopes=[])
    revoke_key(caller=cast.acme.caller, key_id=made.key.id)

    assert RestClient(cast.acme.workspace.id, made.secret).get("memories").status_code == 401
    gone = next(key for key in workspace_keys(cast.acme.caller) if key.id == made.key.id)
    assert gone.first_used_at is None


def test_a_revoked_key_is_watched_no_longer(alice: Visitor, cast: Cast) -> None:
    make(alice)
    key = newest_key(cast)
    revoke_key(caller=cast.acme.caller, key_id=key.id)

    page = text_of(poll(alice, key, "waiting"))
    assert "was revoked" in page
    assert "hx-get" not in page


@pytest.mark.parametrize(
    ("role", "makes"), [(Role.OWNER, True), (Role.ADMIN, True), (Role.MEMBER, False), (Role.VIEWER, False)]
)
def test_owners_and_admins_make_keys_and_everybody_reads(cast: Cast, role: Role, makes: bool) -> None:
    visitor = as_role(cast, role)
    before = len(workspace_keys(cast.acme.caller))

    page = text_of(visitor.get("connect", client="cursor"))
    assert ("Make the key" in page) is makes
    assert ("Ask one for a key" in page) is not makes
    assert "Sign in instead" in page
    assert make(visitor).status_code == (200 if makes else 403)
    assert len(workspace_keys(cast.acme.caller)) - before == int(makes)
    assert visitor.get(f"connect/keys/{newest_key(cast).id}").status_code == (200 if makes else 403)


def test_an_outsider_finds_nothing(outsider: Visitor, cast: Cast) -> None:
    key = newest_key(cast)
    for answer in (outsider.get("connect"), make(outsider), outsider.get(f"connect/keys/{key.id}")):
        assert answer.status_code == 404


def test_a_key_of_another_workspace_is_absent(cast: Cast) -> None:
    charlie = Visitor.of(cast.charlie, cast.umbrella.workspace)
    assert charlie.get(f"connect/keys/{newest_key(cast).id}").status_code == 404


def test_an_empty_workspace_has_a_checklist_that_goes_away(alice: Visitor, acme: RestClient) -> None:
    assert "Until an agent remembers" in text_of(alice.get("connect"))
    assert "Connect an agent" in text_of(alice.get("memory"))

    acme.remembered("Tea on Mondays.")
    assert "Until an agent remembers" not in text_of(alice.get("connect"))


@pytest.mark.parametrize("role", list(Role))
def test_memory_that_is_off_says_so_where_it_matters(cast: Cast, role: Role) -> None:
    visitor = as_role(cast, role)
    set_memory_enabled(caller=cast.acme.caller, enabled=False)
    for path in ("connect", "memory"):
        page = text_of(visitor.get(path))
        assert "Memory is off:" in page, path
        assert ("Turn it on</button>" in page) is (role != Role.VIEWER), path

    set_memory_enabled(caller=cast.acme.caller, enabled=True)
    assert "Memory is off:" not in text_of(visitor.get("connect")) + text_of(visitor.get("memory"))


def test_turning_memory_on_leads_back(alice: Visitor) -> None:
    page = alice.address("connect")
    answer = alice.client.post(
        alice.address("settings/memory/switch"), {"on": "true"}, headers={"Referer": f"http://testserver{page}"}
    )
    assert answer.headers["Location"].endswith(page)


def test_the_number_of_queries_does_not_grow(alice: Visitor, acme: RestClient, cast: Cast) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            alice.get("connect")
        return len(queries)

    acme.remembered("One.")
    before = count()
    for number in range(5):
        create_key(caller=cast.acme.caller, name=f"key {number}", scopes=[])
        acme.remembered(f"Number {number} of the list.")
    assert count() == before


def test_an_unknown_client_is_the_first_one(alice: Visitor) -> None:
    page = text_of(alice.get("connect", client="<script>"))
    assert "Claude Code" in page
    assert "<script>" not in page.partition('id="connect"')[2]
