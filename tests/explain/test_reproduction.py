"""Receipts are reproduced: the text of a context, written again from what is kept of that time."""

from __future__ import annotations

from hashlib import sha256
from typing import Any
from uuid import UUID

import pytest

from memory.memories.services.memory_writer import edit_memory
from memory.models import ContextReceipt, Memory
from ontology.models import Node
from tests.cast import Cast, RestClient
from tests.pages import Visitor, text_of
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope


@pytest.fixture
def bob(cast: Cast) -> Visitor:
    return Visitor.of(cast.bob, cast.acme.workspace)


STATED = "2026-03-04T00:00:00Z"
QUESTION = "Who delivers the flour to the bakery, and when?"


def _context(rest: RestClient, **fields: Any) -> dict[str, Any]:
    answer = rest.post("context", {"query": QUESTION, **fields})
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def _reproduce(rest: RestClient, context: dict[str, Any], user: str = "") -> dict[str, Any]:
    answer = rest.post(f"receipts/{context['receipt_id']}/reproduce", {"user": user} if user else {})
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def _fill(acme: RestClient) -> dict[str, str]:
    """Fill every layer of a context; return ids by name."""
    ids = {
        "mill": acme.remembered("Flour is delivered by the northern mill on Tuesdays.")["id"],
        "van": acme.remembered("The flour comes in the blue van to the bakery.", valid_from=STATED)["id"],
        "rye": acme.remembered("Rye flour is ordered from the mill two weeks ahead.", kind="fact")["id"],
        "opening": acme.remembered("The bakery opens at six.", kind="fact")["id"],
    }
    nodes = [
        acme.post("ontology/nodes", {"type": "company", "name": name, "properties": {"delivers": "flour"}}).json()["id"]
        for name in ("Northern mill", "Harbour bakery")
    ]
    edge = {"type": "delivers_flour_to", "source": nodes[0], "target": nodes[1]}
    ids |= {"node": nodes[0], "edge": acme.post("ontology/edges", edge).json()["id"]}
    said = [
        ("user", "Who delivers the flour to us?"),
        ("assistant", "The northern mill delivers the flour to the bakery."),
        ("user", "And when do they deliver the flour?"),
        ("user", "On Tuesdays, before five."),
    ]
    acme.post("conversations/mill/messages", {"messages": [{"role": role, "content": text} for role, text in said]})
    acme.put("users/42/memory", {"content": "# Preferences\n\nFlour: wants it delivered before five."})
    return ids


def test_the_same_bytes_come_back_whatever_has_changed_since(cast: Cast, acme: RestClient) -> None:
    ids = _fill(acme)
    given = _context(acme, user="42", node_ids=[ids["node"]])
    blocks = {block["name"] for block in given["blocks"]}
    assert blocks >= {"facts", "memories", "nodes", "messages"}, blocks
    assert " 2026-03-04: The flour comes in the blue van" in given["text"]

    acme.patch(f"memories/{ids['mill']}", {"content": "Flour is delivered by the southern mill on Fridays."})
    acme.patch(f"memories/{ids['mill']}", {"content": "Flour is delivered by the eastern mill.", "importance": 0.9})
    edit_memory(caller=cast.acme.caller, memory_id=ids["van"], changes={"content": "The van is red."})  # type: ignore[arg-type]
    acme.post(f"memories/{ids['van']}/pin")
    acme.post(f"memories/{ids['rye']}/demote")
    acme.delete(f"memories/{ids['rye']}")
    acme.post(f"memories/{ids['opening']}/suppress", {"reason": "Winter"})
    acme.post(f"memories/{ids['van']}/promote")
    acme.patch(f"ontology/nodes/{ids['node']}", {"name": "Southern mill", "properties": {"delivers": "oats"}})
    acme.delete(f"ontology/edges/{ids['edge']}")
    acme.post("conversations/mill/messages", {"role": "user", "content": "The flour came late today."})
    acme.remembered("The flour is delivered by drone.")
    acme.put("settings", {"memory": {"token_budget": 200, "min_confidence": 0.9, "recall_messages": "off"}})
    again = _context(acme, user="42")
    assert again["text"] != given["text"]

    answer = _reproduce(acme, given, user="42")

    assert answer["missing"] == []
    assert answer["text"] == given["text"]
    assert answer["is_identical"] is True
    assert answer["text_sha256"] == sha256(given["text"].encode()).hexdigest()
    assert acme.get(f"receipts/{given['receipt_id']}", user="42").json()["text_sha256"] == answer["text_sha256"]
    assert _reproduce(acme, again, user="42")["is_identical"] is True


def test_a_receipt_holds_no_text_of_what_it_reproduces(cast: Cast, acme: RestClient) -> None:
    _fill(acme)
    receipt = _context(acme)["receipt_id"]

    with workspace_scope(cast.acme.caller):
        kept = ContextReceipt.objects.get(id=receipt)

    assert kept.text == ""
    assert not any(word in str(kept.layout) for word in ("flour", "mill", "Acme", "Tuesdays", "mill"))


