"""What a line of the web server's log may tell."""

from __future__ import annotations

import logging


class WithoutQuery(logging.Filter):
    """Cuts the query string off uvicorn's line for a request: what people search for belongs in no log."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple) and len(record.args) == 5:
            client, method, path, version, status = record.args
            record.args = (client, method, str(path).partition("?")[0], version, status)
        return True
