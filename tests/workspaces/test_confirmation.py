"""What cannot be undone asks before it acts, also without script."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from django.conf import settings

from tests.cast import Cast
from tests.pages import Visitor, text_of

FIELD = re.compile(r'<input type="hidden" name="(ask\w*)" value="([^"]*)">')


@pytest.fixture
def alice(cast: Cast) -> Visitor:
    return Visitor.of(cast.alice, cast.acme.workspace)


def test_a_key_is_revoked_on_the_second_press_only(alice: Visitor) -> None:
    made = alice.post("settings/api-keys/new", name="<b>Desk", scopes=["read"], lifetime="90")
    page = text_of(alice.get("settings/api-keys"))
    revoke = re.search(r'action="([^"]*/revoke)"', page)
    assert made.status_code == 200
    assert revoke
    fields = {name: html.unescape(value) for name, value in FIELD.findall(page[revoke.start() :])[:3]}

    asked = alice.post(revoke[1], **fields)
    assert "Revoke &lt;b&gt;Desk?" in text_of(asked)
    assert "This cannot be undone." in text_of(asked)
    assert "Revoked</span>" not in text_of(alice.get("settings/api-keys"))

    alice.post(revoke[1], **fields, confirmed="yes")
    assert "Revoked</span>" in text_of(alice.get("settings/api-keys"))


@pytest.mark.parametrize(("typed", "status"), [("", 422), ("Acm", 422)])
def test_a_word_must_be_typed_where_one_is_asked(alice: Visitor, typed: str, status: int) -> None:
    asked = alice.post(
        "memory/stale/purge", ask="Forget?", ask_type="Acme", ask_verb="Forget", confirmed="yes", typed=typed
    )

    assert asked.status_code == status
    assert "That is not the word" in text_of(asked)


def test_strangers_are_not_asked_but_refused(cast: Cast) -> None:
    charlie = Visitor.of(cast.charlie, cast.acme.workspace)

    assert charlie.post("memory/stale/purge", ask="Forget?").status_code == 404


def test_every_question_stands_where_the_server_reads_it_as_well() -> None:
    """A question in `data-confirm` alone is asked by script only."""
    templates = {path: path.read_text() for path in Path(settings.ROOT, "templates").rglob("*.html")}

    alone = [
        path.name
        for path, text in templates.items()
        for tag in re.findall(r"<[^<>]*\sdata-confirm=[^<>]*>", text)
        if "ask=" not in tag
    ]
    assert alone == []
