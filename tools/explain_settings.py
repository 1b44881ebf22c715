"""Writes what `gieok init` and `gieok presets` say of each setting, from docs/settings.md: one text, told twice.

python tools/explain_settings.py            writes src/gieok/words/en/settings.toml
python tools/explain_settings.py --check    says whether it is as the page is
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "settings.md"
TARGET = ROOT / "src" / "gieok" / "words" / "en" / "settings.toml"
SECTION = re.compile(r"^## (.+?)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| `(\w+)` \| .*? \| (.*?) \|$", re.MULTILINE)
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


def written(page: str) -> str:
    return "\n".join(_lines(page)) + "\n"


def _lines(page: str) -> Iterator[str]:
    groups = {title: ROW.findall(section) for title, section in SECTION.findall(page)}
    groups = {title: rows for title, rows in groups.items() if rows}
    yield "# What each setting means, in groups: written by `make settings` from docs/settings.md."
    yield from ("", "[titles]", *(f"{_key(title)} = {_quoted(title)}" for title in groups))
    for title, rows in groups.items():
        yield from ("", f"[{_key(title)}]")
        for name, words in rows:
            if not words:
                sys.exit(f"docs/settings.md says nothing of {name}; each setting has its words")
            yield f"{name} = {_quoted(_bare(words))}"


def _key(title: str) -> str:
    return title.lower().replace(" ", "_")


def _bare(words: str) -> str:
    return LINK.sub(r"\1", words)


def _quoted(text: str) -> str:
    if "'" not in text:
        return f"'{text}'"
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def main() -> None:
    text = written(PAGE.read_text(encoding="utf-8"))
    if "--check" not in sys.argv:
        TARGET.write_text(text, encoding="utf-8")
        print(f"wrote {TARGET.relative_to(ROOT)}")
    elif TARGET.read_text(encoding="utf-8") != text:
        sys.exit(f"{TARGET.name}: not as docs/settings.md is; run `make settings`")


if __name__ == "__main__":
    main()
