from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ontology", "0005_telemetry_twins"),
    ]

    operations = [
        migrations.RemoveIndex(model_name="edge", name="edges_out"),
        migrations.RemoveIndex(model_name="edge", name="edges_in"),
        migrations.AddIndex(
            model_name="edge", index=models.Index(fields=["workspace", "source"], name="edges_of_source")
        ),
        migrations.AddIndex(
            model_name="edge", index=models.Index(fields=["workspace", "target"], name="edges_of_target")
        ),
        migrations.AddIndex(
            model_name="edge",
            index=models.Index(
                condition=models.Q(("is_deleted", False)),
                fields=["workspace", "target", "source"],
                name="live_edges_in",
            ),
        ),
    ]
