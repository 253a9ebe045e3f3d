import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import core.clock
import core.ids
from core.migrations import ForceRowSecurity, Policy, context_value, tenant_policies

# Before they are a member, a person sees the invitations that are addressed to their account.
ADDRESSED = Policy("addressed", f"email IN (SELECT email FROM users WHERE id = {context_value('user_id')})", "SELECT")


class Migration(migrations.Migration):
    dependencies = [("workspaces", "0006_presented_key")]

    operations = [
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("email", models.EmailField(max_length=254)),
                (
                    "role",
                    models.CharField(
                        choices=[("owner", "Owner"), ("admin", "Admin"), ("member", "Member"), ("viewer", "Viewer")],
                        max_length=10,
                    ),
                ),
                ("created_at", models.DateTimeField(default=core.clock.utc_now, editable=False)),
                (
                    "invited_by",
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
                "db_table": "invitations",
                "constraints": [
                    models.UniqueConstraint(fields=("workspace", "email"), name="one_invitation_per_address")
                ],
                "indexes": [models.Index(fields=["email"], name="invitations_by_email")],
            },
        ),
        ForceRowSecurity("Invitation", (*tenant_policies(), ADDRESSED)),
    ]
