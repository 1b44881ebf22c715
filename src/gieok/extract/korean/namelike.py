"""What looks like somebody's name, and what can be a nickname."""

from __future__ import annotations

import re
from typing import Final

from gieok.extract.korean.kinds import is_company, is_place, is_school, major_of
from gieok.extract.korean.lexicon import lexicon
from gieok.extract.korean.values import READERS
from gieok.language.morphemes import analyse

_NO_NICKNAME: Final = frozenset(
    "형 누나 오빠 언니 이모 삼촌 고모 아저씨 아줌마 총각 아가씨 할머니 할아버지 선생님 쌤 뭐 그렇게 이렇게 자기 여보 "
    "너 야 나 저 이름 내 제 뭐라고 어떻게 바보 천재 그거 이거 사람 애 거 것 별명 엄마 아빠 후배 선배 손님 "
    "고객님 사장님 씨 님 "
    "무엇 누구 아무 진짜 또 다 막 그래 와 따 이 자 데 무교 어머님 아버님 어르신 래퍼 계급 아주머니 부자".split()
)
_NO_NAME: Final = frozenset(
    "아니 아님 아녀 "
    "뭐 뭔 무엇 비밀 그거 이거 아직 없 몰라 글자 한글 외자 특이 흔한 예쁜 이상 대신 공개 변경 개명 촌스럽 내 제 나 저 "
    "사람 것 거 오타 실수 진짜 그대로 똑같 이름 본명 별명 애칭 자 데 때 중 증후군 신세계 사내놈 상남자 그자체".split()
)
_NO_WORD: Final = re.compile(r"(?:[었았했였겼렸졌갔왔]어?|은|는|면|게|서|다고|축하해)$")


def may_nickname(said: str) -> bool:
    word = said.strip()
    return bool(word) and word not in _NO_NICKNAME and not _NO_WORD.search(word)


def may_name(said: str) -> bool:
    parts = analyse(said) if len(said) != 2 else ()
    if parts and (len(said) > 3 and any(part.tag.startswith("E") for part in parts)):
        return False
    if len(parts) > 1 and parts[0].tag == "VA" and parts[-1].tag == "EF":
        return False  # 이름이 예쁘네요
    if len(said) == 1 and parts and parts[0].tag[0] == "V":
        return False  # 이름 쓰거든요
    if said.endswith("잡") and said.startswith(("왼손", "오른손", "양손")):
        return False
    return bool(said) and said not in _NO_NAME and not lexicon().is_job(said) and READERS["name"](said) is not None


def is_name(said: str, *, met: bool) -> bool:
    """Whether `said` is somebody's name; where people just `met`, a common noun will do: 사랑, 바다."""
    if not may_name(said) or not 1 <= len(said) <= 4 or said in _NO_NICKNAME:
        return False
    known = lexicon().class_of.get(said)
    if known not in (None, "season", "color") or said in lexicon().cities or said in lexicon().kin:
        return False
    if is_full_name(said):
        return True
    parts = analyse(said)
    proper = len(parts) == 1 and (parts[0].tag == "NNP" or not parts[0].known)
    return proper or (met and len(said) <= 3 and all(part.tag in ("NNG", "NNP", "XR") for part in parts))


def is_given_name(said: str) -> bool:
    """Whether a word that no dictionary knows is made like a given name: 윤슬, 서윤."""
    words = lexicon()
    if not all(syllable in words.given for syllable in said) or said in words.class_of or words.is_job(said):
        return False
    if any(fits(said) for fits in (is_place, is_school, is_company, major_of, READERS["blood"], READERS["mbti"])):
        return False
    if said in _NO_NICKNAME | _NO_NAME:
        return False
    parts = analyse(said)
    if len(parts) == 1:
        return parts[0].tag == "NNP" or not parts[0].known
    return not any(part.tag[0] in "VEJ" for part in parts)


def is_full_name(said: str) -> bool:
    """Whether `said` is a surname with a given name of two syllables."""
    words = lexicon()
    if len(said) != 3 or said[0] not in words.surnames or said in words.class_of or words.is_job(said):
        return False
    if not all(syllable in words.given for syllable in said[1:]):
        return False
    parts = analyse(said)
    common = len(parts) == 1 and parts[0].tag == "NNG" and parts[0].known
    if len(parts) == 2 and parts[0].tag == "NNP" and (parts[1].tag == "JKV" or parts[1].form == "ㄴ"):
        return True  # 정윤아, 한유진: no particle
    return not common and all(part.tag[0] == "N" or part.tag in ("XR", "MM", "XPN") for part in parts)


def is_asked_name(said: str, *, met: bool) -> bool:
    """Whether somebody who asks to be called `said` gives their name: 윤슬, not 토리 or 달님."""
    if said.endswith("님"):
        return False
    named = said in lexicon().names or is_full_name(said) or is_given_name(said)
    return named or (met and is_name(said, met=True))


def bare(name: str, rest: str) -> str:
    """유빈이라고: the 이 is only there to be said more easily."""
    value = READERS["name"](name)
    return value.value if value is not None and rest.startswith(("이", "라", "야")) else name
