from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("conversations", "0003_waiting_in_order"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="conversation",
            index=models.Index(
                condition=models.Q(("last_message_at__isnull", False)),
                fields=["workspace", "-last_message_at", "-id"],
                name="conversations_used_last",
            ),
        ),
    ]
