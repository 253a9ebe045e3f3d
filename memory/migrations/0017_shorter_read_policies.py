"""Read policies that cost less for each row, and less to plan."""

from django.db import migrations

from core.space_migrations import ReplaceReadPolicy


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("memory", "0016_spaces_of_receipts")]

    operations = [
        ReplaceReadPolicy("Memory"),
        ReplaceReadPolicy("MemoryRevision"),
        ReplaceReadPolicy("ForgottenFingerprint"),
        ReplaceReadPolicy("Run"),
        ReplaceReadPolicy("RunCitation"),
        ReplaceReadPolicy("ContextReceipt"),
        ReplaceReadPolicy("MemoryEpisode"),
        ReplaceReadPolicy("MemorySlot"),
        ReplaceReadPolicy("SlotItem"),
        ReplaceReadPolicy("UserMemory"),
        ReplaceReadPolicy("EpisodeStatement"),
        ReplaceReadPolicy("Proposal"),
    ]
