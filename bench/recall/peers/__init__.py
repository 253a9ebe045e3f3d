"""Scripts that run other products in environments of their own, where nothing of ours is installed.

Each reads a request from the file that is named first, and writes an answer to the one that is named second:
{"embedder": url of an OpenAI-compatible endpoint, "depth": hits, "timed_every": questions, "talks": [{"id",
"messages": [{"id", "text"}], "questions": [{"id", "text"}]}]} → {"version", "ingest_seconds", "milliseconds": […],
"ranked": {question id: [ids]}}. Each `timed_every`-th question is asked again, for ten hits and with another question
mark, to take its time.
"""
