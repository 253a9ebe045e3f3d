"""The review queue: who decides, in which spaces, and what of a text reaches a page."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from memory.models import Kind
from tests.cast import Cast
from tests.hostile import HOSTILE
from tests.memory.test_review_queue import TEXT, decide, reread, suggest
from tests.pages import Visitor, text_of, toast_of
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.models import Membership, Role

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("role", [Role.VIEWER, Role.MEMBER, Role.ADMIN, Role.OWNER])
def test_who_decides(cast: Cast, alice: Visitor, role: Role) -> None:
    memory = suggest(cast)
    with workspace_scope(cast.acme.caller):
        Membership.objects.filter(user=cast.bob).update(role=role)
    bob, may = Visitor.of(cast.bob, cast.acme.workspace), role != Role.VIEWER

    page = text_of(bob.get("review"))
    assert TEXT in page
    assert ('name="verdict"' in page) == may
    answer = decide(bob, f"suggestion:{memory.pk}", "keep")
    assert answer.status_code == (200 if may else 403)
    if not may:
        given = toast_of(decide(alice, f"suggestion:{memory.pk}", "keep"))["undo_url"]
        assert bob.swap(given, target="review").status_code == 403


def test_the_outsider_decides_nothing(cast: Cast, alice: Visitor) -> None:
    memory = suggest(cast)
    charlie = Visitor.of(cast.charlie, cast.acme.workspace)
    at_home = Visitor.of(cast.charlie, cast.umbrella.workspace)

    assert charlie.get("review").status_code == 404
    assert decide(charlie, f"suggestion:{memory.pk}", "fact").status_code == 404
    assert "decided meanwhile" in toast_of(decide(at_home, f"suggestion:{memory.pk}", "fact"))["text"]
    assert reread(cast, memory).kind == Kind.MEMORY
    given = toast_of(decide(alice, f"suggestion:{memory.pk}", "keep"))["undo_url"]
    verdict = parse_qs(urlsplit(given).query)["verdict"][0]
    assert at_home.swap("review/undo", verdict=verdict).status_code == 404


def test_spaces_are_kept_apart(cast: Cast) -> None:
    bob = Visitor.of(cast.bob, cast.acme.workspace)
    space = f"user:{cast.bob.pk}"
    agent = cast.acme.rest(Right.READ, Right.WRITE)
    own = agent.post("memories", {"content": TEXT, "space": space}).json()["id"]
    everybodys = suggest(cast, "The yard is closed on Sundays.")

    assert TEXT not in text_of(bob.get("review"))
    assert decide(bob, f"suggestion:{own}", "keep").status_code == 200  # it says that it is not there
    page = text_of(bob.get("review", space=space))
    assert (TEXT in page, str(everybodys.pk) in page) == (True, False)
    answer = bob.swap(f"review/decide?space={space}", target="review", item=f"suggestion:{own}", verdict="keep")
    assert toast_of(answer)["text"] == f"Kept “{TEXT.rstrip('.')}”."


@pytest.mark.parametrize("content", [HOSTILE[name] for name in ("script", "image", "direction", "long word", "long")])
def test_hostile_texts_are_shown_as_texts(cast: Cast, alice: Visitor, content: str) -> None:
    cast.acme.rest(Right.READ, Right.WRITE).post("memories", {"content": f"{content} is what it says."})

    answer = alice.get("review")

    page = text_of(answer)
    assert answer.status_code == 200

    assert "<script data-hostile" not in page
    assert "<img src=x" not in page


def test_the_words_of_an_edit_are_no_credential(cast: Cast) -> None:
    acme = cast.acme.rest()
    memory = acme.remembered("The pod has a door.", source="agent")
    words = {"kind": "suggestion", "verdict": "edit", "content": "The key of the pod is sk-ant-api03-" + "a1B2" * 12}

    answer = acme.post(f"review/{memory['id']}/decide", words)

    assert (answer.status_code, acme.get(f"memories/{memory['id']}").json()["content"]) == (422, memory["content"])
