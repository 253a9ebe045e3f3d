"""The app `memory`: what is worth keeping."""

from django.apps import AppConfig


class MemoryConfig(AppConfig):
    name = "memory"
    verbose_name = "Memory"

    def ready(self) -> None:
        from memory.citations import admin as _citations  # noqa: F401, PLC0415  # as the last
        from memory.episodes import admin as _episodes  # noqa: F401, PLC0415  # as the last
        from memory.memories import admin  # noqa: F401, PLC0415  # registers the staff pages; Django itself looks at an app's top only
