"""Draw the packages and their imports, from the code: `make architecture`.

Writes `docs/architecture.svg` and the table between the marks in `docs/architecture.md`. An arrow is any import from
one package into another. The picture omits indirect arrows; the table has them all.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from xml.sax.saxutils import escape

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src/gieok"
PICTURE = ROOT / "docs/architecture.svg"
PAGE = ROOT / "docs/architecture.md"
MARKS = ("<!-- rooms: written by `make architecture` -->", "<!-- end of rooms -->")
EVERYWHERE = {"errors", "ids"}  #: imported from everywhere: no news
WIDTH, HEIGHT, GAP, FLOOR = 236, 74, 20, 132
SWEEPS = 8
STYLE = """
  .paper { fill: #ffffff } .room { fill: #f4f6fb; stroke: #7a86a8 } .name { fill: #1d2433; font-weight: 600 }
  .says { fill: #4a5468 } .arrow { stroke: #8d97b3; fill: none } .tip { fill: #8d97b3 }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #14171f } .room { fill: #1f2533; stroke: #66749c } .name { fill: #eef1f8 }
    .says { fill: #aeb7cb } .arrow { stroke: #66749c } .tip { fill: #66749c }
  }
"""

Arrows = Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a room stands in the picture."""

    x: float
    y: float

    @property
    def top(self) -> tuple[float, float]:
        return self.x + WIDTH / 2, self.y

    @property
    def bottom(self) -> tuple[float, float]:
        return self.x + WIDTH / 2, self.y + HEIGHT


def rooms() -> dict[str, list[Path]]:
    """Return the modules of each room: a folder, or a module right under the package."""
    found: defaultdict[str, list[Path]] = defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        inner = path.relative_to(SOURCE)
        room = inner.parts[0] if len(inner.parts) > 1 else inner.stem
        if room not in ("__init__", "__main__"):
            found[room].append(path)
    return dict(found)


def arrows(modules: Mapping[str, Sequence[Path]]) -> dict[str, frozenset[str]]:
    return {
        room: frozenset(
            target
            for path in paths
            for target in imported(ast.parse(path.read_text(encoding="utf-8")))
            if target in modules and target != room and target not in EVERYWHERE
        )
        for room, paths in modules.items()
    }


def imported(tree: ast.Module) -> Iterator[str]:
    """Yield the packages that a module imports anything from."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "gieok":
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("gieok."):
            yield str(node.module).split(".")[1]
        elif isinstance(node, ast.Import):
            yield from (name.name.split(".")[1] for name in node.names if name.name.startswith("gieok."))


def floors(way: Arrows) -> dict[str, int]:
    """Return how high each room lies: above everything it imports."""
    high: dict[str, int] = {}

    def height(room: str, above: tuple[str, ...] = ()) -> int:
        if room in above:
            raise SystemExit(f"packages import each other in a circle: {' → '.join((*above, room))}")
        if room not in high:
            high[room] = 1 + max((height(below, (*above, room)) for below in way[room]), default=-1)
        return high[room]

    for room in way:
        height(room)
    return high


def reduced(way: Arrows) -> dict[str, frozenset[str]]:
    """Return the arrows without those that a longer way makes superfluous."""

    def reached(room: str) -> frozenset[str]:
        return way[room].union(*(reached(below) for below in way[room]))

    return {room: below - frozenset().union(*(reached(each) for each in below)) for room, below in way.items()}


def places(way: Arrows) -> dict[str, Place]:
    high = floors(way)
    rows = [sorted(room for room in way if high[room] == floor) for floor in range(max(high.values()) + 1)]
    width = max(len(row) for row in rows) * (WIDTH + GAP)
    middle: dict[str, float] = {}
    for sweep in range(SWEEPS):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            beside = {room: [*way[room], *(other for other in way if room in way[other])] for room in row}
            row.sort(key=lambda room: _mean([middle[each] for each in beside[room] if each in middle], width / 2))
            left = (width - len(row) * (WIDTH + GAP)) / 2
            middle |= {room: left + place * (WIDTH + GAP) + WIDTH / 2 for place, room in enumerate(row)}
    top = max(high.values())
    return {room: Place(x=middle[room] + GAP / 2 - WIDTH / 2, y=(top - high[room]) * FLOOR + GAP) for room in way}


def _mean(numbers: Sequence[float], otherwise: float) -> float:
    return sum(numbers) / len(numbers) if numbers else otherwise


def says(room: str) -> str:
    """Return the first sentence of what a room says of itself."""
    path = SOURCE / room / "__init__.py"
    told = ast.get_docstring(ast.parse((path if path.exists() else SOURCE / f"{room}.py").read_text("utf-8"))) or ""
    return re.split(r"(?<=[.!?])\s", " ".join(told.split("\n\n")[0].split()))[0].rstrip(".")


def drawn(way: Arrows) -> str:
    at = places(way)
    width = max(place.x for place in at.values()) + WIDTH + GAP
    height = max(place.y for place in at.values()) + HEIGHT + GAP
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        'font-family="system-ui, sans-serif" font-size="11" role="img" aria-label="the packages of gieok">',
        f"<style>{STYLE}</style>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path class="tip" d="M0 0 8 4 0 8z"/></marker></defs>',
        f'<rect class="paper" width="{width:.0f}" height="{height:.0f}"/>',
    ]
    for room, below in sorted(reduced(way).items()):
        for other in sorted(below):
            (x, y), (to_x, to_y) = at[room].bottom, at[other].top
            bend = (to_y - y) / 2
            lines.append(
                f'<path class="arrow" marker-end="url(#tip)" '
                f'd="M{x:.0f} {y:.0f}C{x:.0f} {y + bend:.0f} {to_x:.0f} {to_y - bend:.0f} {to_x:.0f} {to_y:.0f}"/>'
            )
    for room, place in sorted(at.items()):
        x, y = place.x, place.y
        lines.append(f'<rect class="room" x="{x:.0f}" y="{y:.0f}" width="{WIDTH}" height="{HEIGHT}" rx="8"/>')
        lines.append(f'<text class="name" x="{x + 10:.0f}" y="{y + 19:.0f}" font-size="13">{room}</text>')
        for number, text in enumerate(wrap(says(room).replace("`", ""), 38, max_lines=3, placeholder=" …")):
            lines.append(f'<text class="says" x="{x + 10:.0f}" y="{y + 35 + 14 * number:.0f}">{escape(text)}</text>')
    return "\n".join([*lines, "</svg>", ""])


def table(way: Arrows) -> str:
    high = floors(way)
    rows = (
        f"| `{room}` | {says(room)} | {', '.join(f'`{each}`' for each in sorted(way[room])) or '–'} |"
        for room in sorted(way, key=lambda each: (-high[each], each))
    )
    return "\n".join(("| Package | What it is | Imports |", "|---|---|---|", *rows))


def main() -> None:
    """Write the picture and the table; with --check only say whether they are as the code is."""
    way = arrows({room: paths for room, paths in rooms().items() if room not in EVERYWHERE})
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(MARKS[0])
    _, after = rest.split(MARKS[1])
    written = {PICTURE: drawn(way), PAGE: f"{before}{MARKS[0]}\n\n{table(way)}\n\n{MARKS[1]}{after}"}
    stale = [path for path, text in written.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if "--check" in sys.argv:
        if stale:
            raise SystemExit(f"{', '.join(path.name for path in stale)}: not as the code is; run `make architecture`")
        return
    for path in stale:
        path.write_text(written[path], encoding="utf-8")
        print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
