"""The asynchronous client. `workspace_memory.sync` is derived from this package by `derive_sync.py`."""
