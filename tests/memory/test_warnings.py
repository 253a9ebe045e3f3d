"""Agents are warned by the nodes they name, in contexts, and in chat turns; a turn leaves its action behind."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.db import DatabaseError

from memory.recall.layers import patterns as layer
from memory.recall.layers.base import ContextRequest
from memory.recall.services.context import assemble_context
from memory.recall.services.pattern_warnings import warn_about_nodes
from ontology.models import Node
from ontology.nodes_and_edges.services.node_writer import NewNode, create_node
from telemetry.models import Action, Injection, Pattern
from telemetry.patterns.services.pattern_admin import annotate_pattern
from tests.cast import Cast, Household, RestClient
from tests.telemetry.acting import with_memory_on
from tests.telemetry.test_injecting import known_pattern
from workspaces.access.scope import workspace_scope
from workspaces.settings.services import set_memory_enabled


@pytest.fixture
def household(cast: Cast) -> Household:
    return with_memory_on(cast.acme)


@pytest.fixture
def node(household: Household) -> Node:
    with workspace_scope(household.caller):
        return create_node(caller=household.caller, new=NewNode("invoice", name="Invoice 4711 of the bakery"))


@pytest.fixture
def pattern(household: Household) -> Pattern:
    return known_pattern(household, error_code="rate_limited")


@pytest.fixture
def _never_held_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lot falls on being told."""

    class Dice:
        def random(self) -> float:
            return 0.5

    for module in ("memory.recall.api", "chat.services.turns", "mcp_server.tools.contexts"):
        monkeypatch.setattr(f"{module}.DICE", Dice())


told = pytest.mark.usefixtures("_never_held_out")


@told
def test_an_agent_is_warned_about_the_nodes_it_names(acme: RestClient, node: Node, pattern: Pattern) -> None:
    answer = acme.post("patterns/inject", {"node_ids": [str(node.id)], "action_type": "tool_call"}).json()

    assert [one["id"] for one in answer["patterns"]] == [str(pattern.id)]
    assert answer["held_out"] is False
    assert "rate_limited" in answer["text"]
    assert acme.post("patterns/inject", {"node_ids": [str(node.id)], "action_type": "mail"}).json()["patterns"] == []


def test_the_lot_is_passed_in(household: Household, node: Node, pattern: Pattern) -> None:
    held = warn_about_nodes(caller=household.caller, node_ids=[node.id], draw=0.05)

    assert (held.is_held_out, held.text) == (True, "")


@told
def test_unknown_and_foreign_nodes_warn_of_nothing(
    cast: Cast, umbrella: RestClient, node: Node, pattern: Pattern
) -> None:
    with_memory_on(cast.umbrella)
    known_pattern(cast.umbrella)

    assert umbrella.post("patterns/inject", {"node_ids": [str(node.id)]}).json()["patterns"] == []


@told
def test_a_context_ends_with_what_tends_to_go_wrong(
    household: Household, acme: RestClient, node: Node, pattern: Pattern
) -> None:
    context = acme.post("context", {"query": "the invoice of the bakery"}).json()

    assert [block["name"] for block in context["blocks"]] == ["nodes", "patterns"]
    assert context["blocks"][1]["items"][0]["id"] == str(pattern.id)
    assert context["text"].endswith("Take another way.")
    with workspace_scope(household.caller):
        assert Injection.objects.get().session.startswith("api_key:")


@told
def test_a_suppressed_pattern_is_in_no_warning_and_no_context(
    household: Household, acme: RestClient, node: Node, pattern: Pattern
) -> None:
    annotate_pattern(caller=household.caller, pattern_id=pattern.id, suppressed=True)

    assert acme.post("patterns/inject", {"node_ids": [str(node.id)]}).json()["patterns"] == []
    assert "patterns" not in [block["name"] for block in acme.post("context", {"query": "invoice"}).json()["blocks"]]


@told
def test_with_memory_off_a_context_warns_of_nothing(
    household: Household, acme: RestClient, node: Node, pattern: Pattern
) -> None:
    set_memory_enabled(caller=household.caller, enabled=False)

    context = acme.post("context", {"query": "the invoice of the bakery"}).json()

    assert [block["name"] for block in context["blocks"]] == ["nodes"]
    assert context["left_out"] == []


@told
def test_a_context_goes_on_without_its_warnings(
    acme: RestClient, node: Node, pattern: Pattern, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(**given: Any) -> None:
        raise OSError("broken")

    monkeypatch.setattr(layer, "choose_patterns", broken)

    context = acme.post("context", {"query": "the invoice of the bakery"}).json()

    assert [block["name"] for block in context["blocks"]] == ["nodes"]
    assert context["left_out"] == ["patterns"]


@told
def test_a_chat_turn_is_warned_and_leaves_its_action_in_the_conversation(
    household: Household, acme: RestClient, node: Node, pattern: Pattern
) -> None:
    answer = acme.post("chat", {"conversation": "tuesday", "message": "What about the invoice of the bakery?"})

    assert answer.status_code == 200
    with workspace_scope(household.caller):
        (turn,) = Action.objects.all()
        injection = Injection.objects.get()
    assert (turn.agent, turn.tool, turn.outcome) == ("chat", "chat.turn", "success")
    assert turn.session == injection.session


@pytest.mark.parametrize(("draw", "is_held_out"), [(0.05, True), (0.5, False)])
def test_what_the_budget_leaves_out_warns_of_nothing(
    household: Household, acme: RestClient, node: Node, pattern: Pattern, *, draw: float, is_held_out: bool
) -> None:
    with workspace_scope(household.caller):
        Pattern.objects.filter(pk=pattern.pk).update(recommendation="Wait a while and try again. " * 15)
    wanted = ContextRequest("Invoice 4711 of the bakery", draw=draw, token_budget=100)

    small = assemble_context(caller=household.caller, wanted=wanted)
    assert "patterns" not in [block.name for block in small.assembled.blocks]
    assert injections(household) == []

    large = assemble_context(caller=household.caller, wanted=replace(wanted, token_budget=2_000))
    assert ("patterns" in [block.name for block in large.assembled.blocks]) is not is_held_out
    assert ("rate_limited" in large.assembled.text) is not is_held_out
    assert [is_held_out] == [each.is_held_out for each in injections(household)]
    assert str(pattern.pk) not in [each.item.id for each in large.assembled.dropped]


def test_a_warning_that_cannot_be_noted_is_not_given(
    household: Household, node: Node, pattern: Pattern, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**given: Any) -> int:
        raise DatabaseError

    monkeypatch.setattr(layer, "note_injection", fail)

    made = assemble_context(caller=household.caller, wanted=ContextRequest("Invoice 4711 of the bakery", draw=0.5))

    assert list(made.left_out) == ["patterns"]
    assert "rate_limited" not in made.assembled.text
    assert "Invoice 4711" in made.assembled.text


def injections(household: Household) -> list[Injection]:
    with workspace_scope(household.caller):
        return list(Injection.objects.of(household.caller))
