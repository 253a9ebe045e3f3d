"""The palette: twelve results at most, of what is stored and of what one may do, to who may see them."""

from __future__ import annotations

import re
from html import unescape

import pytest

from memory.recall.palette.commands import PAGES, VERBS, Command, match_commands, share_out
from tests.cast import Cast, RestClient
from tests.pages import Visitor, text_of
from tests.telemetry.acting import action, record, sequenced, with_memory_on
from workspaces.accounts.services.memberships import add_member
from workspaces.models import Role

FLOUR = "Flour is delivered on Tuesdays."


def found(visitor: Visitor, query: str = "", **more: str) -> list[str]:
    """The labels on the page of a search."""
    main = text_of(visitor.get("search", q=query, **more)).split('<main id="content"')[1].split("</main>")[0]
    return [unescape(each) for each in re.findall(r'<span class="palette-label">(.*?)</span>', main)]


def listed(visitor: Visitor, query: str) -> str:
    """What the dialog is given."""
    answer = visitor.client.get(visitor.address("search"), {"q": query}, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    return str(answer.content.decode())


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("turn memory off", "Turn memory off"),
        ("new key", "New key"),
        ("remember", "Remember …"),
        ("KEY", "New key"),
        ("log out", "Sign out"),
        ("set mod", None),
        ("zzqq", None),
        ("", None),
        (" ", None),
    ],
)
def test_verbs_are_found_by_the_beginnings_of_their_words(query: str, first: str | None) -> None:
    assert next((each.label for each in match_commands(VERBS, query)), None) == first


def test_pages_are_found_by_their_own_name_before_other_words() -> None:
    assert [each.label for each in match_commands(PAGES, "memory")][:2] == ["Memory", "Settings: Memory"]
    assert [each.label for each in match_commands(PAGES, "settings mod")] == ["Settings: Models"]
    assert match_commands([Command("Bin", "memory")], "memory") == []


@pytest.mark.parametrize(
    ("numbers", "most", "shown"),
    [([9, 9], 4, [2, 2]), ([1, 9, 9], 6, [1, 3, 2]), ([0, 2], 12, [0, 2]), ([], 12, []), ([5], 0, [0])],
)
def test_groups_share_the_room(numbers: list[int], most: int, shown: list[int]) -> None:
    assert share_out(numbers, most=most) == shown


@pytest.mark.django_db
def test_finds_every_kind_of_thing(cast: Cast, bob: Visitor, acme: RestClient) -> None:
    acme.remembered(FLOUR)
    acme.post("ontology/nodes", {"type": "product", "name": "Flour of the mill"})
    acme.post("conversations/flour-desk/messages", {"role": "user", "content": "Hello."})
    record(with_memory_on(cast.acme), action(agent="flour-bot"))
    sequenced(cast.acme)

    labels = found(bob, "flour")

    assert {FLOUR, "Flour of the mill", "flour-desk", "flour-bot", "Ask “flour”"} <= set(labels)
    assert "/explain/ask?question=flour" in text_of(bob.get("search", q="flour"))


@pytest.mark.django_db
@pytest.mark.parametrize("query", ["lindqv", "LINDQ", "lindqvist caf", "café lindqv"])
def test_finds_words_that_are_still_being_typed(bob: Visitor, acme: RestClient, query: str) -> None:
    acme.remembered("The Lindqvist café wants deliveries before six.")
    acme.post("ontology/nodes", {"type": "customer", "name": "Lindqvist café"})

    assert {"The Lindqvist café wants deliveries before six.", "Lindqvist café"} <= set(found(bob, query))


@pytest.mark.django_db
def test_shows_twelve_at_most(bob: Visitor, acme: RestClient) -> None:
    for each in range(9):
        acme.remembered(f"Memory settings of machine {each} are kept.")
        acme.post("ontology/nodes", {"type": "machine", "name": f"Memory {each}"})
        acme.post(f"conversations/memory-{each}/messages", {"role": "user", "content": "Hello."})

    labels = found(bob, "memory")

    assert len(labels) == 12
    assert {"Turn memory on", "Memory", "Ask “memory”"} <= set(labels)
    assert 'data-number="12"' in listed(bob, "memory")
    assert listed(bob, "memory").count('role="option"') == 12


@pytest.mark.django_db
def test_before_anything_is_typed_it_offers_what_is_recent(bob: Visitor, acme: RestClient) -> None:
    acme.remembered(FLOUR)
    acme.post("conversations/kitchen/messages", {"role": "user", "content": "Hello."})

    labels = found(bob)

    assert {FLOUR, "kitchen", "Ask a question", "Remember …"} <= set(labels)
    assert len(labels) <= 12


@pytest.mark.django_db
def test_the_dialog_gets_options_and_forms_outside_of_the_list(bob: Visitor) -> None:
    text = listed(bob, "turn memory")
    options, forms = text.split("</div>\n<form", 1)

    assert 'role="listbox"' in options
    assert re.search(r'<button role="option"[^>]* form="palette-form-1-1"', options)
    assert "<input" not in options
    assert 'action="' + bob.address("settings/memory/switch") in forms
    assert "csrfmiddlewaretoken" in forms


