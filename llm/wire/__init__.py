"""Talking to providers: the only importer of pydantic-ai, which takes a second and 60 MB when it is first imported.

The router imports this package when a model is called, and nothing else does.
"""
