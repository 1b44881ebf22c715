"""What was told with strong feeling and no rule understands: 친구들이 깜짝 파티를 해 줘서 펑펑 울었어.

It is kept in the speaker's words. What people cry out about every day (놓친 버스, 진 게임, 맛있는 치킨) is not.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from gieok.domain.claim import Claim
from gieok.domain.turn import USER, Utterance
from gieok.extract.korean.lexicon import lexicon
from gieok.extract.korean.parting import parts_read
from gieok.extract.korean.standing import in_earnest
from gieok.extract.korean.telling import Part
from gieok.extract.korean.turning_points import ends_in_past, noted
from gieok.extract.korean.whose import Speaking
from gieok.language.emotions import cues, feel
from gieok.language.mood import joking

_STRONG: Final = 0.6  #: intensity
_MOVED: Final = 0.4  #: … where it is said to have moved them; tears need none
_OVERWHELMED: Final = 0.68
_OUTPOURING: Final = 22  #: letters
_QUOTED: Final = 80  #: letters
_SENTENCE: Final = re.compile(r"[^.!?…~]+[.!?…~]*")
_MARKS: Final = re.compile(r"([.!?…~])\1+")
_IMPORTANCE: Final = 0.6
_CERTAINTY: Final = 0.7
_SHORTEST, _LONGEST = 6, 60  #: letters
_MOST_READ: Final = 200  #: letters; a confession, not a page
_PASSING: Final = frozenset({"family", "friend", "pet"})  #: whom it names says nothing of what happened
_LAUGHING: Final = re.compile(r"ㅋㅋㅋ")
_TOLD: Final = ("statement", "fragment")
_SEEN: Final = ("더라", "더라고", "더라고요")
_OPENINGS: Final = frozenset("나 난 나는 내가 저 저는 제가 아 진짜 정말 너무 근데 그리고 와 헐 사실 하".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    shaken: re.Pattern[str]
    moved: re.Pattern[str]
    everyday: re.Pattern[str]
    people: frozenset[str]
    days: frozenset[str]


@cache
def _words() -> _Words:
    raw = tomllib.loads(files(__package__).joinpath("heartfelt.ko.toml").read_text(encoding="utf-8"))
    return _Words(
        shaken=re.compile("|".join(map(re.escape, raw["shaken"]))),
        moved=re.compile("|".join(map(re.escape, raw["moved"]))),
        everyday=re.compile("|".join(map(re.escape, raw["everyday"]))),
        people=frozenset(raw["people"].split()),
        days=frozenset(raw["days"].split()),
    )


def taken_to_heart(
    text: str, speaking: Speaking, utterance: Utterance, read: Sequence[Claim], extractor: str
) -> Iterator[Claim]:
    """Yield what the user tells of their own with strong feeling, where nothing else was `read`."""
    if utterance.speaker != USER or any(claim.attribute not in _PASSING for claim in read):
        return
    if len(text) > _MOST_READ or "*" in text:
        return
    told = any(map(ends_in_past, text)) and _moves(text)
    if not (told or _is_poured_out(text)) or in_earnest(text) != text or joking(text):
        return
    content = (_what_happened(text, parts_read(text, speaking)) if told else "") or _in_their_words(text)
    if content:
        me = speaking.me()
        yield Claim(
            id="",
            speaker=speaking.speaker,
            subject=me.subject,
            subject_id=me.subject_id,
            content=content,
            content_type="event",
            certainty=_CERTAINTY,
            importance=_IMPORTANCE,
            source_id=utterance.id,
            extractor=extractor,
        )


def _moves(text: str) -> bool:
    """Whether it is told with strong feeling, in words, and is none of the troubles and joys of every day."""
    words = _words()
    if words.everyday.search(text) is not None or _LAUGHING.search(text) is not None:
        return False
    if words.shaken.search(text) is not None:
        return True
    moved = words.moved.search(text) is not None
    if not moved and not cues(text).words:
        return False
    return feel(text, speaker=USER).intensity >= (_MOVED if moved else _STRONG)


def _is_poured_out(text: str) -> bool:
    """Whether somebody lays their heart open, in several sentences: that is no everyday cry."""
    if len(text) < _OUTPOURING or len(_SENTENCE.findall(text)) < 2 or _LAUGHING.search(text) is not None:
        return False
    if _words().everyday.search(text) is not None or not cues(text).words:
        return False
    return feel(text, speaker=USER).intensity >= _OVERWHELMED


def _in_their_words(text: str) -> str:
    if not _is_poured_out(text):
        return ""
    said = _MARKS.sub(lambda marks: marks[0][0], " ".join(text.split()))
    return f"“{said if len(said) <= _QUOTED else said[:_QUOTED].rstrip() + '…'}”"


def _what_happened(text: str, parts: Sequence[Part]) -> str:
    """Return the first sentence that tells of somebody, or of a day of a life, in the past."""
    start = 0
    for place, part in enumerate(parts):
        if not (part.clause.final or place + 1 == len(parts)):
            continue
        sentence, start = parts[start : place + 1], place + 1
        if _is_told(sentence) and any(_matters(each, text) for each in sentence):
            content = _noted(text, sentence)
            if _SHORTEST <= len(content) <= _LONGEST:
                return content
    return ""


def _is_told(sentence: Sequence[Part]) -> bool:
    last = sentence[-1]
    told = (
        last.mood in _TOLD and last.closes in _TOLD and not (last.about is not None and last.about.subject == "world")
    )
    real = not any(part.mood in ("hypothetical", "wish") and part.clause.head is None for part in sentence)
    return told and real and (last.past or last.ending in _SEEN) and not last.ending.endswith("면")


def _matters(part: Part, text: str) -> bool:
    """Whether a clause tells what somebody did, for the speaker most of all, or names a day of a life."""
    words, kin, predicate = _words(), lexicon().kin, part.clause.predicate
    shaken = words.shaken.search(text) is not None
    for phrase in part.clause.phrases:
        close = any(word in words.people or word in kin or word in words.days for word in phrase.words)
        if close and (shaken or phrase.has("이", "가", "께서", "도")):
            return True  # 강아지 산책시켰는데 행복했어 is a day like others
    if any(word.endswith("날") for word in part.all_words):
        return True
    given = predicate is not None and "주다" in predicate.auxiliaries
    return given or part.says("당하다") or any(phrase.has("한테", "에게") for phrase in part.clause.phrases)


def _noted(text: str, sentence: Sequence[Part]) -> str:
    predicate = sentence[-1].clause.predicate
    if predicate is None:
        return ""
    words = (text[sentence[0].clause.start : predicate.stem[0].start] + noted(text, predicate)).split()
    while words and words[0].rstrip(",.!~") in _OPENINGS:
        words = words[1:]
    return " ".join(words)
