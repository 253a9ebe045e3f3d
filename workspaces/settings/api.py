"""REST of a workspace's settings and its memory toggle."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from core.action_types import CONFIGURATION
from core.http.schemas import NoBody
from workspaces.access import selectors
from workspaces.access.callers import Right
from workspaces.http.rest import WorkspaceView
from workspaces.settings import services
from workspaces.settings.schemas import SettingsInput, SettingsResponse, ToggledResponse


class SettingsView(WorkspaceView):
    """Read the settings; change the ones that are named."""

    action_types = CONFIGURATION
    names_spaces = False
    rights: ClassVar[dict[str, Right]] = {"PUT": Right.ADMIN}
    reads = {"PUT": SettingsInput}
    answers = {"GET": SettingsResponse, "PUT": SettingsResponse}

    def get(self, request: Request, ws: str) -> Response:
        return self.answer(SettingsResponse.of(selectors.current_workspace(self.caller)))

    def put(self, request: Request, ws: str) -> Response:
        changes = self.body(SettingsInput).changes()
        return self.answer(SettingsResponse.of(services.change_settings(caller=self.caller, **changes)))


class ToggleView(WorkspaceView):
    """Turn memory on or off; idempotent."""

    action_types = CONFIGURATION
    names_spaces = False
    rights: ClassVar[dict[str, None]] = {"POST": None}  # the service knows who may
    answers = {"POST": ToggledResponse}
    enabled: ClassVar[bool] = True

    def post(self, request: Request, ws: str) -> Response:
        self.body(NoBody)
        changed = services.set_memory_enabled(caller=self.caller, enabled=self.enabled)
        return self.answer(ToggledResponse(enabled=self.enabled, changed=changed))
