"""Settings → Memory → Review: what waits for a person, chosen in the console."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cast import Cast
from tests.pages import Visitor, text_of
from workspaces.access.scope import workspace_scope
from workspaces.models import Membership, Role
from workspaces.settings.review_forms import ReviewPolicyForm
from workspaces.settings.review_policy import ReviewPolicy
from workspaces.settings.services import change_settings

pytestmark = pytest.mark.django_db

CHOSEN = {"extraction": "0.7", "agent": "never", "imported": "always", "four_eyes": "on"}


def policy(cast: Cast) -> dict[str, Any]:
    found: dict[str, Any] = cast.acme.rest().get("settings").json()["memory"]["review"]
    return found


def test_what_is_chosen_counts_and_is_shown(cast: Cast, alice: Visitor) -> None:
    assert alice.post("settings/memory/review", **CHOSEN).status_code == 302

    assert [(rule["source"], rule["below_confidence"]) for rule in policy(cast)["rules"]] == [
        ("extraction", 0.7),
        ("import", None),
    ]
    assert policy(cast)["four_eyes"] is True
    page = text_of(alice.get("settings/memory"))
    assert '<option value="0.7" selected>' in page
    assert "checked" in page.split('id="review-policy"')[1]


def test_it_says_when_it_counts(alice: Visitor) -> None:
    answer = alice.swap("settings/memory/review", target="review-policy", at="settings/memory", **CHOSEN)

    assert (answer.status_code, 'id="review-policy"' in text_of(answer)) == (200, True)
    assert "from now on" in answer.headers["HX-Trigger"]


def test_a_choice_that_is_none_is_refused(cast: Cast, alice: Visitor) -> None:
    assert alice.post("settings/memory/review", **{**CHOSEN, "agent": "sometimes"}).status_code == 422
    assert policy(cast) == {"rules": [], "four_eyes": False}


@pytest.mark.parametrize("role", [Role.VIEWER, Role.MEMBER])
def test_owners_and_admins_change_it(cast: Cast, role: Role) -> None:
    with workspace_scope(cast.acme.caller):
        Membership.objects.filter(user=cast.bob).update(role=role)
    bob = Visitor.of(cast.bob, cast.acme.workspace)

    assert bob.post("settings/memory/review", **CHOSEN).status_code == 403
    assert 'id="review-policy"' not in text_of(bob.get("settings/memory"))
    assert Visitor.of(cast.charlie, cast.acme.workspace).post("settings/memory/review", **CHOSEN).status_code == 404


def test_rules_that_the_form_cannot_show_are_left_alone(cast: Cast, alice: Visitor) -> None:
    change_settings(caller=cast.acme.caller, memory={"review": {"rules": [{"kind": "fact"}]}})

    page = text_of(alice.get("settings/memory"))

    assert "1 rule of this workspace" in page
    assert 'id="review-policy"' not in page


@pytest.mark.parametrize(
    ("rules", "is_shown"),
    [
        ([], True),
        ([{"source": "agent"}, {"source": "extraction", "below_confidence": 0.5}], True),
        ([{"source": "agent", "below_confidence": 0.6}], False),
        ([{"source": "user"}], False),
        ([{"source": "agent"}, {"source": "agent"}], False),
        ([{"source": "agent", "needs_person": False}], False),
    ],
)
def test_which_policies_the_form_shows(rules: list[dict[str, Any]], is_shown: bool) -> None:
    assert (ReviewPolicyForm.of(ReviewPolicy.of({"rules": rules})) is not None) == is_shown
