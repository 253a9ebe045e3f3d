"""A model provider on loopback that speaks the real wire formats, and misbehaves in the ways that real ones do."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from django.db import connections

Body = dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """What the server answers. `pieces` are its text; `usage` is (input, output) tokens, None where it reports none."""

    pieces: tuple[str, ...] = ("Tea ", "on ", "Mondays.")
    finish: str = "stop"
    usage: tuple[int, int] | None = (11, 7)
    status: int = 200
    error: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    refusal: str = ""
    calls_tool: str = ""
    raw: bytes | None = None
    waits_seconds: float = 0.0
    waits_between_seconds: float = 0.0
    goes_on: threading.Event | None = None
    """What all pieces but the first wait for."""
    hangs_up_after: int | None = None
    """After so many pieces (0: before any answer) the connection is closed without a word."""

    @property
    def text(self) -> str:
        return "".join(self.pieces)


def saying(text: str, **fields: Any) -> Reply:
    """A reply with this text, in words."""
    return Reply(pieces=tuple(re.findall(r"\S+\s*", text)), **fields)


def failing(status: int, error: str = "It did not work.", **fields: Any) -> Reply:
    """A reply with an HTTP error in the provider's error object."""
    return Reply(status=status, error=error, **fields)


@dataclass(frozen=True)
class Seen:
    """A request that the server received."""

    path: str
    headers: dict[str, str]
    body: Body

    @property
    def form(self) -> str:
        """The `response_format` that was asked for."""
        return str(self.body.get("response_format", {}).get("type", ""))


@dataclass
class ModelServer:
    """What to answer, and what was asked. Replies are given in order; the last one stays."""

    port: int = 0
    replies: list[Reply] = field(default_factory=lambda: [Reply()])
    seen: list[Seen] = field(default_factory=list)
    chooses: Callable[[Seen], Reply] | None = None
    is_closing: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def will(self, *replies: Reply) -> None:
        self.replies = list(replies)

    def reply_to(self, seen: Seen) -> Reply:
        self.seen.append(seen)
        if self.chooses:
            try:
                return self.chooses(seen)
            finally:
                connections.close_all()  # of this thread, in which it may have changed what is being asked about
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


@contextmanager
def model_server() -> Iterator[ModelServer]:
    """A running server; slow replies end with it."""
    state = ModelServer()
    handler = type("Handler", (_Handler,), {"state": state})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        state.port = server.server_port
        serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        serving.start()
        try:
            yield state
        finally:
            state.is_closing.set()
            server.shutdown()
            serving.join()


class _HungUpError(Exception):
    """The reply says to close the connection here."""


