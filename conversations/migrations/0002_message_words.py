import django.db.models.deletion
from django.db import migrations, models

import core.clock
import core.ids
from core.migrations import ForceRowSecurity


def workspace():
    return models.ForeignKey(
        db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="workspaces.workspace"
    )


def identity():
    return models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)


class Migration(migrations.Migration):
    """The word index as tables of its own; `manage.py rebuild_message_index`, or the schedule, fills them."""

    dependencies = [
        ("conversations", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="WordBlock",
            fields=[
                ("id", identity()),
                ("version", models.CharField(max_length=20)),
                ("size", models.PositiveIntegerField()),
                ("ids", models.BinaryField()),
                ("traits", models.BinaryField()),
                ("created_at", models.DateTimeField(default=core.clock.utc_now)),
                ("workspace", workspace()),
            ],
            options={
                "db_table": "word_blocks",
                "indexes": [models.Index(fields=["workspace"], name="word_blocks_by_workspace")],
            },
        ),
        migrations.CreateModel(
            name="WordBucket",
            fields=[
                ("id", identity()),
                ("bucket", models.PositiveSmallIntegerField()),
                ("postings", models.BinaryField()),
                (
                    "block",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="buckets",
                        to="conversations.wordblock",
                    ),
                ),
                ("workspace", workspace()),
            ],
            options={
                "db_table": "word_buckets",
                "indexes": [models.Index(fields=["workspace", "bucket"], name="word_buckets_by_workspace")],
                "constraints": [models.UniqueConstraint(fields=("block", "bucket"), name="one_bucket_of_a_block")],
            },
        ),
        migrations.CreateModel(
            name="MessageWords",
            fields=[
                (
                    "message",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="sheet",
                        serialize=False,
                        to="conversations.message",
                    ),
                ),
                ("version", models.CharField(max_length=20)),
                ("said_at", models.DateTimeField()),
                ("traits", models.BinaryField()),
                ("postings", models.BinaryField()),
                (
                    "block",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="sheets",
                        to="conversations.wordblock",
                    ),
                ),
                (
                    "conversation",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="conversations.conversation",
                    ),
                ),
                ("workspace", workspace()),
            ],
            options={
                "db_table": "message_words",
                "indexes": [
                    models.Index(fields=["conversation", "said_at", "message"], name="message_words_in_order"),
                    models.Index(
                        condition=models.Q(("block", None)), fields=["workspace"], name="message_words_waiting"
                    ),
                ],
            },
        ),
        ForceRowSecurity("WordBlock"),
        ForceRowSecurity("WordBucket"),
        ForceRowSecurity("MessageWords"),
        migrations.RemoveIndex(model_name="message", name="messages_words"),
        migrations.RemoveField(model_name="message", name="words"),
    ]
