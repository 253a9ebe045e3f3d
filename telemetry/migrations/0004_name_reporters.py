from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("telemetry", "0003_annotator_kind"),
        ("workspaces", "0001_initial"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="sequence",
            name="sequences_begin_once",
        ),
        migrations.AddField(
            model_name="action",
            name="is_trusted",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="action",
            name="reporter",
            field=models.CharField(blank=True, db_default="", default="", max_length=80),
        ),
        migrations.AddField(
            model_name="arrival",
            name="reporter",
            field=models.CharField(blank=True, db_default="", default="", max_length=80),
        ),
        migrations.AddField(
            model_name="injection",
            name="reporter",
            field=models.CharField(blank=True, db_default="", default="", max_length=80),
        ),
        migrations.AddField(
            model_name="sequence",
            name="is_trusted",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="sequence",
            name="reporter",
            field=models.CharField(blank=True, db_default="", default="", max_length=80),
        ),
        migrations.AddConstraint(
            model_name="sequence",
            constraint=models.UniqueConstraint(
                fields=("workspace", "reporter", "session", "started_at"), name="sequences_begin_once"
            ),
        ),
    ]
