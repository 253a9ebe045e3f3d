"""The app `conversations`: what was said."""

from django.apps import AppConfig


class ConversationsConfig(AppConfig):
    name = "conversations"
    verbose_name = "Conversations"

    def ready(self) -> None:
        from conversations.observations import admin  # noqa: F401, PLC0415  # registers the staff pages; Django itself looks at an app's top only
