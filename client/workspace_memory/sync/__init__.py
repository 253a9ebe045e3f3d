"""The client that blocks. Derived from `workspace_memory.aio` by `derive_sync.py`."""
