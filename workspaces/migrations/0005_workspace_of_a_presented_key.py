from django.db import migrations

from core.migrations import AddPolicies, Policy, context_value

# Whoever presents a key may see its workspace before entering it: whether it is still there.
PRESENTED = Policy(
    "presented",
    f"id IN (SELECT workspace_id FROM api_keys WHERE secret_hash = {context_value('secret_hash', 'text')})",
    "SELECT",
)


class Migration(migrations.Migration):
    dependencies = [("workspaces", "0004_erased_answers")]

    operations = [AddPolicies("Workspace", [PRESENTED])]
