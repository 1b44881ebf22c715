"""The command line of gieok: `gieok demo`, `gieok chat`, `gieok recall …`.

One file per group of commands. Whatever is slow to import (the store, morphology, the encoder) is imported by the
command that needs it, so that `gieok --help` answers at once.
"""

from __future__ import annotations

import os
import sys
from typing import TextIO

_STOPPED = 130  #: what a shell calls a command that Ctrl-C ended


def main() -> None:
    """Run the command. An error that gieok or the system raises on purpose is one line on stderr, and exit code 1."""
    try:
        _run()
    except KeyboardInterrupt:  # while it is still loading; later the command itself hears it
        sys.exit(_STOPPED)


def _run() -> None:
    from gieok.cli.app import app_for
    from gieok.cli.console import complain, ready_streams, told
    from gieok.errors import GieokError

    ready_streams()
    try:
        try:
            app_for(sys.argv[1:])(prog_name="gieok")
        finally:
            _flush()  # what cannot be written is told, not left for the end of the interpreter
    except BrokenPipeError:  # whoever reads has had enough
        _close_stdout()
        sys.exit(1)
    except (GieokError, OSError) as trouble:
        complain(told(trouble))
        _close_stdout()
        sys.exit(1)


def _flush() -> None:
    stdout: TextIO | None = sys.stdout  # none where it was closed from the start
    if stdout is not None:
        stdout.flush()


def _close_stdout() -> None:
    """Let nothing more be written there, so that what could not be is not tried once more at the end."""
    try:
        _flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
