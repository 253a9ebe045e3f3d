"""The bar under a list of memories: one verb for all that is selected, what stays and why, one Undo, tags, a file."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from memory.memories.services.memory_writer import NewMemory, remember
from memory.models import Kind, Memory
from tests.cast import Answer, Cast, RestClient
from tests.pages import Visitor, text_of, toast_of
from workspaces.access.scope import workspace_scope
from workspaces.access.spaces import NamedSpaces

pytestmark = pytest.mark.django_db

TEXTS = ("The oven door sticks.", "Flour comes on Mondays.", "The van is blue.")
AT = "memory?view=suggestions"
STEPS = ("promote", "demote", "pin", "unpin", "suppress", "unsuppress", "forget", "restore", "tag", "untag")


def ids_of(acme: RestClient, *texts: str) -> list[str]:
    return [acme.remembered(text)["id"] for text in texts or TEXTS]


def press(visitor: Visitor, step: str, ids: list[str], **fields: Any) -> Answer:
    """Press a verb of the bar as its script does."""
    return visitor.swap(f"memory/selected/{step}", at=AT, memory=ids, are_shown="yes", **fields)


def take_back(visitor: Visitor, answer: Answer) -> Answer:
    """Press Undo in the toast: it sends what the form in the answer says."""
    toast = toast_of(answer)
    form = re.search(rf'<form id="{toast["undo_fields"][1:]}">(.*?)</form>', text_of(answer))
    assert form
    values = re.findall(r'name="memory" value="([^"]*)"', form[1])
    return visitor.swap(toast["undo_url"], at=AT, memory=values, shown=[value[:36] for value in values])


def states(acme: RestClient, ids: list[str], field: str) -> list[Any]:
    return [acme.get(f"memories/{one}").json()[field] for one in ids]


@pytest.mark.parametrize(
    ("step", "changed", "said"),
    [
        ("promote", ("kind", "fact"), ("Promoted 3 memories.", "Demoted 3 memories.")),
        ("pin", ("pinned", True), ("Pinned 3 memories.", "Unpinned 3 memories.")),
        ("suppress", ("suppressed", True), ("Suppressed 3 memories.", "Unsuppressed 3 memories.")),
    ],
)
def test_one_verb_for_all_and_one_undo(
    bob: Visitor, acme: RestClient, step: str, changed: tuple[str, Any], said: tuple[str, str]
) -> None:
    ids, (field, after) = ids_of(acme), changed
    before = states(acme, ids, field)

    answer = press(bob, step, ids)

    assert toast_of(answer)["text"] == said[0]
    assert states(acme, ids, field) == [after] * 3
    page = text_of(answer)
    assert all(f"outerHTML:[data-key='memory-{one}']" in page for one in ids)
    assert 'id="memory-tabs" hx-swap-oob="true"' in page
    back = take_back(bob, answer)
    assert toast_of(back)["text"] == said[1]
    assert states(acme, ids, field) == before
    assert all(f"data-key='memory-{one}'" in text_of(back) for one in ids)


def test_forgotten_ones_come_back_with_one_undo(bob: Visitor, acme: RestClient) -> None:
    ids = ids_of(acme)

    answer = press(bob, "forget", ids)

    assert toast_of(answer)["text"] == "Forgot 3 memories."
    assert states(acme, ids, "is_deleted") == [True] * 3
    assert toast_of(take_back(bob, answer))["text"] == "Restored 3 memories."
    assert states(acme, ids, "is_deleted") == [False] * 3


def test_what_stays_is_said_and_undo_leaves_it_alone(bob: Visitor, acme: RestClient) -> None:
    ids = ids_of(acme)
    bob.post(f"memory/{ids[0]}/pin")

    refused = press(bob, "forget", ids)
    assert toast_of(refused)["text"] == "Forgot 2 memories. 1 was pinned and stays."
    take_back(bob, refused)
    again = press(bob, "pin", ids)
    assert toast_of(again)["text"] == "Pinned 2 memories. 1 was so already."
    take_back(bob, again)

    assert states(acme, ids, "pinned") == [True, False, False]


def test_nothing_changed_has_no_undo(bob: Visitor, acme: RestClient) -> None:
    ids = ids_of(acme)
    press(bob, "pin", ids)

    toast = toast_of(press(bob, "forget", ids))

    assert toast["text"] == "Nothing was changed. 3 were pinned and stay."
    assert (toast["tone"], "undo_url" in toast) == ("warning", False)


def test_a_text_that_has_changed_since_it_was_shown_is_not_promoted(bob: Visitor, acme: RestClient) -> None:
    ids = ids_of(acme)
    shown = re.findall(r'name="memory" value="([^"]*)"', text_of(bob.get("memory", view="suggestions")))
    acme.patch(f"memories/{ids[0]}", {"content": "The oven door is new."})

    toast = toast_of(press(bob, "promote", shown))

    assert toast["text"] == "Promoted 2 memories. 1 says something else by now: read it again."
    assert sorted(states(acme, ids, "kind")) == ["fact", "fact", "memory"]


def test_undo_promotes_no_other_words_than_those_that_were_demoted(bob: Visitor, acme: RestClient) -> None:
    ids = ids_of(acme)
    press(bob, "promote", ids)
    shown = re.findall(r'name="memory" value="([^"]*)"', text_of(bob.get("memory", view="facts")))
    answer = press(bob, "demote", shown)
    acme.patch(f"memories/{ids[0]}", {"content": "The oven door is new."})

    take_back(bob, answer)

    assert states(acme, ids, "kind") == ["memory", "fact", "fact"]


def test_tags_are_added_and_only_these_taken_back(bob: Visitor, acme: RestClient) -> None:
    first, second = acme.remembered(TEXTS[0], tags=["oven"])["id"], acme.remembered(TEXTS[1])["id"]

    answer = press(bob, "tag", [first, second], tags="oven, bakery")

    assert toast_of(answer)["text"] == "Tagged 2 memories."
    assert states(acme, [first, second], "tags") == [["bakery", "oven"], ["bakery", "oven"]]
    take_back(bob, answer)
    assert states(acme, [first, second], "tags") == [["oven"], []]


def test_no_more_tags_than_a_memory_may_have(bob: Visitor, acme: RestClient) -> None:
    full = acme.remembered(TEXTS[0], tags=[f"tag {number}" for number in range(20)])["id"]

    toast = toast_of(press(bob, "tag", [full], tags="one more"))

    assert toast["text"] == "Nothing was changed. 1 has too many tags."


def test_the_reason_of_a_suppression_is_kept_with_each(bob: Visitor, acme: RestClient) -> None:
    ids = ids_of(acme)

    press(bob, "suppress", ids, reason="The bakery has moved")

    assert states(acme, ids, "suppressed_reason") == ["The bakery has moved"] * 3


def test_the_file_has_a_line_for_each_of_the_selected(viewer: Visitor, acme: RestClient) -> None:
    ids = ids_of(acme)

    answer = viewer.post("memory/selected/export", memory=ids[:2])

    assert answer.headers["Content-Disposition"] == 'attachment; filename="memories.jsonl"'
    assert [json.loads(line)["id"] for line in text_of(answer).splitlines()] == ids[:2]


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ([], "Select at least one memory first."),
        (["oven"], "A selected memory is named by its id."),
        ([f"01a21aac-9b20-769b-addf-{number:012}" for number in range(201)], "Select at most 200 memories at once."),
    ],
)
def test_a_selection_that_nobody_could_mean_is_refused(bob: Visitor, sent: list[str], said: str) -> None:
    for step in (*STEPS, "export"):
        answer = bob.post(f"memory/selected/{step}", memory=sent)
        assert answer.status_code == 422, step
        assert said in text_of(answer), step


def test_without_script_the_bar_is_a_form(bob: Visitor, acme: RestClient) -> None:
    ids = ids_of(acme)
    page = text_of(bob.get("memory", view="suggestions"))
    assert 'form="selected"' in page
    assert f'formaction="/w/{bob.workspace.slug}/memory/selected/pin"' in page

    answer = bob.post("memory/selected/pin", memory=ids)

    assert answer.status_code == 302
    assert "Pinned 3 memories." in text_of(bob.get(answer.headers["Location"]))
    asked = bob.post("memory/selected/tag", memory=ids)
    assert asked.status_code == 200
    assert "Tags to add" in text_of(asked)
    assert text_of(asked).count('name="memory"') == 3
    here = f"http://testserver{bob.address('memory/selected/tag')}"
    form = {"memory": ids, "tags": "bakery"}
    tagged = bob.client.post(bob.address("memory/selected/tag"), form, headers={"Referer": here})
    assert tagged.headers["Location"] == f"{bob.address('memory')}?view=search"


def test_a_viewer_may_select_and_save_and_nothing_else(viewer: Visitor, acme: RestClient) -> None:
    ids = ids_of(acme)

    page = text_of(viewer.get("memory", view="suggestions"))

    assert re.findall(r'formaction="[^"]*/selected/(\w+)"', page) == ["export"]
    assert "tag-selected" not in page
    for step in STEPS:
        assert press(viewer, step, ids, tags="oven").status_code == 403, step
    assert states(acme, ids, "kind") == ["memory"] * 3


@pytest.mark.parametrize(
    ("view", "verbs"),
    [
        ("pinned", ["unpin", "suppress", "tag", "export"]),
        ("facts", ["demote", "pin", "suppress", "forget", "tag", "export"]),
        ("suggestions", ["promote", "pin", "suppress", "forget", "tag", "export"]),
        ("review", ["restore", "unsuppress", "export"]),
    ],
)
def test_each_list_has_the_verbs_that_fit(bob: Visitor, acme: RestClient, view: str, verbs: list[str]) -> None:
    acme.remembered(TEXTS[0], kind="fact")
    ids = ids_of(acme, "The shop is green.", "The van is red.", "The oven is old.")
    bob.post(f"memory/{ids[0]}/pin")
    bob.post(f"memory/{ids[1]}/suppress")

    bar = text_of(bob.get("memory", view=view)).split('<form id="selected"')[1].split("</form>")[0]

    assert re.findall(r'formaction="[^"]*/selected/(\w+)"', bar) == verbs


def test_an_outsider_and_ids_of_another_workspace_change_nothing(
    outsider: Visitor, cast: Cast, acme: RestClient, umbrella: RestClient
) -> None:
    ids, charlie = ids_of(acme), Visitor.of(cast.charlie, cast.umbrella.workspace)
    own = umbrella.remembered("Umbrellas are black.")["id"]

    for step in (*STEPS, "export"):
        assert outsider.post(f"memory/selected/{step}", memory=ids, tags="oven").status_code == 404, step
    for step in STEPS:
        assert press(charlie, step, [f"{one}:oven" for one in ids], tags="oven").status_code == 404, step
    assert toast_of(press(charlie, "pin", [own, ids[0]]))["text"] == "Pinned 1 memory. 1 has gone meanwhile."
    assert text_of(charlie.post("memory/selected/export", memory=ids)) == ""
    assert states(acme, ids, "pinned") == [False] * 3


def test_memories_of_another_users_space_are_not_there(cast: Cast, bob: Visitor) -> None:
    caller = cast.acme.caller.naming(NamedSpaces(user="42"))
    hers = remember(caller=caller, new=NewMemory("She likes rye.", kind=Kind.MEMORY)).memory

    for step in STEPS:
        assert press(bob, step, [f"{hers.pk}:rye"], tags="rye").status_code == 404, step
    assert text_of(bob.post("memory/selected/export", memory=[str(hers.pk)])) == ""
    with workspace_scope(caller):
        assert not Memory.objects.get(pk=hers.pk).is_pinned
