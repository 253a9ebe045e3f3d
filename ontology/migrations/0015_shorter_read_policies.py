"""Read policies that cost less for each row, and less to plan."""

from django.db import migrations

from core.space_migrations import ReplaceReadPolicy


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("ontology", "0014_ids_of_workspaces")]

    operations = [
        ReplaceReadPolicy("Connection"),
        ReplaceReadPolicy("Node"),
        ReplaceReadPolicy("NodeEmbedding"),
        ReplaceReadPolicy("Edge"),
        ReplaceReadPolicy("MergeCandidate"),
        ReplaceReadPolicy("Merge"),
        ReplaceReadPolicy("NodeType"),
        ReplaceReadPolicy("EdgeType"),
        ReplaceReadPolicy("Change"),
    ]
