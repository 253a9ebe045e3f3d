"""Hostile contents in every place that people and agents can fill, on every page: they are text, and nothing else."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from html.parser import HTMLParser
from io import StringIO
from typing import Any
from urllib.parse import urlencode

import pytest
from django.apps import apps

from core.text.invisible_characters import strip_invisible_characters
from llm.models import ModelProvider
from memory.models import Proposal
from tests.cast import Cast
from tests.console_addresses import fill_route
from tests.furnished import furnish
from tests.hostile import HOSTILE, MARK
from tests.pages import Visitor, text_of
from tests.rules.doors import ids_of
from tests.rules.page_rights import PAGE_RIGHTS
from workspaces.access.scope import workspace_scope
from workspaces.models import User, Workspace

# Where contents are kept that pages show; of each table all rows, of those with a * one.
PLACES = {
    "conversations.Conversation": "title key*",
    "conversations.Iteration": "action result error diagnosis fix recorded_by",
    "conversations.Message": "content name appended_by",
    "conversations.Observation": "text",
    "conversations.Plan": "goal phase",
    "llm.ModelChoice": "model",
    "llm.ModelProvider": "name*",
    "llm.PromptRun": "provider model outcome",
    "memory.ContextReceipt": "actor_label question text conversation",
    "memory.EpisodeStatement": "text speaker",
    "memory.Memory": "author edited_by pinned_by suppressed_by suppressed_reason",
    "memory.MemoryEpisode": "summary",
    "memory.MemoryRevision": "actor_label",
    "memory.MemorySlot": "name*",
    "memory.Proposal": "content author proposed_by decided_by",
    "memory.Run": "agent conversation",
    "memory.SlotItem": "text",
    "memory.UserMemory": "content updated_by",
    "ontology.Change": "actor_label",
    "ontology.Connection": "name*",
    "ontology.EdgeType": "description",
    "ontology.Merge": "merged_by",
    "ontology.MergeCandidate": "kept_apart_by",
    "ontology.Node": "name body",
    "ontology.NodeType": "description",
    "telemetry.Action": "session agent tool reporter",
    "telemetry.Intent": "summary",
    "telemetry.Metric": "description name*",
    "telemetry.Pattern": "recommendation annotation annotated_by suppressed_by",
    "telemetry.Sequence": "agent session reporter",
    "workspaces.ApiKey": "name",
    "workspaces.AuditEvent": "actor_label address",
    "workspaces.ConnectedApp": "name",
}
# Lists of texts, and objects.
LISTS = {"memory.Memory": "tags", "memory.Proposal": "tags"}
OBJECTS = {"ontology.Node": "properties", "ontology.Edge": "properties", "conversations.Message": "metadata"}
# Pages on which one of them stands in full.
SHOWN_ON = [
    "conversations/<uuid:conversation_id>",
    "memory/<uuid:memory_id>",
    "ontology/nodes/<uuid:node_id>",
    "agents/patterns/<uuid:pattern_id>",
    "settings/api-keys",
    "settings/apps",
    "settings/members",
    "home",
]
WITH_CARDS = {
    "conversations/<uuid:conversation_id>",
    "explain/runs/<uuid:run_id>",
    "memory/<uuid:memory_id>",
    "ontology/nodes/<uuid:node_id>",
    "receipts/<uuid:receipt_id>",
}
URLS = {"href", "src", "action", "formaction", "hx-get", "hx-post", "hx-delete"}
ASTRAY = ("javascript:", "data:text", "/hostile")
GROUPS = [list(HOSTILE)[start::4] for start in range(4)]
# What shows contents: all that viewers may look at, and these. An agent's page needs a query string.
MORE = {
    "about-you/clear",
    "memory/<uuid:memory_id>/edit",
    "ontology/nodes/<uuid:node_id>/edit",
    "settings/activity",
    "settings/api-keys",
    "settings/models/choices/new",
    "settings/models/providers/<uuid:provider_id>",
}
PAGES = sorted({route for route, (need, _) in PAGE_RIGHTS.items() if need == "read"} - {"agents/agent"} | MORE)


class PageReader(HTMLParser):
    """The text nodes of a page, and what in it only a content can have made."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[str] = []
        self.broken: list[str] = []
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        is_data = ("type", "application/json") in attrs
        self._inside = "data" if is_data else tag if tag in {"script", "style"} else ""
        for name, value in attrs:
            leads_astray = name in URLS and (value or "").strip().lower().startswith(
                ("javascript:", "data:text", "/hostile")
            )
            if name == MARK or name.startswith("on") or leads_astray:
                self.broken.append(f"<{tag} {name}={value!r}>"[:200])

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "data":
            json.loads(data)  # whole, up to the end of its element
        elif self._inside:
            if data.strip():
                self.broken.append(f"<{self._inside}> {data[:200]}")
        else:
            self.texts.append(data)

    @classmethod
    def read(cls, page: str) -> PageReader:
        reader = cls()
        reader.feed(page)
        reader.close()
        return reader

    @property
    def text(self) -> str:
        return plain("".join(self.texts))


def plain(text: str) -> str:
    """The words of a text, without spaces and what is not seen, which pages may leave out."""
    return "".join(strip_invisible_characters(text).split())


def plant(cast: Cast, content: str) -> None:
    """Put the content everywhere."""
    with workspace_scope(cast.acme.caller):
        for label, names in PLACES.items():
            for name in names.split():
                _write(label, name.rstrip("*"), content, cast, only_one=name.endswith("*"))
        for label, name in LISTS.items():
            _write(label, name, [content[:60]], cast)
        for label, name in OBJECTS.items():
            _write(label, name, {"note": content, content[:60]: 1}, cast)
        Workspace.objects.filter(id=cast.acme.workspace.id).update(name=content[:120])
    User.objects.filter(id=cast.bob.id).update(name=content[:120])


def _write(label: str, name: str, content: Any, cast: Cast, *, only_one: bool = False) -> None:
    model = apps.get_model(label)
    most = model._meta.get_field(name).max_length
    rows = model._default_manager.filter(workspace_id=cast.acme.workspace.id)
    if only_one:
        rows = rows.filter(pk=rows.values_list("pk", flat=True).first())
    written = content[:most] if isinstance(content, str) and most else content
    if not rows.update(**{name: written}):  # a record that is never changed gets another row
        row = rows.first()
        row.pk = model._meta.pk.get_default()
        setattr(row, name, written)
        row.save(force_insert=True)


@pytest.fixture
def alice(cast: Cast) -> Visitor:
    furnish(cast.acme)
    with workspace_scope(cast.acme.caller):  # in words that these columns have, not made up
        Proposal.objects.of(cast.acme.caller).update(origin_space="shared", space="shared", status="pending")
        ModelProvider.objects.of(cast.acme.caller).update(encrypted_key="", base_url="")
    return Visitor.of(cast.alice, cast.acme.workspace)


def _addresses(alice: Visitor, ids: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each page with its address, and the cards of what has one."""
    for route in PAGES:
        address = alice.address(fill_route(route, ids)).rstrip("/")
        if route != "card":
            yield route, address
        if route in WITH_CARDS:
            yield f"card of {route}", f"{alice.address('card')}?{urlencode({'of': address})}"


def pages(alice: Visitor, ids: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for route, address in _addresses(alice, ids):
        answer = alice.client.get(address)
        assert answer.status_code in {200, 301, 302}, route
        is_page = answer.headers["Content-Type"].startswith("text/html")
        assert is_page or answer.headers["X-Content-Type-Options"] == "nosniff"
        if answer.status_code == 200 and is_page:
            yield route, text_of(answer)


@pytest.mark.parametrize("group", GROUPS, ids=", ".join)
def test_hostile_contents_are_text_on_every_page(cast: Cast, alice: Visitor, group: list[str]) -> None:
    ids = ids_of(cast.acme)
    for name in group:
        plant(cast, HOSTILE[name])
        shown = {route: PageReader.read(page) for route, page in pages(alice, ids)}

        assert {route: page.broken for route, page in shown.items() if page.broken} == {}, name
        start = plain(HOSTILE[name][:60])
        assert [route for route in SHOWN_ON if start not in shown[route].text] == [], name
        assert not any("7700000077" in page.text for page in shown.values())


def test_formulas_are_texts_in_the_file_of_the_activity(cast: Cast, alice: Visitor) -> None:
    plant(cast, HOSTILE["formula"])
    answer = alice.get("settings/activity/csv")
    rows = list(csv.reader(StringIO(b"".join(answer).decode())))

    cells = [cell for row in rows for cell in row if "HYPERLINK" in cell]
    assert cells
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
