"""Draw the pictures of docs/concepts.md: `make pictures`.

Positions are written down here; nothing is measured by a browser. Every text is held against the room that it has,
by an estimate that is rather too wide, so that a longer word fails here and not before a reader's eyes.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from xml.sax.saxutils import escape

from gieok.domain.answer import SHARES
from gieok.domain.scoring import Weights

FOLDER = Path(__file__).parents[1] / "docs"
STYLE = """
  .paper { fill: #ffffff } .box { fill: #f4f6fb; stroke: #7a86a8 } .good { fill: #e7f5ec; stroke: #4f9a6b }
  .past { fill: #f6f1e7; stroke: #a58c53 } .gone { fill: #fbeaea; stroke: #b56a6a }
  .name { fill: #1d2433; font-weight: 600 }
  .says { fill: #4a5468 } .line { stroke: #8d97b3; fill: none } .tip { fill: #8d97b3 } .rule { stroke: #c7cede }
  .ask { stroke: #3d63b8; stroke-dasharray: 4 3 } .asked { fill: #3d63b8; font-weight: 600 }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #14171f } .box { fill: #1f2533; stroke: #66749c } .good { fill: #1b2f25; stroke: #5aa377 }
    .past { fill: #312a1b; stroke: #ab9257 } .gone { fill: #35201f; stroke: #b97070 } .name { fill: #eef1f8 }
    .says { fill: #aeb7cb } .line { stroke: #66749c } .tip { fill: #66749c } .rule { stroke: #3a4257 }
    .ask { stroke: #8fb0f5 } .asked { fill: #8fb0f5 }
  }
"""
TIP = (
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    '<path class="tip" d="M0 0 8 4 0 8z"/></marker></defs>'
)
SPREAD = (
    "repetitions are removed; topics are varied",
    "cautions come first, for any question",
    "an utterance ranks below the memory read from it",
    "nothing outside the scope, unless sharing is on",
)
NAME, SAYS = 14, 12  #: sizes of letters
PAD = 11


def width(text: str, size: float, *, bold: bool = False) -> float:
    """Return how wide a text may become: Hangul and the like take an em, other letters a good half."""
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return (wide * 0.97 + (len(text) - wide) * (0.56 if bold else 0.52)) * size


@dataclass
class Picture:
    """Lines of an SVG that grow while it is drawn."""

    name: str
    wide: int
    high: int
    about: str
    lines: list[str] = field(default_factory=list)

    def text(self, x: float, y: float, text: str, kind: str = "says", *, room: float = 0, middle: bool = False) -> None:
        size = NAME if kind == "name" else SAYS
        taken = width(text, size, bold=kind in ("name", "asked"))
        left = x - taken / 2 if middle else x
        if (room and taken > room) or left < 0 or left + taken > self.wide:
            raise SystemExit(f"{self.name}: {text!r} takes {taken:.0f}, and there are {room or self.wide - left:.0f}")
        anchor = ' text-anchor="middle"' if middle else ""
        self.lines.append(f'<text class="{kind}" x="{x:g}" y="{y:g}" font-size="{size}"{anchor}>{escape(text)}</text>')

    def box(
        self, x: float, y: float, wide: float, high: float, name: str, says: Sequence[str] = (), kind: str = "box"
    ) -> None:
        """Draw a box with a name and lines below it; what does not fit fails."""
        if 26 + 17 * len(says) > high:
            raise SystemExit(f"{self.name}: {name!r} has more lines than room")
        self.lines.append(f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" rx="8"/>')
        self.text(x + PAD, y + 22, name, "name", room=wide - 2 * PAD)
        for number, line in enumerate(says):
            self.text(x + PAD, y + 41 + 17 * number, line, room=wide - 2 * PAD)

    def way(self, *points: tuple[float, float], kind: str = "line", tip: bool = True) -> None:
        """Draw a line from point to point, with a tip at its end."""
        path = "M" + "L".join(f"{x:g} {y:g}" for x, y in points)
        marker = ' marker-end="url(#tip)"' if tip else ""
        self.lines.append(f'<path class="{kind}" fill="none"{marker} d="{path}"/>')

    def bar(self, x: float, y: float, wide: float, text: str, kind: str, high: float = 30) -> None:
        self.lines.append(f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" rx="5"/>')
        self.text(x + PAD, y + high / 2 + 5, text, "name", room=wide - 2 * PAD)

    def drawn(self) -> str:
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.wide} {self.high}" width="{self.wide}" '
            f'font-family="system-ui, sans-serif" role="img" aria-label="{escape(self.about)}">'
        )
        paper = f'<rect class="paper" width="{self.wide}" height="{self.high}"/>'
        return "\n".join((head, f"<style>{STYLE}</style>", TIP, paper, *self.lines, "</svg>", ""))


def two_clocks() -> Picture:
    """Draw one move that was told three weeks late, on both clocks."""
    picture = Picture("two-clocks", 960, 430, "when a fact was true, and when it was known")
    days = {"3/1": 200, "3/20": 420, "3/25": 500, "4/10": 690}
    end = 930
    for day in ("3/1", "3/20", "4/10"):
        picture.way((days[day], 96), (days[day], 292), kind="rule", tip=False)
        picture.text(days[day], 84, day, middle=True)
    picture.text(days["3/1"], 34, "told", "name", middle=True)
    picture.text(days["3/1"], 54, '"나 서울에 살아"', middle=True)
    picture.text(days["3/20"], 34, "moves", "name", middle=True)
    picture.text(days["3/20"], 54, "to 부산, not mentioned", middle=True)
    picture.text(days["4/10"], 34, "told", "name", middle=True)
    picture.text(days["4/10"], 54, 'remember("부산에 삶", valid_at=3/20)', middle=True)
    picture.text(20, 130, "true in the story", "name")
    picture.text(20, 149, "valid_at – invalid_at")
    picture.bar(days["3/1"], 115, days["3/20"] - days["3/1"] - 4, "서울에 삶", "past")
    picture.bar(days["3/20"], 155, end - days["3/20"], "부산에 삶", "good")
    picture.text(20, 228, "known", "name")
    picture.text(20, 247, "known_at")
    picture.bar(days["3/1"], 213, days["4/10"] - days["3/1"] - 4, "believed: 서울에 삶", "past")
    picture.bar(days["4/10"], 253, end - days["4/10"], "known: 부산에 삶", "good")
    picture.way((days["3/25"], 104), (days["3/25"], 328), kind="ask", tip=False)
    picture.text(days["3/25"], 346, "3/25", "asked", middle=True)
    picture.text(20, 386, "facts(as_of=3/25)", "asked")
    picture.text(196, 386, "what was true then, as known today: 부산")
    picture.text(20, 410, "facts(known_at=3/25)", "asked")
    picture.text(196, 410, "what she believed then: 서울")
    return picture


def life_of_a_memory() -> Picture:
    """Draw the steps from an utterance to a memory, and how a memory ends."""
    picture = Picture("life-of-a-memory", 1000, 590, "the life of a memory, from utterance to erasure")
    picture.box(20, 20, 200, 80, "observed", ("a turn, masked and stored:", "observe(text, reply=…)"))
    picture.box(270, 20, 200, 80, "read", ("reader, optionally a model,", "propose claims"))
    picture.box(520, 20, 200, 80, "judged", ("rules decide, given the", "known memories"))
    picture.way((220, 60), (266, 60))
    picture.way((470, 60), (516, 60))
    picture.box(770, 20, 210, 80, "ignored", ("small talk, or low score;", "stored with the reason"), "past")
    picture.way((720, 60), (766, 60))
    picture.way((625, 100), (625, 142), tip=False)
    picture.way((125, 142), (875, 142), tip=False)
    kept = (
        (20, "remember", "new, score high enough"),
        (270, "reinforce", "said again: strength +0.2"),
        (520, "supersede", "closes the previous value"),
        (770, "retract", "“뻥이야”: it was never true"),
    )
    for x, name, says in kept:
        picture.way((x + 105, 142), (x + 105, 166))
        picture.box(x, 170, 210, 62, name, (says,))
    lives = (
        "used in answers; strength decays every 5 turns, slower with",
        "emotion and importance; repetition and use promote it",
    )
    picture.box(270, 290, 460, 84, "current", lives, "good")
    for x in (125, 375, 625):
        picture.way((x, 232), (x, 262), tip=False)
    picture.way((125, 262), (625, 262), tip=False)
    picture.way((500, 262), (500, 286))
    ends = (
        (20, "past", ("invalid_at: true until", "then, found by as_of"), "past"),
        (270, "pruned", ("faded_at: upkeep merged", "or pruned it, with a reason"), "past"),
        (520, "forgotten", ("forgotten_at: forget(id)", "hides it at once"), "gone"),
        (770, "never true", ("retracted: memories that it", "closed are current again"), "past"),
    )
    picture.way((500, 374), (500, 402), tip=False)
    picture.way((125, 402), (625, 402), tip=False)
    for x, name, says, kind in ends:
        if x < 770:
            picture.way((x + 105, 402), (x + 105, 426))
        picture.box(x, 430, 210, 80, name, says, kind)
    picture.way((875, 232), (875, 426))
    picture.way((20, 536), (980, 536), kind="rule", tip=False)
    picture.text(20, 558, "history", "name")
    picture.text(
        90,
        558,
        "shows all of these, with who changed what and why. A rewind removes a turn with all its effects.",
    )
    picture.text(20, 579, "erased", "name")
    picture.text(
        90,
        579,
        "erase(…), or scrub() for forgotten memories, removes data from the file and the history. A certificate stays.",
    )
    return picture


def read_path() -> Picture:
    """Draw how a question becomes a context."""
    picture = Picture("read-path", 1000, 560, "from a question to a context: gather, score, diversify, assemble")
    asks = "words · vector · people · period · attribute of the answer"
    picture.box(20, 20, 960, 62, "ask", (f"“택배 어디로 보내면 돼?” → {asks}",))
    sources = (
        ("meaning", "cosine with every vector"),
        ("words", "BM25 over morphemes"),
        ("topic", "topics of the text"),
        ("people, period", "who, when, which kind"),
        ("pinned", "allergies, name, promise"),
    )
    picture.text(20, 106, "gather", "asked")
    for number, (name, says) in enumerate(sources):
        x = 20 + number * 196
        picture.way((x + 88, 82), (x + 88, 112))
        picture.box(x, 116, 176, 62, name, (says,))
        picture.way((x + 88, 178), (x + 88, 196), tip=False)
    picture.way((108, 196), (892, 196), tip=False)
    picture.way((255, 196), (255, 216))
    score(picture)
    picture.box(510, 220, 470, 118, "diversify", SPREAD)
    picture.way((490, 279), (506, 279))
    picture.way((745, 338), (745, 372))
    picture.text(20, 364, "assemble, within a token budget", "asked")
    shares(picture)
    picture.text(
        20,
        446,
        "Unused shares are passed on. If it is too long, the summary goes first, then memories, then turns.",
    )
    picture.text(
        20, 464, "Pinned memories have their own 400 tokens. Items that do not fit are listed with the reason."
    )
    picture.way((500, 472), (500, 488))
    picture.box(
        20,
        492,
        960,
        56,
        "context",
        (".text · .messages · .tokens · .blocks · .degraded (missing sources). Nothing is written.",),
    )
    return picture


def score(picture: Picture) -> None:
    """Draw the six parts with their weights, as the code has them."""
    picture.box(20, 220, 470, 118, "score", ("Σ weight × part, each part between 0 and 1:", "", "", ""))
    parts = sorted(asdict(Weights()).items(), key=lambda part: -part[1])
    for number, (name, weight) in enumerate(parts):
        x, y = 31 + (number % 3) * 152, 286 + (number // 3) * 28
        picture.text(x, y, f"{name} {weight:.2f}", room=100)
        bar = f'x="{x + 110}" y="{y - 10}" width="{max(weight * 40, 1.5):.1f}" height="11"'
        picture.lines.append(f'<rect class="good" {bar}/>')


def shares(picture: Picture) -> None:
    """Draw which share of a budget each block may count on, as the code has them."""
    x = 20.0
    for name, share in SHARES.items():
        wide = 960 * share
        picture.lines.append(f'<rect class="box" x="{x:g}" y="376" width="{wide - 4:g}" height="48" rx="5"/>')
        called = {"talk": "summary, recent turns, the message", "examples": "shots"}.get(name, name)
        picture.text(x + 7, 396, called, room=wide - 12)
        picture.text(x + 7, 414, f"{share:.0%}", room=wide - 12)
        x += wide


def main() -> None:
    """Write the pictures; with --check only say whether they are what is drawn here."""
    written = {FOLDER / f"{each.name}.svg": each.drawn() for each in (two_clocks(), life_of_a_memory(), read_path())}
    stale = [path for path, text in written.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if "--check" in sys.argv:
        if stale:
            raise SystemExit(f"{', '.join(path.name for path in stale)}: not what is drawn; run `make pictures`")
        return
    for path in stale:
        path.write_text(written[path], encoding="utf-8")
        print(f"wrote docs/{path.name}")


if __name__ == "__main__":
    main()
