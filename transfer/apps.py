"""The app `transfer`: workspaces as files, out and in, and what other products' exports hold."""

from django.apps import AppConfig


class TransferConfig(AppConfig):
    name = "transfer"
    verbose_name = "Transfer"
