"""The app `llm`: which model answers, with whose key, at what cost."""

from django.apps import AppConfig


class LlmConfig(AppConfig):
    name = "llm"
    verbose_name = "Models"

    def ready(self) -> None:
        """Register the staff pages."""
        from llm.usage import admin as _usage  # noqa: F401, PLC0415  # Django itself looks at an app's top only
