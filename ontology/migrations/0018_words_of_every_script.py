"""Accents are composed before words are indexed, and text without spaces is found by pairs of its characters."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations

from core.db.word_triggers import ComposeWords


class Migration(migrations.Migration):
    atomic = False  # rows are written again some at a time, while the table is used

    dependencies: ClassVar = [("ontology", "0017_histories_of_nodes")]

    operations: ClassVar = [ComposeWords("node", "name", "body")]
