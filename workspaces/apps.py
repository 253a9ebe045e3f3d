"""The app `workspaces`: who is asking, in which workspace, with which switches."""

from django.apps import AppConfig


class WorkspacesConfig(AppConfig):
    name = "workspaces"
    verbose_name = "Workspaces"

    def ready(self) -> None:
        from workspaces.http import admin  # noqa: F401, PLC0415  # registers the staff pages; Django itself looks at an app's top only
