"""Set-ups of the common clients, ready to paste: where each goes, and its text with the address and the key."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

# What stands in a set-up where no key was made yet.
PLACEHOLDER = "oxa_live_…"
SERVER = "workspace-memory"


@dataclass(frozen=True, slots=True)
class SetupTarget:
    """What a set-up leads to: the server's address, the workspace, and the secret of a key."""

    home: str
    workspace_id: str
    secret: str = PLACEHOLDER

    @property
    def mcp_url(self) -> str:
        """The address of the MCP door."""
        return f"{self.home}/mcp"

    @property
    def memories_url(self) -> str:
        """The address of the workspace's memories over REST."""
        return f"{self.home}/v1/workspaces/{self.workspace_id}/memories"

    @property
    def bearer(self) -> str:
        """The header's value."""
        return f"Bearer {self.secret}"


@dataclass(frozen=True, slots=True)
class SetupStep:
    """A text to paste, and where it goes."""

    where: str
    code: str


@dataclass(frozen=True, slots=True)
class ClientSetup:
    """A client: how it is connected with a key, and by signing in where it knows OAuth.

    `trial` is what makes it remember something: a sentence for an agent, or what to run for a program.
    """

    slug: str
    label: str
    about: str
    docs: str
    steps: Callable[[SetupTarget], list[SetupStep]]
    sign_in: Callable[[SetupTarget], list[SetupStep]] | None = None
    is_agent: bool = True


def _config(**entry: object) -> str:
    return json.dumps({"mcpServers": {SERVER: entry}}, indent=2, ensure_ascii=False)


def _header(target: SetupTarget) -> dict[str, str]:
    return {"Authorization": target.bearer}


def _claude_code(target: SetupTarget) -> list[SetupStep]:
    code = f'claude mcp add --transport http {SERVER} {target.mcp_url} \\\n  --header "Authorization: {target.bearer}"'
    return [SetupStep("In a terminal, in the project's folder", code)]


def _oauth_claude_code(target: SetupTarget) -> list[SetupStep]:
    return [
        SetupStep(
            "In a terminal, in the project's folder", f"claude mcp add --transport http {SERVER} {target.mcp_url}"
        ),
        SetupStep("In Claude Code, then choose the server and Authenticate", "/mcp"),
    ]


def _claude_desktop(target: SetupTarget) -> list[SetupStep]:
    env = {"WSM_URL": target.home, "WSM_KEY": target.secret}
    return [
        SetupStep(
            "In a terminal, in the folder of this product: what Claude starts",
            'pip install "./client[mcp]"',
        ),
        SetupStep(
            "Settings → Developer → Edit Config (claude_desktop_config.json); write what `which wsm` prints for wsm",
            _config(command="wsm", args=["mcp"], env=env),
        ),
    ]


def _oauth_claude_desktop(target: SetupTarget) -> list[SetupStep]:
    where = "Settings → Connectors → Add custom connector; it needs a server that the internet reaches over https"
    return [SetupStep(where, target.mcp_url)]


def _cursor(target: SetupTarget) -> list[SetupStep]:
    return [SetupStep("~/.cursor/mcp.json, for all projects", _config(url=target.mcp_url, headers=_header(target)))]


def _oauth_cursor(target: SetupTarget) -> list[SetupStep]:
    return [SetupStep("~/.cursor/mcp.json, for all projects", _config(url=target.mcp_url))]


def _vs_code(target: SetupTarget) -> list[SetupStep]:
    entry = {"type": "http", "url": target.mcp_url, "headers": _header(target)}
    code = json.dumps({"servers": {SERVER: entry}}, indent=2, ensure_ascii=False)
    return [SetupStep("The file that the command “MCP: Open User Configuration” opens", code)]


def _oauth_vs_code(target: SetupTarget) -> list[SetupStep]:
    code = json.dumps({"servers": {SERVER: {"type": "http", "url": target.mcp_url}}}, indent=2, ensure_ascii=False)
    return [SetupStep("The file that the command “MCP: Open User Configuration” opens", code)]


def _codex_entry(target: SetupTarget) -> str:
    return f'[mcp_servers.{SERVER}]\nurl = "{target.mcp_url}"'


def _codex(target: SetupTarget) -> list[SetupStep]:
    return [
        SetupStep("~/.codex/config.toml", f'{_codex_entry(target)}\nbearer_token_env_var = "WSM_KEY"'),
        SetupStep("In the terminal from which Codex is started", f"export WSM_KEY={target.secret}"),
    ]


def _oauth_codex(target: SetupTarget) -> list[SetupStep]:
    return [
        SetupStep("~/.codex/config.toml", _codex_entry(target)),
        SetupStep("In a terminal", f"codex mcp login {SERVER}"),
    ]


