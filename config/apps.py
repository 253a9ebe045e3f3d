"""What happens once, when the project starts or has migrated."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate

from workspaces.access.callers import Caller


class ProjectConfig(AppConfig):
    name = "config"
    verbose_name = "Workspace Memory"

    def ready(self) -> None:
        from config import checks  # noqa: F401  # registers the system checks
        from workspaces.settings.signals import memory_enabled

        # The framework's own hook. It fires once for each app with models; at the last one every table exists.
        last = [app for app in apps.get_app_configs() if app.models_module][-1]
        post_migrate.connect(after_migrations, sender=last, dispatch_uid="after_migrations")
        memory_enabled.connect(make_builtin_metrics, dispatch_uid="make_builtin_metrics")
        register_embedded_tables()


def after_migrations(**kwargs: Any) -> None:
    """Re-issue the serving role's grants, refuse a role or policy that opens rows, and write the schedule table."""
    from config.database_roles import grant_serving_role, refuse_unsafe_role
    from config.row_security_policies import refuse_unprotected_tables
    from config.schedules import write_schedules

    using = kwargs["using"]
    grant_serving_role(using=using)
    refuse_unprotected_tables(using=using)
    refuse_unsafe_role(using=using)
    write_schedules()


def register_embedded_tables() -> None:
    """Give the embedding queue every table that has vectors, in the order in which it looks at them."""
    from conversations.indexing.services.embedded_messages import MESSAGE_VECTORS
    from llm.embedding.table_registry import register_embedded_table
    from memory.episodes.services.episode_statements import STATEMENT_VECTORS
    from memory.working_memory.services.slot_item_embeddings import SLOT_VECTORS
    from ontology.search.services.node_embeddings import NODE_VECTORS
    from telemetry.sequences.services.intent_embeddings import INTENT_VECTORS

    for table in (NODE_VECTORS, SLOT_VECTORS, INTENT_VECTORS, STATEMENT_VECTORS, MESSAGE_VECTORS):
        register_embedded_table(table)


def make_builtin_metrics(*, caller: Caller, **kwargs: Any) -> None:
    """Create the built-in metrics when memory is enabled for the first time."""
    from telemetry.metrics.services.metrics import ensure_builtin_metrics

    ensure_builtin_metrics(caller=caller)
