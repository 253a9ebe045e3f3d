"""Scripts that run other products in environments of their own, where nothing of ours is installed.

Each reads a request from the file that is named first, and writes an answer to the one that is named second:
{"embedder": url of an OpenAI-compatible endpoint, "depth": hits, "seconds", "timed": questions,
"talks": [{"id", "messages": [{"id", "text"}]}], "questions": [{"id", "talk", "text"}]}
→ {"version", "ingest_seconds", "milliseconds": […], "ranked": {question id: [ids]}}. The first `timed` questions are
asked once more, for ten hits and with another question mark, to take their time; then all, for that number of seconds.
"""
