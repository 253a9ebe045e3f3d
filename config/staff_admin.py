"""The site of the staff admin."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.contrib.admin.apps import AdminConfig
from unfold.sites import UnfoldAdminSite


class StaffAdminSite(UnfoldAdminSite):  # type: ignore[misc]  # unfold has no types
    """Unfold's site, whose search finds tables by name and keeps what it found in the cache, which holds JSON alone."""

    def _search_apps(self, app_list: list[dict[str, Any]], search_term: str) -> list[dict[str, Any]]:
        return [asdict(found) for found in super()._search_apps(app_list, search_term)]


class StaffAdminConfig(AdminConfig):
    """Makes it the site that tables register with."""

    default_site = "config.staff_admin.StaffAdminSite"
