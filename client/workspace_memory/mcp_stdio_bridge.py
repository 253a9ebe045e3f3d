"""The MCP door over stdio: what a client asks here is asked of the server's `/mcp`, with the stored key."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

import click
import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    TextContent,
)

from workspace_memory.spaces import Spaces
from workspace_memory.wire import NOWHERE, VERSION, Address

REFUSED = -32001  # JSON-RPC leaves -32000 to -32099 to servers
CONNECT_SECONDS, ANSWER_SECONDS = 10.0, 300.0  # a tool may wait for a model
Context = ServerRequestContext[Any]


async def serve_stdio(address: Address, spaces: Spaces = NOWHERE, *, tools: str | None = None) -> None:
    """Answer a client on standard input and output until it closes its end. Nothing else is written to stdout.

    `tools` are the sets of tools to list, separated by commas; without them, those of the key. With a stamped key
    every request is stamped for the user of `spaces`, and with its mark each is a sub-agent's.
    Raises MCPError when the server refuses the connection to begin with.
    """
    named = f"?{urlencode({'tools': tools})}" if tools else ""
    async with (
        httpx2.AsyncClient(
            headers={"Authorization": f"Bearer {address.key}", "User-Agent": f"workspace-memory/{VERSION}"},
            timeout=httpx2.Timeout(CONNECT_SECONDS, read=ANSWER_SECONDS),
            transport=_ExplainedTransport(address, spaces),
        ) as http,
        Client(streamable_http_client(f"{address.url}/mcp{named}", http_client=http), cache=None) as remote,
        stdio_server() as (incoming, outgoing),
    ):
        server = _Relay(remote).server()
        await server.run(incoming, outgoing, server.create_initialization_options())


class _Relay:
    """Each request of the protocol, passed on to the server behind."""

    def __init__(self, remote: Client) -> None:
        self._remote = remote

    def server(self) -> Server[Any]:
        info = self._remote.server_info
        return Server(
            info.name if info else "workspace-memory",
            version=VERSION,
            instructions=self._remote.instructions,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_read_resource=self._read_resource,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
        )

    async def _list_tools(self, _: Context, params: PaginatedRequestParams | None) -> ListToolsResult:
        return await self._remote.list_tools(cursor=_cursor(params))

    async def _call_tool(self, _: Context, params: CallToolRequestParams) -> CallToolResult:
        # As a request of the protocol: at each call of a tool that is not listed the SDK's own method lists them again.
        request = CallToolRequest(params=CallToolRequestParams(name=params.name, arguments=params.arguments))
        try:
            return await self._remote.session.send_request(request, CallToolResult)
        except MCPError as error:
            if error.code != REFUSED:
                raise
            # As a result and not as an error of the protocol: then it is the agent that reads the cure.
            return CallToolResult(content=[TextContent(type="text", text=error.message)], is_error=True)

    async def _list_resources(self, _: Context, params: PaginatedRequestParams | None) -> ListResourcesResult:
        return await self._remote.list_resources(cursor=_cursor(params))

    async def _read_resource(self, _: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        return await self._remote.read_resource(params.uri)

    async def _list_prompts(self, _: Context, params: PaginatedRequestParams | None) -> ListPromptsResult:
        return await self._remote.list_prompts(cursor=_cursor(params))

    async def _get_prompt(self, _: Context, params: GetPromptRequestParams) -> GetPromptResult:
        return await self._remote.get_prompt(params.name, params.arguments)


class _ExplainedTransport(httpx2.AsyncHTTPTransport):
    """HTTP whose refusals and silences are errors of the protocol that say why, and end no connection.

    Without it the SDK shows a refusal without its reason, and gives up for good when the server is away for a moment.
    """

    def __init__(self, address: Address, spaces: Spaces) -> None:
        super().__init__()
        self._address, self._spaces, self._url = address, spaces, address.url

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        # Each time: a stamp is good for minutes, a client runs longer.
        request.headers.update(self._address.headers_of(self._spaces))
        try:
            answer = await super().handle_async_request(request)
            if answer.status_code < 400:
                return answer
            reason = _reason(answer.status_code, await answer.aread())
            await answer.aclose()
        except httpx2.TransportError as error:
            reason = f"no_answer: {self._url} does not answer ({type(error).__name__}). Is the server running?"
        click.echo(f"wsm mcp: {reason}", err=True)
        refusal = {"jsonrpc": "2.0", "id": None, "error": {"code": REFUSED, "message": reason}}
        return httpx2.Response(502, json=refusal, request=request)


def _reason(status: int, body: bytes) -> str:
    try:
        problem = json.loads(body)
        return str(problem["error"]["message"]) if "error" in problem else f"{problem['code']}: {problem['detail']}"
    except (ValueError, KeyError, TypeError):
        return f"http_{status}: The server answered {status}."


def _cursor(params: PaginatedRequestParams | None) -> str | None:
    return params.cursor if params else None
