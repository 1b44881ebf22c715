"""Question words, and whether one is asked about.

뭐, 누구, 언제 also mean "something", "anyone", "some day", and a clause inside the sentence may keep them to itself:
"누군가", "며칠 전", "누구나" and "뭐 먹을지 모르겠어" ask nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gieok.language.mood_closing import Closing, plain
from gieok.language.morphemes import Morpheme

_WORDS: Final = frozenset(
    "뭐 머 뭐뭐 무엇 뭣 뭔 무슨 누구 누 언제 어디 왜 어떻게 어째서 어찌 몇 며칠 얼마 얼마나 얼마큼 얼만큼 "
    "어느 어떤 웬".split()
)
_WORD_TAGS: Final = frozenset("NP NNG NR MM MAG NNB IC".split())
_STEMS: Final = frozenset("어떻다 어떠하다 어쩌다 어떡하다 어딨다 어찌하다".split())

#: right behind a question word these make it "some" or "any": 누구나, 뭐든, 무엇보다, 뭔가, 뭐고
_ANY: Final = frozenset("나 이나 든 든지 든가 라도 이라도 도 보다 ㄴ가 ㄴ지 건 ㄴ들 고".split())
_ANY_TAGS: Final = frozenset("JX JKB JC EC EF".split())
#: a question word and what may follow it that only points or measures: 어느 날, 며칠 전, 얼마 안 돼
_SOME: Final = {
    "어느": frozenset("날 정도 새 덧 순간 하나 누구 때".split()),
    "어떤": frozenset("때 면".split()),
    "뭐": frozenset("좀 그냥 이런 그런 그렇 그렇게".split()),
    **dict.fromkeys("며칠 얼마 몇".split(), frozenset("전 후 뒤 동안 만 안 지나 사이 째 씩 못".split())),
}
#: endings that keep a question word in their own clause: 누가 그러는데, 뭐 먹을지, 왜 왔냐고
_CLOSES_OFF: Final = frozenset(
    "는지 ㄴ지 은지 ㄹ지 을지 던지 냐 냐고 느냐고 으냐고 냐며 나 니 ㄴ가 은가 는가 ㄹ까 을까 "
    "는데 ㄴ데 은데 던데 는데도 지만 다만 더니 거든 니까 으니까 든 든지 든가 거나 길래".split()
)
_EVEN_IF: Final = frozenset("어도 아도 여도 더라도 어두".split())
_QUOTED_QUESTION: Final = frozenset("냐는 느냐는 으냐는 냔 느냔".split())
_FILLERS: Final = frozenset({"뭐", "머"})
_TELLING: Final = frozenset("어 대 ㄴ대 는대 래".split())


def is_question_word(word: Morpheme) -> bool:
    return word.form in _WORDS and word.tag in _WORD_TAGS


def asked_about(close: Closing) -> bool:
    """Say whether a question word reaches the end of the sentence."""
    if close.lemma in _STEMS:
        return close.lead != "ㄹ"  # 좋은 걸 어떡해
    if close.lemma == "같다" and close.ending == "은데":
        return False  # 어디서 들어본 것 같은데
    words = _last_sentence(close)
    found = asked_words(words)
    return bool(found) and not (found == [0] and _may_be_someone(close, words[0]))


def asked_words(words: Sequence[Morpheme]) -> list[int]:
    """Return where in `words` question words stand that nothing turns into "some" and no clause closes off."""
    found = [at for at, word in enumerate(words) if word.lemma in _STEMS or is_question_word(word)]
    if not found:
        return found
    closed, conditional = _reach(words)
    return [
        at
        for at in found
        if at >= closed
        and not (at < conditional and _is_subject(words, at))  # 누가 부르면 대답해
        and not _means_some(words, at)
    ]


def _last_sentence(close: Closing) -> Sequence[Morpheme]:
    """Return the words around the last predicate, without the sentences said before it."""
    begin = max((at + 1 for at, part in enumerate(close.before) if part.tag == "EF"), default=0)
    fills = bool(close.behind) and close.behind[-1].form in _FILLERS  # 집돌이지 뭐
    return close.before[begin:] if fills else (*close.before[begin:], *close.behind)


def _may_be_someone(close: Closing, word: Morpheme) -> bool:
    """누가 왔어, 누가 온대: somebody, as likely as who."""
    return word.form == "누구" and close.tag != "VCP" and close.ending in _TELLING


def _reach(words: Sequence[Morpheme]) -> tuple[int, int]:
    """Return where the last clause ends that keeps its question words, and where the last conditional stands."""
    closed = conditional = 0
    for at, part in enumerate(words):
        if _closes_off(words, at):
            closed = at
        elif part.tag == "EC" and part.form in ("면", "으면"):
            conditional = at
    return closed, conditional


def _closes_off(words: Sequence[Morpheme], at: int) -> bool:
    part = words[at]
    if part.tag in ("EC", "EF"):
        # 누가 비웃어도 안 변해; but in 몇 시에 가도 돼 nothing stands between
        return plain(part.form) in _CLOSES_OFF or (part.form in _EVEN_IF and at + 1 < len(words))
    if part.tag == "ETM":
        return part.form in _QUOTED_QUESTION
    if part.tag != "NNB" or not at or words[at - 1].tag != "ETM":
        return False
    noun = at + 1 == len(words) or words[at + 1].tag.startswith("J")
    return part.form == "지" or (part.form == "데" and not noun)  # so Kiwi reads 오는 지, and some 는데


def _is_subject(words: Sequence[Morpheme], at: int) -> bool:
    return words[at].form == "무슨" or (at + 1 < len(words) and words[at + 1].tag == "JKS")


def _means_some(words: Sequence[Morpheme], at: int) -> bool:
    word, rest = words[at], words[at + 1 : at + 3]
    if word.lemma in _STEMS:
        return len(rest) > 1 and rest[0].form == "ㄹ" and rest[1].form in ("수", "줄", "뻔")  # 어쩔 수 없어
    if word.tag == "IC" and at == 0:
        return True  # 뭐, 그렇지
    if not rest:
        return False
    reached = rest if rest[0].tag in ("VCP", "JKB") else rest[:1]  # 뭐(이)든, 어디서도
    if any(part.tag in _ANY_TAGS and part.form in _ANY for part in reached):
        return True
    pointed = _SOME.get(word.form, frozenset())
    return rest[0].form in pointed or (word.form == "몇" and any(part.form in pointed for part in rest))
