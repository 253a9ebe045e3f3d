"""The app `transfer`: workspaces as files, out and in, what other products' exports hold, and erasure."""

from django.apps import AppConfig


class TransferConfig(AppConfig):
    name = "transfer"
    verbose_name = "Transfer"

    def ready(self) -> None:
        from transfer.erasure import admin  # noqa: F401, PLC0415  # registers the staff pages; Django itself looks at an app's top only
