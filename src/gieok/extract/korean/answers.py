"""Short answers, read with the question before them: "어느 계절 좋아해?" – "가을!", "너 A형이지?" – "ㄴㄴ 오형"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gieok.domain.turn import Utterance
from gieok.extract.korean.labels import label_of
from gieok.extract.korean.patterns import patterns
from gieok.extract.korean.reading import Finding, found
from gieok.extract.korean.values import READERS
from gieok.language.clauses import clauses

_YES: Final = re.compile(r"^(?:ㅇㅇ|응|어|네|넵|예|맞아|맞아요|그래|당연|ㅇㅋ|웅|엉)(?=$|[\s,.!~ㅋㅎ])")
_NO: Final = re.compile(r"^(?:ㄴㄴ|아니|아뇨|아니요|아닌데|노노)(?=$|[\s,.!~ㅋㅎ요])[요]?")
_FILLER: Final = re.compile(
    r"^(?:음+|어+|글쎄|저요|저는|전|나는|난|나|무조건|당연히|역시|주로|거의|딱|요즘|그냥|아마)[\s?,.…~]*"
)
_TAIL: Final = re.compile(
    r"(?:[\s~!?.…ㅋㅎㅠㅜ^]+|(?:이에요|예요|이예요|에요|이요|요|이야|야|임|이지|지|입니다|이랄까|랄까"
    r"|이라고 해|라고 해|인데|이고|쪽|정도)$)+$"
)
_LONGEST: Final = 30
_ANSWERING: Final = frozenset(
    "하다 다니다 먹다 듣다 있다 좋다 좋아하다 무섭다 무서워하다 키우다 싫다 싫어하다 보다 읽다 치다 타다 "
    "살다 가다 이다 나오다 되다".split()
)


def answer(text: str, before: Sequence[Utterance], speaker: str, *, silent: bool) -> Iterator[Finding]:
    """Read `text` as the answer to the last question somebody else asked; `silent`: nothing else was read in it."""
    question = before[-1].text if before and before[-1].speaker != speaker else None
    if question is None or not _asks(question) or len(text) > 4 * _LONGEST:
        return
    opened = re.sub(r"^(?:나|저요|저|나는)\s*\?\s*", "", text.strip())
    first = re.split(r"[.!?…,\n]", opened, maxsplit=1)[0].strip() or opened
    yes, no = _YES.match(first), _NO.match(first)
    asked = clauses(question)
    words = frozenset(word for clause in asked for phrase in clause.phrases for word in phrase.words)
    rest = first[(yes or no).end() :].strip(" ,.!~") if (yes or no) else first  # type: ignore[union-attr]  # one matched
    if yes or no:
        yield from _confirmed(words, question, denied=no is not None)
    pattern = label_of(words, question)
    said = _bare(rest)
    if not silent or pattern is None or not said or len(said) > _LONGEST:
        return
    if _is_clause(said):
        said = _object_of(said)
    value = READERS[pattern.value](said) or (READERS["noun"](said) if pattern.free or pattern.value == "noun" else None)
    if value is not None and said:
        yield found(pattern, value)


def _asks(said: str) -> bool:
    return "?" in said or said.rstrip(" .!~").endswith(("말해봐", "말해 봐", "알려줘", "골라봐", "알려 줘"))


def _confirmed(words: frozenset[str], question: str, *, denied: bool) -> Iterator[Finding]:
    for pattern in patterns().alone:
        value = READERS[pattern.value](" ".join(words)) if words else None
        if value is not None and value.alone and value.surface.replace(" ", "") in question.replace(" ", ""):
            yield found(pattern, value, polarity="-" if denied else "+")


def _bare(text: str) -> str:
    """Return an answer without its fillers and endings."""
    said = text
    while (shorter := _FILLER.sub("", said)) != said and shorter:
        said = shorter
    return _TAIL.sub("", said).strip()


def _object_of(said: str) -> str:
    """Return what an answer in a whole sentence is about: 거의 재즈만 들어요."""
    first = next(iter(clauses(said)), None)
    if first is None or first.predicate is None or first.predicate.lemma not in _ANSWERING:
        return ""
    fitting = [p for p in first.phrases if p.pronoun is None and not p.has("에서", "한테", "부터", "까지", "은", "는")]
    return fitting[-1].text if fitting else ""


def _is_clause(said: str) -> bool:
    """Whether there is a whole sentence in it, which the other rules read better."""
    return any(clause.predicate is not None and clause.predicate.form != "copula" for clause in clauses(said))
