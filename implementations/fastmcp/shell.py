"""A shell with one command of FastMCP in it: each line is a tool and its arguments, called to its end."""

import subprocess
import sys

FIRST, SECOND = sys.argv[1:]

print("$ ", end="", flush=True)
for line in sys.stdin:
    tool, _, arguments = line.strip().partition(" ")
    server = FIRST if tool == "list_items" else SECOND
    program = ["venv/bin/fastmcp", "call", server, tool, "--input-json", arguments]
    subprocess.run(program, stdin=subprocess.DEVNULL, check=False)
    print("$ ", end="", flush=True)
