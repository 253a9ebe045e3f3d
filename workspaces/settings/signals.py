"""What apps above may listen to; they hear of it in the transaction that does it."""

from __future__ import annotations

from django.dispatch import Signal

# With `caller`: memory was off in the caller's workspace and is on.
memory_enabled = Signal()
