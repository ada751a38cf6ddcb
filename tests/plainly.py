"""A module of the tests run as plain Python, under `NUMBA_DISABLE_JIT=1`."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
EXAMPLES = os.pathsep.join(str(ROOT / path) for path in ("", "examples/nim", "examples/kuhn"))


def interpreted(module: str) -> dict[str, Any]:
    """What a module prints as JSON, with warnings as errors: a number that overflows is one."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", module],
        cwd=ROOT, env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": EXAMPLES},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer
