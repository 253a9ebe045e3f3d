"""A live edge is the only one of its type from one node to another in its space, and not in the workspace."""

from django.db import migrations, models

from core.db.online_index_operations import ReplaceUnique


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("ontology", "0015_shorter_read_policies")]

    operations = [
        ReplaceUnique(
            "Edge",
            models.UniqueConstraint(
                fields=["workspace", "source", "target", "type", "space_id"],
                condition=models.Q(is_deleted=False),
                name="one_live_edge",
            ),
        ),
    ]
