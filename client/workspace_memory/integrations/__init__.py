"""Adapters for agent frameworks. Each module needs its framework, which the extra of its name brings."""
