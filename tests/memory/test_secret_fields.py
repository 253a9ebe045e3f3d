"""Secrets of every kind are refused in what others read; `tests/contracts/test_secrets.py` asks every field."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cast import Answer, Cast, RestClient
from tests.pages import Visitor, text_of
from tests.telemetry.acting import reported, with_memory_on
from tests.telemetry.test_injecting import known_pattern

TOKEN = "gh" + "p_" + "A1b2C3d4" * 5
CARD = "4111 1111 1111 1111"
PASSWORD = "pass word: hunter2x!"


def assert_refused(answer: Answer, field: str, code: str = "secret_refused") -> None:
    assert answer.status_code == 422, answer.content
    assert [(problem["field"], problem["code"]) for problem in answer.json()["errors"]] == [(field, code)]
    assert TOKEN not in answer.content.decode()


@pytest.mark.parametrize("secret", [TOKEN, CARD, PASSWORD])
def test_in_tags_and_reasons(acme: RestClient, secret: str) -> None:
    kept = acme.remembered("The mixer is loud.")

    assert_refused(acme.post("memories", {"content": "The oven is hot.", "tags": [secret]}), "tags")
    assert_refused(acme.patch(f"memories/{kept['id']}", {"tags": ["kitchen", secret]}), "tags")
    assert_refused(acme.post(f"memories/{kept['id']}/suppress", {"reason": secret}), "reason")
    assert acme.get(f"memories/{kept['id']}").json()["suppressed"] is False


def test_in_the_forms_of_a_person(bob: Visitor, acme: RestClient) -> None:
    kept = acme.remembered("The mixer is loud.")

    answer = bob.post(f"memory/{kept['id']}/suppress", reason=TOKEN)

    assert TOKEN not in text_of(answer)
    assert acme.get(f"memories/{kept['id']}").json()["suppressed"] is False


@pytest.mark.parametrize("secret", [TOKEN, CARD, PASSWORD])
def test_in_notes_on_patterns(cast: Cast, secret: str) -> None:
    rest, pattern = cast.acme.rest(), known_pattern(with_memory_on(cast.acme))

    assert_refused(rest.post(f"patterns/{pattern.id}/annotate", {"annotation": secret}), "annotation")


@pytest.mark.parametrize("field", ["session", "agent", "action_type", "tool", "error_code"])
def test_in_actions(cast: Cast, field: str) -> None:
    rest = with_memory_on(cast.acme).rest()

    answer = rest.post("actions", {"actions": [reported(**{field: TOKEN})]})

    assert_refused(answer, f"actions.0.{field}")
    assert rest.get("actions").json()["results"] == []


@pytest.mark.parametrize(
    ("path", "body", "field", "code"),
    [
        (f"conversations/{TOKEN}/messages", {"role": "user", "content": "Hi."}, "conversation", "unfit_key"),
        ("runs", {"agent": TOKEN}, "agent", "secret_refused"),
        ("runs", {"agent": "clerk", "conversation": TOKEN}, "conversation", "secret_refused"),
        ("users/bob/memory", {"content": f"- **Frequently used credentials**: {TOKEN}"}, "content", ""),
        ("users/bob/memory", {"content": f"Pays with {CARD}"}, "content", ""),
        ("ontology/nodes", {"type": "card", "name": CARD}, "name", ""),
        ("ontology/nodes", {"type": "bank", "name": "X", "properties": {"card": CARD}}, "properties", ""),
    ],
)
def test_in_keys_and_profiles_and_nodes(
    acme: RestClient, path: str, body: dict[str, Any], field: str, code: str
) -> None:
    answer = (acme.put if path.startswith("users/") else acme.post)(path, body)

    assert_refused(answer, field, code or "secret_refused")


def test_what_was_said_is_kept_and_not_quoted(acme: RestClient) -> None:
    """Refusing a message would lose what was said with the secret."""
    said = [{"role": "user", "content": f"The refund goes to this card.\n{CARD}"}]
    said += [{"role": "assistant", "content": f"Then number {place}."} for place in range(25)]
    assert acme.post("conversations/desk/messages", {"messages": said}).status_code == 201
    acme.put("settings", {"memory": {"recall_messages": "spaces", "min_confidence": 0}})

    context = acme.post("context", {"query": "Which card gets the refund?", "conversation": "desk"}).json()

    assert "The refund goes to this card." in context["text"]
    assert CARD not in context["text"]
