"""Undos on pages: from an agent, a run and an import to a preview, the undo, and back again, without script."""

from __future__ import annotations

import re

import pytest

from telemetry.models import Sequence
from tests.cast import Answer, Cast, RestClient
from tests.furnished import some_row
from tests.pages import Visitor, text_of
from transfer.models import Undo
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.accounts.services.memberships import add_member
from workspaces.keys.services import create_key
from workspaces.models import Role

pytestmark = pytest.mark.django_db
CLERKS = "undo?agent=clerk&period=hour"


@pytest.fixture
def clerk(cast: Cast) -> RestClient:
    made = create_key(caller=cast.acme.caller, name="clerk", scopes=[Right.READ, Right.WRITE])
    return RestClient(cast.acme.workspace.id, made.secret)


def live(client: RestClient, **query: str) -> list[str]:
    return sorted(one["content"] for one in client.get("memories", **query).json()["results"])


def confirm(visitor: Visitor, path: str) -> Answer:
    """Press the button of a preview: send what its form holds to where it leads."""
    page = text_of(visitor.get(path))
    form = re.search(r'<form method="post" action="(/w/[^"]*/undo[^"]*)"(.*?)</form>', page, re.DOTALL)
    assert form, page
    fields = dict(re.findall(r'name="(since|until)" value="([^"]*)"', form[2]))
    return visitor.client.post(form[1].replace("&amp;", "&"), fields, follow=True)


def test_the_way_from_a_preview_to_an_undo_and_back(alice: Visitor, clerk: RestClient) -> None:
    clerk.remembered("The <b>depot</b> opens at nine.")
    preview = text_of(alice.get(CLERKS))
    assert "The &lt;b&gt;depot&lt;/b&gt; opens at nine." in preview
    assert "1 to remove" in preview
    assert "Nothing is changed yet." in preview
    assert len(live(clerk)) == 1

    done = confirm(alice, CLERKS)
    assert (done.status_code, live(clerk)) == (200, [])
    page = text_of(done)
    assert "1 removed" in page
    assert "Undo the undo" in page
    back = re.search(r'action="(/w/[^"]*/revert)"', page)
    assert back
    again = text_of(alice.client.post(back[1], follow=True))
    assert "Reverted." in again
    assert "Undo the undo" not in again
    assert len(live(clerk)) == 1


def test_what_is_written_after_the_preview_stays(alice: Visitor, clerk: RestClient) -> None:
    clerk.remembered("The depot opens at nine.")
    page = text_of(alice.get(CLERKS))
    times = dict(re.findall(r'name="(since|until)" value="([^"]*)"', page))
    clerk.remembered("The crane is yellow.")

    alice.post(CLERKS, **times)
    assert live(clerk) == ["The crane is yellow."]
    assert alice.post(CLERKS).status_code == 422


def test_an_agents_page_asks_since_when(alice: Visitor, clerk: RestClient) -> None:
    clerk.remembered("The depot opens at nine.")
    asked = text_of(alice.get("undo", agent="clerk"))
    assert 'name="period"' in asked
    assert "See what would go" in asked

    wrong = alice.get("undo", agent="clerk", period="time", at="soon")
    assert (wrong.status_code, "Choose a time" in text_of(wrong)) == (422, True)
    chosen = text_of(alice.get("undo", agent="clerk", period="time", at="2020-01-01T08:00"))
    assert ("1 to remove" in chosen, "Since 1 Jan 2020, 08:00" in chosen) == (True, True)
    assert alice.get("undo", agent="nobody", period="hour").status_code == 404
    assert alice.get("undo").status_code == 422


def test_an_agents_page_leads_to_the_undo_of_what_it_wrote(cast: Cast, alice: Visitor, bob: Visitor) -> None:
    caller = cast.acme.caller
    with workspace_scope(caller):
        sequence = some_row(Sequence, caller)
        Sequence.objects.filter(pk=sequence.pk).update(agent="clerk & co")

    link = f'href="/w/{cast.acme.workspace.slug}/undo?agent=clerk%20%26%20co"'
    assert link not in text_of(alice.get("agents/agent", name="clerk & co")), "A name that no key has writes nothing."
    create_key(caller=caller, name="clerk & co", scopes=[Right.WRITE])
    assert link in text_of(alice.get("agents/agent", name="clerk & co"))
    assert link not in text_of(bob.get("agents/agent", name="clerk & co"))


def test_a_run_leads_to_its_undo(alice: Visitor, clerk: RestClient) -> None:
    run = clerk.post("runs", {"agent": "clerk"}).json()["id"]
    clerk.remembered("Within the run.")
    clerk.post(f"runs/{run}/finish", {"status": "succeeded"})

    assert f"undo?run={run}" in text_of(alice.get(f"explain/runs/{run}"))
    confirm(alice, f"undo?run={run}")
    assert live(clerk) == []


def test_the_space_that_is_looked_at_is_meant(cast: Cast, alice: Visitor, clerk: RestClient) -> None:
    clerk.remembered("The depot opens at nine.")
    clerk.remembered("Dora takes sugar.", space="project:apollo")

    preview = text_of(alice.get("undo", agent="clerk", period="hour", space="project:apollo"))
    assert "Dora takes sugar." in preview
    assert "depot" not in preview
    everywhere = text_of(alice.get("undo", agent="clerk", period="hour", everywhere="on"))
    assert "2 to remove" in everywhere
    assert "Dora" not in everywhere


@pytest.mark.parametrize("role", list(Role))
def test_owners_and_admins_alone_undo(cast: Cast, clerk: RestClient, role: Role) -> None:
    add_member(caller=cast.acme.caller, email=cast.bob.email, role=role)
    visitor = Visitor.of(cast.bob, cast.acme.workspace)
    run = clerk.post("runs", {"agent": "clerk"}).json()["id"]
    governs = role in {Role.OWNER, Role.ADMIN}

    assert visitor.get(CLERKS).status_code == (200 if governs else 403)
    assert visitor.post(CLERKS).status_code == (422 if governs else 403)
    assert ("Undo this run" in text_of(visitor.get(f"explain/runs/{run}"))) is governs


def test_the_outsider_sees_nothing(cast: Cast, alice: Visitor, outsider: Visitor, clerk: RestClient) -> None:
    clerk.remembered("The depot opens at nine.")
    confirm(alice, CLERKS)
    with workspace_scope(cast.acme.caller):
        undo = Undo.objects.of(cast.acme.caller).get()

    at_home = Visitor.of(cast.charlie, cast.umbrella.workspace)
    for visitor in (outsider, at_home):
        assert visitor.get(f"undo/{undo.id}").status_code == 404
        assert visitor.post(f"undo/{undo.id}/revert").status_code == 404
        assert visitor.get(CLERKS).status_code == 404
