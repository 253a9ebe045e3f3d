"""REST of models: providers, choices, the budget, and what every call cost."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from core.http.fields import path_id
from core.http.pagination import CursorPages, PageInput, one_page, paginate
from llm.configuration import schemas, selectors, services
from llm.configuration.serializers import budget_json, choice_json, prompt_run_json, provider_json, trial_json
from llm.kinds import Level
from llm.router.services import test_provider
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.http.rest import WorkspaceView

# In the order of the list, as `choices_of` has it.
LEVELS = sorted(Level, reverse=True)


class ProvidersView(WorkspaceView):
    """List the workspace's model providers; add one. Its key can be written and never read."""

    rights: ClassVar[dict[str, Right]] = {"POST": Right.ADMIN}
    asks = {"GET": PageInput}

    def get(self, request: Request, ws: str) -> Response:
        found = paginate(
            request, selectors.workspace_providers(self.caller), key=lambda provider: (provider.name, str(provider.id))
        )
        shows_address = self.caller.may(Right.ADMIN)
        listed = [provider_json(provider, shows_address=shows_address) for provider in found["results"]]
        return Response({**found, "results": listed})

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(schemas.ProviderInput)
        key = given.pop("api_key", "")
        return Response(provider_json(services.add_provider(caller=self.caller, fields=given, key=key)), status=201)


class ProviderView(WorkspaceView):
    """Change a provider, or remove it."""

    rights: ClassVar[dict[str, Right]] = {"PUT": Right.ADMIN, "DELETE": Right.ADMIN}

    def put(self, request: Request, ws: str, provider_id: str) -> Response:
        given = self.body(schemas.ProviderChangesInput)
        key = given.pop("api_key", None)
        changed = services.change_provider(caller=self.caller, provider_id=path_id(provider_id), fields=given, key=key)
        return Response(provider_json(changed))

    def delete(self, request: Request, ws: str, provider_id: str) -> Response:
        self.body(schemas.NothingInput)
        services.remove_provider(caller=self.caller, provider_id=path_id(provider_id))
        return Response(status=204)


class TrialView(WorkspaceView):
    """Make one tiny call and tell what the provider said. Answers 200 also when the provider does not work."""

    rights: ClassVar[dict[str, Right]] = {"POST": Right.ADMIN}

    def post(self, request: Request, ws: str, provider_id: str) -> Response:
        model = self.body(schemas.TrialInput).get("model", "")
        return Response(
            trial_json(test_provider.try_provider(caller=self.caller, provider_id=path_id(provider_id), model=model))
        )


class ChoicesView(WorkspaceView):
    """Which model answers what; a PUT names only the choices that change."""

    rights: ClassVar[dict[str, Right]] = {"PUT": Right.ADMIN}
    asks = {"GET": PageInput}

    def get(self, request: Request, ws: str) -> Response:
        found = paginate(
            request,
            selectors.workspace_choices(self.caller),
            key=lambda choice: (LEVELS.index(Level(choice.level)), choice.subject, choice.tier, str(choice.id)),
        )
        return Response({**found, "results": [choice_json(choice) for choice in found["results"]]})

    def put(self, request: Request, ws: str) -> Response:
        services.choose_models(caller=self.caller, choices=self.body(schemas.ChoicesInput)["choices"])
        return Response(one_page([choice_json(choice) for choice in selectors.workspace_choices(self.caller)]))


class BudgetView(WorkspaceView):
    """What this month's calls have cost, and what they still may."""

    def get(self, request: Request, ws: str) -> Response:
        return Response(budget_json(selectors.month_budget(self.caller)))


class PromptRunsView(WorkspaceView):
    """Every call of a model, newest first: what for, how it ended, what it cost. Never the prompt."""

    rights: ClassVar[dict[str, Right]] = {"GET": Right.ADMIN}
    asks = {"GET": PageInput}

    def get(self, request: Request, ws: str) -> Response:
        pages = CursorPages()
        with workspace_scope(self.caller):
            page = pages.paginate_queryset(selectors.workspace_prompt_runs(self.caller), request, self)
        return pages.get_paginated_response([prompt_run_json(run) for run in page or []])
