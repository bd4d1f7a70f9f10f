"""Serves the SDK's example of a server as it is: over Streamable HTTP at a port, or over standard input and output."""

import runpy
import sys

mcp = runpy.run_path("mcp-2.3.0/examples/snippets/servers/elicitation.py")["mcp"]
if len(sys.argv) > 1:
    mcp.run(transport="streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
else:
    mcp.run(transport="stdio")
