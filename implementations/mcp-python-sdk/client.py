"""Runs the SDK's example of a client, with the server that it is told of in place of the one that stands in its text."""

import os
from pathlib import Path

import mcp.client.sse
from mcp.client.streamable_http import streamable_http_client

EXAMPLE = Path("mcp-2.3.0/examples/snippets/clients/url_elicitation_client.py")

mcp.client.sse.sse_client = streamable_http_client
text = EXAMPLE.read_text().replace("http://localhost:8000/sse", os.environ["MCP_URL"])
exec(compile(text, EXAMPLE, "exec"), {"__name__": "__main__"})
