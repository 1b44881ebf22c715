"""What an utterance states, stretch by stretch, and of whom: the guards of the rules, for what a model reads.

A question, a wish, a guess, a joke or hearsay states nothing, whatever a model makes of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from gieok.domain.scope import Scope
from gieok.extract.english.reader import readings
from gieok.extract.english.reading import Speaking as EnglishSpeaking
from gieok.extract.english.words import straightened, words
from gieok.extract.korean.lexicon import lexicon
from gieok.extract.korean.parting import parts_read
from gieok.extract.korean.reading import Reading
from gieok.extract.korean.standing import holds, in_earnest, tells
from gieok.extract.korean.whose import Speaking
from gieok.language.mood_tone import hedged
from gieok.language.morphemes import analyse
from gieok.language.text import has_hangul

_STAGE: Final = re.compile(r"\*[^*\n]+\*")
_QUOTED: Final = re.compile(r"(?<!\w)(?:'[^'\n]{2,200}'|\"[^\"\n]{2,200}\"|‘[^’\n]{2,200}’|“[^”\n]{2,200}”)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """One clause: where it stands, of whom it speaks, and how."""

    start: int
    end: int
    subject: str | None  #: None where it cannot be told
    subject_id: str | None
    stated: bool
    denied: bool = False
    bygone: bool = False  #: told of an earlier time


def stretches(text: str, speaker: str, scope: Scope) -> list[Stretch]:
    """Return the clauses of what `speaker` said, in order."""
    return list(_korean(text, speaker, scope) if has_hangul(text) else _english(text, speaker, scope))


def is_played(text: str) -> bool:
    """Whether it is a scene that is played: *문을 연다* 나 오늘 전학 왔어. Who somebody is there is a role."""
    return "*" in text and _STAGE.search(text) is not None


def is_anothers(text: str, place: int) -> bool:
    """Whether `place` stands within words that are quoted, and no mere title: '나 임신했어' 이러는 거야."""
    for quoted in _QUOTED.finditer(text):
        if quoted.start() < place < quoted.end():
            parts = analyse(quoted[0][1:-1])
            return any(part.tag in ("EF", "NP") for part in parts) or not has_hangul(quoted[0])
    return False


def _korean(text: str, speaker: str, scope: Scope) -> Iterator[Stretch]:
    if not in_earnest(text):
        return
    speaking = Speaking(speaker=speaker, scope=scope)
    parts = parts_read(text, speaking)
    for place, part in enumerate(parts):
        clause, about = part.clause, part.about
        following = parts[place + 1].clause if place + 1 < len(parts) else None
        stated = about is not None and tells(clause, part.mood, about) and holds(clause, following)
        reading = Reading(
            text=text, clause=clause, about=about or speaking.me(), words=lexicon(), me=speaking.me(), after=following
        )
        yield Stretch(
            start=clause.start,
            end=clause.end,
            subject=about.subject if about is not None else None,
            subject_id=about.subject_id if about is not None else None,
            stated=stated and not part.one_of_two(following) and not hedged(clause.morphemes),
            denied=part.negated,
            bygone=reading.formerly and not reading.lately,
        )


def _english(text: str, speaker: str, scope: Scope) -> Iterator[Stretch]:
    text = straightened(text)
    speaking = EnglishSpeaking(speaker=speaker, scope=scope)
    for reading, mood in readings(text, words(text), speaking):
        said = reading.said
        if not said.clause.words:
            continue
        yield Stretch(
            start=said.clause.words[0].start,
            end=said.clause.words[-1].end,
            subject=reading.about.subject if reading.about is not None else None,
            subject_id=reading.about.subject_id if reading.about is not None else None,
            stated=mood == "told" and reading.about is not None and not said.hedged and not said.commanding,
            denied=said.negated,
            bygone=said.formerly,
        )
