"""Staff pages of recall: receipts of contexts; the exclusion cases, tried here, and the last evidence report."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import admin
from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path

from memory.models import ContextReceipt
from memory.recall.bench_report import read_report
from memory.recall.services.leak_check import run_exclusion_cases
from workspaces.http.admin_base import TenantAdmin


@admin.register(ContextReceipt)
class ReceiptAdmin(TenantAdmin):
    """Receipts of contexts, the newest first: ids, scores and reasons, neither questions nor recalled texts."""

    object_type = "receipt"
    actions = None
    list_display = (
        "created_at",
        "conversation",
        "method",
        "tokens_used",
        "token_budget",
        "is_over_budget",
        "latency_ms",
    )
    list_filter = ("method", "is_over_budget")
    ordering = ("-created_at",)
    fields = readonly_fields = (
        *("created_at", "conversation", "query_sha256", "method", "tokens_used", "token_budget", "is_over_budget"),
        *("left_out", "chosen", "dropped", "latency_ms"),
    )


def recall_check_urls(site: AdminSite) -> list[URLPattern]:
    """Return the addresses of both pages, for the staff pages of memories to put in front of their own."""

    def exclusion_cases(request: HttpRequest) -> HttpResponse:
        """Render the cases of what must never be recalled, tried on this installation when asked to."""
        results = run_exclusion_cases() if request.method == "POST" else []
        passed = sum(result.is_passed for result in results)
        return _page(request, "admin/exclusion.html", title="Exclusion cases", results=results, passed=passed)

    def evidence(request: HttpRequest) -> HttpResponse:
        """Render how much of what questions need is in contexts, as it was last measured on this installation."""
        report = read_report(settings.HOME)
        return _page(request, "admin/evidence.html", title="Evidence in contexts", home=settings.HOME, report=report)

    def _page(request: HttpRequest, template: str, **shown: Any) -> HttpResponse:
        return render(request, template, {**site.each_context(request), **shown})

    return [
        path("exclusion/", site.admin_view(exclusion_cases), name="memory_exclusion"),
        path("evidence/", site.admin_view(evidence), name="memory_evidence"),
    ]
