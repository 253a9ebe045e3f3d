"""What proposals leave behind: authors, histories, the audit record, rows of their own space, exports."""

from __future__ import annotations

import pytest

from memory.memories.proposals.models import Proposal
from memory.memories.proposals.services import delete_proposals_of_space
from tests.cast import Cast, RestClient
from tests.spaces.test_proposals import TEXT, contents, personal, proposed
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.access.spaces import NamedSpaces, SpaceName
from workspaces.models import AuditEvent

pytestmark = pytest.mark.django_db


def test_an_agent_stays_the_author_of_what_it_proposed_and_cannot_cite_it_up(cast: Cast, acme: RestClient) -> None:
    writer = cast.acme.rest(Right.READ, Right.WRITE)
    offered = proposed(writer, personal(writer))
    copy = acme.post(f"proposals/{offered['id']}/accept").json()["memory_id"]

    run = writer.post("runs", {"agent": "clerk"}).json()
    writer.post(f"runs/{run['id']}/finish", {"status": "succeeded", "output": f"[mem:{copy}]"})

    found = acme.get(f"memories/{copy}").json()
    assert (found["author"], found["times_referenced"], found["independent_references"]) == ("narrow (API key)", 1, 0)


def test_an_agent_that_rewrites_it_is_the_author(cast: Cast, acme: RestClient) -> None:
    writer = cast.acme.rest(Right.READ, Right.WRITE)
    offered = proposed(writer, personal(writer))

    copy = acme.post(f"proposals/{offered['id']}/accept", {"content": "Other words."}).json()["memory_id"]

    assert acme.get(f"memories/{copy}").json()["author"] == "Acme agent (API key)"


def test_each_step_is_in_the_history_and_in_the_audit_record(cast: Cast, acme: RestClient) -> None:
    mine = personal(acme)
    offered = proposed(acme, mine)
    copy = acme.post(f"proposals/{offered['id']}/accept").json()["memory_id"]

    steps = [each["action"] for each in acme.get(f"memories/{mine['id']}/history", user="42").json()["results"]]
    assert steps == ["propose", "remember"]
    assert [each["action"] for each in acme.get(f"memories/{copy}/history").json()["results"]] == ["accept"]
    events = _events(cast.acme.caller)
    assert [event.action for event in events] == ["proposal.made", "proposal.accepted"]
    assert events[1].details == {"origin": mine["id"], "from": "user:42", "to": "shared", "memory": copy}
    assert {event.object_id for event in events} == {offered["id"]}


def test_forgetting_the_original_empties_what_was_rejected(cast: Cast, acme: RestClient) -> None:
    mine = personal(acme)
    offered = proposed(acme, mine)
    acme.post(f"proposals/{offered['id']}/reject")
    other = proposed(acme, personal(acme, "Another."))
    acme.post(f"proposals/{other['id']}/reject")

    assert acme.delete(f"memories/{mine['id']}?user=42").status_code == 200

    listed = {each["id"]: each for each in acme.get("proposals").json()["results"]}
    assert (listed[offered["id"]]["content"], listed[offered["id"]]["status"]) == ("", "rejected")
    assert listed[other["id"]]["content"] == "Another."


def test_erasing_a_space_takes_its_proposals_along_and_leaves_copies(cast: Cast, acme: RestClient) -> None:
    accepted = proposed(acme, personal(acme))
    acme.post(f"proposals/{accepted['id']}/accept")
    proposed(acme, personal(acme, "Another."))
    other = proposed(acme, personal(acme, "Of user 43.", user="43"), user="43")

    number = delete_proposals_of_space(workspace_id=acme.workspace_id, space=SpaceName("user", "42"))

    assert number == 2
    assert [each["id"] for each in acme.get("proposals").json()["results"]] == [other["id"]]
    assert contents(acme) == [TEXT]


def test_the_row_of_a_proposal_is_of_its_target_and_not_of_its_origin(cast: Cast, acme: RestClient) -> None:
    proposed(acme, personal(acme))
    caller = cast.acme.caller

    assert _rows(caller) == 1
    assert _rows(caller.naming(NamedSpaces(user="42", shared=False))) == 0
    assert _rows(caller.naming(NamedSpaces(user="42"))) == 1
    assert _rows(cast.umbrella.caller) == 0


def _rows(caller: Caller) -> int:
    """Count what row security alone lets through."""
    with workspace_scope(caller):
        return Proposal.objects.count()


def _events(caller: Caller) -> list[AuditEvent]:
    with workspace_scope(caller):
        return list(AuditEvent.objects.of(caller).filter(action__startswith="proposal.").order_by("id"))


def test_proposals_move_with_their_workspace(cast: Cast, acme: RestClient, umbrella: RestClient) -> None:
    first, second = personal(acme), personal(acme, "Another.")
    accepted = proposed(acme, first)
    copy = acme.post(f"proposals/{accepted['id']}/accept").json()["memory_id"]
    waiting = proposed(acme, second)
    lines = b"".join(acme.get("export").streaming_content)

    moved = umbrella.raw("POST", "import", lines, "application/x-ndjson")

    assert moved.status_code == 201, moved.content
    found = {each["id"]: each for each in umbrella.get("proposals").json()["results"]}
    assert found[waiting["id"]]["status"] == "pending"
    assert found[accepted["id"]]["memory_id"] == copy
    assert umbrella.get(f"memories/{copy}").json()["origin_id"] == first["id"]
    assert umbrella.post(f"proposals/{waiting['id']}/accept").status_code == 200
