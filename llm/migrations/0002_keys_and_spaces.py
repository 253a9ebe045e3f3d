"""Keys, references and unique constraints begin with the workspace; rows belong to spaces."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations

from core.db.online_index_operations import KeyInWorkspace
from core.migrations import ReferenceInWorkspace, ReplacePolicies, workspace_append_only_policies, workspace_policies


class Migration(migrations.Migration):
    atomic = False  # indexes are built without a lock, and constraints validated after they were added

    dependencies: ClassVar = [("llm", "0001_initial")]

    operations: ClassVar = [
        KeyInWorkspace("ModelProvider"),
        KeyInWorkspace("ModelChoice"),
        KeyInWorkspace("PromptRun"),
        ReferenceInWorkspace("ModelChoice", "provider", deferred=True),
        ReplacePolicies("ModelProvider", workspace_policies()),
        ReplacePolicies("ModelChoice", workspace_policies()),
        ReplacePolicies("PromptRun", workspace_append_only_policies()),
    ]
