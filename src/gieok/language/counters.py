"""Words that make the syllable before them a number, and the words that only look like it.

The patterns are compiled when first used: together they would be a fifth of this room's import time.
"""

from __future__ import annotations

import re
from functools import cache

_BOTH = (
    "시간 시 명 마리 개 살 분 번째 번 사람 잔 병 권 장 대 켤레 벌 채 판 조각 그릇 줄 송이 가지 끼 캔 "
    "달 해 주 식구 남매 형제 자매 곳 군데 배 평 자리 모금 입 봉지 박스 통 팀 쌍 스푼 컵"
)
_SINO_ONLY = (
    "세 년생 년차 년 월생 월 일 초 개월 개국 학년 학기 학번 반 층 호 동 원 달러 엔 위 등 점 도 프로 "
    "퍼센트 인분 인 주년 주일 주차 박 기 급 단계 차 회 kg 킬로그램 킬로 키로 cm 센티미터 센티 센치 "
    "미터 km m g 그램 리터 ml %"
)
_NATIVE_ONLY = "째"

_PARTICLES = (
    "째 차 대 생 짜리 씩 쯤 정도 가량 간 동안 전 후 뒤 이상 이하 만에 밖에 까지 부터 마다 에서 에게 "
    "한테 으로 이랑 하고 보다 이나 이라도 은 는 이 가 을 를 도 만 에 의 로 랑 과 와 나 요"
)
_COPULA = (
    r"이?(?:야|에요|예요|여요|였[가-힣]*|고요?|거든요?|니까요?|니깐|지요?|죠|네요?|래요?|라서|라고[가-힣]*|라|던데|면|며|란|다)"
    r"|이었[가-힣]*|인데요?|인가요?|인지|입니다|임|인|[됐된되][가-힣]*"
)

#: Well-formed numerals that are, without a counter, towns, feelings, phrases or a name.
ALSO_WORDS = frozenset("이천 사천 오만 구만 천만 이조 일조 오조 하나".split())

#: A numeral with a counter that, together, says something else: 이번 is "this time", 이 분 "this person".
MISREAD_WITH_COUNTER = frozenset(
    "이가지 이개 이곳 이권 이급 이기 이달 이대 이도 이동 이등 이반 이배 이번 이번째 이벌 이병 이분 "
    "이사람 이원 이일 이자리 이잔 이장 이점 이주 이차 이채 이통 이판 이팀 이해 오일 만세 만일 만년 "
    "만인 사기 사도 사원 사장 사회 일도 일반 일원 일회 공원 공인 공장 구기 구도 구분 구원".split()
)


@cache
def sino_counter() -> re.Pattern[str]:
    """Match what 일, 이, 삼 count, blank before it included."""
    return _any_of(f"{_BOTH} {_SINO_ONLY}")


@cache
def native_counter() -> re.Pattern[str]:
    """Match what 한, 두, 세 count, blank before it included."""
    return _any_of(f"{_BOTH} {_NATIVE_ONLY}")


@cache
def rest_of_word() -> re.Pattern[str]:
    """Match what may stand between a number or its counter and the end of the word."""
    particles = "|".join(_PARTICLES.split())
    return re.compile(rf"(?:{particles}|{_COPULA})*(?![가-힣])")


def _any_of(words: str) -> re.Pattern[str]:
    longest_first = sorted(words.split(), key=len, reverse=True)
    return re.compile(rf" ?(?:{'|'.join(longest_first)})")
