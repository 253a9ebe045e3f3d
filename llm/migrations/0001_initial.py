from decimal import Decimal

import django.db.models.deletion
from django.db import migrations, models

import core.clock
import core.ids
from core.migrations import ForceRowSecurity, append_only_policies


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("workspaces", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="ModelProvider",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=80)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("openai", "OpenAI, or a server that speaks its API"),
                            ("anthropic", "Anthropic"),
                            ("google", "Google Gemini"),
                        ],
                        max_length=12,
                    ),
                ),
                ("base_url", models.CharField(blank=True, max_length=500)),
                ("encrypted_key", models.TextField(blank=True)),
                ("key_hint", models.CharField(blank=True, max_length=4)),
                ("timeout_seconds", models.PositiveSmallIntegerField(default=60)),
                ("created_at", models.DateTimeField(default=core.clock.utc_now, editable=False)),
                ("updated_at", models.DateTimeField(auto_now=True)),
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
                "db_table": "model_providers",
                "constraints": [
                    models.UniqueConstraint(fields=("workspace", "name"), name="one_provider_per_name"),
                    models.CheckConstraint(
                        condition=models.Q(timeout_seconds__gte=1, timeout_seconds__lte=600),
                        name="timeout_is_1_to_600_seconds",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ModelChoice",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                (
                    "level",
                    models.CharField(
                        choices=[("conversation", "conversation"), ("agent", "agent"), ("workspace", "workspace")],
                        max_length=12,
                    ),
                ),
                ("subject", models.CharField(max_length=200)),
                ("tier", models.CharField(choices=[("small", "small"), ("large", "large")], max_length=5)),
                ("model", models.CharField(max_length=200)),
                ("input_price", models.DecimalField(decimal_places=6, default=Decimal(0), max_digits=12)),
                ("output_price", models.DecimalField(decimal_places=6, default=Decimal(0), max_digits=12)),
                (
                    "provider",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="choices",
                        to="llm.modelprovider",
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
                "db_table": "model_choices",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("workspace", "level", "subject", "tier"), name="one_choice_per_subject"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(level="workspace", subject=""),
                            models.Q(models.Q(level="workspace", _negated=True), models.Q(subject="", _negated=True)),
                            _connector="OR",
                        ),
                        name="only_the_workspace_has_no_subject",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(input_price__gte=0, output_price__gte=0), name="prices_are_not_negative"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PromptRun",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("kind", models.CharField(max_length=12)),
                ("provider", models.CharField(max_length=80)),
                ("model", models.CharField(max_length=200)),
                ("prompt_sha256", models.CharField(max_length=64)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("succeeded", "Succeeded"),
                            ("failed", "Failed"),
                            ("refused", "Refused"),
                            ("empty", "Empty"),
                            ("cut_off", "Cut Off"),
                            ("over_budget", "Over Budget"),
                        ],
                        max_length=12,
                    ),
                ),
                ("outcome", models.CharField(max_length=500)),
                ("input_tokens", models.PositiveIntegerField()),
                ("output_tokens", models.PositiveIntegerField()),
                ("credits", models.DecimalField(decimal_places=6, max_digits=18)),
                ("latency_ms", models.PositiveIntegerField()),
                ("created_at", models.DateTimeField(default=core.clock.utc_now, editable=False)),
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
                "db_table": "prompt_runs",
                "indexes": [
                    models.Index(fields=["workspace", "-id"], name="prompt_runs_newest"),
                    models.Index(fields=["workspace", "created_at"], include=("credits",), name="prompt_runs_spending"),
                ],
            },
        ),
        ForceRowSecurity("ModelProvider"),
        ForceRowSecurity("ModelChoice"),
        ForceRowSecurity("PromptRun", append_only_policies()),
    ]
