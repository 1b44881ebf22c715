"""The command line of gieok: `gieok demo`, `gieok chat`, `gieok recall …`.

A module holds a group of commands and is imported when one of them runs, so that `gieok --help` answers at once.
"""

from __future__ import annotations

import os
import sys
from typing import TextIO

INTERRUPTED = 130  #: the exit code of a command that Ctrl-C ended


def main() -> None:
    """Run the command. An error that gieok or the system raises on purpose is one line on stderr, and exit code 1."""
    try:
        from gieok.cli.handover import run_by_resident

        code = run_by_resident()
        if code is None:
            code = run_here()
    except KeyboardInterrupt:  # while it is still loading; later the command itself hears it
        code = INTERRUPTED
    sys.exit(code)


def run_here() -> int:
    """Run the command in this process, and return its exit code."""
    from gieok.cli.app import run
    from gieok.cli.console import complain, explained, ready_streams
    from gieok.errors import GieokError

    ready_streams()
    try:
        try:
            return run(sys.argv[1:])
        finally:
            _flush()  # an error of writing is reported here, not at the end of the interpreter
    except BrokenPipeError:  # the reader of a pipe has left
        _close_stdout()
    except (GieokError, OSError) as trouble:
        complain(explained(trouble))
        _close_stdout()
    return 1


def _flush() -> None:
    stdout: TextIO | None = sys.stdout  # none where it was closed from the start
    if stdout is not None:
        stdout.flush()


def _close_stdout() -> None:
    """Write nothing more to stdout, so that what failed is not tried again at the end of the interpreter."""
    try:
        _flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
