"""Who may open the memory pages and press their buttons, and what a bad address answers."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest

from memory.memories.transitions import Verb
from tests.cast import Answer, Cast, RestClient
from tests.pages import Visitor, text_of

TEA = "The office tea order is due on the first Monday of each month."


def addresses(memory_id: str) -> list[tuple[str, str]]:
    """Every address of this app's pages, with its method."""
    one = f"memory/{memory_id}"
    return [
        ("get", "memory"),
        ("get", "memory?view=search&q=tea"),
        ("get", "memory/remember"),
        ("post", "memory/remember"),
        ("post", "memory/stale/purge"),
        ("get", one),
        ("get", f"{one}/edit"),
        ("post", f"{one}/edit"),
        ("post", f"{one}/weigh"),
        *[("post", f"{one}/{verb}") for verb in Verb],
    ]


def without_token(answer: Answer) -> str:
    """The page without what is different at every opening."""
    return re.sub(r'"X-CSRFToken": "\w+"', "", text_of(answer))


def test_an_outsider_finds_nothing_at_any_address(outsider: Visitor, acme: RestClient) -> None:
    memory = acme.remembered(TEA)

    for method, path in addresses(memory["id"]):
        absent = path.replace(memory["id"], str(uuid4()))
        answer, elsewhere = getattr(outsider, method)(path), getattr(outsider, method)(absent)
        assert answer.status_code == 404, path
        assert without_token(answer) == without_token(elsewhere), path
    assert acme.get(f"memories/{memory['id']}").json() == memory


def test_ids_of_another_workspace_are_absent(cast: Cast, umbrella: RestClient, acme: RestClient) -> None:
    foreign = acme.remembered(TEA)
    charlie = Visitor.of(cast.charlie, cast.umbrella.workspace)

    for method, path in addresses(foreign["id"]):
        if foreign["id"] in path:
            assert getattr(charlie, method)(path).status_code == 404, path
    assert acme.get(f"memories/{foreign['id']}").json() == foreign
    assert acme.get(f"memories/{foreign['id']}/history").json()["results"][1:] == []


def test_strangers_are_sent_to_sign_in_first(outsider: Visitor, acme: RestClient) -> None:
    memory = acme.remembered(TEA)
    outsider.client.logout()

    for method, path in addresses(memory["id"]):
        answer = getattr(outsider, method)(path)
        assert answer.status_code == 302, path
        assert answer.headers["Location"].startswith("/sign-in?next=/w/"), path
    swapped = outsider.swap(f"memory/{memory['id']}/pin", at="memory?view=facts")
    assert swapped.headers["HX-Redirect"] == f"/sign-in?next=%2Fw%2F{outsider.workspace.slug}%2Fmemory%3Fview%3Dfacts"


def test_a_viewer_sees_no_buttons_and_may_press_none(viewer: Visitor, acme: RestClient) -> None:
    memory = acme.remembered(TEA)

    for path in ("memory?view=suggestions", f"memory/{memory['id']}"):
        page = text_of(viewer.get(path))
        assert TEA in page
        for word in ("Remember</a>", "Promote</button>", "Pin</button>", "Forget</button>", "Edit</a>", "Raise weight"):
            assert word not in page, (path, word)
    for method, path in addresses(memory["id"]):
        if method == "post":
            assert viewer.post(path, delta="1").status_code == 403, path
    assert acme.get(f"memories/{memory['id']}").json() == memory


def test_forms_need_the_pages_token(cast: Cast, bob: Visitor, acme: RestClient) -> None:
    memory = acme.remembered(TEA)
    bob.client.handler.enforce_csrf_checks = True

    for method, path in addresses(memory["id"]):
        if method == "post":
            assert bob.post(path).status_code == 403, path
    assert acme.get(f"memories/{memory['id']}").json() == memory


@pytest.mark.parametrize(
    "query",
    [
        "view=nonsense",
        "kinds=rumour",
        "sources=rumour",
        "pinned=perhaps",
        "state=gone",
        "created_after=soon",
        "cursor=made-up",
        "cursor=cD1ub25zZW5zZQ==",
        "q=" + "x" * 4_001,
        "q=a%00b",
        "limit=0",
        "limit=many",
    ],
)
def test_an_address_that_nobody_could_mean_is_refused(bob: Visitor, query: str) -> None:
    answer = bob.get(f"memory?{query}")

    assert answer.status_code == 422
    assert "That did not work" in text_of(answer)


@pytest.mark.parametrize("path", ["memory/1", "memory/nonsense", "memory/../memory/x", "nowhere", "memory/remember/x"])
def test_an_address_that_is_none_answers_not_found(bob: Visitor, path: str) -> None:
    assert bob.get(path).status_code == 404


def test_unknown_parameters_are_left_alone(bob: Visitor, acme: RestClient) -> None:
    acme.remembered(TEA)

    assert TEA in text_of(bob.get("memory", view="search", utm_source="newsletter"))


def test_pages_are_not_kept_by_the_browser(bob: Visitor) -> None:
    assert "no-store" in bob.get("memory").headers["Cache-Control"]
