"""REST of models: providers, choices, the budget, and what every call cost."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from core.action_types import CONFIGURATION
from core.http.pagination import PageQuery, one_page, paginate
from core.http.schemas import NoBody, Page
from core.http.url_parameters import path_id
from llm.call_kinds import Level
from llm.configuration import schemas, selectors, services
from llm.router.services import test_provider
from workspaces.access.callers import Right
from workspaces.http.rest import WorkspaceView

# In the order of `selectors.workspace_choices`.
LEVELS = sorted(Level, reverse=True)


class ProvidersView(WorkspaceView):
    """List the workspace's model providers; add one. Its key can be written and never read."""

    action_types = CONFIGURATION
    names_spaces = False
    rights: ClassVar[dict[str, Right]] = {"POST": Right.ADMIN}
    asks = {"GET": PageQuery}
    reads = {"POST": schemas.ProviderInput}
    answers = {"GET": Page[schemas.ProviderResponse], "POST": {201: schemas.ProviderResponse}}

    def get(self, request: Request, ws: str) -> Response:
        found = paginate(
            request, selectors.workspace_providers(self.caller), key=lambda provider: (provider.name, str(provider.id))
        )
        shows_address = self.caller.may(Right.ADMIN)
        listed = [schemas.ProviderResponse.of(one, shows_address=shows_address) for one in found["results"]]
        return self.answer(Page[schemas.ProviderResponse].of({**found, "results": listed}))

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(schemas.ProviderInput)
        added = services.add_provider(caller=self.caller, fields=given.fields(), key=given.api_key)
        return self.answer(schemas.ProviderResponse.of(added), status=201)


class ProviderView(WorkspaceView):
    """Change a provider, or remove it."""

    action_types = CONFIGURATION
    names_spaces = False
    rights: ClassVar[dict[str, Right]] = {"PUT": Right.ADMIN, "DELETE": Right.ADMIN}
    reads = {"PUT": schemas.ProviderChangesInput}
    answers = {"PUT": schemas.ProviderResponse, "DELETE": None}

    def put(self, request: Request, ws: str, provider_id: str) -> Response:
        given = self.body(schemas.ProviderChangesInput)
        key = given.given().get("api_key")
        changed = services.change_provider(
            caller=self.caller, provider_id=path_id(provider_id), fields=given.fields(), key=key
        )
        return self.answer(schemas.ProviderResponse.of(changed))

    def delete(self, request: Request, ws: str, provider_id: str) -> Response:
        self.body(NoBody)
        services.remove_provider(caller=self.caller, provider_id=path_id(provider_id))
        return Response(status=204)


class TrialView(WorkspaceView):
    """Make one tiny call and tell what the provider said. Answers 200 also when the provider does not work."""

    action_types = CONFIGURATION
    waits = True
    names_spaces = False
    rights: ClassVar[dict[str, Right]] = {"POST": Right.ADMIN}
    reads = {"POST": schemas.TrialInput}
    answers = {"POST": schemas.TrialResponse}

    def post(self, request: Request, ws: str, provider_id: str) -> Response:
        model = self.body(schemas.TrialInput).model
        trial = test_provider.try_provider(caller=self.caller, provider_id=path_id(provider_id), model=model)
        return self.answer(schemas.TrialResponse.of(trial))


class ChoicesView(WorkspaceView):
    """Which model answers what; a PUT names only the choices that change."""

    action_types = CONFIGURATION
    names_spaces = False
    rights: ClassVar[dict[str, Right]] = {"PUT": Right.ADMIN}
    asks = {"GET": PageQuery}
    reads = {"PUT": schemas.ChoicesInput}
    answers = {"GET": Page[schemas.ChoiceResponse], "PUT": Page[schemas.ChoiceResponse]}

    def get(self, request: Request, ws: str) -> Response:
        found = paginate(
            request,
            selectors.workspace_choices(self.caller),
            key=lambda choice: (LEVELS.index(Level(choice.level)), choice.subject, choice.tier, str(choice.id)),
        )
        return self.answer(Page[schemas.ChoiceResponse].of(found))

    def put(self, request: Request, ws: str) -> Response:
        choices = [choice.choice() for choice in self.body(schemas.ChoicesInput).choices]
        services.choose_models(caller=self.caller, choices=choices)
        return self.answer(Page[schemas.ChoiceResponse].of(one_page(selectors.workspace_choices(self.caller))))


class BudgetView(WorkspaceView):
    """What this month's calls have cost, and what they still may."""

    action_types = CONFIGURATION
    names_spaces = False
    answers = {"GET": schemas.BudgetResponse}

    def get(self, request: Request, ws: str) -> Response:
        return self.answer(schemas.BudgetResponse.of(selectors.month_budget(self.caller)))


class PromptRunsView(WorkspaceView):
    """Every call of a model, newest first: what for, how it ended, what it cost. Never the prompt."""

    names_spaces = False
    rights: ClassVar[dict[str, Right]] = {"GET": Right.ADMIN}
    asks = {"GET": PageQuery}
    answers = {"GET": Page[schemas.PromptRunResponse]}

    def get(self, request: Request, ws: str) -> Response:
        return self.page(schemas.PromptRunResponse, lambda: selectors.workspace_prompt_runs(self.caller))
