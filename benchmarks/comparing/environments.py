"""Making a peer's virtual environment: once, at pinned versions; kept for the next run while the pins stay the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from comparing.contenders import Environment

_STAMP: Final = "pins.json"
_PIP: Final = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input")


class NotInstalled(Exception):
    """A peer's environment could not be made; says why."""


def python_of(environment: Environment, folder: Path) -> Path:
    """Return the Python of an environment, which is made under `folder` if it is not there. Raises `NotInstalled`."""
    if not environment.own:
        return Path(sys.executable)
    place = folder.absolute() / environment.name
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = place / _STAMP
    pins = json.dumps([sys.version, environment.install, environment.without_dependencies])
    if python.exists() and stamp.exists() and stamp.read_text(encoding="utf-8") == pins:
        return python
    _run([sys.executable, "-m", "venv", "--clear", str(place)])
    _run([str(python), *_PIP, *environment.install])
    if environment.without_dependencies:
        _run([str(python), *_PIP, "--no-deps", *environment.without_dependencies])
    stamp.write_text(pins, encoding="utf-8")
    return python


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotInstalled(reason(done.stderr or done.stdout))


def reason(output: str) -> str:
    """Return what of a failed command's output says why: its last error line, else its last line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith("error") or "Error:" in line]
    return (errors or lines or ["it gave no reason"])[-1]