def _python(target: SetupTarget) -> list[SetupStep]:
    code = (
        "from workspace_memory import Memory\n\n"
        f'memory = Memory("{target.home}", "{target.secret}")\n'
        'memory.write("The oven of the second shop runs 10 degrees hot.")\n'
        'print(memory.search("how hot does the oven get?")[0].memory.content)'
    )
    return [
        SetupStep("In a terminal, in the folder of this product", "pip install ./client"),
        SetupStep("Python 3.11 or newer", code),
    ]


def _typescript(target: SetupTarget) -> list[SetupStep]:
    code = (
        'import { Memory } from "workspace-memory";\n\n'
        f'const memory = new Memory("{target.home}", "{target.secret}");\n'
        'await memory.write("The oven of the second shop runs 10 degrees hot.");\n'
        'const found = await memory.search("how hot does the oven get?", { limit: 3 });\n'
        "console.log(found.results[0]?.memory.content);"
    )
    return [
        SetupStep("In a terminal, in the folder of this product: builds the package", "npm ci --prefix clients/js"),
        SetupStep("In the folder of your project, with the path to this product", "npm install path/to/clients/js"),
        SetupStep("TypeScript or JavaScript as an ES module: Node.js 18 or newer, Deno, Bun, a server's worker", code),
    ]


def _langgraph(target: SetupTarget) -> list[SetupStep]:
    code = (
        "from langchain_mcp_adapters.client import MultiServerMCPClient\n\n"
        "client = MultiServerMCPClient(\n"
        f'    {{"{SERVER}": {{"transport": "streamable_http", "url": "{target.mcp_url}",\n'
        f'        "headers": {{"Authorization": "{target.bearer}"}}}}}}\n'
        ")\n"
        "tools = await client.get_tools()  # give these to create_agent(model, tools)"
    )
    return [SetupStep("LangGraph, with pip install langchain-mcp-adapters", code), _other(target)]


def _other(target: SetupTarget) -> SetupStep:
    return SetupStep(
        "Any other framework or client that speaks MCP: streamable HTTP, not SSE",
        _config(type="http", url=target.mcp_url, headers=_header(target)),
    )


def _curl(target: SetupTarget) -> list[SetupStep]:
    head = f'curl {target.memories_url} \\\n  -H "Authorization: {target.bearer}"'
    body = '{"content": "The oven of the second shop runs 10 degrees hot."}'
    return [
        SetupStep("The first call: what is remembered", head),
        SetupStep("Remember something", f"{head} \\\n  -H \"Content-Type: application/json\" \\\n  -d '{body}'"),
        SetupStep("One tool over MCP: its name and arguments, without a session", _curl_tool(target)),
    ]


def _curl_tool(target: SetupTarget) -> str:
    wanted = {"name": "memory.recall", "arguments": {"query": "Which oven runs hot?"}}
    call = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": wanted})
    headers = (f"Authorization: {target.bearer}", "Content-Type: application/json", "Accept: application/json")
    return " \\\n  ".join([f"curl {target.mcp_url}", *(f'-H "{header}"' for header in headers), f"-d '{call}'"])


MCP_DOCS = "how-to/mcp.md"
CLIENTS = {
    setup.slug: setup
    for setup in (
        ClientSetup(
            "claude-code", "Claude Code", "over MCP", f"{MCP_DOCS}#claude-code", _claude_code, _oauth_claude_code
        ),
        ClientSetup(
            "claude-desktop",
            "Claude Desktop",
            "over MCP, by a program on its machine",
            f"{MCP_DOCS}#claude-desktop",
            _claude_desktop,
            _oauth_claude_desktop,
        ),
        ClientSetup("cursor", "Cursor", "over MCP", f"{MCP_DOCS}#cursor", _cursor, _oauth_cursor),
        ClientSetup("vs-code", "VS Code", "over MCP", f"{MCP_DOCS}#vs-code", _vs_code, _oauth_vs_code),
        ClientSetup("codex", "Codex", "over MCP", f"{MCP_DOCS}#codex-cli", _codex, _oauth_codex),
        ClientSetup("python", "Python", "with the SDK", "how-to/sdk.md", _python, is_agent=False),
        ClientSetup("typescript", "TypeScript", "with the SDK", "how-to/js.md", _typescript, is_agent=False),
        ClientSetup("langgraph", "LangGraph and others", "over MCP", f"{MCP_DOCS}#any-other", _langgraph),
        ClientSetup("curl", "curl", "over REST or MCP", "reference/rest.md", _curl, is_agent=False),
    )
}
