"""Undoing a run and an import, and undos that are large or cut short."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from conversations.models import Message
from core.clock import moment, utc_now
from core.ids import new_id
from core.text import fingerprint
from memory.memories.review.services.rejection import erase_rejected
from memory.memories.services.memory_writer import NewMemory, edit_memory, remember
from memory.memories.sources.services import SaidIn, record_source
from memory.models import Memory, MemoryRevision, Run, Source
from ontology.models import Node
from tests.cast import Cast, RestClient
from tests.transfer.moving import empty_server, exported, sent
from transfer.undo import tasks
from transfer.undo.services import undo_jobs, undo_steps
from workspaces.access.callers import Caller, Right, system_caller
from workspaces.access.scope import workspace_scope
from workspaces.keys.services import create_key
from workspaces.settings.services import change_settings

pytestmark = pytest.mark.django_db
NUMBER = 5_000


def client(cast: Cast, name: str, *scopes: Right) -> RestClient:
    made = create_key(caller=cast.acme.caller, name=name, scopes=list(scopes))
    return RestClient(cast.acme.workspace.id, made.secret)


@pytest.fixture
def clerk(cast: Cast) -> RestClient:
    return client(cast, "clerk", Right.READ, Right.WRITE)


@pytest.fixture
def admin(cast: Cast) -> RestClient:
    return client(cast, "keeper", *Right)


def live(client: RestClient) -> list[str]:
    return sorted(one["content"] for one in client.get("memories").json()["results"])


def run_of(client: RestClient, conversation: str = "") -> str:
    return str(client.post("runs", {"agent": "clerk", "conversation": conversation}).json()["id"])


def finish(client: RestClient, run: str) -> None:
    client.post(f"runs/{run}/finish", {"status": "succeeded"})


def an_hour_ago() -> str:
    return str(moment(utc_now() - timedelta(hours=1)))


def test_a_key_undoes_its_own_run(cast: Cast, clerk: RestClient) -> None:
    other = client(cast, "scout", Right.READ, Right.WRITE)
    clerk.remembered("Before the run.")
    run = run_of(clerk)
    clerk.remembered("Within the run.")
    other.remembered("By another agent.")
    finish(clerk, run)
    clerk.remembered("After the run.")

    assert other.post("undo", {"run": run}).json()["code"] == "missing_scope"
    made = clerk.post("undo", {"run": run})
    assert (made.status_code, made.json()["target"], made.json()["subject"]) == (201, "run", run)
    assert live(clerk) == ["After the run.", "Before the run.", "By another agent."]
    assert clerk.get(f"undo/{made.json()['id']}").json()["status"] == "done"
    assert clerk.post(f"undo/{made.json()['id']}/revert").json()["status"] == "reverted"
    assert "Within the run." in live(clerk)


def test_what_another_run_of_the_key_may_have_written_stays(clerk: RestClient) -> None:
    first = run_of(clerk)
    clerk.remembered("By the first run.")
    second = run_of(clerk)
    clerk.remembered("By one of them.")
    finish(clerk, second)
    finish(clerk, first)

    answer = clerk.post("undo", {"run": first}).json()
    assert {row["content"]: row["reason"] for row in answer["rows"]} == {
        "By the first run.": None,
        "By one of them.": "other_run",
    }
    assert live(clerk) == ["By one of them."]


def test_a_fact_is_not_undone_without_the_right(cast: Cast, clerk: RestClient, admin: RestClient) -> None:
    run = run_of(clerk)
    kept = clerk.remembered("Within the run.")["id"]
    finish(clerk, run)
    with workspace_scope(cast.acme.caller):
        Node.objects.filter(id=kept).update(type="fact")  # whoever made it one left no step

    answer = clerk.post("undo", {"run": run}).json()
    assert [(row["kind"], row["reason"]) for row in answer["rows"]] == [("fact", "needs_facts")]
    assert admin.post("undo", {"run": run}).json()["counts"]["fact"]["removed"] == 1


def test_what_was_extracted_from_the_run_goes_with_it(cast: Cast, clerk: RestClient) -> None:
    run = run_of(clerk, "c-1")
    clerk.post("conversations/c-1/messages", {"role": "user", "content": "The depot opens at nine."})
    finish(clerk, run)
    clerk.post("conversations/c-1/messages", {"role": "user", "content": "The crane is yellow."})
    caller = system_caller(cast.acme.workspace.id, "extraction")
    with workspace_scope(caller):
        for message in Message.objects.of(caller):
            said = NewMemory(message.content, source=Source.EXTRACTION)
            memory = remember(caller=caller, new=said).memory
            step = MemoryRevision.objects.of(caller).get(memory=memory)
            where = SaidIn(message.id, message.conversation_id, message.created_at)
            record_source(caller=caller, memory=memory, revision=step, said=where)

    assert clerk.post("undo", {"run": run}).json()["counts"]["memory"]["removed"] == 1
    assert live(clerk) == ["The crane is yellow."]


def test_a_run_of_a_person_takes_nothing_of_theirs_along(cast: Cast, admin: RestClient) -> None:
    caller = cast.acme.caller
    with workspace_scope(caller):
        run = Run.objects.create(
            workspace_id=caller.workspace_id, agent="chat", author_id=caller.id, author_kind=caller.kind
        )
    remember(caller=caller, new=NewMemory("Written on a page."))

    assert admin.post("undo", {"run": str(run.id)}).json()["total"] == 0
    assert live(admin) == ["Written on a page."]


def test_a_node_that_others_have_connected_stays(clerk: RestClient, admin: RestClient) -> None:
    ids = [
        clerk.post("ontology/nodes", {"type": "person", "name": name}).json()["id"] for name in ("Jens", "Mara", "Eve")
    ]
    admin.post("ontology/edges", {"type": "knows", "source": ids[0], "target": ids[1]})
    clerk.post("ontology/edges", {"type": "knows", "source": ids[1], "target": ids[2]})

    answer = admin.post("undo", {"agent": "clerk", "since": an_hour_ago()}).json()
    found = {row["content"]: (row["reason"], row["by"]) for row in answer["rows"]}
    assert found == {
        "person Jens": ("connected", "keeper"),
        "person Mara": ("connected", "keeper"),
        "person Eve": (None, None),
    }


def test_of_two_keys_with_one_name_only_the_edges_of_neither_are_guessed(
    cast: Cast, clerk: RestClient, admin: RestClient
) -> None:
    namesake = create_key(caller=cast.acme.caller, name="clerk", scopes=[Right.READ, Right.WRITE])
    other = RestClient(cast.acme.workspace.id, namesake.secret)
    ends = [admin.post("ontology/nodes", {"type": "person", "name": name}).json()["id"] for name in ("Jens", "Mara")]
    other.post("ontology/edges", {"type": "knows", "source": ends[0], "target": ends[1]})
    other.remembered("By the other clerk.")

    body = {"agent": str(namesake.key.id), "since": an_hour_ago()}
    answer = admin.post("undo", body).json()
    assert {row["content"]: row["reason"] for row in answer["rows"]} == {
        "Jens knows Mara": "same_name",
        "By the other clerk.": None,
    }


def test_what_waits_for_review_waits_again(cast: Cast, clerk: RestClient, admin: RestClient) -> None:
    change_settings(caller=cast.acme.caller, memory={"review": {"rules": [{"source": "agent"}]}})
    told = clerk.remembered("The depot opens at nine.")
    assert told["suppressed"] is True

    made = admin.post("undo", {"agent": "clerk", "since": an_hour_ago()}).json()
    with workspace_scope(cast.acme.caller):
        Node.objects.filter(id=told["id"]).update(deleted_at=utc_now() - timedelta(days=1))
    # What was rejected is erased by now; this was not rejected.
    assert erase_rejected(workspace_id=cast.acme.workspace.id) == 0
    admin.post(f"undo/{made['id']}/revert")
    with workspace_scope(cast.acme.caller):
        assert Memory.objects.get(pk=told["id"]).is_pending


def test_an_import_is_undone_but_for_what_was_touched(cast: Cast, clerk: RestClient, admin: RestClient) -> None:
    clerk.remembered("The depot opens at nine.")
    edited = clerk.remembered("The crane is yellow.")["id"]
    node = clerk.post("ontology/nodes", {"type": "person", "name": "Jens"}).json()["id"]
    other = clerk.post("ontology/nodes", {"type": "person", "name": "Mara"}).json()["id"]
    clerk.post("ontology/edges", {"type": "knows", "source": node, "target": other})
    file = exported(admin)
    empty_server(cast.acme)
    brought = sent(admin, file)
    assert brought.status_code == 201, brought.content
    clerk.remembered("Written afterwards.")
    edit_memory(caller=cast.acme.caller, memory_id=UUID(edited), changes={"content": "The crane is red."})
    clerk.patch(f"ontology/nodes/{other}", {"name": "Mara Lund"})

    body = {"import": brought.json()["id"]}
    assert clerk.post("undo", body).json()["code"] == "missing_scope"
    preview = admin.post("undo?dry_run=true", body).json()
    assert {row["content"]: row["reason"] for row in preview["rows"]} == {
        "The depot opens at nine.": None,
        "The crane is red.": "edited",
        "person Jens": None,
        "person Mara Lund": "edited",
    }
    made = admin.post("undo", body).json()
    assert live(admin) == ["The crane is red.", "Written afterwards."]
    assert [one["name"] for one in admin.get("ontology/nodes", type="person").json()["results"]] == ["Mara Lund"]

    admin.post(f"undo/{made['id']}/revert")
    assert len(live(admin)) == 3
    assert len(admin.get("ontology/edges").json()["results"]) == 1


def test_an_undo_that_was_cut_short_goes_on(
    clerk: RestClient, admin: RestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        clerk.remembered(f"Statement number {number}.")
    monkeypatch.setattr(undo_jobs, "REMOVED_DIRECTLY", 0)
    monkeypatch.setattr(undo_steps, "TAKEN_AT_ONCE", 2)
    made = admin.post("undo", {"agent": "clerk", "since": an_hour_ago()})
    assert (made.status_code, made.json()["status"], made.json()["done"]) == (202, "applying", 0)
    undo = made.json()["id"]
    assert admin.post(f"undo/{undo}/revert").json()["code"] == "undo_running"

    workspace = admin.workspace_id
    assert not undo_steps.take_some(workspace_id=workspace, undo_id=UUID(undo), most=2)
    with monkeypatch.context() as dying:
        dying.setattr(undo_steps, "forget_memories", _die)
        with pytest.raises(KeyboardInterrupt):
            tasks.take_back(str(workspace), undo)
    state = admin.get(f"undo/{undo}").json()
    assert (state["status"], state["done"], state["total"], len(live(admin))) == ("applying", 2, 5, 3)

    tasks.resume_all()
    assert tasks.take_back(str(workspace), undo)
    assert admin.get(f"undo/{undo}").json()["counts"]["memory"]["removed"] == 5
    assert live(admin) == []
    assert tasks.take_back(str(workspace), undo)


def _die(**given: object) -> None:
    raise KeyboardInterrupt


def test_what_changes_between_two_steps_stays(
    cast: Cast, clerk: RestClient, admin: RestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = clerk.remembered("The depot opens at nine.")["id"]
    monkeypatch.setattr(undo_jobs, "REMOVED_DIRECTLY", 0)
    undo = admin.post("undo", {"agent": "clerk", "since": an_hour_ago()}).json()["id"]
    edit_memory(caller=cast.acme.caller, memory_id=UUID(kept), changes={"content": "The depot opens at ten."})

    tasks.take_back(str(admin.workspace_id), undo)
    (row,) = admin.get(f"undo/{undo}").json()["rows"]
    assert (row["state"], row["reason"], row["content"]) == ("kept", "changed_since", "The depot opens at ten.")


@pytest.mark.slow
def test_five_thousand_memories_take_a_bounded_number_of_queries(cast: Cast, admin: RestClient) -> None:
    made = create_key(caller=cast.acme.caller, name="bulk", scopes=[Right.READ, Right.WRITE])
    write_many(cast.acme.caller, author=str(made.key.id), number=NUMBER)
    body = {"agent": "bulk", "since": an_hour_ago()}
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE nodes, memories, memory_revisions")  # which the server does by itself after a while

    with CaptureQueriesContext(connection) as preview:
        assert admin.post("undo?dry_run=true", body).json()["counts"]["memory"]["removed"] == NUMBER
    assert len(preview) < 100
    undo = admin.post("undo", body).json()["id"]
    with CaptureQueriesContext(connection) as applied:
        while not tasks.take_back(str(admin.workspace_id), undo):
            pass
    assert len(applied) < NUMBER / 4
    assert admin.get(f"undo/{undo}").json()["counts"]["memory"]["removed"] == NUMBER
    assert live(admin) == []


def write_many(caller: Caller, *, author: str, number: int) -> None:
    """Write memories of an agent by their rows."""
    by = {"author": "bulk (API key)", "author_id": author, "author_kind": "api_key"}
    workspace = caller.workspace_id
    with workspace_scope(caller):
        nodes = [
            Node(id=new_id(), workspace_id=workspace, type="memory", body=f"Parcel {number} arrived.", author_id=author)
            for number in range(number)
        ]
        Node.objects.bulk_create(nodes, batch_size=1_000)
        marks = [fingerprint(workspace_id=workspace, text=node.body) for node in nodes]
        Memory.objects.bulk_create(
            [
                Memory(workspace_id=workspace, node=node, source=Source.AGENT, live_fingerprint=mark, **by)
                for node, mark in zip(nodes, marks, strict=True)
            ],
            batch_size=1_000,
        )
        MemoryRevision.objects.bulk_create(
            [
                MemoryRevision(
                    workspace_id=workspace, memory_id=node.id, action="remember", actor_kind="api_key", actor_id=author
                )
                for node in nodes
            ],
            batch_size=1_000,
        )
