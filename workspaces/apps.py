"""The app `workspaces`: who is asking, in which workspace, with which switches."""

from django.apps import AppConfig


class WorkspacesConfig(AppConfig):
    name = "workspaces"
    verbose_name = "Workspaces"
