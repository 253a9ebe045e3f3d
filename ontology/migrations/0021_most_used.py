"""An index of the nodes that several runs cited, the most used ones first."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ontology", "0020_learned_last")]

    operations = [
        migrations.AddIndex(
            model_name="node",
            index=models.Index(
                fields=["workspace", "space_id", "-independent_references"],
                condition=models.Q(independent_references__gt=0),
                name="nodes_most_used",
            ),
        ),
    ]
