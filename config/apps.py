"""What happens once, when the project starts or has migrated."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate

from workspaces.callers import Caller


class ProjectConfig(AppConfig):
    name = "config"
    verbose_name = "Workspace Memory"

    def ready(self) -> None:
        from config import checks  # noqa: F401  # registers the system checks
        from workspaces.signals import memory_enabled

        # The framework's own hook. It fires once for each app; django_q is the last one, when every table exists.
        post_migrate.connect(after_migrations, sender=apps.get_app_config("django_q"), dispatch_uid="after_migrations")
        memory_enabled.connect(make_builtin_metrics, dispatch_uid="make_builtin_metrics")


def after_migrations(**kwargs: Any) -> None:
    """Re-issue the serving role's grants, refuse a tenant table without its policy, and write the schedule table."""
    from config.roles import grant_serving_role, refuse_unprotected_tables
    from config.schedules import HEARTBEAT, write_schedules
    from core.queue import enqueue

    using = kwargs["using"]
    grant_serving_role(using=using)
    refuse_unprotected_tables(using=using)
    write_schedules()
    enqueue(HEARTBEAT)  # the next worker shows at once that it is there


def make_builtin_metrics(*, caller: Caller, **kwargs: Any) -> None:
    """The first enabling of memory creates them."""
    from telemetry.services.metrics import ensure_builtin_metrics

    ensure_builtin_metrics(caller=caller)
