"""Naming a mind costs nothing: the heavy packages come with the first use."""

from __future__ import annotations

import subprocess
import sys

LIGHT = """
import sys
import relembra.minds.port, relembra.minds.embedders, relembra.minds.onnx
from relembra.minds import embedders
from relembra.minds.offline import analysis, language, wordpiece
embedders.OfflineEmbedder(), analysis.BilingualAnalyzer().terms("olá")
assert wordpiece.OfflineTokens().count("quantos tokens?") > 0
print(*(name for name in ("numpy", "onnxruntime", "httpx", "tokenizers") if name in sys.modules))
"""


def test_importing_and_counting_load_no_heavy_package() -> None:
    done = subprocess.run([sys.executable, "-c", LIGHT], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


RACE = """
import importlib._bootstrap, importlib.machinery, sys, threading, time
from relembra.minds.onnx import runtime

class Held(importlib.machinery.SourceFileLoader):
    "Holds the import of numpy up in its midst until another thread waits for it."

    def exec_module(self, module):
        begun.set()
        ends = time.monotonic() + 60
        while not importlib._bootstrap._module_locks["numpy"]().waiters and time.monotonic() < ends:
            time.sleep(0.01)
        super().exec_module(module)

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "numpy._globals":
            found = importlib.machinery.PathFinder.find_spec(name, path)
            found.loader = Held(name, found.origin)
            return found

def load_numpy():
    import numpy as np
    assert np.linalg.norm(np.ones(4)) == 2

def load_runtime():
    begun.wait()
    runtime().SessionOptions()

begun, failed = threading.Event(), []
threading.excepthook = lambda told: failed.append(repr(told.exc_value))
sys.meta_path.insert(0, Finder())
threads = [threading.Thread(target=load_numpy), *(threading.Thread(target=load_runtime) for _ in range(8))]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
load_numpy()
print(failed)
"""


def test_threads_that_load_numpy_and_the_runtime_at_once_get_both_whole() -> None:
    """The runtime is asked for while numpy is half imported: it used to break both for the rest of the process."""
    done = subprocess.run([sys.executable, "-c", RACE], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr
