from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("conversations", "0002_message_words"),
    ]

    operations = [
        migrations.RemoveIndex(model_name="messagewords", name="message_words_waiting"),
        migrations.AddIndex(
            model_name="messagewords",
            index=models.Index(
                condition=models.Q(("block", None)),
                fields=["workspace", "conversation", "said_at", "message"],
                name="message_words_waiting",
            ),
        ),
    ]
