"""Reading receipts of contexts. `access_receipt` is the only road from an outside id to a receipt."""

from __future__ import annotations

from uuid import UUID

from core.errors import NotFoundError
from memory.models import (
    ContextReceipt,
)
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope


def access_receipt(caller: Caller, receipt_id: UUID) -> ContextReceipt:
    """Return the receipt of a context that was assembled in the caller's workspace.

    Raises NotFoundError, also where the call that it is of read more spaces than the caller does.
    """
    caller.require(Right.READ)
    with workspace_scope(caller):
        found = ContextReceipt.objects.of(caller).filter(id=receipt_id)
        receipt: ContextReceipt | None = found.first()
    if receipt is None or not (caller.reach.every or set(receipt.read_spaces) <= set(caller.reach.read)):
        raise NotFoundError()
    return receipt
