"""Staff pages of memories: by standing, each with its revisions; nothing can be changed here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join

from core.text import CITATION, excerpt
from memory.models import Kind, Memory, MemoryRevision
from memory.recall.evidence_report import read_report
from memory.recall.services.leak_check import run_exclusion_cases
from workspaces.http.staff import TenantAdmin, TenantInline

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
    list_select_related = ("node",)
    ordering = ("-node",)
    inlines = (RevisionInline,)
    fields = readonly_fields = (
        *("text", "kind", "standing", "suppressed_reason", "tags", "source", "author", "confidence"),
        *("weight", "manual_weight", "times_referenced", "created", "changed", "valid_from", "valid_to", "expires_at"),
        *("superseded_by", "superseded_at"),
    )

    def get_urls(self) -> list[URLPattern]:
        check = self.admin_site.admin_view(self.exclusion_cases)
        evidence = self.admin_site.admin_view(self.evidence)
        own = [path("exclusion/", check, name="memory_exclusion"), path("evidence/", evidence, name="memory_evidence")]
        return own + super().get_urls()

    def exclusion_cases(self, request: HttpRequest) -> HttpResponse:
        """Render the cases of what must never be recalled, tried on this installation when asked to."""
        results = run_exclusion_cases() if request.method == "POST" else []
        context = {**self.admin_site.each_context(request), "title": "Exclusion cases", "results": results}
        context["passed"] = sum(result.is_passed for result in results)
        return render(request, "admin/exclusion.html", context)

    def evidence(self, request: HttpRequest) -> HttpResponse:
        """Render how much of what questions need is in contexts, as it was last measured on this installation."""
        context = {**self.admin_site.each_context(request), "title": "Evidence in contexts", "home": settings.HOME}
        return render(request, "admin/evidence.html", {**context, "report": read_report(settings.HOME)})

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
    before, *cited = CITATION.split(text)  # text, mark, id, text, mark, id, …, text
    marks, ids, texts = cited[::3], cited[1::3], cited[2::3]
    parts = [(before,), *((part,) for link in zip(map(_link, marks, ids), texts, strict=True) for part in link)]
    return format_html_join("", "{}", parts)


def _link(mark: str, memory_id: str) -> str:
    if mark != "mem":
        return f"[{mark}:{memory_id}]"
    address = reverse("admin:memory_memory_change", args=[memory_id.lower()])
    return format_html('<a class="text-primary-600 dark:text-primary-500" href="{}">[mem:{}]</a>', address, memory_id)
