"""A character on the desktop: one face for every turn, and a memory that keeps what was worth a slot."""

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
from gieok.domain.emotion import Emotion, asset, normalize, one_hot

STORY = tomllib.loads((Path(__file__).parent / "story.toml").read_text(encoding="utf-8"))
USER, CHARACTER = STORY["user"], STORY["character"]
FIRST_NIGHT = datetime(2026, 10, 1, 22, tzinfo=ZoneInfo("Asia/Seoul"))
SPRITES: Mapping[Emotion, str] = {"neutral": "luna_calm.png", "happy": "luna_smile.png"}  # the others: gieok's names
THRESHOLD = 0.62  #: what is worth less stays a candidate, until it is said again


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """Something that may be remembered: its score, and whether that was enough for a slot."""

    about: str
    words: str
    score: float
    slot: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What the screen shows for one turn."""

    says: str
    reply: str
    face: Mapping[str, int]  #: the contract: four keys, exactly one of them 1
    sprite: str
    judged: str | None  #: what the model that judges would have answered; None: gieok reads her words alone
    candidates: Sequence[Candidate]
    recalled: Sequence[str]  #: the slot that comes to mind first
    turns: int  #: how many turns before this one she has in mind word by word

    @property
    def emotion(self) -> str:
        return next(each for each, on in self.face.items() if on)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evenings:
    """How it went."""

    shown: Sequence[Shown]
    slots: Sequence[str]  #: what she knows of the user in the end

    @property
    def broken(self) -> list[str]:
        """Return the turns for which the screen got no face, or two."""
        return [each.says for each in self.shown if sorted(each.face.values()) != [0, 0, 0, 1]]


def play(folder: Path, console: Console, **settings: Any) -> Evenings:
    """Talk through the story with a new bank in `folder`."""
    stage = Stage(console, USER, CHARACTER)
    with gieok.open(folder / "luna.db", preset="vtuber", **{"promote_threshold": THRESHOLD, **settings}) as bank:
        luna = bank.scope(user=USER, character=CHARACTER)
        shown: list[Shown] = []
        for evening in STORY["evenings"]:
            at = FIRST_NIGHT + timedelta(days=evening["day"] - 1)
            stage.title(f"{at.month}월 {at.day}일 · {evening['title']}")
            for minute, line in enumerate(evening["turns"]):
                shown.append(turn(luna, line, at + timedelta(minutes=minute)))
                stage.turn(shown[-1])
        slots = [fact.content for fact in luna.facts(about="user")]
        stage.slots(slots)
        return Evenings(shown=shown, slots=slots)


def turn(luna: gieok.Mind, line: Mapping[str, str], at: datetime) -> Shown:
    """Let the user speak and 루나 answer with what she knew before; her face is chosen, and the turn is learned."""
    context = luna.context(line["says"], at=at)
    known = {(fact.attribute or "").replace(".", "_"): fact.value for fact in luna.facts(about="user")}
    reply = line["reply"].format_map(known)
    recalled = [hit.text for hit in luna.recall(line["says"], k=1, at=at)]
    observed = luna.observe(line["says"], reply=reply, context=context, at=at)
    [felt] = [felt for felt in observed.emotions if felt.speaker == "character"]
    judged = line.get("judge")
    emotion = felt.emotion if judged is None else normalize(judged, otherwise=felt.emotion)
    talk = next(block for block in context.blocks if block.name == "talk")
    return Shown(
        says=line["says"],
        reply=reply,
        face=one_hot(emotion),
        sprite=asset(emotion, SPRITES),
        judged=judged,
        candidates=candidates(observed),
        recalled=recalled,
        turns=len(talk.items) // 2,
    )


def candidates(observed: gieok.Observed) -> list[Candidate]:
    """Return what was worth a thought in a turn, with the score that decided on it."""
    decided = gieok.Remember | gieok.Supersede | gieok.Ignore
    return [
        Candidate(
            about=USER if each.claim.subject == "user" else each.claim.subject_id,
            words=each.claim.content,
            score=each.promotion.score,
            slot=not isinstance(each, gieok.Ignore),
        )
        for each in observed.decisions
        if isinstance(each, decided) and each.promotion is not None
    ]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        evenings = play(Path(folder), Console())
    raise SystemExit(f"표정이 하나가 아닙니다: {evenings.broken}" if evenings.broken else 0)
