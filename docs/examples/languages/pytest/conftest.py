"""The mock provider for every test that asks for `provider`: started once, stopped at the end."""

import json
import os
import pathlib
import shlex
import subprocess

import pytest

CLIENTS = pathlib.Path(__file__).parent.parent / "clients.json"


@pytest.fixture(scope="session")
def provider():
    """What the provider says when it is ready: its issuer, among others."""
    options = ["--port", "0", "--clients", str(CLIENTS), "--auto-approve", "alice", "--json"]
    command = [*shlex.split(os.environ.get("AOC", "npx aoc")), "provider", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        yield json.loads(process.stdout.readline())
        process.terminate()
