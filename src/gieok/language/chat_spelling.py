"""Chat spellings that Kiwi's own correction of typos misses.

It takes 조아해 for a name (there is a Joa in its dictionary) and cuts 시러 into nonsense. Only spellings that
mean nothing else belong here.
"""

from __future__ import annotations

from typing import Any, Final

#: written stem → (tag, standard stem). Kiwi conjugates it and gives it back as written.
STEMS: Final[dict[str, tuple[str, str]]] = {
    "조아하": ("VV", "좋아하"),
    "죠아하": ("VV", "좋아하"),
    "시러하": ("VV", "싫어하"),
    "어케": ("MAG", "어떻게"),
    "갠적": ("NNG", "개인적"),
    "비건": ("NNG", "비건"),  # else 비다 with an ending
    "댕기": ("VV", "다니"),
    "때려치": ("VV", "때려치"),
    "입덕": ("NNG", "입덕"),
    "탈덕": ("NNG", "탈덕"),
    "이직": ("NNG", "이직"),
    "개명": ("NNG", "개명"),
}

#: written word → the morphemes it stands for.
WORDS: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "조아": (("좋", "VA"), ("어", "EF")),
    "죠아": (("좋", "VA"), ("어", "EF")),
    "조타": (("좋", "VA"), ("다", "EF")),
    "시러": (("싫", "VA"), ("어", "EF")),
    "시룸": (("싫", "VA"), ("음", "EF")),
    "개조아": (("좋", "VA"), ("어", "EF")),
    "개시러": (("싫", "VA"), ("어", "EF")),
    "글고": (("그리고", "MAJ"),),
    "글구": (("그리고", "MAJ"),),
}

#: nouns that Kiwi cuts to pieces: animals, medicines, kinds of people
NOUNS: Final = frozenset(
    "길냥이 고냥이 냥냥이 사랑앵무 타란툴라 친칠라 데구 저빌 포메라니안 웰시코기 닥스훈트 먼치킨 아메숏 "
    "렉돌 아비시니안 삼색이 펜잘 베아제 알프라졸람 아티반 삭센다 위고비 마운자로 아모디핀 아보다트 로게인 "
    "머시론 프레드니솔론 소론도 이미그란 강직성척추염 덜렁이 렉사프로 구피 요키 도베르만 이펙사 심발타 "
    "와파린 멍멍이 냥이 야옹이 멍뭉이 댕댕이 치즈냥이 기계치 방향치 박치 집순이 집돌이 전남편 전여친 "
    "전남친 전처 전와이프 전부인 룸메 하메 썸남 썸녀 담임쌤 절친 남사친 여사친 소개팅남 소개팅녀".split()
)

#: common given names that it cuts to pieces as well
NAMES: Final = frozenset(
    "서준 시우 준우 준서 유준 은우 시윤 윤우 승민 유찬 준영 재윤 태윤 은찬 윤호 민찬 지안 "
    "승준 예성 강민 태현 민서 윤재 석진 근영 기태 종현 용준 준하 찬호 규민 서윤 하은 지유 "
    "윤서 은서 소윤 예나 시은 채은 가은 아린 서영 연서 유주 서아 채윤 은채 현서 소은 서우 "
    "춘식 보미 은비 효주 상미 윤슬 은별 승아 가영 채영 민경 푸름 세영 보영 로아".split()
)
_RARE: Final = -2.0  #: a word that it knows is likelier


def teach(kiwi: Any) -> None:
    """Add the spellings to `kiwi`'s dictionary."""
    for written, (tag, _) in STEMS.items():
        kiwi.add_user_word(written, tag, 0.0)
    for written, morphemes in WORDS.items():
        kiwi.add_pre_analyzed_word(written, list(morphemes), 0.0)
    for noun in NOUNS:
        kiwi.add_user_word(noun, "NNG", 0.0)
    for name in NAMES:
        kiwi.add_user_word(name, "NNP", _RARE)
