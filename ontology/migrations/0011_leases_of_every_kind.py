from django.db import migrations

from core.migrations import ForceRowSecurity


class LiftRowSecurity(ForceRowSecurity):
    """The opposite of its base, so that going back forces row security again."""

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        super().database_backwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label, schema_editor, from_state, to_state):
        super().database_forwards(app_label, schema_editor, from_state, to_state)

    def describe(self):
        return f"Lift row security from {self.model_name}"


class Migration(migrations.Migration):
    # `org.leases` takes the place of this table, whose rows are of the moment.
    dependencies = [
        ("ontology", "0010_count_independent_references"),
        ("workspaces", "0009_leases"),
    ]

    operations = [LiftRowSecurity("GraphLease"), migrations.DeleteModel("GraphLease")]
