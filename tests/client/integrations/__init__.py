"""Adapters of agent frameworks, tried with the frameworks' own packages."""
