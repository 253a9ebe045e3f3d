"""Talking to providers: the only importer of pydantic-ai, which takes a second and 60 MB when it is first imported.

The router imports this package when a model is called; a serving process does so once it serves (config.warming).
"""
