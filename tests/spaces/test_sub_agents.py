"""A sub-agent is given no memory of users, whichever door it comes through; nor is another user, or an outsider."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client as Browser
from mcp.client.client import Client

from tests.cast import Cast, RestClient, assemble_cast
from tests.client.wiring import async_memory_of, finished, memory_of, memory_with
from tests.mcp_server.serving import house_served, in_session, over_stdio
from workspace_memory import ForbiddenError, Memory
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.access.spaces import SHARED, UNBOUND, Binding, NamedSpaces, SpaceName, SubAgentRefusedError
from workspaces.keys.services import create_key
from workspaces.models import AuditEvent

PROFILE = "Ada is allergic to walnuts."
KEPT = "Ada orders walnut bread on Mondays."
SAID = "Is there walnut bread today?"
QUESTION = "walnut bread"

REFUSED = (403, "not_for_sub_agents")


def furnish(rest: RestClient) -> None:
    """Keep a profile, a memory and a message of Ada, and a memory that is shared."""
    rest.put("settings", {"memory": {"enabled": True}})
    assert rest.put("users/ada/memory", {"content": f"# User Context\n{PROFILE}"}).status_code == 200
    rest.remembered(KEPT, user="ada")
    rest.remembered("Walnut bread is baked on Fridays.")
    said = {"role": "user", "content": SAID, "user": "ada"}
    assert rest.post("conversations/ada-1/messages", said).status_code == 201
    plan = {"goal": "Order walnut bread for Ada.", "user": "ada"}
    assert rest.put("conversations/ada-1/plan", plan).status_code == 200


@pytest.fixture
def rest(cast: Cast) -> RestClient:
    """Acme's agent, after Ada's memory was kept."""
    rest = cast.acme.rest()
    furnish(rest)
    return rest


@pytest.fixture(params=["header", "key"])
def sub_agent(request: pytest.FixtureRequest, cast: Cast, rest: RestClient) -> RestClient:
    """A sub-agent: marked by its header, or by its key."""
    if request.param == "header":
        return replace(rest, mark="true")
    made = create_key(caller=cast.acme.caller, name="sub", scopes=list(Right), is_of_sub_agent=True)
    return RestClient(cast.acme.workspace.id, made.secret)


def is_free_of_ada(answer: Any) -> bool:
    text = answer.content.decode() if hasattr(answer, "content") else str(answer)
    return not any(part in text for part in ("Ada", "allergic", SAID))


def status_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code", "")


NAMING: list[Callable[[RestClient], Any]] = [
    lambda rest: rest.post("context", {"query": QUESTION, "user": "ada"}),
    lambda rest: rest.post("context", {"query": QUESTION, "space": "user:ada"}),
    lambda rest: rest.post("memories/search", {"query": QUESTION, "user": "ada"}),
    lambda rest: rest.post("messages/search", {"query": QUESTION, "user": "ada"}),
    lambda rest: rest.post("chat", {"conversation": "c", "message": QUESTION, "user": "ada"}),
    lambda rest: rest.post("ontology/search", {"query": QUESTION, "user": "ada"}),
    lambda rest: rest.post("memories", {"content": "Ada likes rye.", "user": "ada"}),
    lambda rest: rest.post("conversations/ada-1/messages", {"role": "user", "content": "Hi.", "user": "ada"}),
    lambda rest: rest.get("memories", user="ada"),
    lambda rest: rest.get("memories", agent="clerk", user="ada"),
    lambda rest: rest.get("conversations/ada-1/messages", user="ada"),
    lambda rest: rest.get("conversations/ada-1/plan", user="ada"),
    lambda rest: rest.get("conversations/ada-1/window", space="user:ada"),
    lambda rest: rest.get("slots/working/note", user="ada"),
    lambda rest: rest.get("users/ada/memory"),
    lambda rest: rest.put("users/ada/memory", {"content": "# User Context\nChanged."}),
    lambda rest: rest.patch("users/ada/memory", {"sections": {"User Context": "Changed."}}),
    lambda rest: rest.delete("users/ada/memory"),
    lambda rest: rest.get("spaces/user:ada"),
    lambda rest: rest.delete("spaces/user:ada"),
    lambda rest: rest.get("export"),
]


@pytest.mark.parametrize("call", NAMING)
def test_rest_refuses_what_is_a_users(
    rest: RestClient, sub_agent: RestClient, call: Callable[[RestClient], Any]
) -> None:
    refused = call(sub_agent)

    assert status_of(refused) == REFUSED, refused.content
    assert "allergic" not in refused.content.decode()
    assert PROFILE in rest.get("users/ada/memory").json()["content"]


@pytest.mark.parametrize("dimension", ["user_id", "user"])
def test_slots_of_a_user_are_kept_back_whatever_space_they_are_in(
    rest: RestClient, sub_agent: RestClient, dimension: str
) -> None:
    address = f"slots/semantic/prefs?scope.{dimension}=42"
    rest.put(address, {"value": "trains"})

    assert rest.get(address).json()["value"] == "trains"
    for answer in (sub_agent.get(address), sub_agent.put(address, {"value": "planes"}), sub_agent.delete(address)):
        assert (answer.status_code, answer.json()["code"]) == (403, "not_for_sub_agents")
    assert sub_agent.get("slots/semantic/prefs?scope.project=1").status_code == 404


def test_a_context_says_that_the_profile_is_left_out(rest: RestClient, sub_agent: RestClient) -> None:
    given = sub_agent.post("context", {"query": QUESTION}).json()

    assert "profile" in given["left_out"]
    assert "Fridays" in given["text"]
    assert is_free_of_ada(given)
    whole = rest.post("context", {"query": QUESTION, "user": "ada"}).json()
    assert PROFILE.rstrip(".") in whole["text"]
    assert "profile" not in whole["left_out"]


def test_nothing_of_a_user_is_found_without_naming_them(rest: RestClient, sub_agent: RestClient) -> None:
    memory = rest.get("memories", user="ada", shared="false").json()["results"][0]["id"]
    conversation = rest.get("conversations", user="ada").json()["results"][0]["id"]

    for answer in (
        sub_agent.post("memories/search", {"query": QUESTION}),
        sub_agent.post("messages/search", {"query": QUESTION}),
        sub_agent.post("ontology/search", {"query": QUESTION}),
        sub_agent.get("memories"),
        sub_agent.get("conversations"),
        sub_agent.get("spaces"),
    ):
        assert answer.status_code == 200, answer.content
        assert is_free_of_ada(answer)
    assert sub_agent.get(f"memories/{memory}").status_code == 404
    assert sub_agent.get(f"conversations/{conversation}/plan").status_code == 404
    assert "user:ada" in rest.get("spaces").content.decode()


def test_chat_leaves_the_profile_out(rest: RestClient, sub_agent: RestClient) -> None:
    turn = sub_agent.post("chat", {"conversation": "c", "message": f"When is {QUESTION} baked?"})

    assert turn.status_code == 200, turn.content
    assert "profile" in turn.json()["left_out"]
    assert "Fridays" in turn.json()["message"]["content"]
    assert is_free_of_ada(turn)


def test_another_user_and_an_outsider_are_given_nothing_of_ada(rest: RestClient, umbrella: RestClient) -> None:
    for client, spaces in ((rest, {"user": "bob"}), (umbrella, {"user": "ada"}), (umbrella, {}), (rest, {})):
        assert is_free_of_ada(client.post("context", {"query": QUESTION, **spaces}))
        assert is_free_of_ada(client.post("memories/search", {"query": QUESTION, **spaces}))
        chat = client.post("chat", {"conversation": "c", "message": f"When is {QUESTION} baked?", **spaces})
        assert chat.status_code == 200
        assert is_free_of_ada(chat)
        assert is_free_of_ada(client.get(f"users/{spaces.get('user', 'bob')}/memory"))


@pytest.mark.parametrize("mark", ["yes", "1", "true,false", "truth"])
def test_a_mark_that_is_not_one_is_refused(rest: RestClient, mark: str) -> None:
    refused = replace(rest, mark=mark).post("context", {"query": QUESTION})

    assert refused.status_code == 422
    assert refused.json()["errors"][0]["field"] == "X-Sub-Agent"


def test_a_key_is_not_a_sub_agents_unless_it_says_so(rest: RestClient) -> None:
    assert replace(rest, mark="false").get("users/ada/memory").status_code == 200
    assert replace(rest, mark="TRUE").get("users/ada/memory").status_code == 403


def test_the_mark_of_a_key_cannot_be_taken_off(cast: Cast, rest: RestClient) -> None:
    made = rest.post("api-keys", {"name": "sub", "scopes": ["read", "write", "admin"], "sub_agent": True})
    assert (made.status_code, made.json()["sub_agent"]) == (201, True), made.content
    sub = RestClient(cast.acme.workspace.id, made.json()["secret"])

    assert status_of(replace(sub, mark="false").get("users/ada/memory")) == REFUSED
    other = {"name": "free", "scopes": ["read"]}
    assert sub.post("api-keys", other).status_code == 403
    assert sub.post("api-keys", {**other, "sub_agent": True}).status_code == 201
    assert {key["name"] for key in sub.get("api-keys").json()["results"]} == {"sub", "free"}
    with workspace_scope(cast.acme.caller):
        event = AuditEvent.objects.filter(action="key.created", object_id=made.json()["id"]).get()
        assert event.details["sub_agent"] is True


@pytest.mark.parametrize("fields", [{"spaces": ["user:42", "shared"]}, {"spaces": ["user:*"], "stamped": True}])
def test_a_key_of_a_sub_agent_names_no_users(rest: RestClient, fields: dict[str, Any]) -> None:
    refused = rest.post("api-keys", {"name": "sub", "scopes": ["read"], "sub_agent": True, **fields})

    assert (refused.status_code, refused.json()["errors"][0]["code"]) == (422, "names_users")


def test_what_a_call_without_a_name_would_write_for_a_user_is_not_written_elsewhere(cast: Cast) -> None:
    spaces = ["user:42", "project:apollo"]
    made = create_key(caller=cast.acme.caller, name="bound", scopes=list(Right), spaces=["user:42"])
    both = create_key(caller=cast.acme.caller, name="both", scopes=list(Right), spaces=spaces)
    alone, wide = (RestClient(cast.acme.workspace.id, each.secret, mark="true") for each in (made, both))

    assert status_of(alone.post("memories", {"content": "Likes rye."})) == REFUSED
    assert status_of(wide.post("memories", {"content": "Likes rye."}))[0] in {403, 422}
    assert wide.post("memories", {"content": "Rockets.", "space": "project:apollo"}).status_code == 201


def test_an_answer_that_the_agent_was_given_is_not_repeated_to_its_sub_agent(cast: Cast, rest: RestClient) -> None:
    headers = {"Authorization": f"Bearer {rest.secret}", "Idempotency-Key": "k-1"}

    def chat(**marks: str) -> Any:
        return Browser().post(
            f"/v1/workspaces/{cast.acme.workspace.id}/chat",
            {"conversation": "c", "message": f"When is {QUESTION} baked?"},
            content_type="application/json",
            headers={**headers, **marks},
        )

    first, again, sub = chat(), chat(), chat(**{"X-Sub-Agent": "true"})

    assert again.headers["Idempotency-Replayed"] == "true"
    assert "Idempotency-Replayed" not in sub.headers
    assert "profile" in sub.json()["left_out"]
    assert "profile" not in first.json()["left_out"]


def test_a_signed_in_person_may_call_as_a_sub_agent(cast: Cast, rest: RestClient) -> None:
    browser = Browser()
    browser.force_login(cast.alice)
    address = f"/v1/workspaces/{cast.acme.workspace.id}/users/ada/memory"

    assert browser.get(address).status_code == 200
    assert status_of(browser.get(address, headers={"X-Sub-Agent": "true"})) == REFUSED


def test_the_sdk_marks_its_calls(cast: Cast, rest: RestClient) -> None:
    agent = memory_of(cast.acme)
    for sub in (agent.sub_agent(), memory_of(cast.acme, sub_agent=True), agent.for_agent("clerk").sub_agent()):
        given = sub.context(QUESTION)
        assert "profile" in given.left_out
        assert is_free_of_ada(given.model_dump())
        assert is_free_of_ada([hit.memory.content for hit in sub.search(QUESTION)])
        refused: list[Callable[[Memory], Any]] = [
            lambda memory: memory.user("ada").read(),
            lambda memory: memory.for_user("ada").search(QUESTION),
            lambda memory: memory.context(QUESTION, user="ada"),
            lambda memory: memory.for_user("ada").session("ada-1").plan.get(),
        ]
        for call in refused:
            with pytest.raises(ForbiddenError) as error:
                call(sub)
            assert error.value.code == REFUSED[1]
    assert PROFILE in agent.user("ada").read().content


def test_the_sdk_to_be_awaited_marks_its_calls(cast: Cast, rest: RestClient) -> None:
    async def work() -> None:
        async with async_memory_of(cast.acme) as agent:
            assert "profile" in (await agent.sub_agent().context(QUESTION)).left_out
            with pytest.raises(ForbiddenError):
                await agent.sub_agent().user("ada").read()

    finished(work())


def test_a_key_of_a_sub_agent_is_marked_whatever_the_sdk_says(cast: Cast, rest: RestClient) -> None:
    made = create_key(caller=cast.acme.caller, name="sub", scopes=list(Right), is_of_sub_agent=True)

    with pytest.raises(ForbiddenError):
        memory_with(made.secret).user("ada").read()


@pytest.fixture
def house(transactional_db: None) -> Iterator[tuple[str, str]]:
    """The address of the product and the secret of Acme's agent, after Ada's memory was kept."""
    cast = assemble_cast()
    furnish(cast.acme.rest())
    with house_served() as address:
        yield address, cast.acme.secret


async def asked(client: Client) -> dict[str, Any]:
    """What tools answer that could be about Ada."""
    calls = {
        "named": ("context_assemble", {"query": QUESTION, "user": "ada"}),
        "context": ("context_assemble", {"query": QUESTION}),
        "recall": ("memory_recall", {"query": QUESTION}),
        "messages": ("conversation_search", {"query": QUESTION}),
        "list of Ada": ("memory_list", {"space": "user:ada"}),
        "plan of Ada": ("plan_get", {"conversation": "ada-1", "user": "ada"}),
        "memory for Ada": ("memory_remember", {"content": "Likes rye.", "user": "ada"}),
    }
    return {name: await client.call_tool(tool, given) for name, (tool, given) in calls.items()}


def texts_of(answers: dict[str, Any]) -> dict[str, str]:
    """Return the text of each answer, with all of its fields behind it."""
    fields = {name: json.dumps(answer.structured_content) for name, answer in answers.items()}
    return {name: f"{answer.content[0].text}\n{fields[name]}" for name, answer in answers.items()}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("way", ["http", "stdio"])
def test_tools_keep_the_memory_of_users_back(house: tuple[str, str], way: str) -> None:
    address, secret = house
    if way == "stdio":
        answers = over_stdio(address, secret, asked, arguments=["--sub-agent"])
    else:
        answers = in_session(f"{address}/mcp", secret, asked, headers=[("X-Sub-Agent", "true")])

    texts = texts_of(answers)
    for name in ("named", "list of Ada", "plan of Ada", "memory for Ada"):
        assert texts[name].startswith("not_for_sub_agents: "), name
    assert "profile" in answers["context"].structured_content["left_out"]
    assert "Fridays" in texts["recall"]
    for name in ("context", "recall", "messages"):
        assert is_free_of_ada(texts[name]), name
    whole = texts_of(in_session(f"{address}/mcp", secret, asked))
    assert "allergic" in whole["named"]


@pytest.mark.django_db(transaction=True)
def test_of_several_marks_none_is_dropped(house: tuple[str, str]) -> None:
    address, secret = house

    with pytest.raises(Exception) as refused:  # noqa: PT011  # whatever the client makes of a 422
        in_session(f"{address}/mcp", secret, asked, headers=[("X-Sub-Agent", "true"), ("X-Sub-Agent", "false")])

    assert not isinstance(refused.value, AssertionError)


SUB = UNBOUND.for_sub_agent()


def test_a_binding_of_a_sub_agent_leaves_out_users_alone() -> None:
    for space in (SHARED, SpaceName("agent", "clerk"), SpaceName("project", "user:42")):
        assert SUB.allows(space)
    assert not SUB.allows(SpaceName("user", "42"))
    assert not Binding(("user:42",)).for_sub_agent().allows(SpaceName("user", "42"))


def test_nothing_widens_the_binding_of_a_sub_agent() -> None:
    stamped = Binding(("user:*", "shared")).for_sub_agent().for_user("42")

    for binding in (stamped, SUB.narrow(Binding(("user:42", "shared"))), Binding(("user:42",)).narrow(SUB)):
        assert binding is not None
        assert binding.is_of_sub_agent
        with pytest.raises(SubAgentRefusedError):
            binding.reach(NamedSpaces(user="42"))
    with pytest.raises(SubAgentRefusedError):
        stamped.reach(NamedSpaces())
    assert not SUB.covers(UNBOUND)
    assert SUB.covers(SUB)
    assert UNBOUND.covers(SUB)
