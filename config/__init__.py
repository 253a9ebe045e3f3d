"""Wiring of the project: settings, URLs, schedules and what starts it. Knows every app, is known by none."""
