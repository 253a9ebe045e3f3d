from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ontology", "0004_merging"),
    ]

    operations = [
        migrations.AlterField(
            model_name="graphoutbox",
            name="entity",
            field=models.CharField(
                choices=[
                    ("node", "Node"),
                    ("edge", "Edge"),
                    ("sequence", "Sequence"),
                    ("action", "Action"),
                    ("pattern", "Pattern"),
                    ("benchmark", "Benchmark"),
                ],
                max_length=12,
            ),
        ),
    ]
