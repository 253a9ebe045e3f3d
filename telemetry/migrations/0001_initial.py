import django.contrib.postgres.fields
import django.db.models.deletion
import pgvector.django.halfvec
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
            name="Intent",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("summary", models.CharField(max_length=600)),
                ("needs_embedding", models.BooleanField(default=True)),
                ("model", models.CharField(blank=True, max_length=120)),
                ("dimensions", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("vector", pgvector.django.halfvec.HalfVectorField(blank=True, null=True)),
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
                "db_table": "agent_intents",
            },
        ),
        migrations.CreateModel(
            name="Metric",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=80)),
                ("description", models.CharField(blank=True, max_length=300)),
                ("is_builtin", models.BooleanField(default=False)),
                ("event_filter", models.CharField(blank=True, max_length=1000)),
                ("success_condition", models.CharField(blank=True, max_length=1000)),
                (
                    "aggregation",
                    models.CharField(choices=[("rate", "rate"), ("average", "average"), ("p95", "p95")], max_length=8),
                ),
                (
                    "measure",
                    models.CharField(
                        choices=[("duration_ms", "duration_ms"), ("action_count", "action_count")], max_length=12
                    ),
                ),
                ("window_days", models.PositiveSmallIntegerField(default=7)),
                ("created_at", models.DateTimeField(default=core.clock.utc_now)),
                ("updated_at", models.DateTimeField(default=core.clock.utc_now)),
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
                "db_table": "agent_metrics",
            },
        ),
        migrations.CreateModel(
            name="Benchmark",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("date", models.DateField()),
                ("value", models.FloatField(blank=True, null=True)),
                ("sequences", models.PositiveIntegerField()),
                ("measured_at", models.DateTimeField(default=core.clock.utc_now)),
                (
                    "workspace",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="workspaces.workspace",
                    ),
                ),
                (
                    "metric",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="points",
                        to="telemetry.metric",
                    ),
                ),
            ],
            options={
                "db_table": "agent_benchmarks",
            },
        ),
        migrations.CreateModel(
            name="Pattern",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("action_type", models.CharField(max_length=64)),
                ("node_type", models.CharField(blank=True, max_length=64)),
                ("error_code", models.CharField(max_length=64)),
                ("status", models.CharField(choices=[("promoted", "Promoted"), ("retired", "Retired")], max_length=8)),
                ("support", models.PositiveIntegerField()),
                ("attempts", models.PositiveIntegerField()),
                ("confidence", models.FloatField()),
                ("recommendation", models.CharField(max_length=600)),
                (
                    "recommended_by",
                    models.CharField(choices=[("rule", "Rule"), ("model", "Model")], default="rule", max_length=5),
                ),
                ("annotation", models.CharField(blank=True, max_length=2000)),
                ("annotated_by", models.CharField(blank=True, max_length=200)),
                ("suppressed_at", models.DateTimeField(blank=True, null=True)),
                ("suppressed_by", models.CharField(blank=True, max_length=200)),
                ("shown", models.PositiveIntegerField(default=0)),
                ("shown_failed", models.PositiveIntegerField(default=0)),
                ("held_out", models.PositiveIntegerField(default=0)),
                ("held_out_failed", models.PositiveIntegerField(default=0)),
                ("promoted_at", models.DateTimeField(default=core.clock.utc_now)),
                ("retired_at", models.DateTimeField(blank=True, null=True)),
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
                "db_table": "agent_patterns",
            },
        ),
        migrations.CreateModel(
            name="Injection",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("batch", models.UUIDField()),
                ("session", models.CharField(max_length=200)),
                ("is_held_out", models.BooleanField()),
                ("sequence_id", models.UUIDField(blank=True, null=True)),
                ("injected_at", models.DateTimeField(default=core.clock.utc_now)),
                (
                    "result",
                    models.CharField(
                        blank=True,
                        choices=[("", "Open"), ("occurred", "Occurred"), ("avoided", "Avoided"), ("idle", "Idle")],
                        default="",
                        max_length=8,
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
                (
                    "pattern",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="telemetry.pattern",
                    ),
                ),
            ],
            options={
                "db_table": "agent_injections",
            },
        ),
        migrations.CreateModel(
            name="Sequence",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("session", models.CharField(max_length=200)),
                ("agent", models.CharField(max_length=120)),
                ("started_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField()),
                (
                    "outcome",
                    models.CharField(
                        choices=[("success", "success"), ("failure", "failure"), ("dead_end", "dead_end")], max_length=8
                    ),
                ),
                ("action_count", models.PositiveIntegerField()),
                ("failure_count", models.PositiveIntegerField()),
                ("duration_ms", models.PositiveBigIntegerField()),
                (
                    "steps",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), blank=True, default=list, size=None
                    ),
                ),
                (
                    "intent",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="+",
                        to="telemetry.intent",
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
                "db_table": "agent_sequences",
            },
        ),
        migrations.CreateModel(
            name="Action",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("session", models.CharField(max_length=200)),
                ("agent", models.CharField(max_length=120)),
                ("action_type", models.CharField(max_length=64)),
                ("tool", models.CharField(blank=True, max_length=120)),
                ("node_type", models.CharField(blank=True, max_length=64)),
                (
                    "node_ids",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.UUIDField(), blank=True, default=list, size=None
                    ),
                ),
                (
                    "outcome",
                    models.CharField(
                        choices=[("success", "success"), ("failure", "failure"), ("dead_end", "dead_end")], max_length=8
                    ),
                ),
                ("error_code", models.CharField(blank=True, max_length=64)),
                ("latency_ms", models.FloatField(blank=True, null=True)),
                ("occurred_at", models.DateTimeField(default=core.clock.utc_now)),
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
                "db_table": "agent_actions",
                "indexes": [
                    models.Index(fields=["workspace", "-id"], name="agent_actions_newest"),
                    models.Index(fields=["workspace", "session", "occurred_at"], name="agent_actions_of_session"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Arrival",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("session", models.CharField(max_length=200)),
                ("first_at", models.DateTimeField()),
                ("last_at", models.DateTimeField()),
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
                "db_table": "agent_arrivals",
                "indexes": [models.Index(fields=["workspace", "id"], name="agent_arrivals_in_order")],
            },
        ),
        migrations.AddIndex(
            model_name="intent",
            index=models.Index(
                condition=models.Q(("needs_embedding", True)),
                fields=["workspace", "id"],
                name="agent_intents_without_vector",
            ),
        ),
        migrations.AddIndex(
            model_name="intent",
            index=models.Index(fields=["workspace", "model"], name="agent_intents_by_model"),
        ),
        migrations.AddConstraint(
            model_name="metric",
            constraint=models.UniqueConstraint(fields=("workspace", "name"), name="one_metric_per_name"),
        ),
        migrations.AddConstraint(
            model_name="metric",
            constraint=models.CheckConstraint(
                condition=models.Q(("window_days__gte", 1), ("window_days__lte", 365)), name="windows_up_to_a_year"
            ),
        ),
        migrations.AddIndex(
            model_name="benchmark",
            index=models.Index(fields=["workspace", "-date"], name="agent_benchmarks_latest"),
        ),
        migrations.AddConstraint(
            model_name="benchmark",
            constraint=models.UniqueConstraint(fields=("metric", "date"), name="one_value_per_day"),
        ),
        migrations.AddIndex(
            model_name="pattern",
            index=models.Index(fields=["workspace", "status", "node_type"], name="agent_patterns_by_type"),
        ),
        migrations.AddConstraint(
            model_name="pattern",
            constraint=models.UniqueConstraint(
                fields=("workspace", "action_type", "node_type", "error_code"), name="one_pattern_per_key"
            ),
        ),
        migrations.AddConstraint(
            model_name="pattern",
            constraint=models.CheckConstraint(
                condition=models.Q(("support__lte", models.F("attempts"))), name="support_is_part_of_attempts"
            ),
        ),
        migrations.AddIndex(
            model_name="injection",
            index=models.Index(fields=["pattern", "-injected_at"], name="agent_injections_of_pattern"),
        ),
        migrations.AddIndex(
            model_name="injection",
            index=models.Index(fields=["workspace", "session", "injected_at"], name="agent_injections_of_session"),
        ),
        migrations.AddIndex(
            model_name="injection",
            index=models.Index(fields=["workspace", "injected_at"], name="agent_injections_by_time"),
        ),
        migrations.AddIndex(
            model_name="sequence",
            index=models.Index(fields=["workspace", "-ended_at", "-id"], name="agent_sequences_latest"),
        ),
        migrations.AddIndex(
            model_name="sequence",
            index=models.Index(fields=["intent"], name="agent_sequences_of_intent"),
        ),
        migrations.AddConstraint(
            model_name="sequence",
            constraint=models.UniqueConstraint(
                fields=("workspace", "session", "started_at"), name="sequences_begin_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="sequence",
            constraint=models.CheckConstraint(
                condition=models.Q(("started_at__lte", models.F("ended_at"))), name="sequences_go_forward"
            ),
        ),
        ForceRowSecurity("Action"),
        ForceRowSecurity("Arrival"),
        ForceRowSecurity("Intent"),
        ForceRowSecurity("Sequence"),
        ForceRowSecurity("Pattern"),
        ForceRowSecurity("Injection"),
        ForceRowSecurity("Metric"),
        ForceRowSecurity("Benchmark"),
    ]
