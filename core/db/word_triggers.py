"""Search vectors that a trigger writes: their function, and the migration operation that changes to them online."""

from __future__ import annotations

from uuid import UUID

from django.contrib.postgres.search import SearchVectorField
from django.db import transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import GeneratedField

from core.db.online_index_operations import state_table
from core.db.schema_changes import change_table
from core.db.search_vectors import SearchWords
from core.english.unspaced_scripts import CHARACTERS

ROWS_AT_ONCE = 2_000
# A search vector has at most a megabyte of words: this number of pairs of four-byte characters fits, with their places.
MAX_PAIRED_CHARACTERS = 50_000

_LONG_RUN = r"'([!-~]{255})', '\1 ', 'g'"

# Texts of ASCII, and whatever has neither such characters nor loose accents, have the words that PostgreSQL's parser
# finds. In other texts accents are composed, and every run of characters without spaces becomes pairs: those from its
# first character on, those from its second on, and by that its first and its last character alone.
SEARCH_WORDS = rf"""
CREATE OR REPLACE FUNCTION app.search_words(parts text[]) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SECURITY INVOKER AS $$
DECLARE
    content text;
    runs text;
    part text;
BEGIN
    FOREACH part IN ARRAY parts LOOP
        part := coalesce(part, '');
        IF octet_length(part) <> length(part) THEN
            part := normalize(part, NFC);
        END IF;
        IF length(part) > 512 THEN
            part := regexp_replace(part COLLATE "C", {_LONG_RUN});
        END IF;
        content := CASE WHEN content IS NULL THEN part ELSE content || ' ' || part END;
    END LOOP;
    IF octet_length(content) = length(content) OR content !~ '[{CHARACTERS}]' THEN
        RETURN to_tsvector('english'::regconfig, content);
    END IF;
    runs := regexp_replace(normalize(content, NFKC), '[^{CHARACTERS}]+', ' ', 'g');
    runs := left(runs, {MAX_PAIRED_CHARACTERS});
    RETURN to_tsvector('english'::regconfig, regexp_replace(content, '[{CHARACTERS}]+', ' ', 'g'))
        || to_tsvector('simple'::regconfig, regexp_replace(runs, '([^ ]{{2}})', '\1 ', 'g'))
        || to_tsvector('simple'::regconfig,
               regexp_replace(regexp_replace(runs, '(^| )([^ ])', '\1\2 ', 'g'), '([^ ]{{2}})', '\1 ', 'g'));
END
$$
"""

FIRST, LAST = (UUID(int=0), UUID(int=0)), (UUID(int=2**128 - 1), UUID(int=2**128 - 1))
# Where the next rows end that are looked at in one transaction.
ENDS = """
SELECT workspace_id, id FROM {table} WHERE (workspace_id, id) > (%s, %s)
 ORDER BY workspace_id, id LIMIT 1 OFFSET {skipped}
"""
DIFFERS = f"""
(octet_length({{column}}) <> length({{column}}) AND ({{column}} ~ '[{CHARACTERS}]' OR {{column}} IS NOT NFC NORMALIZED))
"""
# In the order of the key, so that no two writers each wait for a row of the other.
WRITE_AGAIN = """
WITH found AS MATERIALIZED (
    SELECT workspace_id, id FROM {table}
     WHERE (workspace_id, id) > (%s, %s) AND (workspace_id, id) <= (%s, %s) AND ({differs})
     ORDER BY workspace_id, id FOR NO KEY UPDATE
)
UPDATE {table} AS written SET words = NULL
  FROM found WHERE written.workspace_id = found.workspace_id AND written.id = found.id
"""


class ComposeWords(Operation):
    """Have a trigger write the column `words` of a table from these columns, and write it again where that differs.

    A generated column could only change with its whole table locked and rewritten. What is generated stays as it is,
    and only rows with loose accents or with characters of scripts without spaces are written again, some at a time. For
    a migration that is not atomic; it may be run again after it was stopped half way.
    """

    reversible = False

    def __init__(self, model_name: str, *columns: str) -> None:
        self.model_name = model_name
        self.columns = columns

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        state.models[app_label, self.model_name.lower()].fields["words"] = GeneratedField(
            expression=SearchWords(*self.columns), output_field=SearchVectorField(), db_persist=True
        )
        state.__dict__.pop("apps", None)  # rendered again when they are asked for

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        name, quote = state_table(to_state, app_label, self.model_name), schema_editor.connection.ops.quote_name
        table, function = quote(name), f"app.write_words_of_{name}"
        values = ", ".join(f"NEW.{quote(column)}" for column in self.columns)
        change_table(
            schema_editor,
            SEARCH_WORDS,
            f"CREATE OR REPLACE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql SECURITY INVOKER AS "
            f"$$ BEGIN NEW.words := app.search_words(ARRAY[{values}]); RETURN NEW; END $$",
            f"ALTER TABLE {table} ALTER COLUMN words DROP EXPRESSION IF EXISTS",
            f"CREATE OR REPLACE TRIGGER {quote(f'{name}_words')} "
            f"BEFORE INSERT OR UPDATE OF {', '.join(map(quote, self.columns))}, words ON {table} "
            f"FOR EACH ROW EXECUTE FUNCTION {function}()",
        )
        # Row security holds for the owner as well, so it steps aside meanwhile. The serving roles are not the owner.
        change_table(schema_editor, f"ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY")
        try:
            self._write_again(schema_editor, table)
        finally:
            change_table(schema_editor, f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Nothing goes back: older code reads what the trigger writes."""

    def describe(self) -> str:
        return f"Compose the words of {self.model_name} by a trigger"

    def _write_again(self, schema_editor: BaseDatabaseSchemaEditor, table: str) -> None:
        columns = map(schema_editor.connection.ops.quote_name, self.columns)
        differs = " OR ".join(DIFFERS.format(column=column) for column in columns)
        last: tuple[UUID, UUID] | None = FIRST
        while last is not None:
            begins = last
            with transaction.atomic(schema_editor.connection.alias), schema_editor.connection.cursor() as cursor:
                cursor.execute(ENDS.format(table=table, skipped=ROWS_AT_ONCE - 1), begins)
                last = cursor.fetchone()
                cursor.execute(WRITE_AGAIN.format(table=table, differs=differs), [*begins, *(last or LAST)])
