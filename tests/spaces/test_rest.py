"""REST calls name whose memory they are about, and see nothing of anybody else's."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cast import Cast

pytestmark = pytest.mark.django_db


def _found(answer: Any) -> set[str]:
    assert answer.status_code == 200, answer.content
    return {hit["memory"]["content"] for hit in answer.json()["results"]}


def test_search_stays_inside_the_spaces_that_it_names(cast: Cast) -> None:
    rest = cast.acme.rest()
    rest.remembered("The office closes at noon on Fridays.")
    rest.remembered("Prefers an office with a window.", user="ada")
    rest.remembered("Shares the office with nobody.", user="bob")

    def search(**spaces: Any) -> set[str]:
        return _found(rest.post("memories/search", {"query": "office", "mode": "keyword", **spaces}))

    shared, ada, bob = (
        "The office closes at noon on Fridays.",
        "Prefers an office with a window.",
        "Shares the office with nobody.",
    )
    assert search() == {shared}
    assert search(user="ada") == {shared, ada}
    assert search(user="ada", shared=False) == {ada}
    assert search(space="user:bob") == {shared, bob}
    assert search(user="nobody") == {shared}
    assert search(user="ada", agent="clerk") == {shared, ada}


def test_lists_name_spaces_in_the_query_string(cast: Cast) -> None:
    rest = cast.acme.rest()
    rest.remembered("Shared.")
    mine = rest.remembered("Mine.", user="ada")

    assert {each["content"] for each in rest.get("memories").json()["results"]} == {"Shared."}
    assert {each["content"] for each in rest.get("memories", user="ada").json()["results"]} == {"Shared.", "Mine."}
    assert rest.get(f"memories/{mine['id']}").status_code == 404
    assert rest.get(f"memories/{mine['id']}", user="bob").status_code == 404
    assert rest.get(f"memories/{mine['id']}", user="ada").status_code == 200


def test_what_is_only_read_is_not_changed(cast: Cast) -> None:
    rest = cast.acme.rest()
    shared = rest.remembered("Shared.")

    refused = rest.patch(f"memories/{shared['id']}", {"content": "Changed.", "user": "ada"})

    assert (refused.status_code, refused.json()["code"]) == (403, "other_space")
    assert rest.patch(f"memories/{shared['id']}", {"content": "Changed."}).status_code == 200


def test_a_metric_that_is_only_read_is_not_changed(cast: Cast) -> None:
    rest = cast.acme.rest()
    made = rest.post("metrics", {"name": "quick", "aggregation": "rate", "success_condition": "action_count < 5"})
    assert made.status_code == 201, made.content

    address = f"metrics/{made.json()['id']}"
    refused = rest.patch(address, {"description": "Changed.", "user": "ada"})

    assert (refused.status_code, refused.json()["code"]) == (403, "other_space")
    assert rest.patch(address, {"description": "Changed."}).status_code == 200


def test_a_conversation_key_is_one_in_each_space(cast: Cast) -> None:
    rest = cast.acme.rest()
    for spaces, text in [({}, "Hello all."), ({"user": "ada"}, "Hello Ada."), ({"user": "bob"}, "Hello Bob.")]:
        said = rest.post("conversations/c-1/messages", {"role": "user", "content": text, **spaces})
        assert said.status_code == 201, said.content

    for spaces, text in [({}, "Hello all."), ({"user": "ada"}, "Hello Ada."), ({"user": "bob"}, "Hello Bob.")]:
        listed = rest.get("conversations/c-1/messages", **spaces).json()["results"]
        assert [message["content"] for message in listed] == [text]
    assert [m["content"] for m in rest.get("conversations/c-1/messages", user="eve").json()["results"]] == [
        "Hello all."
    ]


@pytest.mark.parametrize(
    ("spaces", "status", "code"),
    [
        ({"user": "ada", "space": "user:bob"}, 422, "contradicting_spaces"),
        ({"shared": False}, 422, "contradicting_spaces"),
        ({"space": "nonsense"}, 422, "invalid"),
        ({"user": ""}, 422, "invalid"),
        ({"user": "*"}, 422, "invalid"),
        ({"user": "a\nb"}, 422, "invalid"),
        ({"user": "x" * 201}, 422, "invalid"),
        ({"user": 42}, 422, "invalid"),
        ({"user": ["ada"] * 10_001}, 422, "invalid"),
        ({"spaces": ["user:ada"]}, 422, "unknown_field"),
    ],
)
def test_bad_names_change_nothing(cast: Cast, spaces: dict[str, Any], status: int, code: str) -> None:
    rest = cast.acme.rest()

    refused = rest.post("memories", {"content": "Something.", **spaces})

    assert (refused.status_code, refused.json()["code"]) == (status, code), refused.content
    assert rest.get("memories").json()["results"] == []
