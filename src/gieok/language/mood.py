"""The mood of a sentence: only a plain statement can carry a fact.

`mood_of` reads one sentence or clause. Korean keeps the mood in the last ending, so the order below goes from what
overrules everything (a question, a request) to what is left over (a statement).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, Protocol

from gieok.language.mood_closing import Closing, closing
from gieok.language.mood_questions import asks, speaker_chooses
from gieok.language.mood_requests import asks_a_favour
from gieok.language.morphemes import Morpheme

Mood = Literal["statement", "question", "wish", "hypothetical", "command", "hearsay", "fragment"]

_ENDS: Final = frozenset(".?!…")
_IF: Final = frozenset("면 으면 라면 다면 ㄴ다면 는다면 거든".split())
_SUPPOSING: Final = frozenset("만약 만일 가령 만약에".split())
_EMBEDDED_QUESTION: Final = frozenset("는지 ㄴ지 은지 ㄹ지 을지 던지 ㄹ까 을까 냐고 느냐고 으냐고 냐".split())
_HEARSAY: Final = frozenset(
    "대 ㄴ대 는대 래 다더라 라더라 ㄴ다더라 는다더라 다던데 라던데 ㄴ다던데 는다던데 다던가 라던가 "
    "다며 라며 ㄴ다며 는다며 다면서 라면서 ㄴ다면서 는다면서".split()
)
_QUOTING: Final = frozenset("다고 라고 ㄴ다고 는다고 자고".split())
_SAYING: Final = frozenset("하다 그러다 그렇다 말하다".split())
_REPORTED: Final = frozenset("더라 던데 더군 더라고".split())
_ORDERING: Final = frozenset("어라 렴 ㅂ시오 ㅂ시다 자 라 세요 소서".split())
_SAID_TO_DO: Final = frozenset({"어", "어라", "라", "세요", "자", "ㅂ시오", "ㅂ시다"})
_ASKING_FOR: Final = frozenset("부탁하다 부탁드리다".split())
_THANKING: Final = frozenset("감사하다 고맙다".split())
_WISHING: Final = frozenset("바라다 원하다 희망하다 소망하다 빌다".split())
#: with 겠 these are set phrases that say what is so: 모르겠어, 배고파 죽겠다
_SET_PHRASES: Final = frozenset("모르다 알다 죽다 미치다 뵙다 환장하다 돌다 좋다".split())
_CLOSING_NOUNS: Final = frozenset("중 듯 예정 편 뿐 것 거 적 터 줄 수 셈".split())  # 학교 가는 중, 그런 듯


class Said(Protocol):
    """What `mood` reads of a clause."""

    @property
    def morphemes(self) -> tuple[Morpheme, ...]: ...
    @property
    def ends_with(self) -> str: ...
    @property
    def final(self) -> bool: ...


def mood(clause: Said) -> Mood:
    """Return how `clause` is meant. A clause without a predicate tells as much as one with: 취준생 1년차."""
    final = clause.final or clause.ends_with[:1] in _ENDS
    found = mood_of(clause.morphemes, clause.ends_with, final=final)
    return "statement" if found == "fragment" else found


def mood_of(morphemes: Sequence[Morpheme], mark: str = "", *, final: bool = True) -> Mood:
    """Return how the sentence or clause is meant; `mark` is the punctuation after it.

    With `final` false, more of the sentence follows: its ending joins, and 니, 나 or 는데 ask nothing.
    """
    close = closing(morphemes)
    if not final:
        return _joined(close, mark)
    if asks(close, mark):
        return "question"
    if _orders(close):
        return "command"
    if _supposes(close):
        return "hypothetical"
    if _wishes(close):
        return "wish"
    if _reports(close):
        return "hearsay"
    if _only_adds(close):
        return "fragment"
    return "statement" if close.lemma or _closes_with_noun(close) else "fragment"


def _joined(close: Closing, mark: str) -> Mood:
    if mark.startswith("?") or close.ending in _EMBEDDED_QUESTION or (close.ending in ("니", "나") and close.past):
        return "question"
    if close.words and close.words[-1].tag == "ETM":
        return _describing(close.words[-1].form)
    if close.ending in _IF or _supposes(close):
        return "hypothetical"
    if _wishes(close):
        return "wish"
    if _reports(close):
        return "hearsay"
    return "statement" if close.lemma else "fragment"


def _describing(ending: str) -> Mood:
    """키우는, 키우던 tell; 키울 does not; 키운다는 and 키우냐는 are somebody's words."""
    if ending in ("ㄹ", "을"):
        return "hypothetical"
    if ending.endswith(("냐는", "냔")):
        return "question"
    return "hearsay" if ending.endswith(("다는", "단")) else "statement"


def _orders(close: Closing) -> bool:
    if asks_a_favour(close) or (close.lemma in _ASKING_FOR and not close.past):
        return True
    if close.lemma in _THANKING and close.tail_has("겠"):
        return True  # 챙겨 주시면 감사하겠습니다
    if close.helped_by("말다") and close.ending in _SAID_TO_DO:
        return True
    if close.ending == "어" and not close.past and close.tag in ("VV", "XSV"):
        return _tries(close) or (close.helped_by("하다") and close.tail_has("도록"))
    return close.ending in _ORDERING and close.tag in ("VV", "XSV") and not close.past


def _tries(close: Closing) -> bool:
    """먹어 봐, but not 왔나 봐."""
    return [part.form for part in close.tail[-2:]] == ["어", "보"]


def _supposes(close: Closing) -> bool:
    if close.ending in _IF and close.ends_in_connective:
        return True
    if any(part.form in _SUPPOSING for part in close.before):
        return True
    if close.tag in ("VA", "XSA", "VCP") and close.tail_has("겠") and not _is_set_phrase(close):
        return True  # 춥겠다: guessed, not known
    would_have = any(part.tag == "EP" for part in close.before[-4:-2]) and close.before[-2].form in ("을", "ㄹ")
    return would_have and close.lemma == "이다" and close.lead in ("터", "거", "것")  # 갔을 텐데


def _wishes(close: Closing) -> bool:
    if close.lemma in _WISHING or speaker_chooses(close):
        return True
    if close.helped_by("싶다"):
        return close.tail_has("고") or close.tail_has("면", "으면")
    if close.helped_by("하다") and close.past and close.tail_has("으면"):
        return True  # 쉬었으면 해
    if not close.tail_has("겠"):
        return False
    return close.lemma == "좋다" or not (close.lead == "못" or _is_set_phrase(close))


def _is_set_phrase(close: Closing) -> bool:
    return close.lemma in _SET_PHRASES or close.helped_by("죽다", "미치다")


def _reports(close: Closing) -> bool:
    if close.ending in _HEARSAY:
        return not (close.melted and close.ending == "대")  # 방송통신대 is a school
    return close.lead in _QUOTING and (close.lemma == "듣다" or (close.lemma in _SAYING and close.ending in _REPORTED))


def _only_adds(close: Closing) -> bool:
    """회사 말이야: what the sentence before was about."""
    return close.lemma == "이다" and close.lead == "말" and len(close.before) < 4


def _closes_with_noun(close: Closing) -> bool:
    words = close.words
    return len(words) > 1 and words[-2].tag == "ETM" and words[-1].form in _CLOSING_NOUNS
