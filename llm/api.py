"""REST of models: providers, choices, the budget, and what every call cost."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from core.http.fields import path_id
from core.http.pages import CursorPages, PageInput, one_page
from llm import inputs, selectors
from llm.presenting import budget_json, choice_json, prompt_run_json, provider_json, trial_json
from llm.services import providers, trying
from workspaces.callers import Right
from workspaces.http import WorkspaceView
from workspaces.scope import workspace_scope


class ProvidersView(WorkspaceView):
    """List the workspace's model providers; add one. Its key can be written and never read."""

    rights: ClassVar[dict[str, Right]] = {"POST": Right.ADMIN}

    def get(self, request: Request, ws: str) -> Response:
        return Response(one_page([provider_json(provider) for provider in selectors.providers_of(self.caller)]))

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(inputs.ProviderInput)
        key = given.pop("api_key", "")
        return Response(provider_json(providers.add_provider(caller=self.caller, fields=given, key=key)), status=201)


class ProviderView(WorkspaceView):
    """Change a provider, or remove it."""

    rights: ClassVar[dict[str, Right]] = {"PUT": Right.ADMIN, "DELETE": Right.ADMIN}

    def put(self, request: Request, ws: str, provider_id: str) -> Response:
        given = self.body(inputs.ProviderChangesInput)
        key = given.pop("api_key", None)
        changed = providers.change_provider(caller=self.caller, provider_id=path_id(provider_id), fields=given, key=key)
        return Response(provider_json(changed))

    def delete(self, request: Request, ws: str, provider_id: str) -> Response:
        self.body(inputs.NothingInput)
        providers.remove_provider(caller=self.caller, provider_id=path_id(provider_id))
        return Response(status=204)


class TrialView(WorkspaceView):
    """Make one tiny call and tell what the provider said. Answers 200 also when the provider does not work."""

    rights: ClassVar[dict[str, Right]] = {"POST": Right.ADMIN}

    def post(self, request: Request, ws: str, provider_id: str) -> Response:
        model = self.body(inputs.TrialInput).get("model", "")
        return Response(
            trial_json(trying.try_provider(caller=self.caller, provider_id=path_id(provider_id), model=model))
        )


class ChoicesView(WorkspaceView):
    """Which model answers what; a PUT names only the choices that change."""

    rights: ClassVar[dict[str, Right]] = {"PUT": Right.ADMIN}

    def get(self, request: Request, ws: str) -> Response:
        return self._all()

    def put(self, request: Request, ws: str) -> Response:
        providers.choose_models(caller=self.caller, choices=self.body(inputs.ChoicesInput)["choices"])
        return self._all()

    def _all(self) -> Response:
        return Response(one_page([choice_json(choice) for choice in selectors.choices_of(self.caller)]))


class BudgetView(WorkspaceView):
    """What this month's calls have cost, and what they still may."""

    def get(self, request: Request, ws: str) -> Response:
        return Response(budget_json(selectors.budget_of(self.caller)))


class PromptRunsView(WorkspaceView):
    """Every call of a model, newest first: what for, how it ended, what it cost. Never the prompt."""

    asks = {"GET": PageInput}

    def get(self, request: Request, ws: str) -> Response:
        pages = CursorPages()
        with workspace_scope(self.caller):
            page = pages.paginate_queryset(selectors.prompt_runs_of(self.caller), request, self)
        return pages.get_paginated_response([prompt_run_json(run) for run in page or []])
