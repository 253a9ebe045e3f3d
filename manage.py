#!/usr/bin/env python
"""Django's command line for this project."""

import os
import sys

# Commands that change the schema connect as the owning role; everything else may only read and write rows.
OWNER_COMMANDS = {"migrate", "flush", "sqlflush", "test"}


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if len(sys.argv) > 1 and sys.argv[1] in OWNER_COMMANDS:
        os.environ.setdefault("WSM_DATABASE_ROLE", "owner")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
