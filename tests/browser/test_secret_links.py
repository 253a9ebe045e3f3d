"""Links that come by mail, opened in a browser, which says where a form comes from; Django's client does not."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.cast import Cast
from workspaces.accounts.services.invitation_links import InvitationLink, invite_by_link
from workspaces.accounts.services.reset_links import build_reset_link
from workspaces.models import Role

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NEW = "correct horse battery"


def test_somebody_new_joins_by_a_link(cast: Cast, open_window: Callable[..., Visit]) -> None:
    link = invite_by_link(caller=cast.acme.caller, email="dana@elsewhere.example", role=Role.MEMBER)
    assert isinstance(link, InvitationLink)
    visit = open_window()

    visit.go(reverse("join", args=[link.token]))
    visit.page.get_by_label("Name").fill("Dana")
    visit.page.get_by_label("Password").fill(NEW)
    visit.page.get_by_role("button", name="Make an account and join").click()

    expect(visit.page).to_have_url(re.compile(f"/w/{cast.acme.workspace.slug}"))


def test_a_link_sets_another_password(cast: Cast, open_window: Callable[..., Visit]) -> None:
    visit = open_window()

    visit.page.goto(re.sub(r"^https?://[^/]+", visit.home, build_reset_link(cast.alice)))
    visit.page.locator("input[type=password]").first.fill(NEW)
    visit.page.get_by_role("button", name="Set password").click()

    expect(visit.page.get_by_text("Your password is changed")).to_be_visible()
