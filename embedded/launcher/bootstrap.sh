#!/bin/sh
# Finds a Python that can make an environment and hands over to venv_setup.py. Usage: bootstrap.sh runtime|dev [PORT]
here=${0%/*}
lacking=
for python in ${PYTHON:-python3 python3.11 python3.12 python3.13 python3.14}; do
    "$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null || continue
    if "$python" -c 'import ensurepip, venv' 2>/dev/null || uv --version >/dev/null 2>&1; then
        exec "$python" "$here/venv_setup.py" "$@"
    fi
    lacking=$python
done
if [ -n "$lacking" ]; then
    echo "$lacking lacks the venv module: install it (on Debian or Ubuntu: apt install python3-venv) and run this again." >&2
else
    echo "No Python from 3.11 to 3.14 was found: install one (Debian, Ubuntu: apt install python3 python3-venv; macOS: brew install python@3.13), or name it with make PYTHON=/path/to/python3." >&2
fi
exit 1
