"""What only gives back what the other has told (와, 개발자시군요), and what a question takes to be so (너 A형이지?)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from gieok.domain.attributes import attribute
from gieok.domain.turn import USER, Utterance
from gieok.extract.korean.lexicon import lexicon
from gieok.extract.korean.parting import parts_read
from gieok.extract.korean.reading import Finding, Reading
from gieok.extract.korean.telling import Part
from gieok.extract.korean.whose import Speaking, honoured, whose
from gieok.language.clauses import Clause, clauses
from gieok.language.text import normalise

_MAY_ECHO: Final = re.compile(r"구나|구만|구먼|군|네|[시셔셨]|세요|드[시셔신]|계[시셔신]|[가-힣](?<=[신실십])")
_NOTED: Final = ("구나", "군", "군요", "구만", "구먼", "구려")
_SEEN: Final = ("네", "네요")
_FIRST: Final = frozenset({"나", "저", "우리", "저희", "본인"})
_HEARD: Final = 400  #: characters of what was said before
_TOLD: Final = frozenset({"NNG", "NNP", "SL", "SN", "NR"})
_WHEN: Final = frozenset("오늘 어제 내일 지금 요즘 아까 아침 점심 저녁 주말 올해 작년".split())  #: said anew every day
_LOOK_BACK: Final = 5  #: clauses
_LONGEST_QUESTION: Final = 80
_ASKED: Final = frozenset("뭐 무엇 어디 누구 몇 언제 무슨 어느 어떤 뭔데 왜 어떻 얼마 며칠".split())


def without_echoes(text: str, speaking: Speaking, before: Sequence[Utterance]) -> str:
    """Return `text` without the sentences in which the speaker takes note of what they were told."""
    if _MAY_ECHO.search(text) is None:
        return text
    last = before[-1] if before else None
    told = last is not None and last.speaker != speaking.speaker and "?" not in last.text  # who is asked, answers
    heard = normalise(last.text)[:_HEARD] if last is not None and told else ""
    parts = parts_read(text, speaking)
    kept: list[str] = []
    at = 0
    for place, part in enumerate(parts):
        if _echoes(part, speaking, heard) or _concludes(parts, place, speaking, heard):
            start = _opening(parts, place)
            kept.append(text[at : max(at, start)])
            at = max(at, part.clause.end)
    return "".join((*kept, text[at:])) if at else text


def _echoes(part: Part, speaking: Speaking, heard: str) -> bool:
    clause, predicate = part.clause, part.clause.predicate
    if predicate is None or _speaks_of_self(part) or part.mood == "command" or clause.head is not None:
        return False
    if predicate.reported is not None or predicate.lemma == "주다" or "주다" in predicate.auxiliaries:
        return False  # 의사 선생님이 그렇다고 하시네, 틀어 주셔서: somebody else did
    notes, sees = part.ending.endswith(_NOTED), part.ending.endswith(_SEEN)
    if part.about is None and honoured(clause):
        return bool(clause.phrases) and (speaking.speaker != USER or notes or sees)
    if not (notes or sees) or (part.about is not None and part.about == speaking.you(part.about.phrase)):
        return False
    if speaking.speaker != USER and notes:
        return True
    mine = part.about is not None and part.about == speaking.me()
    return (mine or speaking.speaker != USER) and _was_told(part, heard)


def _concludes(parts: Sequence[Part], place: int, speaking: Speaking, heard: str) -> bool:
    """그럼 대구에 사는 거네: what the character makes of what it was told."""
    part, before = parts[place], parts[place - 1] if place else None
    if speaking.speaker == USER or before is None or before.clause.head not in ("거", "것") or not part.says("이다"):
        return False
    return part.ending.endswith((*_NOTED, *_SEEN)) and not _speaks_of_self(before) and _was_told(before, heard)


def _was_told(part: Part, heard: str) -> bool:
    return any(
        morpheme.form in heard
        for phrase in part.clause.phrases
        for morpheme in phrase.morphemes
        if morpheme.tag in _TOLD and len(morpheme.form) > 1 and morpheme.form not in _WHEN
    )


def _speaks_of_self(part: Part) -> bool:
    return any(phrase.pronoun in _FIRST or phrase.owner in _FIRST for phrase in part.clause.phrases)


def _opening(parts: Sequence[Part], place: int) -> int:
    """Return where that begins which the part at `place` ends: what modifies it, and what is noted along with it."""
    start = parts[place].clause.start
    noted = parts[place].ending.endswith(_NOTED)
    for part in reversed(parts[:place]):
        ends = part.clause.final or part.clause.ends_with.lstrip().startswith((".", "?", "!", "…", "~"))
        along = part.clause.head is not None or noted or honoured(part.clause)
        if ends or not along or _speaks_of_self(part):
            return max(start, part.clause.end)
        start = min(start, part.clause.start)
    return start


def guessed(
    question: str, asking: Speaking, answering: Speaking, read: Callable[[Reading], Iterable[Finding]]
) -> list[Finding]:
    """Return what `question` would say of the one who answers, were it told; nothing where it asks what or who."""
    if len(question) > _LONGEST_QUESTION:
        return []
    text, me = normalise(question), answering.me()
    found: list[Finding] = []
    for clause in clauses(text)[-_LOOK_BACK:]:
        about = whose(clause, asking, None, lexicon())
        of_me = about is not None and (about.phrase is None or about.subject_id == me.subject_id)
        if about is None or not of_me or clause.head is not None or _asks_openly(clause):
            continue
        reading = Reading(text=text, clause=clause, about=replace(me, phrase=about.phrase), words=lexicon(), me=me)
        found += [guess for guess in read(reading) if _is_guess(clause, guess)]
    return [guess for guess in found if not any(_or_else(guess, other) for other in found)]


def _or_else(guess: Finding, other: Finding) -> bool:
    """여자야 남자야?: one of the two, and neither is taken to be so."""
    one = guess.attribute == other.attribute and attribute(guess.attribute).single
    return one and guess.value != other.value


def _asks_openly(clause: Clause) -> bool:
    return any(part.form in _ASKED for part in clause.morphemes)


def _is_guess(clause: Clause, guess: Finding) -> bool:
    return guess.polarity == "+" and not guess.past and not _named_besides(clause, guess)


def _named_besides(clause: Clause, guess: Finding) -> bool:
    """민지 INFP지?: somebody's name stands beside."""
    own = set(guess.surface.split()) | set(guess.value.split())
    parts = (part for phrase in clause.phrases for part in phrase.morphemes)
    return any(part.tag == "NNP" and not any(part.form in word for word in own) for part in parts)
