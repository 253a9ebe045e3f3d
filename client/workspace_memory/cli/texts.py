"""Texts that may come from standard input."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

STANDARD_INPUT = "-"
F = TypeVar("F", bound=Callable[..., Any])


def read_text(context: click.Context, option: click.Parameter, value: str | None) -> str | None:
    """Return a text as it was given, or for `-` all of standard input. Raises UsageError where that is empty."""
    if value != STANDARD_INPUT:
        return value
    try:
        text = sys.stdin.buffer.read().decode().strip()
    except UnicodeDecodeError as error:
        raise click.UsageError("Standard input is not UTF-8 text.", context) from error
    if not text:
        raise click.UsageError("Standard input is empty.", context)
    return text


def text_argument(name: str, *, required: bool = True) -> Callable[[F], F]:
    """Add an argument that is a text, or `-` for standard input."""
    return click.argument(name, callback=read_text, required=required)
