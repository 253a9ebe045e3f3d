"""Keys, references and unique constraints begin with the workspace; rows belong to spaces."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations

from core.db.online_index_operations import KeyInWorkspace
from core.migrations import ReferenceInWorkspace
from core.space_migrations import DivideIntoSpaces


class Migration(migrations.Migration):
    atomic = False  # indexes are built without a lock, and constraints validated after they were added

    dependencies: ClassVar = [("transfer", "0002_started_imports")]

    operations: ClassVar = [
        KeyInWorkspace("Import", replaces="imports_in_workspace"),
        KeyInWorkspace("ImportPart"),
        ReferenceInWorkspace("ImportPart", "of", cascades=True),
        DivideIntoSpaces("Import"),
        DivideIntoSpaces("ImportPart"),
    ]
