"""The program that the plugin's hooks start: `memory_hook.py recall|capture|end`, and for people `status|deliver`.

It uses the standard library alone, and imports only what an event needs: the client waits for it to start.
"""

from __future__ import annotations

import os
import sys
import time

from memory_hooks import settings

# Of a hook: what says more is not the age of this process.
MAX_AGE = 10.0


def process_began() -> float:
    """Return the moment of the monotonic clock at which this process began; now, where the system does not say.

    On a machine that is busy, starting Python takes longer than everything else, and the client waits for it too.
    """
    try:
        with open("/proc/self/stat", encoding="ascii", errors="replace") as file:
            ticks = int(file.read().rpartition(")")[2].split()[19])
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        age = 0.0
    return time.monotonic() - (age if 0 <= age <= MAX_AGE else 0)


def main(arguments: list[str]) -> int:
    """Handle one event. The exit code is 0 whatever happens: a client takes others for a wish to stop it."""
    name = arguments[0] if len(arguments) == 1 else ""
    if name not in {"recall", "capture", "end", "status", "deliver"}:
        sys.stderr.write("Usage: memory_hook.py recall|capture|end|status|deliver\n")
        return 1
    chosen = settings.read_settings(os.environ)
    if not chosen.is_on and name != "status":
        return 0
    from memory_hooks import events  # it takes time to load, which hooks that are off do not need

    if name == "status":
        sys.stdout.write(events.describe(chosen))
        return 0
    if name == "deliver":
        events.deliver_now(chosen)
        return 0
    answer = events.handle(name, sys.stdin.buffer.read(events.MAX_EVENT_BYTES), chosen, began=process_began())
    if answer:
        sys.stdout.write(answer)
        sys.stdout.flush()
    # A request that is still on its way has a thread of its own, which is not waited for.
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
