"""Morphemes of a text, by Kiwi.

Kiwi is loaded once, at the first text with a Hangul syllable: it takes seconds and holds the GIL meanwhile.
A server calls `warm()` before it listens.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, Final

from gieok.language.lately import remembered
from gieok.language.text import has_hangul

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
    "아는": (("알", "VV"), ("는", "ETM")),
    "글고": (("그리고", "MAJ"),),
    "글구": (("그리고", "MAJ"),),
}
#: nouns that Kiwi cuts to pieces: animals, medicines, kinds of people, things that are liked
NOUNS: Final = frozenset(
    "길냥이 고냥이 냥냥이 사랑앵무 타란툴라 친칠라 데구 저빌 포메라니안 웰시코기 닥스훈트 먼치킨 아메숏 "
    "렉돌 아비시니안 삼색이 펜잘 베아제 알프라졸람 아티반 삭센다 위고비 마운자로 아모디핀 아보다트 로게인 "
    "머시론 프레드니솔론 소론도 이미그란 강직성척추염 덜렁이 렉사프로 구피 요키 도베르만 이펙사 심발타 "
    "와파린 멍멍이 냥이 야옹이 멍뭉이 댕댕이 치즈냥이 기계치 방향치 박치 집순이 집돌이 전남편 전여친 "
    "전남친 전처 전와이프 전부인 룸메 하메 썸남 썸녀 담임쌤 절친 남사친 여사친 소개팅남 소개팅녀 "
    "남고딩 여고딩 싱글대디 흰동가리 해수어 회색앵무 퀘이커앵무 오로라 젤다 로코 아이유".split()
)
#: common given names that it cuts to pieces as well
NAMES: Final = frozenset(
    "서준 시우 준우 준서 유준 은우 시윤 윤우 승민 유찬 준영 재윤 태윤 은찬 윤호 민찬 지안 "
    "승준 예성 강민 태현 민서 윤재 석진 근영 기태 종현 용준 준하 찬호 규민 서윤 하은 지유 "
    "윤서 은서 소윤 예나 시은 채은 가은 아린 서영 연서 유주 서아 채윤 은채 현서 소은 서우 "
    "춘식 보미 은비 효주 상미 윤슬 은별 승아 가영 채영 민경 푸름 세영 보영 로아 "
    "현준 은호 은성 로운 다온 다은 예서 아윤 도연 보민".split()
)
_RARE: Final = -2.0  #: a word that it knows is likelier
_PICTOGRAPH = r"[\u2600-\u27bf\U0001f000-\U0001f1e5\U0001f200-\U0001faff]"
_WORD = re.compile(
    rf"""
    (?P<W_URL>https?://\S+)
    |(?P<W_EMAIL>[\w.+-]{{1,64}}@[\w-]{{1,64}}(?:\.[\w-]{{1,64}})+)
    |(?P<W_MENTION>@\w+)
    |(?P<W_SERIAL>\d+(?:[-/]\d+)+|\d+(?:\.\d+){{2,}})
    |(?P<SN>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)
    |(?P<W_EMOJI>[\U0001f1e6-\U0001f1ff]{{2}}|{_PICTOGRAPH}[\ufe0f\U0001f3fb-\U0001f3ff]*
        (?:\u200d{_PICTOGRAPH}[\ufe0f\U0001f3fb-\U0001f3ff]*)*)
    |(?P<SH>[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+)
    |(?P<JAMO>[ㄱ-ㆎ]+)
    |(?P<SL>[^\W\d_ㄱ-ㆎ\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+(?:\.(?:js|net|io|py|ai)\b)?)
    |(?P<SF>[.?!…]+)
    |(?P<SW>[^\w\s]+)
    """,
    re.VERBOSE,
)
# Correcting typos doubles Kiwi's time and "corrects" names, so that only lines with a common slip are corrected:
# ㅅ for ㅆ (잇어, 햇어), 되 for 돼, 마니.
_SLIP = re.compile(r"[잇앗엇겟햇됫됏왓봣줫]|되[서요]|마니")
_LONG = 600
# Kiwi spends up to half a millisecond a syllable on 한한한한…: of a long repetition the beginning is enough.
_REPETITION = re.compile(r"([가-힣]{1,4}?)\1{11,}")
_KEPT_OF_REPETITION = 4
# An unknown word that opens like this was written without a space: 이름은한유진입니다.
_RUN_ON = re.compile(r"[나저]는(?=[가-힣]{2})")
_RUN_ON_NAME = re.compile(r"이름은(?=[가-힣]{2})")  # no word goes on like this
# "If it were" is never written apart: what is, one eats. Kiwi takes 나 라면 좋아해 for 나라면.
_APART = re.compile(r"(?<=\s)라면(?=$|[\s,.!?~]|[을은이도만랑과의에])")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_STEM_TAGS = frozenset({"VV", "VA", "VX", "VCP", "VCN", "XSV", "XSA"})
_kiwi: Any = None
_loading = threading.Lock()


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


def scan(text: str) -> Iterator[tuple[str, str, int, int]]:
    """Yield (form, tag, start, end) of every word, number, pictograph and mark in `text`."""
    for match in _WORD.finditer(text):
        tag = match.lastgroup or "SW"
        yield match.group(), "SW" if tag == "JAMO" else tag, match.start(), match.end()


@dataclass(frozen=True, slots=True, kw_only=True)
class Morpheme:
    """A morpheme and where it stands in the text; two may share a syllable (해 = 하 + 어)."""

    form: str  #: standard spelling, typos corrected; `text[start:end]` is what was written
    tag: str  #: Sejong tag as Kiwi gives it, without its -R and -I for (ir)regular stems
    start: int  #: offset in the Python string
    end: int
    lemma: str  #: dictionary form: 좋아하다 of the stem 좋아하; of all else the form
    known: bool = True  #: False: not in the dictionary, as many names and new words


@remembered
def analyse(text: str) -> tuple[Morpheme, ...]:
    """Return the morphemes of `text` in order. Any string is answered; the latest texts are remembered."""
    if not has_hangul(text):
        return tuple(
            Morpheme(form=form, tag=tag, start=start, end=end, lemma=form) for form, tag, start, end in scan(text)
        )
    readable = _SURROGATE.sub("\ufffd", text)  # Kiwi fails on one half of a pair
    reading = _Reading(_load(), short=len(text) <= _LONG, slips=_SLIP.search(text) is not None)
    found: list[Morpheme] = []
    for start, end in _stretches(readable):
        found += reading.morphemes(readable[start:end], start)
    return tuple(found)


def warm() -> None:
    """Load Kiwi now, if it is not loaded yet."""
    _load()


def loaded() -> bool:
    """Say whether Kiwi is loaded, so that the next Korean text is answered at once."""
    return _kiwi is not None


def join(parts: Sequence[tuple[str, str]]) -> str:
    """Return what the (form, tag) `parts` spell together: 무섭 + 음 is 무서움."""
    return str(_load().join(parts))


def _load() -> Any:
    global _kiwi
    if _kiwi is None:
        with _loading:
            if _kiwi is None:
                _kiwi = _new_kiwi()
    return _kiwi


def _new_kiwi() -> Any:
    from kiwipiepy import Kiwi

    kiwi = Kiwi(num_workers=1)
    teach(kiwi)
    kiwi.tokenize("첫 문장이 사전을 마저 읽게 함", typos="basic")  # the rest of the loading happens at the first text
    return kiwi


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of `text` worth reading: all but the tails of long repetitions."""
    begin = 0
    for match in _REPETITION.finditer(text):
        yield begin, match.start() + _KEPT_OF_REPETITION * len(match.group(1))
        begin = match.end()
    if begin < len(text):
        yield begin, len(text)


class _Reading:
    """How Kiwi reads one text. A long one is read plainly, so that 8,000 hostile syllables stay under a second."""

    def __init__(self, kiwi: Any, *, short: bool, slips: bool) -> None:
        self._kiwi = kiwi
        self._short = short
        self._options: dict[str, Any] = {
            "normalize_coda": True,  # 먹었엌ㅋㅋ is 먹었어 with a laugh
            "compatible_jamo": True,  # ㅂ니다 as it is typed
        }
        if short and slips:
            self._options["typos"] = "basic"
        if not short:
            self._options["override_config"] = _narrow_search()

    def morphemes(self, text: str, offset: int) -> list[Morpheme]:
        tokens = self._tokens(text)
        cuts = self._run_ons(text, tokens)
        if not cuts:
            return [_morpheme(token, offset) for token in tokens]
        return [
            _morpheme(token, offset + start)
            for start, end in pairwise([0, *cuts, len(text)])
            for token in self._tokens(text[start:end])
        ]

    def _tokens(self, text: str) -> list[Any]:
        nouns = [(*noun.span(), "NNG") for noun in _APART.finditer(text)] if "라면" in text else []
        return list(self._kiwi.tokenize(text, pretokenized=nouns or None, **self._options))

    def _run_ons(self, text: str, tokens: list[Any]) -> list[int]:
        if not self._short:
            return []
        openings = (_RUN_ON.match(text, token.start, token.end) for token in tokens if token.oov)
        certain = _RUN_ON_NAME.finditer(text)
        return sorted({opening.end() for opening in (*openings, *certain) if opening})


@cache
def _narrow_search() -> Any:
    from kiwipiepy import KiwiConfig

    return KiwiConfig(cutoff_threshold=5.0)


def _morpheme(token: Any, offset: int) -> Morpheme:
    form = token.form
    tag = token.tag.partition("-")[0]
    if form in STEMS:
        form = STEMS[form][1]
    return Morpheme(
        form=form,
        tag=tag,
        start=offset + token.start,
        end=offset + token.end,
        lemma=form + "다" if tag in _STEM_TAGS else form,
        known=not token.oov,
    )
