"""Plans of conversations and the attempts at their tasks, through REST."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from django.db import connection

from conversations.models import Iteration, Plan
from tests.cast import Cast, RestClient
from tests.pages import Visitor, text_of
from tests.together import together
from tests.transfer.moving import empty_server, exported, sent, with_records
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.models import AuditEvent

PLAN = "conversations/build/plan"
LOG = "conversations/build/iterations/login-form"
STEPS = [
    {"title": "Draw the form", "status": "done", "note": "Reviewed."},
    {"title": "Write the handler", "status": "in_progress"},
    {"title": "Test it"},
]
SECRET = "sk-proj-9f8G7h6J5k4L3m2N1b0V9c8X7z6A5s4D3f2G1h0J"  # made up


def plan(client: RestClient, goal: str = "Customers can sign in.", **fields: Any) -> Any:
    return client.put(PLAN, {"goal": goal, **fields})


def attempt(client: RestClient, action: str = "Ran the test.", **fields: Any) -> Any:
    return client.post(LOG, {"action": action, **fields})


def events(cast: Cast) -> list[tuple[str, dict[str, Any]]]:
    with workspace_scope(cast.acme.caller):
        found = AuditEvent.objects.filter(action__regex=r"^(plan|iteration)").order_by("created_at", "id")
        return [(event.action, event.details) for event in found]


def test_a_plan_is_kept_as_it_was_written(acme: RestClient, cast: Cast) -> None:
    assert acme.get(PLAN).status_code == 404

    written = plan(acme, phase="Building", iteration_count=2, steps=STEPS)

    assert written.status_code == 200, written.content
    found = acme.get(PLAN).json()
    assert found == written.json()
    assert (found["goal"], found["phase"], found["iteration_count"]) == ("Customers can sign in.", "Building", 2)
    assert found["version"] == 1
    assert [(step["title"], step["status"], step["note"]) for step in found["steps"]] == [
        ("Draw the form", "done", "Reviewed."),
        ("Write the handler", "in_progress", None),
        ("Test it", "pending", None),
    ]
    (conversation,) = acme.get("conversations").json()["results"]
    assert acme.get(f"conversations/{conversation['id']}/plan").json() == found
    assert events(cast) == [("plan.created", {"version": 1})]


def test_a_writing_names_the_version_that_it_was_made_from(acme: RestClient) -> None:
    plan(acme)
    assert plan(acme, "Members can sign in.", version=1).json()["version"] == 2

    for version in (0, 1, 3):
        refused = plan(acme, "Everybody can sign in.", version=version)
        assert (refused.status_code, refused.json()["code"]) == (409, "version_conflict")
        assert refused.json()["current"] == acme.get(PLAN).json()
    assert acme.get(PLAN).json()["goal"] == "Members can sign in."
    assert plan(acme, "Everybody can sign in.", version=2).json()["version"] == 3


def test_the_same_writing_again_is_answered_and_counts_once(acme: RestClient, cast: Cast) -> None:
    plan(acme)
    first = plan(acme, "Members can sign in.", version=1, steps=STEPS)

    again = plan(acme, "Members can sign in.", version=1, steps=STEPS)

    assert (again.status_code, again.json()) == (200, first.json())
    assert events(cast) == [("plan.created", {"version": 1}), ("plan.updated", {"version": 2})]
    other = cast.acme.rest(Right.READ, Right.WRITE)
    assert plan(other, "Members can sign in.", version=1, steps=STEPS).status_code == 409


@pytest.mark.django_db(transaction=True)
def test_of_two_writings_at_once_one_is_kept_and_the_other_sees_it(cast: Cast) -> None:
    acme = cast.acme.rest()
    plan(acme)

    answers = together([partial(plan, acme, f"Goal {number}", version=1) for number in range(4)])

    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    (kept,) = [answer.json() for answer in answers if answer.status_code == 200]
    assert [answer.json()["current"] for answer in answers if answer.status_code == 409] == [kept] * 3


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"goal": ""}, "blank"),
        ({"goal": "x" * 2_001}, "max_length"),
        ({"goal": "tea\u200b"}, "invisible_characters"),
        ({"goal": "tea\x07"}, "forbidden_characters"),
        ({"goal": f"Use {SECRET} to sign in."}, "secret_refused"),
        ({"phase": "one\ntwo"}, "more_than_a_line"),
        ({"phase": "x" * 201}, "max_length"),
        ({"iteration_count": -1}, "min_value"),
        ({"steps": [{"title": "Test"}] * 101}, "max_length"),
        ({"steps": [{"title": "one\ntwo"}]}, "more_than_a_line"),
        ({"steps": [{"title": "Test", "status": "started"}]}, "invalid_choice"),
        ({"steps": [{"title": "Test", "note": f"Key {SECRET}"}]}, "secret_refused"),
        ({"steps": [{"title": "Test", "owner": "Bob"}]}, "unknown_field"),
        ({"workspace": "x"}, "unknown_field"),
    ],
)
def test_what_is_not_a_plan_is_refused_and_begins_no_conversation(
    acme: RestClient, fields: dict[str, Any], code: str
) -> None:
    refused = acme.put(PLAN, {"goal": "Customers can sign in.", **fields})

    assert refused.status_code == 422, refused.content
    assert code in {refused.json()["code"], *(problem["code"] for problem in refused.json()["errors"])}
    assert SECRET not in refused.content.decode()
    assert acme.get("conversations").json()["results"] == []


def test_a_plan_can_be_deleted_and_begun_again(acme: RestClient, cast: Cast) -> None:
    plan(acme)

    assert acme.delete(PLAN).status_code == 204
    assert acme.delete(PLAN).status_code == 204
    assert acme.get(PLAN).status_code == 404
    stale = plan(acme, version=1)
    assert (stale.status_code, stale.json()["code"], "current" in stale.json()) == (409, "version_conflict", False)
    assert plan(acme).json()["version"] == 1
    assert [action for action, _ in events(cast)] == ["plan.created", "plan.deleted", "plan.created"]


def test_attempts_are_numbered_and_read_newest_first(acme: RestClient, cast: Cast) -> None:
    first = attempt(acme, result="It failed.", error="401", diagnosis="No cookie.", fix="Send it.")

    assert first.status_code == 201, first.content
    made = first.json()
    assert (made["attempt"], made["task_key"], made["action"]) == (1, "login-form", "Ran the test.")
    assert [made[name] for name in ("result", "error", "diagnosis", "fix")] == [
        "It failed.",
        "401",
        "No cookie.",
        "Send it.",
    ]
    assert made["recorded_by"] == "Acme agent (API key)"
    assert acme.post("conversations/build/iterations/logout", {"action": "Ran."}).json()["attempt"] == 1
    attempt(acme, "Ran it again.")
    assert [one["attempt"] for one in acme.get(LOG).json()["results"]] == [2, 1]
    tasks = acme.get("conversations/build/iterations").json()["results"]
    assert [(one["task_key"], one["attempts"]) for one in tasks] == [("login-form", 2), ("logout", 1)]
    assert events(cast) == [("iteration.recorded", {"attempt": number}) for number in (1, 1, 2)]


def test_pages_of_attempts_follow_each_other(acme: RestClient) -> None:
    for number in range(5):
        attempt(acme, f"Try {number}")

    seen, page = [], acme.get(LOG, limit=2).json()
    while True:
        seen += [one["attempt"] for one in page["results"]]
        if page["next"] is None:
            break
        page = acme.get(page["next"].partition("testserver")[2]).json()

    assert seen == [5, 4, 3, 2, 1]
    assert acme.get(LOG, cursor="cD1ub25zZW5zZQ==").status_code == 422


@pytest.mark.django_db(transaction=True)
def test_no_number_is_given_twice(cast: Cast) -> None:
    acme = cast.acme.rest()

    answers = together([partial(attempt, acme, f"Try {number}") for number in range(8)])

    assert sorted(answer.json()["attempt"] for answer in answers) == [*range(1, 9)]


def test_of_a_task_the_newest_two_hundred_attempts_are_kept(acme: RestClient, cast: Cast) -> None:
    attempt(acme)
    with workspace_scope(cast.acme.caller):
        first = Iteration.objects.get()
        Iteration.objects.bulk_create(
            Iteration(
                workspace_id=first.workspace_id,
                conversation_id=first.conversation_id,
                task_key="login-form",
                attempt=number,
                action="Ran.",
            )
            for number in range(2, 201)
        )

    assert attempt(acme).json()["attempt"] == 201

    with workspace_scope(cast.acme.caller):
        kept = Iteration.objects.order_by("attempt").values_list("attempt", flat=True)
        assert (len(kept), kept[0], kept[199]) == (200, 2, 201)


def test_a_conversation_has_at_most_a_thousand_tasks(acme: RestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conversations.plans.services.iteration_log.MAX_TASKS", 1)
    attempt(acme)

    refused = acme.post("conversations/build/iterations/logout", {"action": "Ran."})

    assert (refused.status_code, refused.json()["code"]) == (409, "too_many_tasks")
    assert attempt(acme).status_code == 201


@pytest.mark.parametrize("key", ["a%2Fb", "%20a", "%2E%2E", "%2E", "x" * 201, "a%E2%80%8Bb", SECRET])
def test_what_is_not_the_key_of_a_task_is_refused(acme: RestClient, key: str) -> None:
    refused = acme.post(f"conversations/build/iterations/{key}", {"action": "Ran."})

    assert (refused.status_code, refused.json()["code"]) == (422, "unfit_task_key"), refused.content


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"action": " "}, "blank"),
        ({"error": "x" * 4_001}, "max_length"),
        ({"error": f"401 with {SECRET}"}, "secret_refused"),
        ({"fix": "tea\u202e"}, "invisible_characters"),
        ({"attempt": 7}, "unknown_field"),
    ],
)
def test_what_is_not_an_attempt_is_refused(acme: RestClient, fields: dict[str, Any], code: str) -> None:
    refused = acme.post(LOG, {"action": "Ran.", **fields})

    assert refused.status_code == 422
    assert code in {refused.json()["code"], *(problem["code"] for problem in refused.json()["errors"])}


def test_a_log_can_be_deleted(acme: RestClient, cast: Cast) -> None:
    attempt(acme)
    attempt(acme)

    assert acme.delete(LOG).status_code == 204
    assert acme.delete(LOG).status_code == 204

    assert acme.get(LOG).json()["results"] == []
    assert acme.get("conversations/build/iterations").json()["results"] == []
    assert events(cast)[2:] == [("iterations.deleted", {"attempts": 2})]


def test_plan_and_attempts_go_with_their_conversation(acme: RestClient, cast: Cast) -> None:
    plan(acme)
    attempt(acme)

    assert acme.delete("conversations/build").status_code == 204

    with workspace_scope(cast.acme.caller):
        assert (Plan.objects.count(), Iteration.objects.count()) == (0, 0)
    assert acme.get(PLAN).status_code == acme.get(LOG).status_code == 404


def test_outsiders_and_other_spaces_see_neither(cast: Cast, acme: RestClient, umbrella: RestClient) -> None:
    plan(acme, user="ada")
    acme.post(LOG, {"action": "Ran.", "user": "ada"})
    identity = acme.get("conversations", user="ada").json()["results"][0]["id"]

    for client, query in ((umbrella, {}), (acme, {}), (acme, {"user": "bob"})):
        for key in ("build", identity):
            assert client.get(f"conversations/{key}/plan", **query).status_code == 404
            assert client.get(f"conversations/{key}/iterations/login-form", **query).status_code == 404
    assert acme.get(PLAN, user="ada").status_code == 200
    with workspace_scope(cast.acme.caller), connection.cursor() as cursor:
        cursor.execute("SELECT (SELECT count(*) FROM plans) + (SELECT count(*) FROM iterations)")
        assert cursor.fetchone() == (0,)


def test_erasing_a_space_takes_its_plans_and_attempts(cast: Cast, acme: RestClient) -> None:
    plan(acme, user="ada")
    acme.post(LOG, {"action": "Ran.", "user": "ada"})
    plan(acme)

    erased = acme.delete("spaces/user:ada").json()

    assert (erased["rows"]["plans"], erased["rows"]["iterations"]) == (1, 1)
    assert acme.get(PLAN, user="ada", shared="false").status_code == 404
    assert acme.get(PLAN).status_code == 200


def test_who_only_reads_writes_neither(cast: Cast, acme: RestClient) -> None:
    plan(acme)
    reader = cast.acme.rest(Right.READ)

    assert reader.get(PLAN).status_code == reader.get(LOG).status_code == 200
    for answer in (plan(reader, version=1), attempt(reader), reader.delete(PLAN), reader.delete(LOG)):
        assert (answer.status_code, answer.json()["code"]) == (403, "missing_scope")


def test_the_page_shows_the_plan_and_the_attempts(acme: RestClient, bob: Visitor) -> None:
    acme.post("conversations/build/messages", {"role": "user", "content": "Build the login."})
    identity = acme.get("conversations/build").json()["id"]
    assert 'id="plan"' not in text_of(bob.get(f"conversations/{identity}"))
    plan(acme, "Customers <b>sign in</b>.", phase="Debugging", iteration_count=3, steps=STEPS)
    attempt(acme, "Ran <i>it</i>.", error="401", diagnosis="No cookie.")
    attempt(acme, "Ran it again.", result="Green.")

    page = text_of(bob.get(f"conversations/{identity}"))

    assert "Customers &lt;b&gt;sign in&lt;/b&gt;." in page
    assert "1 of 3 steps done" in page
    assert "iteration 3" in page
    for part in ("in progress", "Write the handler", "Reviewed.", "login-form", "2 attempts", "No cookie.", "Green."):
        assert part in page
    assert page.index("Attempt 2") < page.index("Attempt 1")
    assert "<i>it</i>" not in page


def test_an_export_carries_plans_and_attempts(acme: RestClient, umbrella: RestClient, cast: Cast) -> None:
    plan(acme, phase="Building", steps=STEPS)
    attempt(acme, error="401")
    before = acme.get(PLAN).json(), acme.get(LOG).json()["results"]
    file = exported(acme)
    empty_server(cast.acme)

    assert sent(umbrella, file).status_code == 201

    assert (umbrella.get(PLAN).json(), umbrella.get(LOG).json()["results"]) == before
    assert plan(umbrella, "Members can sign in.", version=1).json()["version"] == 2
    assert attempt(umbrella).json()["attempt"] == 2


def test_steps_of_an_import_that_are_none_are_left_out(acme: RestClient, umbrella: RestClient, cast: Cast) -> None:
    plan(acme, steps=STEPS)
    odd = [{"title": "Kept", "status": "done"}, {"title": "x", "status": "unheard of"}, "text", {"status": "done"}, 7]
    file = with_records(exported(acme), lambda row: {**row, "steps": odd} if "steps" in row else row)
    empty_server(cast.acme)
    assert sent(umbrella, file).status_code == 201

    assert [step["title"] for step in umbrella.get(PLAN).json()["steps"]] == ["Kept"]
    briefing = umbrella.get("conversations/build/iterations/login-form/briefing")
    assert "step 1, done: Kept" in briefing.json()["text"]