class _Handler(BaseHTTPRequestHandler):
    state: ModelServer
    protocol_version = "HTTP/1.1"
    timeout = 60

    def log_message(self, format: str, *args: Any) -> None:
        """Tests read `seen`."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        reply = self.state.reply_to(Seen(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
        try:
            self._wait(reply.waits_seconds)
            self._answer(reply, body)
        except (_HungUpError, ConnectionError):
            self.close_connection = True

    def _answer(self, reply: Reply, body: Body) -> None:
        if reply.hangs_up_after == 0:
            raise _HungUpError
        if reply.raw is not None:
            self._send(reply.status, reply.raw, reply.headers)
        elif reply.status != 200:
            self._send(reply.status, _json(_error_body(self.path, reply)), reply.headers)
        elif body.get("stream") or ":streamGenerateContent" in self.path:
            self._stream(reply, body)
        else:
            self._send(200, _json(_whole_body(self.path, reply, body)), reply.headers)

    def _send(self, status: int, content: bytes, headers: tuple[tuple[str, str], ...]) -> None:
        self.send_response(status)
        for name, value in (("Content-Type", "application/json"), ("Content-Length", str(len(content))), *headers):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def _stream(self, reply: Reply, body: Body) -> None:
        # No length and no chunks: the end of the stream is the end of the connection, as behind simple proxies, so
        # that hanging up cannot be told from finishing by the framing.
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        for number, event in enumerate(_events(self.path, reply, body)):
            if number == reply.hangs_up_after:
                raise _HungUpError
            self._wait(reply.waits_between_seconds if number else 0)
            while number and reply.goes_on and not reply.goes_on.is_set():
                self._wait(0.02)
            self.wfile.write(event)

    def _wait(self, seconds: float) -> None:
        if seconds and self.state.is_closing.wait(seconds):
            raise _HungUpError


def _error_body(path: str, reply: Reply) -> Body:
    if path.endswith("/messages"):
        return {"type": "error", "error": {"type": "invalid_request_error", "message": reply.error}}
    if "/v1beta/" in path:
        return {"error": {"code": reply.status, "message": reply.error, "status": "UNKNOWN"}}
    return {"error": {"message": reply.error, "type": "invalid_request_error", "code": None, "param": None}}


def _whole_body(path: str, reply: Reply, body: Body) -> Body:
    if path.endswith("/messages"):
        return {**_anthropic_message(body), "content": [{"type": "text", "text": reply.text}], **_anthropic_end(reply)}
    if "/v1beta/" in path:
        return _google_chunk(reply.text, reply, is_last=True)
    message: Body = {"role": "assistant", "content": None if reply.refusal or reply.calls_tool else reply.text}
    if reply.refusal:
        message["refusal"] = reply.refusal
    if reply.calls_tool:
        message["tool_calls"] = [_tool_call(reply)]
    answer = {**_openai_head(body, "chat.completion"), "choices": [_openai_choice(reply, message=message)]}
    return {**answer, "usage": _openai_usage(reply)} if reply.usage else answer


def _events(path: str, reply: Reply, body: Body) -> Iterator[bytes]:
    """Server-sent events, one for each piece and then those of the end."""
    if path.endswith("/messages"):
        yield from _anthropic_events(reply, body)
    elif "/v1beta/" in path:
        for place, piece in enumerate(reply.pieces, start=1):
            yield _event(_google_chunk(piece, reply, is_last=place == len(reply.pieces)))
    else:
        yield from _openai_events(reply, body)


def _openai_events(reply: Reply, body: Body) -> Iterator[bytes]:
    head = _openai_head(body, "chat.completion.chunk")
    deltas: list[Body] = [{"role": "assistant", "content": piece} for piece in reply.pieces]
    if reply.refusal:
        deltas = [{"role": "assistant", "refusal": reply.refusal}]
    if reply.calls_tool:
        deltas = [{"role": "assistant", "tool_calls": [{"index": 0, **_tool_call(reply)}]}]
    for delta in deltas:
        yield _event({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    yield _event({**head, "choices": [_openai_choice(reply, delta={})]})
    if reply.usage and body.get("stream_options", {}).get("include_usage"):
        yield _event({**head, "choices": [], "usage": _openai_usage(reply)})
    yield b"data: [DONE]\n\n"


def _openai_head(body: Body, kind: str) -> Body:
    return {"id": "chatcmpl-1", "object": kind, "created": 1_780_000_000, "model": body["model"]}


def _openai_choice(reply: Reply, **content: Any) -> Body:
    return {"index": 0, **content, "finish_reason": "tool_calls" if reply.calls_tool else reply.finish}


def _tool_call(reply: Reply) -> Body:
    return {"id": "call_1", "type": "function", "function": {"name": reply.calls_tool, "arguments": "{}"}}


def _openai_usage(reply: Reply) -> Body:
    given, made = reply.usage or (0, 0)
    return {"prompt_tokens": given, "completion_tokens": made, "total_tokens": given + made}


def _anthropic_events(reply: Reply, body: Body) -> Iterator[bytes]:
    start = {**_anthropic_message(body), "content": [], "stop_reason": None, "usage": _anthropic_usage(reply, made=1)}
    yield _event({"type": "message_start", "message": start})
    yield _event({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}})
    for piece in reply.pieces:
        delta = {"type": "text_delta", "text": piece}
        yield _event({"type": "content_block_delta", "index": 0, "delta": delta})
    yield _event({"type": "content_block_stop", "index": 0})
    end = _anthropic_end(reply)
    yield _event({"type": "message_delta", "delta": {"stop_reason": end["stop_reason"]}, "usage": end["usage"]})
    yield _event({"type": "message_stop"})


def _anthropic_message(body: Body) -> Body:
    return {"id": "msg_1", "type": "message", "role": "assistant", "model": body["model"], "stop_sequence": None}


def _anthropic_end(reply: Reply) -> Body:
    reason = {"stop": "end_turn", "length": "max_tokens"}.get(reply.finish, reply.finish)
    return {"stop_reason": reason, "usage": _anthropic_usage(reply, made=(reply.usage or (0, 0))[1])}


def _anthropic_usage(reply: Reply, *, made: int) -> Body:
    return {"input_tokens": (reply.usage or (0, 0))[0], "output_tokens": made}


def _google_chunk(text: str, reply: Reply, *, is_last: bool) -> Body:
    given, made = reply.usage or (0, 0)
    candidate: Body = {"content": {"role": "model", "parts": [{"text": text}]}, "index": 0}
    if is_last:
        candidate["finishReason"] = reply.finish.upper()
    return {
        "candidates": [candidate],
        "usageMetadata": {"promptTokenCount": given, "candidatesTokenCount": made, "totalTokenCount": given + made},
    }


def _event(data: Body) -> bytes:
    kind = f"event: {data['type']}\n" if "type" in data else ""
    return f"{kind}data: {json.dumps(data)}\n\n".encode()


def _json(data: Body) -> bytes:
    return json.dumps(data).encode()
