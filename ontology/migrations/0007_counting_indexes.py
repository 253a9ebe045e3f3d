from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [
        ("ontology", "0006_traversal_indexes"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="node",
            index=models.Index(fields=["workspace", "id"], condition=Q(is_deleted=True), name="nodes_forgotten"),
        ),
        migrations.AddIndex(
            model_name="node",
            index=models.Index(
                fields=["workspace", "type", "created_at"],
                condition=Q(is_deleted=False, reference_count=0),
                name="nodes_never_referenced",
            ),
        ),
    ]
