"""REST of a workspace itself: settings, the toggle, API keys, members."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from workspaces.access import selectors
from workspaces.access.callers import Right
from workspaces.http.rest import WorkspaceView
from workspaces.settings import services as switching
from workspaces.settings.schemas import NothingInput, SettingsInput
from workspaces.settings.workspace_settings import settings_json


class SettingsView(WorkspaceView):
    """Read the settings; change the ones that are named."""

    rights: ClassVar[dict[str, Right]] = {"PUT": Right.ADMIN}

    def get(self, request: Request, ws: str) -> Response:
        return Response(settings_json(selectors.current_workspace(self.caller)))

    def put(self, request: Request, ws: str) -> Response:
        given = self.body(SettingsInput)
        return Response(settings_json(switching.change_settings(caller=self.caller, **given)))


class ToggleView(WorkspaceView):
    """Turn memory on or off; idempotent."""

    rights: ClassVar[dict[str, None]] = {"POST": None}  # the service knows who may
    enabled: ClassVar[bool] = True

    def post(self, request: Request, ws: str) -> Response:
        self.body(NothingInput)
        changed = switching.set_memory_enabled(caller=self.caller, enabled=self.enabled)
        return Response({"enabled": self.enabled, "changed": changed})
