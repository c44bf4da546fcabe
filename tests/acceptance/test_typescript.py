"""The TypeScript client's own tests, which start a server of their own; types are checked by `make client`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CLIENT = Path(__file__).parents[2] / "clients" / "typescript"


def test_the_client_does_what_it_says() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed; the client needs Node 20 or later")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True, timeout=60).stdout.strip()
    if int(version.removeprefix("v").partition(".")[0]) < 20:
        pytest.skip(f"node is {version}; the client needs Node 20 or later")
    env = {**os.environ, "PYTHON": sys.executable}
    command = [node, "--test", "--test-reporter=tap", "test/client.test.js"]
    ran = subprocess.run(command, cwd=CLIENT, env=env, capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0, ran.stdout[-8_000:] + ran.stderr[-4_000:]
