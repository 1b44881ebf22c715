"""Changes of what is already known: 합정 방 빼고 판교로 옮겼어, 가산 산다고 한 거 취소, 햄스터 말고 시바견.

Whoever gives something up names it. Knowing which facts are mentioned tells which attribute is meant, so that the few
ways of taking back, replacing and ending need no pattern for every attribute.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from gieok.domain.background import Background
from gieok.domain.memory import Memory
from gieok.extract.korean.patterns import Pattern, patterns
from gieok.extract.korean.reading import Finding, found
from gieok.extract.korean.values import READERS, Value
from gieok.language.clauses import Clause, Phrase, clauses

_SENTENCE: Final = re.compile(r"[^.!?\n…]+")
_PARTICLE: Final = r"(?:은|는|이|가|을|를|도|에|에서|으로|로|였|이었)?"
_TAKEN_BACK: Final = re.compile(
    _PARTICLE
    + r".{0,14}?(?:라고|다고|라는|다는|란|단)\s?(?:말)?(?:한|했던|적은|하던|쓴)?\s?(?:거|것|건|게|말)?\S{0,2}.{0,14}?"
    r"(?:취소|뻥|농담|거짓말|허세|구라|장난|지어낸|무르|잊어|찍은\s?거|해본\s?(?:소리|말)|한\s?말이|멘트|귀찮아서|사실\s?아니)"
)
_MISTAKEN: Final = re.compile(
    _PARTICLE + r".{0,10}?(?:라고|다고)\s?(?:한|했|적은|말한)\S{0,4}.{0,12}?(?:오타|실수|정정|잘못|헷갈|대충|헛나"
    r"|옆\s?사람|친구\s?얘기|옆집)"
)
_REPLACED: Final = re.compile(
    r"(?:은|는|을|를|이|가|에서|에)?\s?(?:\S{1,4}\s)?"
    r"(?P<how>아니고|아니라|말고|대신|에서|보다|그만두고|때려치우고|때려치고|접고|퇴사하고|자퇴하고|빼고|팔고|포기하고|끊고|관두고"
    r"|질렸고|시들해졌고|보냈고|놓아|등록\s?끝나서|질려서|물려서|→|->)(?=[\s요,]|$)"
)
_ENDED: Final = re.compile(
    _PARTICLE + r".{0,12}?(?:그만\s?(?:뒀|둠|두|뒀다)|퇴사|졸업|자퇴|접었|접음|뺐|끊었|끊음|안\s?해(?!\S)|안\s?함"
    r"|안\s?키|안\s?다녀|안\s?다님|안\s?불러|없어졌"
    r"|질려|물려|무지개다리|입양\s?보|끝났|안\s?좋아|아냐|아니야|포기|하늘나라|때려치|때려침|관뒀|잘렸)"
)
_CORRECTING: Final = re.compile(r"잘못|오타|실수|정정|헷갈|헛나|말이\s?꼬|원래부터|아니라니까|아니고")
_MOVING_ON: Final = re.compile(
    r"이제|요즘|지금|옮|바꿨|바뀌|갈아|이직|이사|전직|새로|이번|요새|질렸|그만|퇴사|자퇴|접고|끊고|보냈|대신|포기"
)


def known_changes(text: str, background: Background) -> Iterator[Finding]:
    """Yield what `text` does to the facts it mentions."""
    for memory in background.mentioned:
        pattern = patterns().by_attribute.get(memory.attribute or "")
        at = _place(text, memory)
        if pattern is None or at is None:
            continue
        yield from _changed(text, at, memory, pattern)


def _place(text: str, memory: Memory) -> tuple[int, int] | None:
    for said in (memory.surface, memory.value):
        if (said and len(said) > 1) or (said and said in text.split()):
            start = text.find(said)
            if start >= 0:
                return start, start + len(said)
    return None


def _changed(text: str, at: tuple[int, int], memory: Memory, pattern: Pattern) -> Iterator[Finding]:
    rest = text[at[1] :]
    assert memory.value is not None, "only facts with a value are mentioned"
    old = Value(value=memory.value, shown=memory.surface or memory.value, surface=text[at[0] : at[1]])
    replaced = _REPLACED.match(rest)
    if replaced is not None:
        new = _new_value(rest[replaced.end() :], pattern, memory.value)
        if new is not None:
            wrong = bool(_CORRECTING.search(text)) and not _MOVING_ON.search(text)
            yield found(pattern, new, act="correct" if wrong else "prefer", instead_of=memory.value)
            return
    if _TAKEN_BACK.match(rest):
        yield found(pattern, old, act="retract")
        return
    mistaken = _MISTAKEN.match(rest)
    if mistaken is not None:
        new = _new_value(rest[mistaken.end() :], pattern, memory.value)
        if new is not None:
            yield found(pattern, new, act="correct", instead_of=memory.value)
        else:
            yield found(pattern, old, act="retract")
        return
    first = _SENTENCE.match(rest)
    if first is not None and _ENDED.match(first[0]):
        yield found(pattern, old, polarity="-", act="end")


def _new_value(text: str, pattern: Pattern, old: str) -> Value | None:
    """Return the value that stands in for `old`: the first thing named after it that can be one."""
    for clause in clauses(text.lstrip(" 요,")):
        for phrase in _named(clause):
            said = phrase.text
            value = READERS[pattern.value](said)
            if value is None and (pattern.free or pattern.value in ("noun", "name", "job")):
                value = READERS["noun"](said)
            if value is not None and value.value != old and value.value not in _IDLE:
                return value
    return None


_IDLE: Final = frozenset(
    "나 저 내 제 이제 지금 요즘 거 것 사실 원래 말 이번 주 취미 꿈 별명 최애 다시 진짜 내가 제가".split()
)


def _named(clause: Clause) -> list[Phrase]:
    fitting = ("로", "으로", "이", "가", "을", "를", "에", "만", "이나")
    return [p for p in clause.phrases if p.pronoun is None and (not p.particles or p.has(*fitting))]
