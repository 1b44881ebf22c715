"""Names in part: 쿠팡 of 쿠팡 물류센터, 외대 of 한국외대, 택시 of 택시기사, 스벅 of 스타벅스."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gieok.domain.memory import Memory
from gieok.language.clauses import clauses

#: what is done or said for what one is, or for where one works and learns
_ALSO: Final = {
    "스벅": "스타벅스", "맥날": "맥도날드", "베라": "배스킨라빈스", "배라": "배스킨라빈스", "파바": "파리바게뜨",
    "올영": "올리브영", "삼전": "삼성전자", "하닉": "하이닉스", "피시방": "pc방", "피씨방": "pc방", "pc방": "피시방",
    "방통대": "방송통신대", "숙대": "숙명여대", "성대": "성균관대", "이대": "이화여대", "고대": "고려대",
    "연대": "연세대", "중대": "중앙대", "건대": "건국대", "홍대": "홍익대", "한대": "한양대", "시립대": "서울시립대",
    "농사": "농부", "유튜브": "유튜버", "방송": "스트리머", "연기": "배우", "노래": "가수", "요리": "요리사",
    "장사": "사장", "미용": "미용사", "간호": "간호사", "번역": "번역가", "통역": "통역사",
}  # fmt: skip
_TOO_BROAD: Final = frozenset(
    "알바 아르바이트 학생 회사 학교 대학 대학교 직장 사장 기사 교사 강사 담당 담당자 사람 매니저".split()
)
#: 농사 접었어, 쿠팡은 계약 끝나서; not 올해 농사 끝났어
_QUIT: Final = re.compile(
    r"접[었고음]|그만|관[두뒀둠둔]|은퇴|때려|퇴[직사임학]|자퇴|졸업|[잘짤][리려렸림린]|계약|만료|정리|청산"
    r"|안 [하해한나다뛰]|명퇴|폐업|마[쳤침치]|내려\s?[놓놨]|물려|끊어[졌지짐]|끊[겼겨김]|물러|마지막|반납"
    r"|[말부]로 끝|임기|[라다]고 |아니[고라구]|말고"
)
_PARTICLE: Final = re.compile(r"(?:은|는|이|가|을|를|도|이랑|랑|하고|에서|에)?[.,!?~]*$")
_SHORTEST: Final = 2  #: letters
_LONGEST: Final = 12


def named_in_part(text: str, standing: Sequence[Memory]) -> Iterator[tuple[Memory, str]]:
    """Yield what of `standing` is named in `text`, and the word that names it; in full it is found elsewhere."""
    said = [each for each in standing if each.value and each.value not in text]
    if not said or _QUIT.search(text) is None:
        return
    words = {word: None for clause in clauses(text) for phrase in clause.phrases for word in phrase.words}
    words |= dict.fromkeys(_PARTICLE.sub("", word) for word in text.split())  # 에기연, which Kiwi does not know
    for memory in said:
        word = next((word for word in words if _is_part(word, memory.value or "")), None)
        if word is not None:
            yield memory, word


def _is_part(word: str, value: str) -> bool:
    if len(word) < _SHORTEST or word in _TOO_BROAD:
        return False
    whole = value.replace(" ", "").casefold()
    bare = "농사" if word.endswith("농사") else word
    if bare in _ALSO and _ALSO[bare].casefold() in whole:
        return True
    if shortened(word, whole):
        return True
    low = word.casefold()
    return low != whole and len(low) < len(whole) and (whole.startswith(low) or whole.endswith(low))


def shortened(word: str, whole: str) -> bool:
    """에기연 of 에너지기술연구원, 피방 of 피시방, 시디 of 시각디자인: its letters in their order, from the first on."""
    if not 2 * len(word) - 1 <= len(whole) <= _LONGEST or word[0] != whole[0] or not word.isalpha():
        return False
    letters = iter(whole)
    return all(letter in letters for letter in word)
