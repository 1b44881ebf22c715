"""Requests: for an answer, which is a question in other words, or for a deed.

"몇 시인지 알려 줘" and "이름 말해 봐" want to be told; "불 좀 꺼 줄래" wants the light out, whatever its ending.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gieok.language.mood_closing import Closing, enabled
from gieok.language.mood_question_words import asked_about
from gieok.language.morphemes import Morpheme

_REQUEST: Final = frozenset("어 어라 렴 ㅂ시오 세요 오 라 자 ㄹ래 을래 니 나 냐 ㅂ니까 습니까".split())
_POLITELY_ASKING: Final = frozenset("ㄹ래 을래 니 나 냐 ㅂ니까 습니까".split())

#: verbs whose request wants an answer: 이름 알려 줘
_TELLING: Final = frozenset({"알리다"})
_TELLING_SOMETHING: Final = frozenset("말하다 얘기하다 이야기하다 대답하다 답하다 설명하다".split())  # not 천천히 말해
#: 알바 찾아, 커 보여, 중학교에서 과학 가르쳐: told; 찾아 줘, 보여 줘, 가르쳐 줘: asked
_TELLING_IF_GIVEN: Final = frozenset("찾다 보이다 가르치다".split())
_GUESSING: Final = frozenset("맞추다 맞히다".split())  # 맞춰 봐; not 시간 맞춰 봐
#: verbs whose request wants an answer only with a question inside: 왔는지 확인해 줘
_FINDING_OUT: Final = _TELLING_SOMETHING | frozenset(
    "확인하다 검색하다 조회하다 체크하다 점검하다 알아보다 알아내다 찾다 찾아보다 보다 살피다 살펴보다 묻다 물어보다 "
    "부탁하다 계산하다 비교하다 추천하다 고르다 뽑다 띄우다 읽다".split()
)
_KNOWING: Final = frozenset("알다 기억하다 기억나다 생각나다".split())
_SURE: Final = frozenset("잘 다 이미 이제 대충 도 줄".split())  # 잘 알아, 그럴 줄 알아

_WHETHER: Final = frozenset("는지 ㄴ지 은지 ㄹ지 을지 던지 나 냐 ㄴ가 는가 은가".split())
_WHETHER_NOUNS: Final = frozenset("여부 유무".split())
_SOMETHING: Final = frozenset("NNG NNP NNB NR SL JKO JX".split())
#: before 알려 줘, these make it an errand: 오면, 간다고, 아침에, 미리
_ERRAND: Final = frozenset("면 으면 라고 다고 ㄴ다고 는다고 자고 에 로 으로 미리 에게 한테 다시".split())
_SPEAKER: Final = frozenset("나 저 우리 저희".split())
_TOPIC: Final = frozenset("은 는 ㄴ 도".split())


def asks_to_be_told(close: Closing) -> bool:
    """Say whether this is a request for an answer: 알려 줘, 몇 시인지 확인해 줄래, 뭐 하는지 궁금해."""
    inner = enabled(close) or close
    if inner.past:
        return False
    if close.lemma == "궁금하다":
        return True
    if close.ending not in _REQUEST:
        return False
    lemma = "알아보다" if inner.lemma == "알다" and inner.helped_by("보다") else inner.lemma
    whether = any(_is_whether(part) for part in inner.before)
    if lemma in _KNOWING:
        return _asks_if_known(inner, whether=whether)
    if lemma in _GUESSING:
        return whether or not inner.before
    if _wants_telling(lemma, inner, close.ending):
        return whether or not _is_errand(inner.before)
    return whether and lemma in _FINDING_OUT


def asks_a_favour(close: Closing) -> bool:
    """Say whether this asks to do something, whatever its ending: 꺼 줄래, 와 주겠니, 해 줄 수 있어."""
    if close.ending not in _REQUEST or asked_about(close):
        return False  # 뭘 틀어 줄래 asks
    inner = enabled(close)
    if inner is not None:
        return close.lemma == "있다" and _gives(inner)
    if not _gives(close) or close.past or close.tail_has("고"):
        return False
    if close.ending in _POLITELY_ASKING:
        return close.ending in ("ㄹ래", "을래") or close.tail_has("겠")
    return close.helped_by("주다", "달다")


def speaker_is_named(words: Sequence[Morpheme], *, as_topic: bool = False) -> bool:
    """Say whether 나 or 저 stands in `words`, not as an owner (내 이름); with `as_topic`, only 나는 and 나도."""
    for at, word in enumerate(words):
        if word.tag != "NP" or word.form not in _SPEAKER:
            continue
        particle = words[at + 1] if at + 1 < len(words) and words[at + 1].tag.startswith("J") else None
        if particle is None:
            named = not as_topic
        else:
            named = particle.tag != "JKG" and (not as_topic or particle.form in _TOPIC)
        if named:
            return True
    return False


def _gives(close: Closing) -> bool:
    return close.helped_by("주다", "달다") or (close.lemma.endswith("주다") and close.tag == "VV")


def _wants_telling(lemma: str, close: Closing, ending: str) -> bool:
    if lemma in _TELLING_SOMETHING:
        something = bool(close.before) and close.before[-1].tag in _SOMETHING
        return something and bool(close.tail)  # 이름 말해 줘, 말해 봐; 내가 대답해 is told
    if lemma in _TELLING_IF_GIVEN:
        return _gives(close) or ending in ("어라", "렴")
    return lemma in _TELLING


def _is_errand(before: Sequence[Morpheme]) -> bool:
    if not before or before[-1].form not in _ERRAND:
        return False
    return not (before[-1].form == "으면" and len(before) > 1 and before[-2].lemma == "있다")  # 있으면 알려 줘


def _asks_if_known(close: Closing, *, whether: bool) -> bool:
    """Whether "알아", "기억나" ask the listener; the speaker's own knowledge is told: 나도 알아, 잘 알아."""
    before = close.before
    if not before or before[-1].form in _SURE or close.tail_has("겠", "고") or close.ending not in ("어", "세요"):
        return False
    if whether:
        return not speaker_is_named(before, as_topic=True)
    return before[-1].tag in _SOMETHING - {"JX"} and not speaker_is_named(before)


def _is_whether(part: Morpheme) -> bool:
    if part.tag in ("EC", "EF"):
        return part.form in _WHETHER
    return part.form in _WHETHER_NOUNS or (part.tag == "NNB" and part.form == "지")
