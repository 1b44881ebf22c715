"""What an utterance states, stretch by stretch, and of whom: the guards of the rules, for what a model reads.

A question, a wish, a guess, a joke or hearsay states nothing, whatever a model makes of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from gieok.domain.scope import Scope
from gieok.extract.english.reader import readings
from gieok.extract.english.reading import Speaking as EnglishSpeaking
from gieok.extract.english.words import straightened, words
from gieok.extract.korean.lexicon import lexicon
from gieok.extract.korean.parting import parts_read
from gieok.extract.korean.reading import Reading
from gieok.extract.korean.standing import holds, in_earnest, quotes_self, tells
from gieok.extract.korean.telling import Part
from gieok.extract.korean.whose import Speaking
from gieok.language.mood import hedged
from gieok.language.morphemes import analyse
from gieok.language.text import has_hangul

_STAGE: Final = re.compile(r"\*[^*\n]+\*")
_ANYBODY: Final = frozenset({"사람", "사람들", "분", "분들", "애들", "애", "놈"})
_ME: Final = frozenset({"나", "저"})
_AIMS: Final = frozenset("계획 예정 생각 작정 셈 마음 참".split())
_AHEAD: Final = re.compile(
    r"(?:(?P<stem>[가-힣])\s?(?:거|것|꺼|게|께|래|텐데)|겠|려고|려구|으려)[가-힣]{0,4}[~.!ㅋㅎ\s]*$"
)
_LEADING: Final = ("어서", "아서", "여서", "서")
_RIEUL: Final = 8  #: the place of ㄹ among final consonants
_LIKE: Final = re.compile(r"(?:이|인|가|이랑|랑|만)?\s?(?:처럼|같[이은다아애]|마냥|취급|인?\s?척|코스프레|뺨|행세)")
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
    past: bool = False
    bygone: bool = False  #: told of an earlier time
    ahead: bool = False  #: meant to be done: 살 거야, 걸을 계획이야
    whenever: bool = False  #: what is said to come of it is stated: 새우 먹으면 두드러기가 나
    supposed: bool = False  #: said of a case that is put: 로또 되면 강남에 살아
    given_up: bool = False  #: only led up to what is stated: 학원 다니다가, 피우던, 서른이라고 했는데


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


def is_likened(text: str, end: int) -> bool:
    """Whether what ends there is only what something is compared with: 거북이처럼 느린, 요리사 취급이야."""
    return _LIKE.match(text, end) is not None


def _korean(text: str, speaker: str, scope: Scope) -> Iterator[Stretch]:
    if not in_earnest(text):
        return
    speaking = Speaking(speaker=speaker, scope=scope)
    parts = parts_read(text, speaking)
    for place, part in enumerate(parts):
        clause, about = part.clause, part.about
        following = parts[place + 1].clause if place + 1 < len(parts) else None
        stated = about is not None and tells(clause, part.mood, about) and holds(clause, following)
        stated = stated and not part.one_of_two(following) and not hedged(clause.morphemes)
        reading = Reading(
            text=text, clause=clause, about=about or speaking.me(), words=lexicon(), me=speaking.me(), after=following
        )
        yield Stretch(
            start=clause.start,
            end=clause.end,
            subject=about.subject if about is not None else None,
            subject_id=about.subject_id if about is not None else None,
            stated=stated and not _of_anybody(part, parts),
            denied=part.negated,
            past=part.past,
            bygone=reading.formerly and not reading.lately,
            ahead=_leads_ahead(text, parts[place:]),
            supposed=place > 0 and parts[place - 1].ending.endswith("면") and not parts[place - 1].clause.final,
            whenever=part.ending.endswith("면") and _comes_of_it(text, parts[place + 1 :]),
            given_up=part.ending.endswith(("다가", "던")) or quotes_self(clause),
        )


def _of_anybody(part: Part, parts: Sequence[Part]) -> bool:
    """키 190 넘는 사람은 옷 어디서 사: whoever it is, unless the speaker says to be one."""
    me = any(phrase.pronoun in _ME for each in parts for phrase in each.clause.phrases)
    return part.clause.head in _ANYBODY and not me


def _leads_ahead(text: str, parts: Sequence[Part]) -> bool:
    """Whether a clause says what is meant to be done, or leads up to it: 여수에 집 사서 살 거야."""
    for part in parts:
        if _is_ahead(text[part.clause.start : part.clause.end], part.clause.head):
            return True
        if not part.ending.endswith(_LEADING):
            return False
    return False


def _is_ahead(said: str, head: str | None) -> bool:
    found = _AHEAD.search(said)
    if head in _AIMS or found is None:
        return head in _AIMS
    return found["stem"] is None or (ord(found["stem"]) - ord("가")) % 28 == _RIEUL


def _comes_of_it(text: str, after: Sequence[Part]) -> bool:
    """Whether the sentence goes on to say what happens then, and not what would: -겠, -ㄹ 거야, -ㄹ 텐데."""
    for place, part in enumerate(after):
        last = place + 1 == len(after) or part.clause.ends_with.strip()[:1] in (".", "!", "?", "…")
        if last or part.mood in ("statement", "fragment"):
            said = text[part.clause.start : part.clause.end]
            sure = part.mood in ("statement", "fragment") and not hedged(part.clause.morphemes)
            return sure and not part.past and not _is_ahead(said, part.clause.head)
    return False


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
