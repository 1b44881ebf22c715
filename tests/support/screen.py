"""What the command's tables look like on a screen."""

import io

from rich.cells import cell_len
from rich.console import RenderableType

from gieok.cli.console import answers


def drawn(shown: RenderableType, width: int = 100) -> str:
    """Return what `shown` looks like without colours; no line is wider than the screen."""
    console = answers()
    console.file, console.width = io.StringIO(), width
    console.print(shown)
    text = console.file.getvalue()
    assert max((cell_len(line.rstrip()) for line in text.splitlines()), default=0) <= width
    return text
