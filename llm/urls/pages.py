"""Console addresses of models, under /w/<slug>/settings/models."""

from django.urls import URLPattern, path

from llm.configuration import pages

MODELS = "w/<slug:slug>/settings/models"

urlpatterns: list[URLPattern] = [
    path(MODELS, pages.models, name="settings-models"),
    path(f"{MODELS}/providers/new", pages.provider_new, name="settings-provider-new"),
    path(f"{MODELS}/providers/<uuid:provider_id>", pages.provider, name="settings-provider"),
    path(f"{MODELS}/providers/<uuid:provider_id>/remove", pages.provider_remove, name="settings-provider-remove"),
    path(f"{MODELS}/providers/<uuid:provider_id>/test", pages.provider_test, name="settings-provider-test"),
    path(f"{MODELS}/choices/new", pages.choice_new, name="settings-choice-new"),
    path(f"{MODELS}/choices/remove", pages.choice_remove, name="settings-choice-remove"),
    path(f"{MODELS}/embedding", pages.embedder_new, name="settings-embedder-new"),
    path(f"{MODELS}/embedding/cancel", pages.embedder_cancel, name="settings-embedder-cancel"),
]
