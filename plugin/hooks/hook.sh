#!/bin/sh
# Start the hook with the system's Python, where there is one: a shim on the PATH, such as that of pyenv, may take longer
# than the hook itself. On macOS (which has xcrun) /usr/bin/python3 may only offer to install one.
python=python3
if [ -x /usr/bin/python3 ] && [ ! -e /usr/bin/xcrun ]; then
    python=/usr/bin/python3
fi
exec "$python" -E -s -S "${0%/*}/memory_hook.py" "$@"
