"""Console pages of models: providers, which model answers what or makes vectors, the budget, the last calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from core.errors import InvalidError, ProductError
from core.http.slow_page_marker import waits
from llm.configuration import selectors, services, view_models
from llm.configuration.forms import (
    BudgetForm,
    ChoiceForm,
    EmbedderForm,
    ProviderChangesForm,
    ProviderForm,
    TakingBackForm,
)
from llm.embedding.services import model_choice
from llm.embedding.view_models import embedder_line
from llm.router.services import test_provider
from llm.router.services.test_provider import Trial
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.http.console import (
    ConsoleRequest,
    console_page,
    redirect_without_reload,
    settings_tabs,
    show_refusal,
    show_success,
)
from workspaces.settings.services import change_settings


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def models(request: ConsoleRequest) -> HttpResponse:
    """Everything about models; a POST sets the month's budget."""
    if request.method != "POST":
        return _models_answer(request)
    request.seat.caller.require(Right.ADMIN)
    form = BudgetForm(request.POST)
    if form.is_valid():
        try:
            change_settings(caller=request.seat.caller, models=form.cleaned_data)
        except ProductError as error:
            show_refusal(form, error)
        else:
            return _show_success(request, "Saved.")
    return _models_answer(request, form=form, status=422)


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def provider_new(request: ConsoleRequest) -> HttpResponse:
    """Add a provider."""
    request.seat.caller.require(Right.ADMIN)
    form = ProviderForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            made = services.add_provider(caller=request.seat.caller, fields=form.fields_of_provider(), key=form.key())
        except ProductError as error:
            show_refusal(form, error)
        else:
            return _redirect_back(request, f"Added {made.name}. Choose one of its models next.")
    return _provider_answer(request, {"form": form, "is_new": True})


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def provider(request: ConsoleRequest, provider_id: UUID) -> HttpResponse:
    """Change a provider. Its key is never shown."""
    caller = request.seat.caller
    caller.require(Right.ADMIN)
    found = selectors.access_provider(caller, provider_id)
    form = ProviderChangesForm.of(found, request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            services.change_provider(
                caller=caller, provider_id=provider_id, fields=form.fields_of_provider(), key=form.changed_key()
            )
        except ProductError as error:
            show_refusal(form, error)
        else:
            return _redirect_back(request, "Saved.")
    return _provider_answer(request, {"form": form, "provider": found})


@require_POST
@console_page
def provider_remove(request: ConsoleRequest, provider_id: UUID) -> HttpResponse:
    """Forget a provider and its key."""
    services.remove_provider(caller=request.seat.caller, provider_id=provider_id)
    return _show_success(request, "Removed, and its key with it.")


@waits
@require_POST
@console_page
def provider_test(request: ConsoleRequest, provider_id: UUID) -> HttpResponse:
    """Make one tiny call, and say what came of it next to the provider."""
    trial = test_provider.try_provider(
        caller=request.seat.caller, provider_id=provider_id, model=request.POST.get("model", "").strip()
    )
    return _show_success(request, trial.detail, trials={provider_id: trial}, tone="success" if trial.works else "error")


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def choice_new(request: ConsoleRequest) -> HttpResponse:
    """Choose a model; a choice for the same work of the same subject is replaced."""
    caller = request.seat.caller
    caller.require(Right.ADMIN)
    form = ChoiceForm(selectors.workspace_providers(caller), request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            services.choose_models(caller=caller, choices=[chosen := form.choice()])
        except ProductError as error:
            show_refusal(form, error)
        else:
            return _redirect_back(request, f"{chosen.model} answers from now on.")
    template = "llm/_choice_form.html" if request.htmx else "llm/choice.html"
    return render(request, template, {"form": form}, status=422 if form.is_bound else 200)


@require_POST
@console_page
def choice_remove(request: ConsoleRequest) -> HttpResponse:
    """Take a choice back."""
    request.seat.caller.require(Right.ADMIN)
    form = TakingBackForm(request.POST)
    if not form.is_valid():
        raise InvalidError("That is not a choice of a model.")
    services.choose_models(caller=request.seat.caller, choices=[form.choice()])
    return _show_success(request, "Taken back. What it answered goes to the next wider choice.")


@waits
@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def embedder_new(request: ConsoleRequest) -> HttpResponse:
    """Choose the model that makes the vectors of search by meaning; it is tried out first."""
    caller = request.seat.caller
    caller.require(Right.ADMIN)
    form = EmbedderForm(selectors.workspace_providers(caller), request.POST if request.method == "POST" else None)
    if form.is_valid():
        given = form.cleaned_data
        try:
            model_choice.choose_embedder(
                caller=caller, provider_id=form.provider_id(), model=given["model"], input_price=form.price()
            )
        except ProductError as error:
            show_refusal(form, error)
        else:
            return _redirect_back(request, "Chosen. Searches change to it when all of its vectors are there.")
    template = "llm/_embedder_form.html" if request.htmx else "llm/embedder.html"
    return render(request, template, {"form": form}, status=422 if form.is_bound else 200)


@require_POST
@console_page
def embedder_cancel(request: ConsoleRequest) -> HttpResponse:
    """Stay with the model whose vectors searches use."""
    model_choice.cancel_change(caller=request.seat.caller)
    return _show_success(request, "Searches stay with their model.")


def _models_answer(
    request: ConsoleRequest,
    *,
    form: BudgetForm | None = None,
    trials: Mapping[UUID, Trial] | None = None,
    status: int = 200,
) -> HttpResponse:
    caller = request.seat.caller
    chosen, known, budget = (
        selectors.workspace_choices(caller),
        selectors.workspace_providers(caller),
        selectors.month_budget(caller),
    )
    runs = []
    if caller.may(Right.ADMIN):
        with workspace_scope(caller):
            runs = list(selectors.workspace_prompt_runs(caller)[: view_models.CALLS_SHOWN])
    context: dict[str, Any] = {
        "providers": [(one, (trials or {}).get(one.id)) for one in known],
        "choices": view_models.choice_lines(chosen),
        "notice": view_models.notice(chosen),
        "stand_in": view_models.describe_fallback(chosen),
        "embedder": embedder_line(model_choice.embedder_state(caller)),
        "embedder_form": EmbedderForm(known),
        "budget": view_models.budget_line(budget),
        "calls": view_models.call_lines(runs),
        "budget_form": form or BudgetForm(initial={"monthly_budget": budget.limit}),
        "provider_form": ProviderForm(),
        "choice_form": ChoiceForm(known),
        "may_change": caller.may(Right.ADMIN),
        "tabs": settings_tabs(request.seat, "settings-models"),
    }
    template = "llm/_models.html" if request.htmx.target == "models" else "llm/settings_models.html"
    return render(request, template, context, status=status)


def _provider_answer(request: ConsoleRequest, context: dict[str, Any]) -> HttpResponse:
    template = "llm/_provider_form.html" if request.htmx else "llm/provider.html"
    return render(request, template, context, status=422 if context["form"].is_bound else 200)


def _show_success(
    request: ConsoleRequest, text: str, *, trials: Mapping[UUID, Trial] | None = None, **toast: str
) -> HttpResponse:
    return show_success(
        request, text, fragment=lambda: _models_answer(request, trials=trials), back=_address(request), **toast
    )


def _redirect_back(request: ConsoleRequest, text: str) -> HttpResponse:
    back = _address(request)
    return show_success(request, text, fragment=lambda: redirect_without_reload(back), back=back)


def _address(request: ConsoleRequest) -> str:
    return reverse("settings-models", args=[request.seat.workspace.slug])
