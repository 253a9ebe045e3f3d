"""Read policies that cost less for each row, and less to plan."""

from django.db import migrations

from core.space_migrations import ReplaceReadPolicy


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("conversations", "0006_space_indexes")]

    operations = [
        ReplaceReadPolicy("Conversation"),
        ReplaceReadPolicy("Message"),
        ReplaceReadPolicy("MessageEmbedding"),
        ReplaceReadPolicy("WordBlock"),
        ReplaceReadPolicy("WordBucket"),
        ReplaceReadPolicy("MessageWords"),
    ]
