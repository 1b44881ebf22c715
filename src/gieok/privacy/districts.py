"""The provinces, cities, counties and wards of Korea, as they stand in an address."""

from __future__ import annotations

from typing import Final

_PROVINCES: Final = (
    "서울 부산 대구 인천 광주 대전 울산 세종 경기 강원 충북 충남 전북 전남 경북 경남 제주 충청북 충청남 전라북 "
    "전라남 경상북 경상남"
)
_CITIES: Final = (
    "수원 성남 의정부 안양 부천 광명 평택 동두천 안산 고양 과천 구리 남양주 오산 시흥 군포 의왕 하남 용인 파주 이천 "
    "안성 김포 화성 광주 "
    "양주 포천 여주 춘천 원주 강릉 동해 태백 속초 삼척 청주 충주 제천 천안 공주 보령 아산 서산 논산 계룡 당진 전주 "
    "군산 익산 정읍 남원 김제 "
    "목포 여수 순천 나주 광양 포항 경주 김천 안동 구미 영주 영천 상주 문경 경산 창원 진주 통영 사천 김해 밀양 거제 "
    "양산 제주 서귀포 세종"
)
_COUNTIES: Final = (
    "기장 달성 군위 강화 옹진 울주 연천 가평 양평 홍천 횡성 영월 평창 정선 철원 화천 양구 인제 고성 양양 보은 옥천 "
    "영동 증평 진천 괴산 음성 "
    "단양 금산 부여 서천 청양 홍성 예산 태안 완주 진안 무주 장수 임실 순창 고창 부안 담양 곡성 구례 고흥 보성 화순 "
    "장흥 강진 해남 영암 무안 "
    "함평 영광 장성 완도 진도 신안 의성 청송 영양 영덕 청도 고령 성주 칠곡 예천 봉화 울진 울릉 의령 함안 창녕 남해 "
    "하동 산청 함양 거창 합천"
)
_WARDS: Final = (
    "종로 중 용산 성동 광진 동대문 중랑 성북 강북 도봉 노원 은평 서대문 마포 양천 강서 구로 금천 영등포 동작 관악 "
    "서초 강남 송파 강동 서 동 남 북 "
    "영도 부산진 동래 해운대 사하 금정 연제 수영 사상 수성 달서 미추홀 연수 남동 부평 계양 제물포 영종 검단 광산 "
    "유성 대덕 장안 권선 팔달 영통 "
    "수정 중원 분당 만안 동안 원미 소사 오정 상록 단원 덕양 일산동 일산서 일산 처인 기흥 수지 상당 서원 흥덕 청원 "
    "동남 서북 완산 덕진 의창 성산 "
    "마산합포 마산회원 진해"
)


def _any(names: str, *, least: int = 1) -> str:
    """Return a pattern for one of `names` of at least so many syllables, longer ones first."""
    return "|".join(sorted((name for name in names.split() if len(name) >= least), key=len, reverse=True))


PROVINCE: Final = rf"(?:{_any(_PROVINCES)})(?:특별자치시|특별자치도|특별시|광역시|시|도)?"
#: In full: 마포구, 수원시, 가평군.
DISTRICT: Final = rf"(?:(?:{_any(_CITIES)})시|(?:{_any(_COUNTIES)})군|(?:{_any(_WARDS)})구)"
#: As people also say it: 마포, 수원, 분당.
CALLED: Final = rf"(?:{_any(' '.join((_CITIES, _COUNTIES, _WARDS)), least=2)})"
FIRST: Final = "".join(
    sorted({name[0] for names in (_PROVINCES, _CITIES, _COUNTIES, _WARDS) for name in names.split()})
)
"""The syllables that any of them begins with."""
