"""Invitations that a link accepts, and accounts whose address nobody has vouched for."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from core.migrations import AddPolicies, Policy, ReplacePolicies, context_value

# Who made an account by a link was never shown to own its address: what others send to that address is not theirs.
ADDRESSED = Policy(
    "addressed",
    f"email IN (SELECT email FROM users WHERE id = {context_value('user_id')} AND is_email_confirmed)",
    "SELECT",
)
# The holder of a link sees the one invitation that it stands for.
PRESENTED = Policy("presented", f"token_hash = {context_value('secret_hash', 'text')}", "SELECT")


class Migration(migrations.Migration):
    dependencies: ClassVar = [("workspaces", "0019_first_call_of_a_key")]

    operations: ClassVar = [
        migrations.AddField("user", "is_email_confirmed", models.BooleanField(db_default=True, default=True)),
        migrations.AddField(
            "invitation", "token_hash", models.CharField(blank=True, db_default="", default="", max_length=64)
        ),
        migrations.AddField("invitation", "expires_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddIndex("invitation", models.Index(fields=["token_hash"], name="invitations_by_token")),
        ReplacePolicies("Invitation", (ADDRESSED,)),
        AddPolicies("Invitation", (PRESENTED,)),
    ]
