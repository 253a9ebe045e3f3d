import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.db.models.deletion
import django.db.models.functions.comparison
import pgvector.django.halfvec
import pgvector.django.indexes
from django.db import migrations, models

import core.clock
import core.ids
from core.migrations import ForceRowSecurity


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("workspaces", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Conversation",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("key", models.CharField(max_length=200)),
                ("title", models.CharField(blank=True, max_length=200)),
                (
                    "status",
                    models.CharField(choices=[("open", "Open"), ("ended", "Ended")], default="open", max_length=8),
                ),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("last_message_at", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(default=core.clock.utc_now)),
                (
                    "workspace",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="workspaces.workspace",
                    ),
                ),
            ],
            options={
                "db_table": "conversations",
                "indexes": [models.Index(fields=["workspace", "-id"], name="conversations_newest")],
                "constraints": [models.UniqueConstraint(fields=("workspace", "key"), name="one_conversation_per_key")],
            },
        ),
        migrations.CreateModel(
            name="Message",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("user", "User"),
                            ("assistant", "Assistant"),
                            ("tool", "Tool"),
                            ("system", "System"),
                        ],
                        max_length=10,
                    ),
                ),
                ("content", models.TextField()),
                ("name", models.CharField(blank=True, max_length=120)),
                ("metadata", models.JSONField(blank=True, default=dict)),
                ("session", models.CharField(max_length=200)),
                ("created_at", models.DateTimeField(default=core.clock.utc_now)),
                ("consolidated_at", models.DateTimeField(blank=True, null=True)),
                ("extracted_at", models.DateTimeField(blank=True, null=True)),
                ("needs_embedding", models.BooleanField(default=True)),
                (
                    "words",
                    models.GeneratedField(
                        db_persist=True,
                        expression=django.contrib.postgres.search.SearchVector("name", "content", config="english"),
                        output_field=django.contrib.postgres.search.SearchVectorField(),
                    ),
                ),
                (
                    "conversation",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="messages",
                        to="conversations.conversation",
                    ),
                ),
                (
                    "workspace",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="workspaces.workspace",
                    ),
                ),
            ],
            options={
                "db_table": "messages",
                "indexes": [
                    models.Index(fields=["conversation", "created_at", "id"], name="messages_in_order"),
                    models.Index(
                        condition=models.Q(("needs_embedding", True)),
                        fields=["workspace", "id"],
                        name="messages_without_vector",
                    ),
                    django.contrib.postgres.indexes.GinIndex(
                        django.contrib.postgres.indexes.OpClass(models.F("workspace"), name="uuid_ops"),
                        models.F("words"),
                        name="messages_words",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="MessageEmbedding",
            fields=[
                (
                    "message",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="embedding",
                        serialize=False,
                        to="conversations.message",
                    ),
                ),
                ("model", models.CharField(max_length=120)),
                ("dimensions", models.PositiveSmallIntegerField()),
                ("vector", pgvector.django.halfvec.HalfVectorField()),
                ("created_at", models.DateTimeField(default=core.clock.utc_now)),
                (
                    "workspace",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="workspaces.workspace",
                    ),
                ),
            ],
            options={
                "db_table": "message_embeddings",
                "indexes": [
                    models.Index(fields=["workspace", "model"], name="message_vectors_by_workspace"),
                    pgvector.django.indexes.HnswIndex(
                        django.contrib.postgres.indexes.OpClass(
                            django.db.models.functions.comparison.Cast(
                                "vector", pgvector.django.halfvec.HalfVectorField(dimensions=384)
                            ),
                            name="halfvec_cosine_ops",
                        ),
                        condition=models.Q(("dimensions", 384)),
                        ef_construction=64,
                        m=16,
                        name="message_embeddings_nearest",
                    ),
                ],
            },
        ),
        ForceRowSecurity("Conversation"),
        ForceRowSecurity("Message"),
        ForceRowSecurity("MessageEmbedding"),
    ]
