"""Pages show one space: it is named in the address, kept by each link and form, and written into."""

from __future__ import annotations

import html
import json
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.cast import Cast, RestClient
from tests.pages import Visitor, text_of, toast_of
from workspaces.access.spaces import parse_space
from workspaces.accounts.services.space_grants import grant_space
from workspaces.http.space_links import KeptSpace, is_spaced

pytestmark = pytest.mark.django_db

PAGES = ["memory", "memory?view=search", "conversations", "explain/ask?new", "ontology", "ontology/types"]
MORE_PAGES = ["ontology/merge-queue", "ontology/connections", "agents", "memory/remember", "ontology/nodes/new"]


@pytest.fixture
def bob(cast: Cast) -> Visitor:
    """A member, who was granted `project:apollo`."""
    grant_space(caller=cast.acme.caller, user_id=cast.bob.id, space="project:apollo")
    return Visitor.of(cast.bob, cast.acme.workspace)


@pytest.fixture
def rest(cast: Cast) -> RestClient:
    return cast.acme.rest()


def _mine(cast: Cast) -> str:
    return f"user:{cast.bob.id}"


def _in(path: str, space: str) -> str:
    return f"{path}{'&' if '?' in path else '?'}space={space}"


def _addresses(page: str, visitor: Visitor) -> list[str]:
    """The addresses of links and forms of a page that lead to pages with spaces."""
    found = re.findall(r'\s(?:href|action|formaction|hx-get|hx-post)="([^"]*)"', page)
    plain = [html.unescape(address) for address in found]
    return [each for each in plain if each.startswith("?") or is_spaced(urlsplit(each).path)]


def _named(address: str) -> list[str]:
    return parse_qs(urlsplit(address).query).get("space", [])


def test_without_a_name_the_page_shows_what_is_shared(cast: Cast, bob: Visitor, rest: RestClient) -> None:
    rest.remembered("Shared tea.")
    rest.remembered("Bob's tea.", space=_mine(cast))

    page = text_of(bob.get("memory", view="search"))

    assert "Shared tea." in page
    assert "Bob&#x27;s tea." not in page
    assert {name for each in _addresses(page, bob) for name in _named(each)} == {
        "shared",
        _mine(cast),
        "project:apollo",
    }, "only the switcher names spaces"


@pytest.mark.parametrize("path", [*PAGES, *MORE_PAGES])
def test_every_link_and_form_keeps_the_space(cast: Cast, bob: Visitor, rest: RestClient, path: str) -> None:
    rest.remembered("Bob drinks tea.", space=_mine(cast), kind="fact")
    rest.post("ontology/nodes", {"type": "person", "name": "Ada", "space": _mine(cast)})
    rest.post("conversations/c/messages", {"role": "user", "content": "Hello.", "space": _mine(cast)})

    answer = bob.get(_in(path, _mine(cast)))

    page = text_of(answer)
    assert answer.status_code == 200
    assert "<strong>Mine</strong>" in page
    switcher = re.search(r'<nav class="space-bar.*?</nav>', page, re.S)
    assert switcher
    # What the search box asks for while one types takes the fields of its form along.
    others = _addresses(re.sub(r"<input type=\"search\".*?>", "", page.replace(switcher[0], "")), bob)
    assert others
    assert {address for address in others if _named(address) != [_mine(cast)]} == set()
    for form in re.findall(r'<form[^>]*method="get".*?</form>', page, re.S):
        assert f'name="space" value="{_mine(cast)}"' in form


def test_a_list_shows_the_space_alone_and_writing_goes_into_it(cast: Cast, bob: Visitor, rest: RestClient) -> None:
    rest.remembered("Shared tea.")

    made = bob.post("memory/remember?space=project:apollo", content="Apollo's tea.", kind="memory")

    assert _named(made["Location"]) == ["project:apollo"]
    page = text_of(bob.get("memory", view="search", space="project:apollo"))
    assert "Apollo&#x27;s tea." in page
    assert "Shared tea." not in page
    [kept] = rest.get("memories", space="project:apollo", shared="false").json()["results"]
    assert kept["content"] == "Apollo's tea."


def test_what_htmx_is_answered_keeps_the_space(cast: Cast, bob: Visitor, rest: RestClient) -> None:
    kept = rest.remembered("Bob's tea.", space=_mine(cast))

    forgotten = bob.swap(f"memory/{kept['id']}/forget?space={_mine(cast)}", target=f"memory-{kept['id']}")
    made = bob.swap(f"memory/remember?space={_mine(cast)}", content="More tea.", kind="memory")

    assert _named(toast_of(forgotten)["undo_url"]) == [_mine(cast)]
    assert {each for each in _addresses(text_of(forgotten), bob) if _named(each) != [_mine(cast)]} == set()
    assert _named(json.loads(made["HX-Location"])["path"]) == [_mine(cast)]
    assert _named(toast_of(made)["undo_url"]) == [_mine(cast)]


