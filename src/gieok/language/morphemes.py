"""Morphemes of a text, by Kiwi.

Kiwi is loaded once, at the first text with a Hangul syllable: it takes seconds and holds the GIL meanwhile.
A server calls `warm()` before it listens.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Any, Final

from gieok.language.cache import cached_by_text
from gieok.language.data_files import WordSets, data_file
from gieok.language.text import has_hangul

_SETS: Final = WordSets("word_sets.toml", "morphemes")

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
    spellings = data_file("spellings.toml")
    for written, told in spellings["stems"].items():
        kiwi.add_user_word(written, told.split()[0], 0.0)
    for written, told in spellings["words"].items():
        kiwi.add_pre_analyzed_word(written, [tuple(each.split("/")) for each in told.split()], 0.0)
    for noun in spellings["whole"]["nouns"].split():
        kiwi.add_user_word(noun, "NNG", 0.0)
    for name in spellings["whole"]["names"].split():
        kiwi.add_user_word(name, "NNP", _RARE)


@cache
def _standard() -> dict[str, str]:
    """Return the standard spelling of the stems that Kiwi gives back as they are written."""
    return {written: told.split()[1] for written, told in data_file("spellings.toml")["stems"].items()}


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


@cached_by_text
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
    form = _standard().get(token.form, token.form)
    tag = token.tag.partition("-")[0]
    return Morpheme(
        form=form,
        tag=tag,
        start=offset + token.start,
        end=offset + token.end,
        lemma=form + "다" if tag in _STEM_TAGS else form,
        known=not token.oov,
    )


_NOUNS: Final = frozenset({"NNG", "NNP", "NNB", "NR", "SN", "SL", "XSN", "SH"})
_KIN_CUT: Final = frozenset({("막", "MAG"), ("아", "IC"), ("작", "VA")})
_LOOK_AHEAD: Final = 4  #: morphemes
_ENDS: Final = frozenset({"SF", "SW", "SP", "W_EMOJI", "SO", "SE"})


@cached_by_text
def corrected_morphemes(text: str) -> tuple[Morpheme, ...]:
    """Return the mended morphemes of `text`."""
    return tuple(mended(analyse(text)))


def mended(morphemes: Sequence[Morpheme]) -> list[Morpheme]:
    """Return `morphemes` with copulas where the sentence needs them."""
    mended_so_far: list[Morpheme] = []
    i = 0
    while i < len(morphemes):
        part = morphemes[i]
        before = mended_so_far[-1] if mended_so_far else None
        rest = morphemes[i + 1 : i + 1 + _LOOK_AHEAD]
        if _means_me(part, before, rest):
            part = replace(part, tag="NP")
        split = _split_copula(part, rest) or _split_stop(part, rest) or _split_reaction(part)
        if split:
            mended_so_far += split
            i += 1
            continue
        recut, taken = _recut(part, before, rest)
        if recut:
            mended_so_far += recut
            i += taken
            continue
        doing = _under_way(part, rest)
        if doing:
            mended_so_far += doing
            i += len(doing) - 1
            continue
        if part.tag == "NNB" and part.form == "디" and before is not None and before.tag == "ETM":
            mended_so_far[-1] = replace(before, form="는데", tag="EC", lemma="는데", end=part.end)  # 사는디
            if len(mended_so_far) > 1 and mended_so_far[-2].form == "사":
                mended_so_far[-2] = replace(mended_so_far[-2], form="살", lemma="살다")
            i += 1
            continue
        said_so = before is not None and before.tag in ("EF", "EC") and part.form == "아이"
        if before is not None and said_so and rest and rest[0].form == "가":
            mended_so_far[-1] = replace(before, tag="EF")  # 산다 아이가
            i += 2
            continue
        taken = _copula(part, before, rest, mended_so_far)
        if taken:
            mended_so_far += _copula_of(part)
            i += taken
            continue
        mended_so_far.append(part)
        i += 1
    return mended_so_far


def _copula(part: Morpheme, before: Morpheme | None, rest: Sequence[Morpheme], said: Sequence[Morpheme]) -> int:
    """Return how many morphemes from `part` on are really a copula with its ending; 0 for none."""
    if before is None or before.tag not in _NOUNS:
        return 0
    if part.tag == "JX" and (part.form == "이야" or (part.form == "야" and _at_end(rest))):
        return 1  # 반오십이야; 비형이야 내 혈액형
    if part.tag == "JKV" and part.form in ("야", "이야") and _at_end(rest) and _has_topic(said):
        return 1  # 나 민수야
    if part.tag == "JX" and part.form == "야" and before.tag == "SL" and _has_topic(said):
        return 1  # 나 ADHD야 성인 돼서 알았어
    if part.form == "지" and part.tag == "NNG" and before.tag == "NNP" and part.start == before.end and _at_end(rest):
        return 1  # 베프는 정호지ㅋㅋ
    if part.form == "이여" and part.tag.startswith("J") and _at_end(rest):
        return 1  # 예은이여
    if part.tag == "JKS" and part.form == "이" and rest and rest[0].tag == "Z_CODA":
        return 2  # 외계인임ㅋㅋ
    gyeongsang = part.form == "아이" and part.start > before.end and rest and rest[0].form == "가"
    sure = before.tag in ("SN", "SL", "XSN", "NR", "NNB") or _at_end(rest[1:])
    return 2 if gyeongsang and sure else 0  # 부산 아이가


def _means_me(part: Morpheme, before: Morpheme | None, rest: Sequence[Morpheme]) -> bool:
    """저 남자예요 begins with "I", 저 사람 with "that"."""
    if part.tag != "MM" or part.form != "저" or not rest:
        return False
    opens = before is None or before.tag in ("SF", "SP", "EF", "EC", "SW", "IC")
    of_another = rest[0].form in _SETS.seen and any(each.form in _SETS.heard for each in rest)  # 저 가수 A형이래
    pointed_at = rest[0].form in _SETS.pointed_at and not _is_told_politely(rest)
    return opens and not pointed_at and not of_another


def _is_told_politely(rest: Sequence[Morpheme]) -> bool:
    """저 여자예요, 저 여자인데요; not 저 여자 누구야, 저 여자예요?."""
    said, told = [each.form for each in rest], [each.tag for each in rest]
    return said[:1] == ["여자"] and told[1:2] == ["VCP"] and said[2:3] != ["야"] and "?" not in said


def _split_copula(part: Morpheme, rest: Sequence[Morpheme]) -> list[Morpheme]:
    """젤리임 is an unknown word only because its -임 was taken for part of it."""
    ends = part.form.endswith("임") or (part.form.endswith("여") and _at_end(rest))  # 상미여: the same in Jeolla
    unknown = part.tag in ("NNG", "NNP") and not part.known and len(part.form) >= 3 and ends
    if not unknown or (rest and rest[0].start == part.end and rest[0].tag.startswith("J")):
        return []
    cut = part.end - 1
    noun = replace(part, form=part.form[:-1], lemma=part.form[:-1], end=cut)
    copula = replace(part, form="이", tag="VCP", lemma="이다", start=cut, end=cut)
    return [noun, copula, replace(part, form="ㅁ", tag="EF", lemma="ㅁ", start=cut)]


def _split_stop(part: Morpheme, rest: Sequence[Morpheme]) -> list[Morpheme]:
    """나 ENTP. 반가워: the sentence ends there."""
    word = part.form[:-1]
    if part.tag != "SL" or not part.form.endswith(".") or not word or "." in word:
        return []
    if rest and rest[0].start == part.end:
        return []
    cut = part.end - 1
    return [
        replace(part, form=word, lemma=word, end=cut),
        replace(part, form=".", tag="SF", lemma=".", start=cut),
    ]


def _split_reaction(part: Morpheme) -> list[Morpheme]:
    """견과류 알레르기 is in the dictionary as one word; what somebody reacts to is the first."""
    cause, _, reaction = part.form.rpartition(" ")
    if not cause or reaction not in ("알레르기", "알러지"):
        return []
    cut = part.end - len(reaction)
    return [
        replace(part, form=cause, tag="NNG", lemma=cause, end=cut - 1 if cut - part.start > len(cause) else cut),
        replace(part, form=reaction, tag="NNG", lemma=reaction, start=cut),
    ]


def _recut(part: Morpheme, before: Morpheme | None, rest: Sequence[Morpheme]) -> tuple[list[Morpheme], int]:
    """Return what the morphemes from `part` on really are, and how many they were; ([], 0) where nothing is wrong."""
    if before is None or part.form not in _SETS.suspect:
        return _child(part, rest)
    forms = [part.form, *(each.form for each in rest[:2])]
    if forms == ["먹", "고", "살"] and before.form in ("로", "으로"):
        return [replace(part, form="먹고살", lemma="먹고살다", end=rest[1].end)], 3  # 목수로 먹고산다
    if forms[:2] == ["는", "데"] and before.tag == "EP" and rest[0].tag == "NNB":
        return [replace(part, form="는데", tag="EC", lemma="는데", end=rest[0].end)], 2  # 갈아탔는데 is never "where"
    two = _two(part, before, rest)
    if two:
        return two, 1
    if forms[:2] == ["아니", "고"] and part.tag == "IC" and before.tag in _NOUNS and rest[0].start == part.end:
        denying = replace(part, tag="VCN", lemma="아니다")
        return [denying, replace(rest[0], tag="EC", lemma="고")], 2  # 94 아니고 93이야
    if forms in (["갈", "어", "타"], ["갈", "아", "타"]) and part.tag == "VV":
        return [replace(part, form="갈아타", lemma="갈아타다", end=rest[1].end)], 3
    if forms[:2] == ["이", "는"] and part.tag == "VCP" and before.tag in ("NNP", "NNG") and rest[0].tag == "ETM":
        return [replace(part, tag="XSN"), replace(rest[0], tag="JX")], 2  # 서준이는: what somebody is would be -인
    denied = _denied(part, before, rest)
    if denied:
        return _cut(replace(part, end=max(part.end, part.start + 2)), ("아니", "VCN"), ("야", "EF")), denied
    return _mine(part, rest)


def _two(part: Morpheme, before: Morpheme, rest: Sequence[Morpheme]) -> list[Morpheme]:
    """Return the two that one morpheme really is."""
    if part.form == "하고" and part.tag.startswith("J") and before.form in _SETS.deeds and before.end == part.start:
        return _cut(part, ("하", "XSV"), ("고", "EC"))  # 자퇴하고
    if (part.form, part.tag) == ("기에", "EC") and any(each.lemma in _SETS.absorbing for each in rest[:3]):
        return _cut(part, ("기", "ETN"), ("에", "JKB"))  # 비누 만들기에 빠졌어
    if (part.form, part.tag) == ("살고", "NNG"):
        return _cut(part, ("살", "VV"), ("고", "EC"))  # 상무지구 살고
    return []


def _child(part: Morpheme, rest: Sequence[Morpheme]) -> tuple[list[Morpheme], int]:
    """막내 이름은 is not 막 내 이름은, nor 아내 고향이 아, 내 고향이; and 작은애 is one word."""
    if (part.form, part.tag) not in _KIN_CUT or len(rest) < 2 or rest[0].start != part.end:
        return [], 0
    if [each.form for each in rest[:2]] == ["나", "의"]:
        whole = f"{part.form}내"
        return [replace(part, form=whole, tag="NNG", lemma=whole, end=rest[0].end)], 3
    if rest[0].form != "은" or rest[1].form not in _SETS.children or rest[1].start != rest[0].end:
        return [], 0
    word = f"작은{rest[1].form}"
    return [replace(part, form=word, tag="NNG", lemma=word, end=rest[1].end)], 3


def _cut(part: Morpheme, *pieces: tuple[str, str]) -> list[Morpheme]:
    """Cut one morpheme in two, the second of one syllable."""
    (first, first_tag), (second, second_tag) = pieces
    cut = max(part.start, part.end - 1)
    lemma = first + "다" if first_tag.startswith("V") or first_tag == "XSV" else first
    return [
        replace(part, form=first, tag=first_tag, lemma=lemma, end=cut),
        replace(part, form=second, tag=second_tag, lemma=second, start=cut),
    ]


def _denied(part: Morpheme, before: Morpheme, rest: Sequence[Morpheme]) -> int:
    """Return how many morphemes deny: 최애 아냐, though 아냐 may also ask 알다; 기혼 아니야."""
    if before.tag not in _NOUNS:
        return 0
    if part.tag == "IC" and part.form in ("아니야", "아냐", "아녀"):
        return 1
    asked = len(rest) > 1 and rest[1].form.startswith("?")
    knows = (part.form, part.tag) == ("알", "VV") and bool(rest) and rest[0].form == "냐"
    return 2 if knows and not asked else 0


def _mine(part: Morpheme, rest: Sequence[Morpheme]) -> tuple[list[Morpheme], int]:
    """내 1등 is mine, neither handed in nor within."""
    if part.form != "내" or not rest:
        return [], 0
    if part.tag == "NNB" and rest[0].tag == "SN":
        return [replace(part, tag="MM")], 1
    handed_in = part.tag in ("VV", "VX") and rest[0].form == "어" and len(rest) > 1 and rest[1].tag == "SN"
    return ([replace(part, tag="MM", lemma="내")], 2) if handed_in else ([], 0)


def _under_way(part: Morpheme, rest: Sequence[Morpheme]) -> list[Morpheme]:
    """자취 중이에요 is 자취하고 있어요."""
    if part.tag != "NNG" or not rest or (rest[0].form, rest[0].tag) != ("중", "NNB"):
        return []
    if len(rest) > 1 and rest[1].tag not in ("VCP", "SF", "SW", "SP"):
        return []
    verb = replace(rest[0], form="하", tag="XSV", lemma="하다", start=part.end)
    joined = [part, verb, replace(rest[0], form="고", tag="EC", lemma="고")]
    named = len(rest) > 1 and rest[1].tag == "VCP"
    return [*joined, replace(rest[1], form="있", tag="VX", lemma="있다")] if named else joined


def _copula_of(part: Morpheme) -> list[Morpheme]:
    copula = replace(part, form="이", tag="VCP", lemma="이다", end=part.start)
    return [copula, replace(part, form="야", tag="EF", lemma="야")]


def _at_end(rest: Sequence[Morpheme]) -> bool:
    return not rest or rest[0].tag in _ENDS


def _has_topic(said: Sequence[Morpheme]) -> bool:
    return any(part.tag == "NP" or (part.tag == "JX" and part.form in ("은", "는", "ㄴ")) for part in said[:-1])
