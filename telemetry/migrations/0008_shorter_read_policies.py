"""Read policies that cost less for each row, and less to plan."""

from django.db import migrations

from core.space_migrations import ReplaceReadPolicy


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("telemetry", "0007_ids_of_workspaces")]

    operations = [
        ReplaceReadPolicy("Action"),
        ReplaceReadPolicy("Arrival"),
        ReplaceReadPolicy("Intent"),
        ReplaceReadPolicy("Sequence"),
        ReplaceReadPolicy("Pattern"),
        ReplaceReadPolicy("Injection"),
        ReplaceReadPolicy("Metric"),
        ReplaceReadPolicy("Benchmark"),
        ReplaceReadPolicy("Change"),
    ]
