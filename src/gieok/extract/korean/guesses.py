"""What a question takes to be so of the one who answers: 너 A형이지?, 아직도 분당 살아?."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from gieok.extract.korean.lexicon import lexicon
from gieok.extract.korean.reading import Finding, Reading
from gieok.extract.korean.whose import Speaking, whose
from gieok.language.clauses import Clause, clauses
from gieok.language.text import normalise

_LOOK_BACK: Final = 5  #: clauses
_LONGEST_QUESTION: Final = 80
_ASKED: Final = frozenset("뭐 무엇 어디 누구 몇 언제 무슨 어느 어떤 뭔데 왜 어떻 얼마 며칠".split())


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
    return found


def _asks_openly(clause: Clause) -> bool:
    return any(part.form in _ASKED for part in clause.morphemes)


def _is_guess(clause: Clause, guess: Finding) -> bool:
    return guess.polarity == "+" and not guess.past and not _named_besides(clause, guess)


def _named_besides(clause: Clause, guess: Finding) -> bool:
    """민지 INFP지?: somebody's name stands beside."""
    own = set(guess.surface.split()) | set(guess.value.split())
    parts = (part for phrase in clause.phrases for part in phrase.morphemes)
    return any(part.tag == "NNP" and not any(part.form in word for word in own) for part in parts)
