"""The tools for user working memory: read and updated for the user of the call, and for no other."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from mcp.client.client import Client
from mcp_types import CallToolResult

from tests.cast import Cast, assemble_cast
from tests.mcp_server.serving import door_served, in_session
from workspaces.access.callers import Right
from workspaces.keys.services import create_key

pytestmark = pytest.mark.django_db(transaction=True)
GOALS = "- **Active project/task**: paler bread"


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    """The cast for a server in another thread, which sees only what is committed; two users have pages."""
    cast = assemble_cast()
    for key, word in (("42", "birch"), ("43", "coral")):
        cast.acme.rest().put(f"users/{key}/memory", {"content": f"# Current Goals\nBuild the {word} oven."})
    return cast


@pytest.fixture
def door(cast: Cast) -> Iterator[str]:
    with door_served() as address:
        yield address


def bound(cast: Cast, spaces: Sequence[str]) -> str:
    made = create_key(caller=cast.acme.caller, name="bound", scopes=[Right.READ, Right.WRITE], spaces=spaces)
    return made.secret


def said(answer: CallToolResult) -> str:
    text: str = answer.content[0].text  # type: ignore[union-attr]  # every tool answers text
    return text


def called(door: str, secret: str, *calls: tuple[str, dict[str, Any]]) -> list[CallToolResult]:
    async def work(client: Client) -> list[CallToolResult]:
        return [await client.call_tool(name, arguments) for name, arguments in calls]

    return in_session(door, secret, work)


def named(answer: CallToolResult) -> set[str]:
    return {word for word in ("birch", "coral") if word in said(answer)}


@pytest.mark.parametrize(
    ("spaces", "fields", "words"),
    [
        ([], {"user": "42"}, {"birch"}),
        ([], {"user": "42", "agent": "clerk", "space": "agent:clerk"}, {"birch"}),
        ([], {"space": "user:43"}, {"coral"}),
        ([], {"user": "44"}, set()),
        (["user:42"], {}, {"birch"}),
        (["user:*"], {"user": "43", "shared": False}, {"coral"}),
    ],
)
def test_a_call_for_a_user_is_given_the_page_of_that_user(
    door: str, cast: Cast, spaces: list[str], fields: dict[str, Any], words: set[str]
) -> None:
    context, page = called(
        door,
        bound(cast, spaces),
        ("context_assemble", {"query": "What am I working on?", **fields}),
        ("user_memory_get", fields),
    )

    assert (named(context), named(page)) == (words, words)


def test_a_call_for_no_user_is_given_none(door: str, cast: Cast) -> None:
    context, page, other = called(
        door,
        cast.acme.secret,
        ("context_assemble", {"query": "What am I working on?"}),
        ("user_memory_get", {}),
        ("user_memory_get", {"agent": "clerk"}),
    )

    assert named(context) == set()
    assert {said(page), said(other)} == {"invalid: user: Name the user by your own key of them."}


def test_the_outsider_is_given_the_template(door: str, cast: Cast) -> None:
    answers = called(
        door,
        cast.umbrella.secret,
        ("user_memory_get", {"user": "42"}),
        ("context_assemble", {"query": "What am I working on?", "user": "42"}),
    )

    assert [named(answer) for answer in answers] == [set(), set()]
    assert json.loads(said(answers[0]))["updated_at"] is None


def test_an_agent_updates_a_section_and_the_whole_page(door: str, cast: Cast) -> None:
    (first,) = called(door, cast.acme.secret, ("user_memory_get", {"user": "7"}))
    version = json.loads(said(first))["version"]
    by_section = {"user": "7", "section": "Current Goals", "content": GOALS}

    changed, late, whole, emptied, absent = called(
        door,
        cast.acme.secret,
        ("user_memory_update", {**by_section, "version": version}),
        ("user_memory.update", {"user": "7", "content": "# All\nnew", "version": version}),
        ("user_memory.update", {"user": "7", "content": "# All\nnew"}),
        ("user_memory_update", {"user": "7", "section": "All", "content": ""}),
        ("user_memory.get", {"user": "7"}),
    )

    assert json.loads(said(changed))["sections"]["Current Goals"] == GOALS
    assert list(json.loads(said(changed))["sections"]) == list(json.loads(said(first))["sections"])
    assert late.is_error
    assert said(late).startswith("version_conflict:")
    assert json.loads(said(changed))["version"] in said(late)
    assert json.loads(said(whole))["sections"] == {"All": "new"}
    assert json.loads(said(emptied))["sections"] == json.loads(said(absent))["sections"] == {}


def test_tools_refuse_what_rest_refuses(door: str, cast: Cast) -> None:
    secret = "oxa_live_jh504LU8aaaabbbbccccddddeeeeffff1234567890"
    refused = called(
        door,
        cast.acme.secret,
        ("user_memory_update", {"user": "7", "content": ""}),
        ("user_memory_update", {"user": "7", "section": "A", "content": f"The key is {secret}."}),
        ("user_memory_update", {"user": "7", "section": "A\nB", "content": "x"}),
        ("user_memory_update", {"user": "7", "content": "x" * 16_001}),
        ("user_memory_get", {"user": "zed "}),
    )
    (other,) = called(door, bound(cast, ["user:42"]), ("user_memory_get", {"user": "43"}))
    read, written = called(
        door,
        cast.acme.rest(Right.READ).secret,
        ("user_memory_get", {"user": "42"}),
        ("user_memory_update", {"user": "42", "content": "x"}),
    )

    assert [answer.is_error for answer in [*refused, other, written]] == [True] * 7
    assert "Name the `section`" in said(refused[0])
    assert [said(answer).partition(":")[0] for answer in [*refused[1:], other, written]] == [
        "invalid" if place != 0 else "secret_refused" for place in range(4)
    ] + ["space_not_allowed", "missing_scope"]
    assert named(read) == {"birch"}
