"""What clients of the REST API may rely on, whatever they send and however often."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cast import RestClient
from tests.rules.doors import is_problem

quickly = settings(max_examples=25)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=3),
    max_leaves=8,
)
FIELDS = st.sampled_from(["content", "kind", "source", "tags", "importance", "confidence", "valid_from", "expires_at"])


@quickly
@given(body=st.dictionaries(FIELDS, json_values, max_size=4) | json_values)
def test_any_json_is_remembered_or_refused(acme: RestClient, body: Any) -> None:
    answer = acme.raw("POST", "memories", json.dumps(body))

    assert answer.status_code in {200, 201, 400, 409, 413, 422}
    assert answer.status_code < 400 or is_problem(answer)


@quickly
@given(content=st.text(max_size=200))
def test_a_text_comes_back_as_it_was_or_not_at_all(acme: RestClient, content: str) -> None:
    answer = acme.post("memories", {"content": content, "source": "user"})

    if answer.status_code == 201:
        assert answer.json()["content"] == content.strip()
        assert acme.get(f"memories/{answer.json()['id']}").json() == answer.json()
    else:
        assert answer.status_code in {200, 422}


@quickly
@given(query=st.text(min_size=1, max_size=200), mode=st.sampled_from(["hybrid", "keyword", "semantic"]))
def test_any_text_can_be_searched_for(acme: RestClient, query: str, mode: str) -> None:
    answer = acme.post("memories/search", {"query": query, "mode": mode})

    assert answer.status_code in {200, 422}
    assert answer.status_code == 200 or is_problem(answer)


@pytest.mark.parametrize("field", ["created_at", "updated_at", "pinned_at", "valid_from", "last_referenced_at"])
def test_times_are_rfc_3339_in_utc(acme: RestClient, field: str) -> None:
    memory = acme.remembered("Tea.", valid_from="2026-01-01T12:00:00+02:00")
    acme.post(f"memories/{memory['id']}/pin")
    run_id = acme.post("runs", {"agent": "clerk"}).json()["id"]
    acme.post(f"runs/{run_id}/finish", {"status": "succeeded", "output": f"[mem:{memory['id']}]"})

    time = acme.get(f"memories/{memory['id']}").json()[field]

    assert time.endswith("Z")
    assert "T" in time
    assert field != "valid_from" or time == "2026-01-01T10:00:00Z"


def test_ids_are_uuids_of_version_7_and_sort_by_age(acme: RestClient) -> None:
    ids = [acme.remembered(f"Tea {number}.")["id"] for number in range(5)]

    assert [identity[14] for identity in ids] == ["7"] * 5
    assert ids == sorted(ids)
