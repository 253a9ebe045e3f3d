import django.db.models.deletion
from django.db import migrations, models

import core.clock
import core.ids
from core.migrations import ForceRowSecurity, ReferenceInWorkspace


def id_field():
    return models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)


def workspace_field():
    return models.ForeignKey(
        db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="workspaces.workspace"
    )


def node_field():
    return models.ForeignKey(
        db_constraint=False,
        db_index=False,
        on_delete=django.db.models.deletion.CASCADE,
        related_name="+",
        to="ontology.node",
    )


class Migration(migrations.Migration):
    dependencies = [
        ("ontology", "0003_edges_and_connections"),
    ]

    operations = [
        migrations.AddField(model_name="node", name="needs_matching", field=models.BooleanField(default=False)),
        migrations.AddIndex(
            model_name="node",
            index=models.Index(
                condition=models.Q(("needs_matching", True)), fields=["workspace", "id"], name="nodes_to_match"
            ),
        ),
        migrations.CreateModel(
            name="MergeCandidate",
            fields=[
                ("id", id_field()),
                ("workspace", workspace_field()),
                ("first", node_field()),
                ("second", node_field()),
                ("score", models.FloatField()),
                ("reasons", models.JSONField(default=list)),
                ("kept_apart_at", models.DateTimeField(blank=True, null=True)),
                ("kept_apart_by", models.CharField(blank=True, max_length=200)),
                ("created_at", models.DateTimeField(default=core.clock.utc_now)),
            ],
            options={"db_table": "merge_candidates"},
        ),
        migrations.AddConstraint(
            model_name="mergecandidate",
            constraint=models.UniqueConstraint(fields=("workspace", "first", "second"), name="one_candidate_per_pair"),
        ),
        migrations.AddIndex(
            model_name="mergecandidate",
            index=models.Index(
                condition=models.Q(("kept_apart_at", None)),
                fields=["workspace", "-score"],
                name="candidates_best_first",
            ),
        ),
        migrations.AddIndex(
            model_name="mergecandidate", index=models.Index(fields=["workspace", "second"], name="candidates_by_second")
        ),
        migrations.CreateModel(
            name="Merge",
            fields=[
                ("id", id_field()),
                ("workspace", workspace_field()),
                ("kept", node_field()),
                ("absorbed", node_field()),
                ("record", models.JSONField(default=dict)),
                ("merged_by", models.CharField(max_length=200)),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
                ("undone_by", models.CharField(blank=True, max_length=200)),
                ("created_at", models.DateTimeField(default=core.clock.utc_now)),
            ],
            options={"db_table": "merges"},
        ),
        migrations.AddConstraint(
            model_name="merge",
            constraint=models.UniqueConstraint(
                condition=models.Q(("undone_at", None)),
                fields=("workspace", "absorbed"),
                name="absorbed_once_at_a_time",
            ),
        ),
        migrations.AddIndex(model_name="merge", index=models.Index(fields=["workspace", "-id"], name="merges_newest")),
        migrations.AddIndex(
            model_name="merge", index=models.Index(fields=["workspace", "kept"], name="merges_by_kept")
        ),
        ReferenceInWorkspace("MergeCandidate", "first", cascades=True),
        ReferenceInWorkspace("MergeCandidate", "second", cascades=True),
        ReferenceInWorkspace("Merge", "kept", cascades=True),
        ReferenceInWorkspace("Merge", "absorbed", cascades=True),
        ForceRowSecurity("MergeCandidate"),
        ForceRowSecurity("Merge"),
    ]
