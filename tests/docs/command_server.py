"""`manage.py` of the pages, answered by the process of the test: it has imported everything already."""

from __future__ import annotations

import io
import shlex
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management import CommandError, call_command

from tests.serving import as_serving_role

# In the place of `.venv/bin/python`: sends `manage.py …` there, and is Python otherwise.
PROGRAM = """#!/bin/bash
[ "$1" = manage.py ] || exec {python} "$@"
exec 3<> "/dev/tcp/127.0.0.1/$COMMAND_PORT"
printf '%s\\n' "${{*@Q}}" >&3
read -r code <&3
cat <&3
exit "$code"
"""


class _Handler(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        _, name, *arguments = shlex.split(self.rfile.readline().decode())
        out = io.StringIO()
        code = 0
        try:
            with as_serving_role():
                call_command(name, *arguments, stdout=out, stderr=out, no_color=True)
        except CommandError as error:
            out.write(f"CommandError: {error}\n")
            code = error.returncode
        self.wfile.write(f"{code}\n{out.getvalue()}".encode())


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = False
    block_on_close = True


@contextmanager
def command_server() -> Iterator[int]:
    """Yield the port of a server that runs commands as the serving role, each in a thread of its own."""
    with _Server(("127.0.0.1", 0), _Handler) as server:
        serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        serving.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            serving.join()
