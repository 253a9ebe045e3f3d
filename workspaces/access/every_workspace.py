"""Work of the schedule in every workspace, one after the other."""

from __future__ import annotations

import logging
from collections.abc import Callable
from uuid import UUID

from django.db import DatabaseError, OperationalError

from core.errors import ProductError
from workspaces.access.selectors import all_workspace_ids

log = logging.getLogger(__name__)

# What rows of one workspace can raise, and say nothing about another one's.
OF_A_WORKSPACE = (DatabaseError, ProductError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError)


def sum_over_workspaces(step: Callable[[UUID], int]) -> int:
    """Return the sum of what `step` returns for each live workspace.

    What its rows or our rules for them make fail in one workspace would keep all that come after it waiting for ever.
    So it is logged by its kind, and the first such error is raised when all others are done, so that the task counts as
    failed. Anything else is raised at once, as is a database that is away.
    """
    total, errors = 0, []
    for identity in all_workspace_ids():
        try:
            total += step(identity)
        except OperationalError:
            raise
        except OF_A_WORKSPACE as error:
            log.error("workspace_failed workspace=%s cause=%s", identity, type(error).__name__, exc_info=error)
            errors.append(error)
    if errors:
        raise errors[0]
    return total
