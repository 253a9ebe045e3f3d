import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import core.clock
import core.ids
from core.migrations import ForceRowSecurity, Policy, context_value, tenant_policies

# A token names a person and a registration; which workspace that is must be found before it can be entered.
OWN_APPS = Policy("own", f"user_id = {context_value('user_id')}", "SELECT")


class Migration(migrations.Migration):
    dependencies = [("workspaces", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="ConnectedApp",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("client_id", models.CharField(max_length=255)),
                ("name", models.CharField(max_length=255)),
                (
                    "scopes",
                    django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=10), size=None),
                ),
                ("created_at", models.DateTimeField(default=core.clock.utc_now, editable=False)),
                ("last_used_at", models.DateTimeField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "workspace",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="workspaces.workspace",
                    ),
                ),
            ],
            options={
                "verbose_name": "connected app",
                "db_table": "connected_apps",
                "indexes": [models.Index(fields=["workspace", "-created_at"], name="connected_apps_newest")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("revoked_at", None)),
                        fields=("user", "client_id"),
                        name="one_workspace_for_an_app_of_a_person",
                    )
                ],
            },
        ),
        ForceRowSecurity("ConnectedApp", (*tenant_policies(), OWN_APPS)),
    ]
