"""The app `llm`: which model answers, with whose key, at what cost."""

from django.apps import AppConfig


class LlmConfig(AppConfig):
    name = "llm"
    verbose_name = "Models"
