"""Hostile contents in a real browser: nothing of them becomes an element, and no page grows wider than a phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from llm.models import ModelProvider
from memory.models import Proposal
from tests.browser.conftest import PHONE, Visit
from tests.cast import Cast
from tests.console_addresses import fill_route
from tests.furnished import furnish
from tests.hostile import HOSTILE, MARK
from tests.rules.doors import ids_of
from tests.rules.test_hostile_contents import SHOWN_ON, plant
from workspaces.access.scope import workspace_scope

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MORE = ["memory", "review", "explain/runs", "conversations", "ontology", "settings/memory"]


def test_no_page_is_wider_than_a_phone_or_holds_an_element_of_a_content(
    open_window: Callable[..., Visit], cast: Cast
) -> None:
    furnish(cast.acme)
    with workspace_scope(cast.acme.caller):
        Proposal.objects.of(cast.acme.caller).update(origin_space="shared", space="shared", status="pending")
        ModelProvider.objects.of(cast.acme.caller).update(encrypted_key="", base_url="")
    plant(cast, HOSTILE["long word"] + HOSTILE["script"] + HOSTILE["image"] + HOSTILE["end of a field"])
    visit, ids = open_window(viewport=PHONE), ids_of(cast.acme)
    visit.page.set_default_timeout(60_000)
    visit.sign_in(cast.alice)

    wide, held = {}, []
    for route in [*SHOWN_ON, *MORE]:
        visit.go(f"/w/{cast.acme.workspace.slug}/{fill_route(route, ids)}")
        width = visit.page.evaluate("document.documentElement.scrollWidth")
        if width > PHONE["width"]:
            wide[route] = width
            visit.shoot(f"wide-{route.replace('/', '-')[:20]}")
        held += [route] * visit.page.locator(f"[{MARK}]").count()

    assert (wide, held) == ({}, [])
