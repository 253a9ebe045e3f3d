"""REST addresses of models, under /v1/workspaces/{ws}/."""

from django.urls import URLPattern, path

from llm.configuration import api
from llm.embedding.api import EmbeddingView

urlpatterns: list[URLPattern] = [
    path("models/providers", api.ProvidersView.as_view(), name="api-model-providers"),
    path("models/providers/<str:provider_id>", api.ProviderView.as_view(), name="api-model-provider"),
    path("models/providers/<str:provider_id>/test", api.TrialView.as_view(), name="api-model-provider-test"),
    path("models/choices", api.ChoicesView.as_view(), name="api-model-choices"),
    path("models/embedding", EmbeddingView.as_view(), name="api-model-embedding"),
    path("models/budget", api.BudgetView.as_view(), name="api-model-budget"),
    path("prompt-runs", api.PromptRunsView.as_view(), name="api-prompt-runs"),
]
