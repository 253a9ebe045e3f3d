"""Keys, references and unique constraints begin with the workspace."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations

from core.db.online_index_operations import KeyInWorkspace
from core.migrations import (
    Policy,
    ReplacePolicies,
    in_workspace,
    workspace_append_only_policies,
    workspace_policies,
)


class Migration(migrations.Migration):
    atomic = False  # indexes are built without a lock, and constraints validated after they were added

    dependencies: ClassVar = [("workspaces", "0011_spaces")]

    operations: ClassVar = [
        KeyInWorkspace("Invitation"),
        KeyInWorkspace("AuditEvent"),
        KeyInWorkspace("IdempotentAnswer"),
        KeyInWorkspace("Lease"),
        KeyInWorkspace("Space"),
        ReplacePolicies("Workspace", (Policy("tenant", in_workspace("id")),)),
        ReplacePolicies("Membership", workspace_policies()),
        ReplacePolicies("ApiKey", workspace_policies()),
        ReplacePolicies("ConnectedApp", workspace_policies()),
        ReplacePolicies("Invitation", workspace_policies()),
        ReplacePolicies("IdempotentAnswer", workspace_policies()),
        ReplacePolicies("Lease", workspace_policies()),
        ReplacePolicies("AuditEvent", workspace_append_only_policies()),
    ]
