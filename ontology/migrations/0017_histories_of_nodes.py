"""Entries of the outbox about the agent history of a node."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ontology", "0016_edges_of_a_space")]

    operations = [
        migrations.AlterField(
            "graphoutbox",
            "entity",
            models.CharField(
                choices=[
                    ("node", "Node"),
                    ("edge", "Edge"),
                    ("sequence", "Sequence"),
                    ("action", "Action"),
                    ("pattern", "Pattern"),
                    ("benchmark", "Benchmark"),
                    ("history", "History"),
                ],
                max_length=12,
            ),
        ),
    ]
