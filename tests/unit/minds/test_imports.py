"""Naming a mind costs nothing: the heavy packages come with the first use."""

from __future__ import annotations

import subprocess
import sys

LIGHT = """
import sys
import relembra.minds.port, relembra.minds.http, relembra.minds.folder, relembra.minds.fake, relembra.minds.onnx
from relembra.minds.offline import analysis, encoder, language, tokens, wordpiece
encoder.OfflineEmbedder(), analysis.BilingualAnalyzer().terms("olá")
assert tokens.OfflineTokens().count("quantos tokens?") > 0
print(*(name for name in ("numpy", "onnxruntime", "httpx", "tokenizers") if name in sys.modules))
"""


def test_importing_and_counting_load_no_heavy_package() -> None:
    done = subprocess.run([sys.executable, "-c", LIGHT], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
