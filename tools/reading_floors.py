"""Record how well the reader does on labelled data, as the floor that tests hold it to: `make floors`."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.reading_scores import FLOORS, record  # noqa: E402  # tests/ must be on the path first

if __name__ == "__main__":
    record()
    print(f"{FLOORS.relative_to(ROOT)} written; look at what changed before you commit it.")
