"""Records as rows again: what a record may hold, checked before the database sees it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Field, ForeignKey

from core.errors import InvalidError
from transfer.kinds import Kind
from transfer.records import KIND
from workspaces.callers import Caller
from workspaces.tenancy import TenantModel


class UnfitRecordError(InvalidError):
    """A record of the file cannot be a row; the message names its line."""

    code = "unfit_record"


def row_of(kind: Kind, record: Mapping[str, Any], *, caller: Caller, line: int) -> TenantModel:
    """The row of a record. Raises UnfitRecordError for names, types and lengths that the table does not take."""
    fields = {field.attname: field for field in kind.fields}
    record = {name: value for name, value in record.items() if name != KIND}
    if strange := sorted(record.keys() - fields.keys()):
        raise UnfitRecordError(f"Line {line}: a {kind.name} has no {', '.join(strange)[:200]}.")
    try:
        values = {name: _value(fields[name], value) for name, value in record.items()}
    except (ValidationError, ValueError, TypeError, OverflowError) as error:
        raise UnfitRecordError(f"Line {line}: the {kind.name} has a value that its column does not take.") from error
    return kind.model(workspace_id=caller.workspace_id, **values)


def _value(field: Field[Any, Any], value: Any) -> Any:
    if value is None:
        if not field.null:
            raise ValueError(field.attname)
        return None
    column = field.target_field if isinstance(field, ForeignKey) else field
    read = column.to_python(value)
    if isinstance(read, float) and not math.isfinite(read):
        raise ValueError(field.attname)
    if field.choices and read not in {choice for choice, _ in field.flatchoices}:
        raise ValueError(field.attname)
    field.run_validators(read)
    return read
