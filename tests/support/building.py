"""Building gieok's wheel and its source archive with the backend that is installed: nothing is fetched."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def build(kind: str, out: Path, root: Path = ROOT) -> Path:
    """Build the "wheel" or the "sdist" of `root` into the folder `out`, and return the file."""
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(out)],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = out.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return built
