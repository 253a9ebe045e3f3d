"""Staff pages of memories: by standing, each with its revisions; nothing can be changed here."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.contrib.postgres.search import SearchQuery
from django.db.models import CharField, Q, QuerySet
from django.db.models.functions import Cast
from django.http import HttpRequest
from django.urls import URLPattern, reverse
from django.utils.html import format_html, format_html_join

from core.text import CitedId, excerpt, parse_citations
from memory.models import Kind, Memory, MemoryRevision
from memory.recall.admin import recall_check_urls
from workspaces.http.admin_base import TenantAdmin, TenantInline

_ID = re.compile(r"[0-9a-fA-F-]{6,36}")
STANDINGS = {
    "facts": ("Facts", Q(node__type=Kind.FACT, node__is_deleted=False)),
    "suggestions": ("Suggestions", Q(node__type=Kind.MEMORY, node__is_deleted=False)),
    "pinned": ("Pinned", Q(pinned_at__isnull=False, node__is_deleted=False)),
    "suppressed": ("Suppressed", Q(node__suppressed_at__isnull=False, node__is_deleted=False)),
    "forgotten": ("Forgotten", Q(node__is_deleted=True)),
}


class StandingFilter(admin.SimpleListFilter):
    """What a memory counts for."""

    title = "standing"
    parameter_name = "standing"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(name, label) for name, (label, _) in STANDINGS.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Memory]) -> QuerySet[Memory]:
        standing = STANDINGS.get(self.value() or "")
        return queryset.filter(standing[1]) if standing else queryset


def _moment(field: str, label: str) -> Callable[[Any, Memory], str | None]:
    """Return a column that shows one moment in the life of the memory's node."""

    @admin.display(description=f"{label} (UTC)")
    def column(_: Any, memory: Memory) -> str | None:
        at = getattr(memory.node, field)
        return at and f"{at:%Y-%m-%d %H:%M:%S}"

    return column


class RevisionInline(TenantInline):
    """Every step of a memory's life, newest first."""

    model = MemoryRevision
    fields = readonly_fields = ("created_at", "action", "actor_label", "actor_kind", "before")
    ordering = ("-id",)


@admin.register(Memory)
class MemoryAdmin(TenantAdmin):
    """What the workspace's agents remember."""

    object_type = "memory"
    actions = None
    list_display = ("beginning", "kind", "standing", "source", "author", "times_referenced", "created")
    list_filter = (StandingFilter, "source")
    search_fields = ("node__body",)  # which shows the box; see `get_search_results`
    search_help_text = "An id, the last characters of one, or words of the text"
    list_select_related = ("node",)
    ordering = ("-node",)
    inlines = (RevisionInline,)
    fields = readonly_fields = (
        *("text", "kind", "standing", "suppressed_reason", "tags", "source", "author", "confidence"),
        *("weight", "manual_weight", "times_referenced", "created", "changed", "valid_from", "valid_to", "expires_at"),
        *("superseded_by", "superseded_at"),
    )

    def get_urls(self) -> list[URLPattern]:
        return [*recall_check_urls(self.admin_site), *super().get_urls()]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Memory], search_term: str
    ) -> tuple[QuerySet[Memory], bool]:
        """Find by id, whole or its last characters as the console shows them, or by words as search does."""
        term = search_term.strip().removeprefix("[mem:").removesuffix("]")
        if not term:
            return queryset, False
        found = Q(node__words=SearchQuery(term, config="english", search_type="websearch"))
        if _ID.fullmatch(term):
            spelled = queryset.annotate(spelled=Cast("pk", CharField()))
            return spelled.filter(found | Q(spelled__endswith=term.lower())), False
        return queryset.filter(found), False

    created = _moment("created_at", "Created")
    changed = _moment("updated_at", "Changed")
    valid_from = _moment("valid_from", "Valid from")
    valid_to = _moment("valid_to", "Valid to")
    expires_at = _moment("expires_at", "Expires")

    @admin.display(description="Content")
    def beginning(self, memory: Memory) -> str:
        return excerpt(memory.content, limit=100)

    @admin.display(description="Content")
    def text(self, memory: Memory) -> str:
        return with_links(memory.content)

    @admin.display(description="Standing")
    def standing(self, memory: Memory) -> str:
        states = {
            "forgotten": memory.node.is_deleted,
            "closed": memory.is_closed,
            "pinned": memory.is_pinned,
            "suppressed": memory.is_suppressed,
        }
        return ", ".join(name for name, is_so in states.items() if is_so) or "live"


def with_links(text: str) -> str:
    """Return the escaped text, in which each `[mem:<id>]` leads to that memory's page here."""
    parts: list[str] = []
    written = 0
    for mark in parse_citations(text):
        links = [mark.text] if mark.is_malformed else [_link(cited) for cited in mark.ids]
        parts += [text[written : mark.start], format_html_join(" ", "{}", ((link,) for link in links))]
        written = mark.end
    return format_html_join("", "{}", ((part,) for part in [*parts, text[written:]]))


def _link(cited: CitedId) -> str:
    if cited.kind != "mem":
        return f"[{cited.kind}:{cited.id}]"
    address = reverse("admin:memory_memory_change", args=[cited.id])
    return format_html('<a class="text-primary-600 dark:text-primary-500" href="{}">[mem:{}]</a>', address, cited.id)
