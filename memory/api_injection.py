"""REST of warnings before an action."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from memory.services.warnings import warn_about_nodes
from telemetry.inputs import InjectionInput
from telemetry.presenting import injected_json
from telemetry.services.injecting import DICE
from workspaces.callers import Right
from workspaces.http import WorkspaceView


class InjectionView(WorkspaceView):
    """What tends to go wrong with these nodes, before an agent touches them; held out one time in ten."""

    rights: ClassVar[dict[str, Right]] = {"POST": Right.READ}

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(InjectionInput)
        return Response(injected_json(warn_about_nodes(caller=self.caller, draw=DICE.random(), **given)))
