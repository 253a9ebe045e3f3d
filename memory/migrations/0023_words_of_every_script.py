"""Accents are composed before words are indexed, and text without spaces is found by pairs of its characters."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations

from core.db.word_triggers import ComposeWords


class Migration(migrations.Migration):
    atomic = False  # rows are written again some at a time, while the tables are used

    dependencies: ClassVar = [
        ("memory", "0022_sources_and_last_steps"),
        ("ontology", "0018_words_of_every_script"),
    ]

    operations: ClassVar = [ComposeWords("slotitem", "text"), ComposeWords("episodestatement", "text")]