def test_a_page_of_something_shared_leads_to_the_shared_space(cast: Cast, bob: Visitor, rest: RestClient) -> None:
    memory = rest.remembered("Shared tea.")
    node = rest.post("ontology/nodes", {"type": "person", "name": "Ada"}).json()
    rest.post("conversations/c/messages", {"role": "user", "content": "Hello."})
    [conversation] = rest.get("conversations").json()["results"]

    for path in (f"memory/{memory['id']}", f"ontology/nodes/{node['id']}", f"conversations/{conversation['id']}"):
        answer = bob.get(_in(path, _mine(cast)))
        assert (answer.status_code, answer["Location"]) == (302, f"{bob.address(path)}?space=shared")
        assert bob.client.get(answer["Location"]).status_code == 200


@pytest.mark.parametrize("path", [*PAGES, *MORE_PAGES])
def test_a_space_that_is_not_theirs_is_refused(cast: Cast, bob: Visitor, path: str) -> None:
    for space in (f"user:{cast.alice.id}", "user:42", "agent:clerk", "project:zeus"):
        assert bob.get(_in(path, space)).status_code == 403
    for space in ("", "nonsense", "user:*", "user:"):
        assert bob.get(_in(path, space)).status_code == 422


def test_what_is_in_another_space_is_absent(cast: Cast, bob: Visitor, rest: RestClient) -> None:
    kept = rest.remembered("Alice's tea.", space=f"user:{cast.alice.id}")

    for path in (f"memory/{kept['id']}", f"ontology/nodes/{kept['id']}"):
        assert bob.get(path).status_code == 404
        assert bob.get(_in(path, _mine(cast))).status_code == 404
        assert bob.post(_in(f"{path}/edit", _mine(cast)), content="Mine now.").status_code == 404


def test_the_outsider_is_told_of_no_space(cast: Cast) -> None:
    charlie = Visitor.of(cast.charlie, cast.acme.workspace)

    assert charlie.get("memory", space=f"user:{cast.charlie.id}").status_code == 404
    assert charlie.get("memory", space="nonsense").status_code == 404


def test_a_chat_takes_place_in_the_space(cast: Cast, bob: Visitor, rest: RestClient) -> None:
    rest.remembered("Bob takes his tea with lemon.", space=_mine(cast))
    asked = {"message": "How does Bob take his tea?", "conversation": ""}
    new = re.search(r'name="conversation" value="([^"]+)"', text_of(bob.get(_in("explain/ask?new", _mine(cast)))))
    assert new

    page = bob.post(_in("explain/ask", _mine(cast)), **{**asked, "conversation": new[1]})

    assert page.status_code == 200, text_of(page)
    assert "lemon" in text_of(page)
    assert rest.get("conversations").json()["results"] == []
    assert len(rest.get("conversations", space=_mine(cast)).json()["results"]) == 1
    assert "How does Bob take his tea?" in text_of(bob.get(_in("conversations", _mine(cast))))


def test_the_stream_of_a_chat_keeps_the_space(cast: Cast, bob: Visitor, rest: RestClient) -> None:
    rest.remembered("Bob takes his tea with lemon.", space=_mine(cast))
    fields = {"message": "How does Bob take his tea?", "conversation": f"chat-{str(cast.bob.id)[-8:]}-aaaaaaaaaaaa"}

    answer = bob.client.post(
        bob.address(_in("explain/ask", _mine(cast))), fields, headers={"Accept": "text/event-stream"}
    )

    events: list[Any] = [
        json.loads(block.partition("data: ")[2])
        for block in b"".join(answer).decode().strip().split("\n\n")
        if block.startswith("event: done")
    ]
    [done] = events
    assert _named(done["url"]) == [_mine(cast)]
    assert {each for each in _addresses(done["html"], bob) if _named(each) != [_mine(cast)]} == set()


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("/w/acme/memory", "/w/acme/memory?space=user%3A4%262"),
        ("/w/acme/memory?view=all#row", "/w/acme/memory?view=all&space=user%3A4%262#row"),
        ("?", "?space=user%3A4%262"),
        ("?kind=fact", "?kind=fact&space=user%3A4%262"),
        ("/w/acme/memory?space=shared", "/w/acme/memory?space=shared"),
        ("/w/acme/settings/memory", "/w/acme/settings/memory"),
        ("/w/acme/spaces", "/w/acme/spaces"),
        ("/w/other/memory", "/w/other/memory"),
        ("#content", "#content"),
        ("https://elsewhere.example/w/acme/memory", "https://elsewhere.example/w/acme/memory"),
        ("", ""),
    ],
)
def test_addresses_of_pages_with_spaces_keep_it(address: str, kept: str) -> None:
    assert KeptSpace("acme", parse_space("user:4&2")).address(address) == kept


def test_html_keeps_the_space_in_attributes_only() -> None:
    kept = KeptSpace("acme", parse_space("user:42"))
    text = '<p>See href=&quot;/w/acme/memory&quot;</p><a title="x" href="/w/acme/memory?a=1&amp;b=2">x</a>'

    assert kept.html(text) == text.replace("b=2", "b=2&amp;space=user%3A42")
