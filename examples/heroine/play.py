"""A month at an academy: three heroines, and none of them knows what was told to another."""

from __future__ import annotations

import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from rich.console import Console
from stage import Stage

import gieok

HERE = Path(__file__).parent
STORY = tomllib.loads((HERE / "story.toml").read_text(encoding="utf-8"))
PLAYER, HEROINES, SECRETS = STORY["player"], STORY["heroines"], STORY["secrets"]
FIRST_DAY = datetime(2026, 9, 1, 16, tzinfo=ZoneInfo("Asia/Seoul"))
LAST_DAY = FIRST_DAY + timedelta(days=33)
PARTS = {
    "recency": "최신도",
    "importance": "중요도",
    "relevance": "관련도",
    "keyword": "키워드",
    "strength": "강도",
    "graph": "연결",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Greeting:
    """What a heroine says at the gate, and out of which relationship."""

    words: str
    level: str
    style: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """How it ended."""

    greetings: Mapping[str, Greeting]  #: by heroine
    told: Mapping[tuple[str, str], int]  #: (heroine, secret): in how many of her contexts it stands
    answers: Mapping[str, Sequence[str]]  #: what 레티아 knows, by question

    @property
    def leaks(self) -> list[tuple[str, str]]:
        """Who was told what she must not know."""
        known_to = {secret["what"]: secret["known_to"] for secret in SECRETS}
        return [(who, what) for (who, what), times in self.told.items() if times and who not in known_to[what]]


def play(folder: Path, console: Console, **settings: Any) -> Played:
    """Play the story into a new bank in `folder`."""
    stage, rules = Stage(console), str(HERE / "rules.toml")
    with gieok.open(folder / "academy.db", preset="heroine", relationship_rules=rules, **settings) as bank:
        minds = {name: bank.scope(user=PLAYER, character=name, world=STORY["world"]) for name in HEROINES}
        news: list[gieok.Event] = []  # from all three memories
        for name in ("memory.remembered", "memory.superseded", "relationship.level"):
            bank.on(name, news.append)
        for scene in STORY["scenes"]:
            at = day(scene["day"])
            stage.scene(f"{at.month}월 {at.day}일 · {scene['title']}")
            for line in scene["lines"]:
                say(minds, line, scene.get("present", ()), at, stage)
                stage.news(news)
                news.clear()
        stage.scene("다음 날 아침, 교문")
        greetings = {name: greet(name, mind, stage) for name, mind in minds.items()}
        return Played(greetings=greetings, told=ask_all(minds, stage), answers=look_back(minds["레티아"], stage))


def day(number: int) -> datetime:
    return FIRST_DAY + timedelta(days=number - 1)


def say(minds: Mapping[str, gieok.Mind], line: Sequence[str], there: Sequence[str], at: datetime, stage: Stage) -> None:
    """Let somebody talk to a heroine, who answers; whoever else is there hears both, each for herself."""
    speaker, text, heroine, reply = line
    stage.says(speaker, text)
    stage.says(heroine, reply)
    others = {*there, speaker} - {heroine, PLAYER}  # between two heroines the one who speaks learns from it, too
    named = None if speaker == PLAYER else speaker
    minds[heroine].observe(text, speaker=named, reply=reply, present=sorted(others), at=at)


def greet(name: str, mind: gieok.Mind, stage: Stage) -> Greeting:
    """Return a greeting: the words are the game's, what they are about and how they are said is her memory's."""
    said, manners, relationship = STORY["greetings"][name], mind.manners().character, mind.relationship()
    style = manners.style.value if manners.style else "formal"
    call = manners.address.value if manners.address else PLAYER
    known = {fact.attribute: fact.value for fact in mind.facts(about="user")}
    hello = said["formal" if style == "formal" else "casual"].format(call=call)
    about = [words.format(value=known[topic]) for topic, words in said["about"].items() if topic in known]
    words = " ".join([hello, *about])
    stage.says(name, words)
    stage.stands(relationship, style)
    return Greeting(words=words, level=relationship.level, style=style)


def ask_all(minds: Mapping[str, gieok.Mind], stage: Stage) -> dict[tuple[str, str], int]:
    """Ask every heroine every question, and count in how many of her contexts each secret stands."""
    told = {(name, secret["what"]): 0 for name in minds for secret in SECRETS}
    for name, mind in minds.items():
        for question in STORY["questions"]:
            context = mind.context(question, budget=8_000, at=LAST_DAY)
            text = "\n".join(block.text for block in context.blocks if block.name != "message")  # but the question
            for secret in SECRETS:
                told[name, secret["what"]] += secret["words"] in text
    rows = {
        secret["what"]: [(told[name, secret["what"]] > 0, name in secret["known_to"]) for name in minds]
        for secret in SECRETS
    }
    stage.secrets(f"{len(STORY['questions'])}가지를 모두에게 물어보면", HEROINES, rows)
    return told


def look_back(letia: gieok.Mind, stage: Stage) -> dict[str, list[str]]:
    """Ask what 레티아 knows, and what was so on another day."""
    asked = {
        "민수에 대해 아는 것": letia.facts(about="user"),
        "자기 자신에 대해": letia.facts(about="레티아"),
        "보름째 날 민수가 좋아하던 것": letia.facts(about="user", attribute="likes", as_of=day(15)),
        "지금 민수가 좋아하는 것": letia.facts(about="user", attribute="likes"),
    }
    answers = {question: [fact.content for fact in found] for question, found in asked.items()}
    hits = letia.recall("반려동물", k=2, at=LAST_DAY, explain=True)
    answers["'반려동물' 하면 떠오르는 것"] = [in_parts(hit) for hit in hits]
    stage.answers("레티아에게 물어보면", answers)
    return answers


def in_parts(hit: gieok.Hit) -> str:
    """Return a memory with what each part adds to its score."""
    parts = " + ".join(f"{PARTS[name]} {share:.2f}" for name, share in (hit.contributions or {}).items() if share)
    return f"{hit.text}  {hit.score:.2f} = {parts}"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        played = play(Path(folder), Console())
    raise SystemExit(f"비밀이 샜습니다: {played.leaks}" if played.leaks else 0)
