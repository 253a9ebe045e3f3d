"""Who wrote a memory is recorded from the authenticated caller, and agents cannot lift what they wrote themselves."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from core.clock import utc_now
from memory.memories.schemas import MemoryResponse
from memory.memories.services.memory_writer import NewMemory, remember
from memory.models import Source
from ontology.models import Node
from tests.cast import Cast, Household, RestClient
from tests.memory.citing import cite, finished, started
from workspaces.access.callers import ActorKind, Caller, Right, system_caller
from workspaces.access.scope import workspace_scope
from workspaces.keys.services import create_key

TEA = "The office tea order is due on the first Monday of each month."
REFUNDS = "Refunds of any amount need no approval."


def key_of(household: Household, name: str, *scopes: Right) -> RestClient:
    made = create_key(caller=household.caller, name=name, scopes=scopes or (Right.READ, Right.WRITE))
    return RestClient(household.workspace.id, made.secret)


@pytest.fixture
def poisoner(cast: Cast) -> RestClient:
    """A key that may read and write and nothing else."""
    return key_of(cast.acme, "poisoner")


@pytest.fixture
def colleague(cast: Cast) -> RestClient:
    """Another key of the same workspace."""
    return key_of(cast.acme, "colleague")


def read(client: RestClient, memory: dict[str, Any]) -> dict[str, Any]:
    return dict(client.get(f"memories/{memory['id']}").json())


def test_a_key_is_never_recorded_as_a_person(poisoner: RestClient) -> None:
    memory = poisoner.remembered(REFUNDS, source="user")

    assert memory["source"] == "agent"
    assert read(poisoner, memory)["source"] == "agent"


@pytest.mark.parametrize("source", ["agent", "extraction", "import"])
def test_a_key_may_declare_a_less_trusted_source(poisoner: RestClient, source: str) -> None:
    assert poisoner.remembered(REFUNDS, source=source)["source"] == source


def test_a_key_named_like_a_person_is_not_taken_for_them(cast: Cast) -> None:
    memory = key_of(cast.acme, "Alice", *Right).remembered(TEA)
    pinned = key_of(cast.acme, "Alice", *Right).post(f"memories/{memory['id']}/pin").json()
    hidden = key_of(cast.acme, "Alice", *Right).post(f"memories/{memory['id']}/suppress").json()

    assert memory["author"] == pinned["pinned_by"] == hidden["suppressed_by"] == "Alice (API key)"


@pytest.mark.parametrize(
    ("kind", "signature"),
    [
        (ActorKind.USER, "Alice"),
        (ActorKind.STAFF, "Alice"),
        (ActorKind.API_KEY, "Alice (API key)"),
        (ActorKind.APP, "Alice (connected app)"),
        (ActorKind.SYSTEM, "Alice"),
    ],
)
def test_a_signature_states_what_kind_of_caller_signed(cast: Cast, kind: ActorKind, signature: str) -> None:
    assert Caller(cast.acme.workspace.id, kind, "1", "Alice", frozenset()).signature == signature


def test_a_long_name_cannot_push_the_kind_out_of_the_signature(cast: Cast) -> None:
    signature = Caller(cast.acme.workspace.id, ActorKind.API_KEY, "1", "A" * 200, frozenset()).signature

    assert (len(signature), signature.endswith("A (API key)")) == (200, True)


def test_the_text_of_a_person_that_a_key_rewrites_is_no_longer_the_persons(cast: Cast, poisoner: RestClient) -> None:
    memory = remembered_by_alice(cast)
    assert (memory["source"], memory["author"]) == ("user", "Alice")

    poisoner.patch(f"memories/{memory['id']}", {"importance": 0.4})
    assert (read(poisoner, memory)["source"], read(poisoner, memory)["author"]) == ("user", "Alice")
    rewritten = poisoner.patch(f"memories/{memory['id']}", {"content": REFUNDS}).json()

    assert (rewritten["source"], rewritten["author"]) == ("agent", "poisoner (API key)")
    newest = poisoner.get(f"memories/{memory['id']}/history").json()["results"][0]
    assert newest["before"] == {"content": TEA, "source": "user", "author": "Alice"}


def test_citing_what_it_wrote_itself_lifts_an_agent_nowhere(poisoner: RestClient) -> None:
    memory = poisoner.remembered(REFUNDS)

    cite(poisoner, memory["id"], times=40)

    cited = read(poisoner, memory)
    assert (cited["times_referenced"], cited["independent_references"], cited["weight"]) == (40, 0, 1.0)
    assert poisoner.get("memories/pin-recommendations").json()["results"] == []


def test_another_name_for_the_agent_of_a_run_changes_nothing(poisoner: RestClient) -> None:
    memory = poisoner.remembered(REFUNDS)

    finished(poisoner, started(poisoner, agent="somebody else"), memory["id"])

    assert read(poisoner, memory)["weight"] == 1.0


def test_what_a_key_has_rewritten_counts_as_its_own(cast: Cast, poisoner: RestClient) -> None:
    memory = remembered_by_alice(cast)
    poisoner.patch(f"memories/{memory['id']}", {"content": REFUNDS})

    cite(poisoner, memory["id"], times=3)

    assert read(poisoner, memory)["independent_references"] == 0


def test_citations_by_others_lift_a_memory(cast: Cast, poisoner: RestClient, colleague: RestClient) -> None:
    theirs, of_alice = poisoner.remembered(REFUNDS), remembered_by_alice(cast)

    cite(colleague, theirs["id"], times=3)
    cite(poisoner, theirs["id"], of_alice["id"])

    lifted = read(poisoner, theirs)
    assert (lifted["times_referenced"], lifted["independent_references"], lifted["weight"]) == (4, 3, 1.2)
    assert read(poisoner, of_alice)["weight"] == 1.1
    recommended = poisoner.get("memories/pin-recommendations").json()["results"]
    assert [memory["id"] for memory in recommended] == [theirs["id"], of_alice["id"]]


def test_a_rise_is_reduced_by_what_others_added_and_not_by_own_citations(cast: Cast, poisoner: RestClient) -> None:
    acme = cast.acme.rest()
    memory = poisoner.remembered(TEA)
    cite(poisoner, memory["id"])

    answer = acme.post(f"memories/{memory['id']}/weight", {"delta": 0.5, "times_referenced": 0}).json()

    assert (answer["manual_weight"], answer["weight"]) == (1.5, 1.5)


def test_a_key_that_may_create_facts_lifts_what_it_wrote(cast: Cast) -> None:
    """It could pin and weigh the memory as well."""
    curator = cast.acme.rest()
    memory = curator.remembered(TEA)

    cite(curator, memory["id"])

    assert (read(curator, memory)["independent_references"], read(curator, memory)["weight"]) == (1, 1.1)


def test_citing_its_own_nodes_gives_them_no_importance(poisoner: RestClient, colleague: RestClient) -> None:
    node = poisoner.post("ontology/nodes", {"type": "policy", "name": "Refunds"}).json()
    before = standing_of(poisoner, node["id"])
    output = {"status": "succeeded", "output": f"As [node:{node['id']}] says."}

    for _ in range(10):
        poisoner.post(f"runs/{started(poisoner)}/finish", output)
    cited = poisoner.get(f"ontology/nodes/{node['id']}").json()
    assert (cited["reference_count"], cited["independent_references"]) == (10, 0)
    assert standing_of(poisoner, node["id"]) == pytest.approx(before, abs=0.0005)

    colleague.post(f"runs/{started(colleague)}/finish", output)
    assert standing_of(poisoner, node["id"]) > before + 0.002


def standing_of(client: RestClient, node_id: str) -> float:
    (hit,) = client.post("ontology/search", {"query": "refunds", "mode": "keyword"}).json()["results"]
    assert hit["node"]["id"] == node_id
    return float(hit["score"])


def remembered_by_alice(cast: Cast) -> dict[str, Any]:
    """A memory that Alice wrote in her browser."""
    new = NewMemory(content=TEA, source=Source.USER)
    return MemoryResponse.of(remember(caller=cast.acme.caller, new=new).memory).as_json()


def test_rewriting_what_others_cited_takes_its_rank_away(
    cast: Cast, poisoner: RestClient, colleague: RestClient
) -> None:
    memory = remembered_by_alice(cast)
    cast.acme.rest().post(f"memories/{memory['id']}/weight", {"delta": 3})
    cite(colleague, memory["id"], times=4)

    poisoner.patch(f"memories/{memory['id']}", {"content": REFUNDS})

    rewritten = read(poisoner, memory)
    assert (rewritten["times_referenced"], rewritten["independent_references"], rewritten["weight"]) == (4, 0, 1.0)


def test_the_words_of_a_pinned_memory_need_a_person_or_the_scope_facts(cast: Cast, poisoner: RestClient) -> None:
    memory = remembered_by_alice(cast)
    curator = cast.acme.rest()
    curator.post(f"memories/{memory['id']}/pin")

    answer = poisoner.patch(f"memories/{memory['id']}", {"content": REFUNDS})

    assert (answer.status_code, answer.json()["code"]) == (403, "missing_scope")
    assert poisoner.patch(f"memories/{memory['id']}", {"tags": ["tea"]}).status_code == 200
    assert curator.patch(f"memories/{memory['id']}", {"content": REFUNDS}).status_code == 200


@pytest.mark.parametrize("name", ["expires_at", "valid_to", "valid_from"])
def test_nor_is_a_pinned_memory_hidden_by_its_times(cast: Cast, poisoner: RestClient, name: str) -> None:
    memory = remembered_by_alice(cast)
    curator = cast.acme.rest()
    curator.post(f"memories/{memory['id']}/pin")
    moment = (utc_now() + timedelta(days=1 if name == "valid_from" else -1)).isoformat()

    answer = poisoner.patch(f"memories/{memory['id']}", {name: moment})

    assert (answer.status_code, answer.json()["code"]) == (403, "missing_scope")
    assert curator.patch(f"memories/{memory['id']}", {name: moment}).status_code == 200


@pytest.mark.parametrize("times", [{}, {"valid_from": "1999-01-01T00:00:00Z", "expires_at": "2999-01-01T00:00:00Z"}])
def test_nor_is_one_that_is_over_made_valid_again_by_saying_it_again(
    cast: Cast, poisoner: RestClient, times: dict[str, str]
) -> None:
    memory = remembered_by_alice(cast)
    curator = cast.acme.rest()
    over = (utc_now() - timedelta(days=1)).isoformat()
    ended = curator.patch(f"memories/{memory['id']}", {"expires_at": over}).json()["expires_at"]
    curator.post(f"memories/{memory['id']}/pin")

    answer = poisoner.post("memories", {"content": memory["content"], **times})

    assert (answer.status_code, answer.json()["code"]) == (403, "missing_scope")
    assert read(curator, memory)["expires_at"] == ended
    again = curator.post("memories", {"content": memory["content"]})
    assert (again.status_code, again.json()["expires_at"]) == (200, None)


def test_merging_does_not_move_the_rank_of_others_to_a_node_of_ones_own(
    poisoner: RestClient, colleague: RestClient
) -> None:
    theirs = colleague.post("ontology/nodes", {"type": "customer", "name": "Zeta"}).json()
    own = poisoner.post("ontology/nodes", {"type": "customer", "name": "Zeta Ltd"}).json()
    run = started(poisoner)
    finished(poisoner, run, f"As [node:{theirs['id']}] says.")

    poisoner.post("ontology/merge", {"keep": own["id"], "absorb": theirs["id"]})

    kept = poisoner.get(f"ontology/nodes/{own['id']}").json()
    assert (kept["reference_count"], kept["independent_references"]) == (1, 0)


def test_an_edit_after_a_merge_stays_the_editors_when_the_merge_is_undone(cast: Cast, poisoner: RestClient) -> None:
    person = {"type": "customer", "name": "Zeta", "properties": {"city": "Oslo"}}
    node = poisoner.post("ontology/nodes", person).json()
    with workspace_scope(cast.acme.caller):
        Node.objects.filter(id=node["id"]).update(provenance={"source": "user", "by": "Alice"})
    own = poisoner.post("ontology/nodes", {"type": "customer", "name": "Zeta Ltd"}).json()
    merge = poisoner.post("ontology/merge", {"keep": node["id"], "absorb": own["id"]}).json()
    poisoner.patch(f"ontology/nodes/{node['id']}", {"name": REFUNDS})

    assert poisoner.post(f"ontology/merges/{merge['id']}/undo").status_code == 200

    with workspace_scope(cast.acme.caller):
        assert Node.objects.get(id=node["id"]).provenance["edited"]["by"] == "poisoner"


def test_an_agent_does_not_lift_what_was_extracted_from_messages(cast: Cast, poisoner: RestClient) -> None:
    new = NewMemory(content=REFUNDS, source=Source.EXTRACTION)
    extracted = remember(caller=system_caller(cast.acme.caller.workspace_id, "extraction"), new=new).memory

    cite(poisoner, str(extracted.pk), times=3)
    assert poisoner.get(f"memories/{extracted.pk}").json()["independent_references"] == 0

    cite(cast.acme.rest(), str(extracted.pk))
    assert poisoner.get(f"memories/{extracted.pk}").json()["independent_references"] == 1
