"""Write the pages of reference from the code: `make reference`.

With --check only say whether they are as the code is.
"""

from __future__ import annotations

import sys
from pathlib import Path

from reference import calls, commands

ROOT = Path(__file__).parents[1]
PAGES = {ROOT / "docs/api.md": calls.page, ROOT / "docs/cli.md": commands.page}


def main() -> None:
    written = {path: page() for path, page in PAGES.items()}
    stale = [path for path, text in written.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if "--check" in sys.argv:
        if stale:
            raise SystemExit(f"{', '.join(path.name for path in stale)}: not as the code is; run `make reference`")
        return
    for path in stale:
        path.write_text(written[path], encoding="utf-8")
        print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
