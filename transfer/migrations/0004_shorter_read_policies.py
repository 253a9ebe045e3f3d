"""Read policies that cost less for each row, and less to plan."""

from django.db import migrations

from core.space_migrations import ReplaceReadPolicy


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("transfer", "0003_keys_and_spaces")]

    operations = [
        ReplaceReadPolicy("Import"),
        ReplaceReadPolicy("ImportPart"),
    ]
