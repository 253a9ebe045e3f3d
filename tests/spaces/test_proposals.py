"""A memory of one space is proposed to another, a person decides, and the original stays where it was."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from core.clock import utc_now
from core.ids import new_id
from tests.cast import Cast, Household, RestClient
from workspaces.access.callers import Right
from workspaces.keys.services import create_key

pytestmark = pytest.mark.django_db

TEXT = "The oven door sticks when it rains."


def personal(client: RestClient, content: str = TEXT, user: str = "42", **fields: Any) -> dict[str, Any]:
    return client.remembered(content, user=user, **fields)


def proposed(client: RestClient, memory: dict[str, Any], user: str = "42", **fields: Any) -> dict[str, Any]:
    """Propose a memory of a user to `shared`, and answer the proposal."""
    answer = client.post(f"memories/{memory['id']}/propose?user={user}", {"space": "shared", **fields})
    assert answer.status_code == 201, answer.content
    return dict(answer.json())


def bound(household: Household, spaces: Sequence[str], *scopes: Right) -> RestClient:
    made = create_key(caller=household.caller, name="bound", scopes=list(scopes or Right), spaces=spaces)
    return RestClient(household.workspace.id, made.secret)


def pending(client: RestClient, **query: Any) -> list[dict[str, Any]]:
    return list(client.get("proposals", status="pending", **query).json()["results"])


def contents(client: RestClient, **query: Any) -> list[str]:
    return [each["content"] for each in client.get("memories", **query).json()["results"]]


def test_an_accepted_copy_names_its_origin_which_stays(acme: RestClient) -> None:
    mine = personal(acme, tags=["oven"], importance=0.8, confidence=0.7)
    offered = proposed(acme, mine)

    assert contents(acme) == []  # nothing moves by itself
    assert offered["status"] == "pending"
    assert (offered["space"], offered["origin_space"], offered["origin_id"]) == ("shared", "user:42", mine["id"])
    assert (offered["content"], offered["memory_id"], offered["decided_by"]) == (TEXT, None, None)

    decided = acme.post(f"proposals/{offered['id']}/accept").json()

    copy = acme.get(f"memories/{decided['memory_id']}").json()
    original = acme.get(f"memories/{mine['id']}", user="42").json()
    assert (decided["status"], decided["decided_by"]) == ("accepted", "Acme agent (API key)")
    assert copy["id"] != mine["id"]
    assert (copy["content"], copy["tags"], copy["importance"], copy["confidence"]) == (TEXT, ["oven"], 0.8, 0.7)
    assert (copy["kind"], copy["source"], copy["author"]) == ("memory", original["source"], original["author"])
    assert (copy["origin_id"], copy["origin_space"]) == (mine["id"], "user:42")
    assert (original["content"], original["is_deleted"], original["origin_id"]) == (TEXT, False, None)
    assert acme.get(f"memories/{mine['id']}").status_code == 404  # and it is readable from nowhere else
    assert pending(acme) == []


def test_proposing_twice_answers_the_pending_one_as_it_was(acme: RestClient) -> None:
    mine = personal(acme)
    first = proposed(acme, mine)
    acme.patch(f"memories/{mine['id']}?user=42", {"content": "Other words, which nobody looked at."})

    again = acme.post(f"memories/{mine['id']}/propose?user=42", {})

    assert (again.status_code, again.json()) == (200, first)
    assert len(pending(acme)) == 1


def test_the_user_may_be_named_in_the_body(acme: RestClient) -> None:
    mine = personal(acme)

    answer = acme.post(f"memories/{mine['id']}/propose", {"user": "42"})

    assert (answer.status_code, answer.json()["space"]) == (201, "shared")


def test_a_rejected_memory_may_be_proposed_again(acme: RestClient) -> None:
    mine = personal(acme)
    first = proposed(acme, mine)

    rejected = acme.post(f"proposals/{first['id']}/reject").json()
    second = proposed(acme, mine)

    assert (rejected["status"], rejected["memory_id"]) == ("rejected", None)
    assert (second["id"] != first["id"], contents(acme)) == (True, [])
    assert [each["id"] for each in acme.get("proposals").json()["results"]] == [second["id"], first["id"]]
    assert [each["id"] for each in acme.get("proposals", status="rejected").json()["results"]] == [first["id"]]


def test_a_live_memory_of_the_same_words_stands_for_both(acme: RestClient) -> None:
    twin = acme.remembered(TEXT)
    offered = proposed(acme, personal(acme))

    decided = acme.post(f"proposals/{offered['id']}/accept").json()

    assert decided["memory_id"] == twin["id"]
    assert contents(acme) == [TEXT]
    assert acme.get(f"memories/{twin['id']}").json()["origin_id"] is None


def test_it_may_be_accepted_in_other_words(acme: RestClient) -> None:
    offered = proposed(acme, personal(acme, "Anna says that the oven door sticks."))

    decided = acme.post(f"proposals/{offered['id']}/accept", {"content": TEXT}).json()

    assert (decided["status"], contents(acme)) == ("accepted", [TEXT])
    assert decided["content"] == "Anna says that the oven door sticks."
    assert contents(acme, user="42", shared="false") == ["Anna says that the oven door sticks."]


def test_deciding_again_changes_nothing_and_deciding_otherwise_is_refused(acme: RestClient) -> None:
    offered = proposed(acme, personal(acme))
    accepted = acme.post(f"proposals/{offered['id']}/accept").json()

    assert acme.post(f"proposals/{offered['id']}/accept").json() == accepted
    for path, body in (("reject", {}), ("accept", {"content": "Other words."})):
        refused = acme.post(f"proposals/{offered['id']}/{path}", body)
        assert (refused.status_code, refused.json()["code"]) == (409, "already_decided")
    assert contents(acme) == [TEXT]


def test_what_was_forgotten_there_comes_back_when_it_is_accepted(acme: RestClient) -> None:
    gone = acme.remembered(TEXT)
    acme.delete(f"memories/{gone['id']}")
    offered = proposed(acme, personal(acme, source="extraction"))

    decided = acme.post(f"proposals/{offered['id']}/accept")

    assert (decided.status_code, contents(acme)) == (200, [TEXT])


@pytest.mark.parametrize(
    ("change", "said"), [("fact", "fact"), ("suppress", "suppressed"), ("forget", "forgotten"), ("expire", "expired")]
)
def test_what_is_not_a_recallable_suggestion_is_not_proposed(acme: RestClient, change: str, said: str) -> None:
    mine = personal(acme, kind="fact" if change == "fact" else "memory")
    where = f"memories/{mine['id']}"
    if change == "suppress":
        acme.post(f"{where}/suppress?user=42")
    elif change == "forget":
        acme.delete(f"{where}?user=42")
    elif change == "expire":
        acme.patch(f"{where}?user=42", {"expires_at": (utc_now() - timedelta(minutes=1)).isoformat()})

    refused = acme.post(f"{where}/propose?user=42", {})

    assert (refused.status_code, refused.json()["code"]) == (409, "not_proposable")
    assert said in refused.json()["detail"]
    assert pending(acme) == []


@pytest.mark.parametrize("query", ["", "?user=42", "?space=shared"])
def test_what_is_shared_already_is_not_proposed(acme: RestClient, query: str) -> None:
    shared = acme.remembered(TEXT)

    refused = acme.post(f"memories/{shared['id']}/propose{query}", {})

    assert (refused.status_code, refused.json()["code"]) == (409, "not_proposable")


def test_a_memory_is_not_proposed_to_its_own_space(acme: RestClient) -> None:
    mine = acme.remembered(TEXT, space="project:apollo")

    refused = acme.post(f"memories/{mine['id']}/propose?space=project:apollo", {"space": "project:apollo"})

    assert (refused.status_code, refused.json()["code"]) == (409, "not_proposable")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"space": ""}, "invalid"),
        ({"space": "Project:x"}, "invalid"),
        ({"space": None}, "invalid"),
        ({"space": 7}, "invalid"),
        ({"target": "shared"}, "unknown_field"),
        ({"workspace_id": str(new_id())}, "unknown_field"),
        ([], "invalid"),
    ],
)
def test_a_bad_body_is_refused(acme: RestClient, body: Any, code: str) -> None:
    mine = personal(acme)

    refused = acme.post(f"memories/{mine['id']}/propose?user=42", body)

    assert (refused.status_code, refused.json()["code"]) == (422, code)
    assert pending(acme) == []


@pytest.mark.parametrize("content", ["", "  ", None, 7, "a\x00b", "x" * 16_001, "password: hunter2-Tr0ub4dor"])
def test_bad_words_are_not_accepted_and_the_proposal_stays(acme: RestClient, content: Any) -> None:
    offered = proposed(acme, personal(acme))

    refused = acme.post(f"proposals/{offered['id']}/accept", {"content": content})

    assert refused.status_code in {413, 422}, refused.content
    assert [each["id"] for each in pending(acme)] == [offered["id"]]
    assert contents(acme) == []


@pytest.mark.parametrize("query", [{"status": "open"}, {"limit": "0"}, {"cursor": "made up"}, {"state": "pending"}])
def test_a_bad_query_is_refused(acme: RestClient, query: dict[str, str]) -> None:
    assert acme.get("proposals", **query).status_code == 422


@pytest.mark.parametrize("verb", ["accept", "reject"])
@pytest.mark.parametrize("identity", ["not-an-id", "01a20755-87f7-7128-b21a-e0e48f825eac"])
def test_unknown_proposals_and_memories_are_absent(acme: RestClient, verb: str, identity: str) -> None:
    assert acme.post(f"proposals/{identity}/{verb}").status_code == 404
    assert acme.post(f"memories/{identity}/propose").status_code == 404


def test_the_outsider_sees_and_decides_nothing(acme: RestClient, umbrella: RestClient) -> None:
    mine = personal(acme)
    offered = proposed(acme, mine)

    assert umbrella.get("proposals").json()["results"] == []
    assert umbrella.get(f"/v1/workspaces/{acme.workspace_id}/proposals").status_code == 404
    assert umbrella.post(f"memories/{mine['id']}/propose?user=42").status_code == 404
    for verb in ("accept", "reject"):
        assert umbrella.post(f"proposals/{offered['id']}/{verb}").status_code == 404
    assert [each["id"] for each in pending(acme)] == [offered["id"]]


def test_deciding_needs_what_promoting_needs(cast: Cast, acme: RestClient) -> None:
    writer = cast.acme.rest(Right.READ, Right.WRITE)
    offered = proposed(writer, personal(writer))

    for verb in ("accept", "reject"):
        refused = writer.post(f"proposals/{offered['id']}/{verb}")
        assert (refused.status_code, refused.json()["code"]) == (403, "missing_scope")
    reader = cast.acme.rest(Right.READ)
    mine = personal(acme, "Another.")
    assert reader.post(f"memories/{mine['id']}/propose?user=42").json()["code"] == "missing_scope"
    assert [each["id"] for each in pending(reader)] == [offered["id"]]


def test_a_key_of_one_user_proposes_and_sees_nothing_of_others(cast: Cast, acme: RestClient) -> None:
    of_user = bound(cast.acme, ["user:42", "shared"], Right.READ, Right.WRITE)
    mine, theirs = personal(acme), personal(acme, "Of user 43.", user="43")

    assert of_user.post(f"memories/{mine['id']}/propose", {"user": "42"}).status_code == 201
    assert of_user.post(f"memories/{theirs['id']}/propose", {"user": "42"}).status_code == 404
    assert of_user.post(f"memories/{theirs['id']}/propose", {"user": "43"}).json()["code"] == "space_not_allowed"


def test_the_target_must_be_one_that_the_key_may_read(cast: Cast, acme: RestClient) -> None:
    alone = bound(cast.acme, ["user:42"])
    mine = alone.remembered(TEXT)

    for target in ("shared", "user:43", "project:apollo"):
        refused = alone.post(f"memories/{mine['id']}/propose", {"space": target})
        assert (refused.status_code, refused.json()["code"]) == (403, "space_not_allowed")
    assert acme.get("proposals", user="43").json()["results"] == []


def test_a_space_that_is_only_read_is_not_proposed_from(acme: RestClient) -> None:
    mine = personal(acme)

    refused = acme.post(f"memories/{mine['id']}/propose?user=42&space=agent:clerk&agent=clerk", {})

    assert (refused.status_code, refused.json()["code"]) == (403, "other_space")


def test_a_proposal_is_seen_in_the_space_that_it_was_offered_to(acme: RestClient) -> None:
    mine = personal(acme)
    offered = acme.post(f"memories/{mine['id']}/propose?user=42", {"space": "project:apollo"}).json()
    accept = f"proposals/{offered['id']}/accept"

    assert (pending(acme), pending(acme, user="42")) == ([], [])
    assert [each["id"] for each in pending(acme, space="project:apollo")] == [offered["id"]]
    assert acme.post(accept).status_code == 404
    assert acme.post(accept, {"user": "42"}).status_code == 404
    decided = acme.post(accept, {"space": "project:apollo"})

    assert (decided.status_code, decided.json()["space"]) == (200, "project:apollo")
    assert contents(acme, space="project:apollo", shared="false") == [TEXT]
    assert contents(acme) == []


def test_a_proposal_to_shared_is_decided_by_a_call_that_writes_there(acme: RestClient) -> None:
    offered = proposed(acme, personal(acme))

    refused = acme.post(f"proposals/{offered['id']}/accept", {"user": "42"})

    assert (refused.status_code, refused.json()["code"]) == (403, "other_space")


def test_the_space_that_it_is_offered_to_is_entered(acme: RestClient) -> None:
    mine = personal(acme)
    acme.post(f"memories/{mine['id']}/propose?user=42", {"space": "project:apollo"})

    assert acme.get("spaces/project:apollo").json()["counts"]["memories"] == 0


@pytest.mark.parametrize("verb", ["forget", "suppress"])
def test_taking_the_original_out_of_recall_withdraws_what_is_pending(acme: RestClient, verb: str) -> None:
    mine, other = personal(acme), personal(acme, "Another.")
    proposed(acme, mine)
    acme.post(f"memories/{mine['id']}/propose?user=42", {"space": "project:apollo"})
    kept = proposed(acme, other)

    if verb == "forget":
        acme.delete(f"memories/{mine['id']}?user=42")
    else:
        acme.post(f"memories/{mine['id']}/suppress?user=42")

    assert [each["id"] for each in pending(acme)] == [kept["id"]]
    assert pending(acme, space="project:apollo", shared="false") == []


def test_what_was_decided_stays_when_the_original_is_forgotten(acme: RestClient) -> None:
    mine = personal(acme)
    offered = proposed(acme, mine)
    acme.post(f"proposals/{offered['id']}/accept")

    acme.delete(f"memories/{mine['id']}?user=42")

    assert contents(acme) == [TEXT]
    assert acme.get("proposals").json()["results"][0]["status"] == "accepted"


def test_what_expired_meanwhile_is_not_accepted(acme: RestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    soon = utc_now() + timedelta(minutes=1)
    offered = proposed(acme, personal(acme, expires_at=soon.isoformat()))
    assert offered["expires_at"]
    monkeypatch.setattr("memory.memories.proposals.services.utc_now", lambda: soon)

    refused = acme.post(f"proposals/{offered['id']}/accept")

    assert (refused.status_code, refused.json()["code"]) == (409, "not_proposable")
    assert acme.post(f"proposals/{offered['id']}/reject").status_code == 200
