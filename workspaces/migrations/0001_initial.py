import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import core.clock
import core.ids
from core.migrations import ForceRowSecurity, Policy, append_only_policies, context_value, tenant_policies

# Before a workspace is chosen: a person sees their own memberships and those workspaces, a presented secret sees its key,
# and the directory of workspaces is open to schedules and to staff. None of them can write.
OWN_MEMBERSHIPS = Policy("own", f"user_id = {context_value('user_id')}", "SELECT")
PRESENTED_KEY = Policy("presented", f"secret_hash = {context_value('secret_hash', 'text')}", "SELECT")
WORKSPACE_POLICIES = (
    *tenant_policies("id"),
    Policy(
        "member",
        f"id IN (SELECT workspace_id FROM memberships WHERE user_id = {context_value('user_id')})",
        "SELECT",
    ),
    Policy("directory", f"{context_value('directory', 'text')} = 'on'", "SELECT"),
)


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="WorkerHeartbeat",
            fields=[
                ("name", models.CharField(max_length=32, primary_key=True, serialize=False)),
                ("beat_at", models.DateTimeField()),
            ],
            options={
                "db_table": "worker_heartbeats",
            },
        ),
        migrations.CreateModel(
            name="Workspace",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=120)),
                ("slug", models.SlugField(max_length=80, unique=True)),
                ("config", models.JSONField(blank=True, default=dict)),
                ("is_deleted", models.BooleanField(default=False)),
                ("deleted_at", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(default=core.clock.utc_now, editable=False)),
                ("updated_at", models.DateTimeField(auto_now=True)),
            ],
            options={
                "db_table": "workspaces",
            },
        ),
        migrations.CreateModel(
            name="User",
            fields=[
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("email", models.EmailField(max_length=254, unique=True)),
                ("name", models.CharField(blank=True, max_length=120)),
                ("is_staff", models.BooleanField(default=False)),
                ("is_active", models.BooleanField(default=True)),
                ("created_at", models.DateTimeField(default=core.clock.utc_now, editable=False)),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "db_table": "users",
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                (
                    "role",
                    models.CharField(
                        choices=[("owner", "Owner"), ("admin", "Admin"), ("member", "Member"), ("viewer", "Viewer")],
                        default="member",
                        max_length=10,
                    ),
                ),
                ("created_at", models.DateTimeField(default=core.clock.utc_now, editable=False)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
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
                "db_table": "memberships",
                "constraints": [
                    models.UniqueConstraint(fields=("workspace", "user"), name="one_membership_per_person")
                ],
            },
        ),
        migrations.CreateModel(
            name="AuditEvent",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("actor_kind", models.CharField(max_length=10)),
                ("actor_id", models.CharField(blank=True, max_length=64)),
                ("actor_label", models.CharField(blank=True, max_length=200)),
                ("action", models.CharField(max_length=64)),
                ("object_type", models.CharField(blank=True, max_length=32)),
                ("object_id", models.CharField(blank=True, max_length=64)),
                ("address", models.CharField(blank=True, max_length=64)),
                ("details", models.JSONField(blank=True, default=dict)),
                ("created_at", models.DateTimeField(default=core.clock.utc_now, editable=False)),
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
                "db_table": "audit_events",
                "indexes": [
                    models.Index(fields=["workspace", "-created_at"], name="audit_events_newest"),
                    models.Index(fields=["workspace", "object_id"], name="audit_events_by_object"),
                ],
            },
        ),
        migrations.CreateModel(
            name="ApiKey",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=120)),
                ("hint", models.CharField(max_length=24)),
                ("secret_hash", models.CharField(max_length=64, unique=True)),
                (
                    "scopes",
                    django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=10), size=None),
                ),
                ("created_at", models.DateTimeField(default=core.clock.utc_now, editable=False)),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                ("last_used_at", models.DateTimeField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
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
                "db_table": "api_keys",
                "verbose_name": "API key",
                "indexes": [models.Index(fields=["workspace", "-created_at"], name="api_keys_by_workspace")],
            },
        ),
        ForceRowSecurity("Workspace", WORKSPACE_POLICIES),
        ForceRowSecurity("Membership", (*tenant_policies(), OWN_MEMBERSHIPS)),
        ForceRowSecurity("ApiKey", (*tenant_policies(), PRESENTED_KEY)),
        ForceRowSecurity("AuditEvent", append_only_policies()),
    ]
