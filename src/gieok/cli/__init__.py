"""The command line of gieok: `gieok demo`, `gieok chat`, `gieok recall …`.

One file per group of commands. Whatever is slow to import (the store, morphology, the encoder) is imported by the
command that needs it, so that `gieok --help` answers at once.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command. An error that gieok or the system raises on purpose is one line on stderr, and exit code 1."""
    from gieok.cli.app import app
    from gieok.cli.console import complain
    from gieok.cli.troubles import told
    from gieok.errors import GieokError

    try:
        app(prog_name="gieok")
    except (GieokError, OSError) as trouble:
        complain(told(trouble))
        sys.exit(1)
