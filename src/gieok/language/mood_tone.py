"""The tone of what is said: held back with a "maybe", or said in fun."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from gieok.language.mood_closing import Closing, closing
from gieok.language.morphemes import Morpheme

_MAYBE: Final = frozenset("아마 아마도 글쎄 어쩌면 설마 혹시".split())
_GUESSING: Final = frozenset("ㄹ걸 을걸 ㄹ라나 을라나 려나 으려나".split())
_WONDERING: Final = frozenset("나 ㄴ가 은가 는가 ㄹ까 을까".split())
_LIKELY_NOUNS: Final = frozenset("듯 듯이 모양".split())
_MIGHT: Final = frozenset("ㄹ지 을지 ㄹ지도 을지도".split())

#: said outright to be untrue; "장난 아니야" and "농담 아니고" mean the contrary
_FUN: Final = re.compile(
    r"(?:뻥|구라|농담|장난|드립|거짓말)\s?"
    r"(?:이야|이었어|이었|이지|이고|이에요|이예요|입니다|이었습니다|임|인데|인\s?거|이라고|야|였어|였|예요|ㅋ|ㅎ|~|!|$)"
    r"|(?:뻥|구라|장난|농담)\s?(?:친|쳐\s?[본봤]|한)\s?(?:거|건|것)"
    r"|(?:뻥|구라|농담|장난|드립)\s?(?:쳤|쳐\s?봤|쳐봤|해\s?봤|했)"
    r"|(?:이거|이건|방금|지금)\s?(?:[가-힣]{1,6}\s)?(?:성대모사|흉내|명대사|대사|패러디|상황극|콩트|연기)"
    r"|(?:성대모사|흉내|상황극|패러디)\s?(?:어때|비슷|똑같|한\s?거|해\s?봤|해봤)|따라\s?해\s?(?:봤|본|봄)|따라해\s?(?:봤|본|봄)"
    r"|(?:농담|장난|드립)으로\s?(?:한|해\s?본)|속았지|낚였지|낚였네|만우절|\((?:농담|장난|뻥|반어)\)"
)
#: a sweet word drawn out, and a smile that does not mean it: 아~ 나 야근 너무 사랑해~ … ^^
_IRONY: Final = re.compile(
    r"(?:^|\s)(?:아|와|오|하|참)~[^\n]{0,200}(?:너무|참|정말|진짜|아주)[^\n]{0,200}(?<!요)~[^\n]{0,200}\^\^;?\s*$"
    r"|퍽이나|어련하시|\((?:눈물|한숨|울컥|오열|먼산)\)|(?:…|\.\.)\s?하+[.…]*\s*$"
    r"|^(?:그래|오냐|암|아무렴)\s[^\n]{0,80}지\s?(?:아주|뭐|그럼|그래)"  # 그래 내 취미가 설거지지 아주
    r"|(?:취미|특기|꿈|소원)[이가]\s[^\n]{1,20}지\s?(?:뭐|아주)"
)
_IRONY_READ: Final = 300
_READ: Final = 4000  #: longer texts are read from their end, where the marks stand


def hedged(morphemes: Sequence[Morpheme]) -> bool:
    """Say whether the speaker is not sure: 아마, AB형일걸, 그런 듯, 맞는 것 같아, 아닐까."""
    close = closing(morphemes)
    if any(part.form in _MAYBE and part.tag in ("MAG", "MAJ", "IC") for part in close.words):
        return True
    return close.ending in _GUESSING or _seems(close) or _wonders(close) or _might(close) or _is_unsure(close)


def joking(text: str) -> bool:
    """Say whether the text itself says that it is in fun. An impossible claim with a laugh does not say so."""
    text = text[-_READ:]
    return _FUN.search(text) is not None or _IRONY.search(text[-_IRONY_READ:]) is not None


def _seems(close: Closing) -> bool:
    """것 같아, 학생 같아, 그런 듯(해), 그런 모양이야."""
    if close.lemma == "같다":
        return bool(close.before) and close.before[-1].tag.startswith("N")
    return any(part.form in _LIKELY_NOUNS and part.tag in ("NNB", "NNG") for part in close.words[-5:])


def _wonders(close: Closing) -> bool:
    """왔나 봐, B형인가 싶어, 감기가 아닐까."""
    if close.ending in ("ㄹ까", "을까") and close.tag == "VCN":
        return True
    return close.helped_by("보다", "싶다") and any(part.form in _WONDERING for part in close.tail)


def _might(close: Closing) -> bool:
    """그럴지도 몰라, 그럴 수도 있어."""
    if close.lemma == "모르다":
        return any(part.form in _MIGHT for part in close.before[-2:])
    return close.lemma == "있다" and [part.form for part in close.before[-2:]] == ["수", "도"]


def _is_unsure(close: Closing) -> bool:
    return close.lemma in ("확실하다", "정확하다", "확신하다") and close.helped_by("않다", "못하다")
