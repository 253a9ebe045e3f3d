"""Keys, references and unique constraints begin with the workspace; rows belong to spaces."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from core.db.online_index_operations import KeyInWorkspace, ReplaceUnique
from core.migrations import ReferenceInWorkspace
from core.space_migrations import DivideIntoSpaces


class Migration(migrations.Migration):
    atomic = False  # indexes are built without a lock, and constraints validated after they were added

    dependencies: ClassVar = [
        ("conversations", "0005_keys_and_spaces"),
        ("memory", "0009_words_of_long_runs"),
        ("ontology", "0012_keys_and_spaces"),
        ("workspaces", "0012_keys_in_workspace"),
    ]

    operations: ClassVar = [
        KeyInWorkspace("Memory"),
        KeyInWorkspace("MemoryRevision"),
        KeyInWorkspace("ForgottenFingerprint"),
        KeyInWorkspace("Run"),
        KeyInWorkspace("RunCitation"),
        KeyInWorkspace("ContextReceipt"),
        KeyInWorkspace("MemoryEpisode"),
        KeyInWorkspace("MemorySlot"),
        KeyInWorkspace("SlotItem"),
        KeyInWorkspace("UserMemory"),
        ReferenceInWorkspace("Memory", "node", deferred=True),
        ReferenceInWorkspace("MemoryEpisode", "conversation", deferred=True),
        ReferenceInWorkspace("MemoryRevision", "memory", deferred=True),
        ReferenceInWorkspace("RunCitation", "memory", deferred=True),
        ReferenceInWorkspace("RunCitation", "run", deferred=True),
        ReferenceInWorkspace("SlotItem", "slot", deferred=True),
        DivideIntoSpaces("Memory"),
        DivideIntoSpaces("MemoryRevision"),
        DivideIntoSpaces("ForgottenFingerprint"),
        DivideIntoSpaces("Run"),
        DivideIntoSpaces("RunCitation"),
        DivideIntoSpaces("ContextReceipt"),
        DivideIntoSpaces("MemoryEpisode"),
        DivideIntoSpaces("MemorySlot"),
        DivideIntoSpaces("SlotItem"),
        DivideIntoSpaces("UserMemory"),
        ReplaceUnique(
            "forgottenfingerprint",
            models.UniqueConstraint(fields=("workspace", "space_id", "fingerprint"), name="forgotten_once"),
        ),
        ReplaceUnique(
            "memory",
            models.UniqueConstraint(fields=("workspace", "space_id", "live_fingerprint"), name="no_live_duplicates"),
        ),
        ReplaceUnique(
            "memoryslot",
            models.UniqueConstraint(
                fields=("workspace", "space_id", "tier", "name", "scope_key"), name="one_slot_per_scope"
            ),
        ),
        ReplaceUnique(
            "slotitem", models.UniqueConstraint(fields=("workspace", "slot", "position"), name="slot_items_in_order")
        ),
        ReplaceUnique(
            "usermemory", models.UniqueConstraint(fields=("workspace", "space_id", "user"), name="one_memory_per_user")
        ),
    ]
