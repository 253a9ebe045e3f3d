"""Work of the schedule in every workspace, one after the other."""

from __future__ import annotations

import logging
from collections.abc import Callable
from uuid import UUID

from django.db import InterfaceError, OperationalError

from workspaces.access.selectors import all_workspace_ids

log = logging.getLogger(__name__)


def sum_over_workspaces(step: Callable[[UUID], int]) -> int:
    """Return the sum of what `step` returns for each live workspace.

    What fails in one workspace would keep all that come after it waiting for ever, whatever it is: a row that is older
    than a rule, a mistake of ours. So it is logged by its kind, and the first such error is raised when all others are
    done, so that the task counts as failed. A database that is away is raised at once.
    """
    total, errors = 0, []
    for identity in all_workspace_ids():
        try:
            total += step(identity)
        except (OperationalError, InterfaceError):
            raise
        except Exception as error:  # see above
            log.error("workspace_failed workspace=%s cause=%s", identity, type(error).__name__, exc_info=error)
            errors.append(error)
    if errors:
        raise errors[0]
    return total
