"""Records as rows again: what a record may hold, checked before the database sees it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db.models import BooleanField, Field, FloatField, ForeignKey, IntegerField, JSONField

from core.errors import InvalidError
from core.space_ids import SHARED
from core.text import is_one_line
from core.text.json_limits import is_storable
from transfer.exports.records import KIND
from transfer.exports.tables import ExportedTable
from transfer.imports.lengths import is_line, is_too_large, is_too_long
from workspaces.access.callers import Caller
from workspaces.access.tenancy import TenantModel

# What JSON has for a column of each kind; for all others it is a text. A number is not text, and true is not a number.
SHAPES: dict[type[Field[Any, Any]], tuple[type, ...]] = {
    BooleanField: (bool,),
    FloatField: (int, float),
    IntegerField: (int,),
    ArrayField: (list,),
}
# Times outside of these years cannot be represented in every time zone.
FIRST_YEAR, LAST_YEAR = 2, 9998


class UnfitRecordError(InvalidError):
    """A record of the file cannot be a row; the message names its line."""

    code = "unfit_record"


def decode_row(kind: ExportedTable, record: Mapping[str, Any], *, caller: Caller, line: int) -> TenantModel:
    """Return the row of a record. Raises UnfitRecordError for names, types and lengths that the table does not take."""
    fields = {field.attname: field for field in kind.fields}
    record = {name: value for name, value in record.items() if name != KIND}
    if strange := sorted(record.keys() - fields.keys()):
        raise UnfitRecordError(f"Line {line}: a {kind.name} has no {', '.join(strange)[:200]}.")
    where = f"Line {line}: the {kind.name}"
    values = {name: decode_value(fields[name], value, where=where) for name, value in record.items()}
    if "space_id" in fields and "space_id" not in values:
        values["space_id"] = SHARED  # of an export from before there were spaces
    return kind.model(workspace_id=caller.workspace_id, **values)


def require_id(kind: ExportedTable, record: Mapping[str, Any], *, line: int) -> None:
    """Raise UnfitRecordError for a record without an id."""
    try:
        UUID(record[kind.key])
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise UnfitRecordError(f"Line {line}: the {kind.name} has no id under `{kind.key}`.") from error


def decode_value(field: Field[Any, Any], value: Any, *, where: str) -> Any:
    """Return a value as its column takes it. Raises UnfitRecordError, which begins with `where`."""
    try:
        return _value(field, value)
    except (ValidationError, ValueError, TypeError, OverflowError) as error:
        raise UnfitRecordError(f"{where} has no {field.attname} that can be kept.") from error


def _value(field: Field[Any, Any], value: Any) -> Any:
    if value is None:
        if not field.null:
            raise ValueError(field.attname)
        return None
    column = _column(field)
    if not _fits(column, value):
        raise TypeError(field.attname)
    if is_too_long(column, value) or (is_line(column) and not is_one_line(value)):
        raise ValueError(field.attname)
    if isinstance(column, ArrayField):
        return [_value(column.base_field, each) for each in value]
    read = column.to_python(value)
    if isinstance(read, float) and not math.isfinite(read):
        raise ValueError(field.attname)
    if is_too_large(column, read):
        raise ValueError(field.attname)
    if isinstance(read, datetime) and not (read.tzinfo and FIRST_YEAR <= read.year <= LAST_YEAR):
        raise ValueError(field.attname)
    if field.choices and read not in {choice for choice, _ in field.flatchoices}:
        raise ValueError(field.attname)
    field.run_validators(read)
    return read


def _column(field: Field[Any, Any]) -> Field[Any, Any]:
    """Return the column itself; of a reference, the one that it names."""
    while isinstance(field, ForeignKey):
        field = field.target_field
    return field


def _fits(column: Field[Any, Any], value: Any) -> bool:
    if isinstance(column, JSONField):  # an object or a list, as new rows have it; anything where they have nothing
        return is_storable(value) and (not column.has_default() or isinstance(value, type(column.get_default())))
    shape = next((shape for kind, shape in SHAPES.items() if isinstance(column, kind)), (str,))
    return isinstance(value, shape) and isinstance(value, bool) == isinstance(column, BooleanField)
