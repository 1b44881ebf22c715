"""The mood of a clause: only a plain statement can carry a fact."""

from __future__ import annotations

from typing import Final, Literal

from gieok.language.clauses import Clause

Mood = Literal["statement", "question", "wish", "hypothetical", "command", "hearsay"]

_ALWAYS_ASKING: Final = (
    "니",
    "냐",
    "까",
    "습니까",
    "ㅂ니까",
    "을까",
    "ㄹ까",
    "을까요",
    "ㄹ까요",
    "나요",
    "은가요",
    "ㄴ가요",
    "는가",
)
_QUESTION_WORDS: Final = frozenset("뭐 무엇 뭘 누구 어디 언제 왜 어떻게 어느 무슨 몇 얼마".split())
_HEARSAY: Final = (
    "ㄴ대",
    "는대",
    "대",
    "대요",
    "ㄴ대요",
    "는대요",
    "래",
    "래요",
    "라던데",
    "다던데",
    "다며",
    "라며",
    "다더라",
    "라더라",
)
_IF: Final = ("면", "으면", "라면", "다면", "ㄴ다면", "는다면", "거든")
_COMMAND: Final = ("어라", "아라", "으세요", "세요", "자", "십시오", "ㅂ시다", "렴")


def mood(clause: Clause) -> Mood:
    """Return how `clause` is meant."""
    predicate = clause.predicate
    endings = predicate.endings if predicate else ()
    last = endings[-1] if endings else ""
    words = {word for phrase in clause.phrases for word in phrase.words} | set(clause.adverbs)
    if last in _IF:
        return "hypothetical"
    if clause.ends_with.startswith("?") or last in _ALWAYS_ASKING or words & _QUESTION_WORDS:
        return "question"
    if predicate is not None:
        if "싶다" in predicate.auxiliaries or any(part.tag == "EP" and part.form == "겠" for part in predicate.tail):
            return "wish"
        if last in _HEARSAY:
            return "hearsay"
        if last in _COMMAND and predicate.form == "verb":
            return "command"
    return "statement"