def test_what_is_gone_is_named_and_never_made_up(cast: Cast, acme: RestClient) -> None:
    ids = _fill(acme)
    given = _context(acme)
    said = [item["id"] for block in given["blocks"] if block["name"] == "messages" for item in block["items"]]
    assert said
    acme.delete("conversations/mill")
    with workspace_scope(cast.acme.caller):
        Memory.objects.filter(pk=UUID(ids["mill"])).delete()
        Node.objects.filter(pk=ids["mill"]).delete()

    answer = _reproduce(acme, given)

    assert answer["is_identical"] is False
    reasons = {each["id"]: each["reason"] for each in answer["missing"]}
    assert reasons == {ids["mill"]: "erased", **dict.fromkeys(said, "deleted")}
    assert "northern mill on Tuesdays" not in answer["text"]
    assert "The bakery opens at six." in answer["text"]


def test_what_keeps_no_history_is_named_as_changed(acme: RestClient) -> None:
    acme.put("users/42/memory", {"content": "# Preferences\n\nFlour: before five."})
    given = _context(acme, user="42")
    assert "before five" in given["text"]
    acme.put("users/42/memory", {"content": "# Preferences\n\nFlour: after six."})

    answer = _reproduce(acme, given, user="42")

    assert [each["reason"] for each in answer["missing"]] == ["changed"]
    assert "six" not in answer["text"]


def test_an_empty_context_is_reproduced(acme: RestClient) -> None:
    given = _context(acme)

    assert given["text"] == ""
    assert _reproduce(acme, given) == {
        "text": "",
        "text_sha256": sha256(b"").hexdigest(),
        "is_identical": True,
        "missing": [],
    }


def test_a_receipt_of_before_says_that_it_cannot(cast: Cast, acme: RestClient) -> None:
    _fill(acme)
    receipt = _context(acme)["receipt_id"]
    with workspace_scope(cast.acme.caller):
        ContextReceipt.objects.filter(id=receipt).update(text_sha256="", layout=[])

    answer = acme.post(f"receipts/{receipt}/reproduce")

    assert (answer.status_code, answer.json()["code"]) == (409, "not_reproducible")
    assert "run it again" in answer.json()["detail"]


def test_it_takes_what_reading_the_receipt_takes(cast: Cast, acme: RestClient, umbrella: RestClient) -> None:
    acme.remembered("Flour of user 42 comes on Tuesdays.", user="42")
    mine, shared = _context(acme, user="42"), _context(acme)

    def status(rest: RestClient, context: dict[str, Any], **named: str) -> int:
        return int(rest.post(f"receipts/{context['receipt_id']}/reproduce", named).status_code)

    assert status(cast.acme.rest(Right.READ), shared) == 200
    assert status(cast.acme.rest(Right.WRITE), shared) == 403
    assert status(umbrella, shared) == 404
    assert status(acme, mine) == 404
    assert status(acme, mine, user="43") == 404
    assert status(acme, mine, user="42") == 200


def test_episodes_and_statements_are_reproduced(acme: RestClient) -> None:
    said = [
        ("user", "I order the rye flour from the northern mill."),
        ("assistant", "Noted: the rye flour comes from the northern mill."),
        ("user", "Please always order the flour two weeks ahead."),
    ]
    acme.put("settings", {"memory": {"enabled": True}})
    messages = [
        {"role": role, "content": text, "created_at": f"2024-03-0{place}T09:00:00Z"}
        for place, (role, text) in enumerate(said, start=1)
    ]
    acme.post("conversations/old/messages", {"messages": messages})
    done = acme.post("conversations/old/consolidate", {"retain_last": 0, "max_age_days": 0})
    assert done.status_code == 200, done.content
    asked = {"query": "From which mill is the rye flour ordered?"}
    contexts = [_context(acme, conversation="old", **asked), _context(acme, **asked)]

    assert {block["name"] for given in contexts for block in given["blocks"]} >= {"episodes", "statements"}
    for given in contexts:
        answer = _reproduce(acme, given)
        assert (answer["text"], answer["is_identical"]) == (given["text"], True)


def test_a_person_reproduces_a_context_on_its_page(bob: Visitor, acme: RestClient) -> None:
    ids = _fill(acme)
    given = _context(acme)
    acme.patch(f"memories/{ids['mill']}", {"content": "Flour <b>is</b> delivered by drone."})
    address = f"receipts/{given['receipt_id']}"
    assert "Reproduce the text" in text_of(bob.get(address))

    same = text_of(bob.post(f"{address}/reproduce"))
    acme.delete("conversations/mill")
    less = text_of(bob.post(f"{address}/reproduce"))

    assert "Reproduced, byte for byte." in same
    assert "northern mill on Tuesdays" in same
    assert "Not the same: " in less
    assert "Deleted" in less


def test_the_page_of_a_receipt_of_before_says_so(cast: Cast, bob: Visitor, acme: RestClient) -> None:
    receipt = _context(acme)["receipt_id"]
    with workspace_scope(cast.acme.caller):
        ContextReceipt.objects.filter(id=receipt).update(text_sha256="", layout=[])

    assert "This context cannot be reproduced" in text_of(bob.get(f"receipts/{receipt}"))
    refused = bob.post(f"receipts/{receipt}/reproduce")
    assert refused.status_code == 409
    assert "It cannot be reproduced" in text_of(refused)
    assert bob.get(f"receipts/{receipt}/reproduce").status_code == 302