@pytest.mark.django_db
def test_a_verb_is_an_ordinary_form(bob: Visitor, acme: RestClient) -> None:
    page = text_of(bob.get("search", q="turn memory on"))
    assert re.search(r'action="[^"]*/settings/memory/switch">.*?name="on" value="true"', page, re.DOTALL)

    assert bob.post("settings/memory/switch", on="true").status_code == 302
    assert "Turn memory off" in found(bob, "turn memory")
    assert "Turn memory on" not in found(bob, "turn memory")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("role", "offered", "hidden"),
    [
        (Role.OWNER, {"New key", "Remember …", "Settings: Activity"}, set()),
        (Role.ADMIN, {"New key", "Remember …"}, {"Settings: Activity", "Settings: Delete"}),
        (Role.MEMBER, {"Remember …", "Add a thing"}, {"New key", "Settings: API keys", "Settings: Delete"}),
        (Role.VIEWER, {"Ask a question"}, {"Remember …", "Add a thing", "Turn memory on", "Decide what waits"}),
    ],
)
def test_offers_what_the_role_may_do(cast: Cast, role: Role, offered: set[str], hidden: set[str]) -> None:
    user = cast.alice if role == Role.OWNER else cast.bob
    if role != Role.OWNER:
        add_member(caller=cast.acme.caller, email=cast.bob.email, role=role)
    visitor = Visitor.of(user, cast.acme.workspace)

    seen = {
        label for each in ("key", "remember", "add", "set", "turn", "ask", "decide") for label in found(visitor, each)
    }

    assert offered <= seen
    assert not hidden & seen


@pytest.mark.django_db
def test_every_page_that_is_offered_opens(cast: Cast) -> None:
    alice = Visitor.of(cast.alice, cast.acme.workspace)
    labels = {each.label: each for each in (*PAGES, *VERBS) if not each.fields}

    for command in labels.values():
        page = text_of(alice.get("search", q=command.label.replace("…", "")))
        entries = re.findall(r'<a class="palette-entry" href="([^"]*)">.*?palette-label">(.*?)</span>', page, re.DOTALL)
        path = next((url for url, label in entries if unescape(label) == command.label), "")
        assert path, command.label
        assert alice.client.get(unescape(path), follow=True).status_code == 200, command.label


@pytest.mark.django_db
def test_the_outsider_finds_nothing(cast: Cast, acme: RestClient) -> None:
    acme.remembered(FLOUR)
    acme.post("conversations/flour-desk/messages", {"role": "user", "content": "Hello."})
    charlie = Visitor.of(cast.charlie, cast.acme.workspace)

    assert charlie.get("search", q="flour").status_code == 404
    assert found(Visitor.of(cast.charlie, cast.umbrella.workspace), "flour") == ["Ask “flour”"]


@pytest.mark.django_db
def test_what_is_in_another_space_is_not_found(cast: Cast, acme: RestClient) -> None:
    mine = f"user:{cast.bob.id}"
    acme.remembered("Bob takes lemon.", space=mine)
    acme.post("conversations/lemon-talk/messages", {"role": "user", "content": "Hello.", "space": mine})
    bob, alice = (Visitor.of(each, cast.acme.workspace) for each in (cast.bob, cast.alice))

    assert {"Bob takes lemon.", "lemon-talk"} <= set(found(bob, "lemon", space=mine))
    assert found(bob, "lemon") == ["Ask “lemon”"]
    assert found(alice, "lemon", space=f"user:{cast.alice.id}") == ["Ask “lemon”"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "query", ["a\x00b", "x" * 5_000, "<script>alert(1)</script>", "%", "[mem:1]", '"quoted" -minus']
)
def test_takes_whatever_is_typed(bob: Visitor, query: str) -> None:
    assert "<script>alert" not in text_of(bob.get("search", q=query))
    assert bob.get("search", q=query).status_code == 200


@pytest.mark.django_db
def test_without_script_the_box_of_the_rail_leads_here(bob: Visitor) -> None:
    page = text_of(bob.get("home"))

    form = re.findall(r'<form class="rail-search".*?</form>', page, re.DOTALL)
    assert len(form) == 1
    assert f'method="get" action="{bob.address("search")}"' in form[0]
    assert 'name="q"' in form[0]


@pytest.mark.django_db
def test_the_box_of_the_rail_keeps_the_space(cast: Cast, bob: Visitor) -> None:
    mine = f"user:{cast.bob.id}"
    page = text_of(bob.get("memory", space=mine))

    form = re.findall(r'<form class="rail-search".*?</form>', page, re.DOTALL)
    assert f'name="space" value="{mine}"' in form[0]


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["search?q=tea", "explain/ask?new"])
def test_another_space_is_chosen_without_leaving(cast: Cast, bob: Visitor, path: str) -> None:
    switcher = text_of(bob.get(path)).split('class="space-bar')[1].split("</details>")[0]

    assert f'href="{bob.address(path.partition("?")[0])}?space=user%3A{cast.bob.id}"' in switcher
