"""How a sentence closes: its last predicate, the ending on it, and what was put behind.

Korean says how a sentence is meant in its last ending, so that nearly all of a mood is read here. Two things hide the
ending: words put behind the predicate ("뭐야 이게") and little words that add nothing (요, 응).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gieok.language.morphemes import Morpheme

_STEMS: Final = frozenset("VV VA VCP VCN XSV XSA".split())
_MADE_OF_NOUN: Final = frozenset({"XSV", "XSA"})
_ENDINGS: Final = frozenset({"EF", "EC", "ETN"})
_WRITTEN: Final = frozenset({"SL", "SN", "SH"})  # the S-tags that are words, not marks
_BEHIND: Final = 6  # so many morphemes may stand behind the predicate
_MAY_STAND_BEHIND: Final = frozenset("NNG NNP NNB NP NR MM MAG MAJ IC XSN XPN JX JKS JKO JKB JKV JKG JC SL SN".split())
_PAST: Final = ("었", "았", "였", "었었", "았었")
_QUOTES: Final = {'"': '"', "'": "'", "“": "”", "‘": "’"}
_NOUN_AND_VERB: Final = frozenset({("기억", "나다"), ("생각", "나다")})
_POLITE: Final = frozenset("요 용 여 유 염 욤".split())
_ASKS_UNFINISHED: Final = frozenset({"니", "냐", "나"})  # Kiwi takes these for connectives: 어디 있니 로비야
#: what is spelled or cut in several ways → one name
_SAME_ENDING: Final = {
    **dict.fromkeys("죠 지요 쥬 징 디".split(), "지"),
    **dict.fromkeys("아 여 아요 어요 여요 엉 앙".split(), "어"),
    **dict.fromkeys("에요 예요 이에요 에여 예여".split(), "야"),
    **dict.fromkeys("느냐 으냐".split(), "냐"),
    **dict.fromkeys("으세요 셔요 으셔요 세용 세여".split(), "세요"),
    **dict.fromkeys("십시오 으십시오 읍시오".split(), "ㅂ시오"),
    **dict.fromkeys("아라 여라 거라 너라".split(), "어라"),
    **dict.fromkeys("으렴 려무나 으려무나".split(), "렴"),
    "읍시다": "ㅂ시다",
    "구": "고",
    "라구": "라고",
    "다구": "다고",
    "ㄴ다구": "ㄴ다고",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """The end of one sentence or clause."""

    words: tuple[Morpheme, ...]  #: all its morphemes but the marks
    lemma: str = ""  #: of the last predicate: 확인하다, 이다; "" where there is none
    tag: str = ""  #: VV, VA, VCP, VCN; XSV and XSA for a predicate made of a noun
    ending: str = ""  #: spelled one way, without 요; "" where a noun or a particle ends it
    before: tuple[Morpheme, ...] = ()  #: what leads up to the predicate
    tail: tuple[Morpheme, ...] = ()  #: auxiliaries and tenses between the stem and the ending
    behind: tuple[Morpheme, ...] = ()  #: what was put behind the ending
    ends_in_connective: bool = False  #: 오면, 오는데: the sentence breaks off
    melted: bool = False  #: the copula is not written: 초코야

    @property
    def lead(self) -> str:
        """The form right before the predicate; "" where it comes first."""
        return self.before[-1].form if self.before else ""

    @property
    def past(self) -> bool:
        return self.tail_has(*_PAST)

    def tail_has(self, *forms: str) -> bool:
        return any(part.form in forms for part in self.tail)

    def helped_by(self, *lemmas: str) -> bool:
        """Whether one of these auxiliary verbs follows the stem."""
        return any(part.tag == "VX" and part.lemma in lemmas for part in self.tail)


def closing(morphemes: Sequence[Morpheme]) -> Closing:
    """Read how `morphemes`, one sentence or clause, close."""
    words = _own_words(morphemes)
    last = _last_ending(words)
    if last is None:
        last = _last_final(words)
    if last is None:
        return Closing(words=words, before=words)
    return _closed_at(words, last)


def _own_words(morphemes: Sequence[Morpheme]) -> tuple[Morpheme, ...]:
    """Leave out the marks, and what stands in quotation marks unless nothing else is said."""
    own: list[Morpheme] = []
    quoted: list[Morpheme] = []
    closer = ""
    for part in morphemes:
        if closer:
            if part.form == closer:
                closer, quoted = "", []
            elif _is_word(part):
                quoted.append(part)
        elif part.form in _QUOTES and part.tag in ("SSO", "SSC", "SS"):
            closer = _QUOTES[part.form]
        elif _is_word(part):
            own.append(part)
    return tuple(own + quoted) if own or quoted else tuple(part for part in morphemes if _is_word(part))


def _is_word(part: Morpheme) -> bool:
    return part.tag in _WRITTEN or part.tag[:1] not in ("S", "W")


def enabled(close: Closing) -> Closing | None:
    """Return the inner predicate of "~할 수 있-": 알리 of "알려 줄 수 있니". None where nothing is enabled."""
    if close.lemma not in ("있다", "없다"):
        return None
    for at in range(len(close.before) - 1, max(0, len(close.before) - 3), -1):
        if close.before[at].form == "수" and close.before[at - 1].tag == "ETM":
            return _closed_at(close.before, at - 1)
    return None


def _closed_at(words: tuple[Morpheme, ...], last: int) -> Closing:
    stem, after, lemma, tag = _stem(words, last)
    ending, tail = plain(words[last].form), words[after:last]
    if ending == "ㅁ" and [part.form for part in tail[-2:]] in (["려고", "하"], ["으려고", "하"]):
        ending, tail = "렴", tail[:-2]  # so Kiwi reads 알려 주렴
    return Closing(
        words=words,
        lemma=lemma,
        tag=tag,
        ending=ending,
        before=words[:stem],
        tail=tail,
        behind=words[last + 1 :],
        ends_in_connective=words[last].tag == "EC",
        melted=bool(lemma) and stem == last,
    )


def plain(ending: str) -> str:
    """Return the one spelling of an ending: 죠, 지요 and 징 are 지; 나요 is 나."""
    if ending in _SAME_ENDING:
        return _SAME_ENDING[ending]
    if len(ending) > 1 and ending[-1] in _POLITE and ending != "세요":
        return _SAME_ENDING.get(ending[:-1], ending[:-1])
    return ending


def _last_ending(words: Sequence[Morpheme]) -> int | None:
    """Return where the last ending stands, looking past what was put behind it."""
    for at in range(len(words) - 1, max(-1, len(words) - 2 - _BEHIND), -1):
        part = words[at]
        if part.tag in _ENDINGS:
            return at if _may_close(part, words[at + 1 :]) else None
        if part.tag not in _MAY_STAND_BEHIND:
            return None
    return None


def _last_final(words: Sequence[Morpheme]) -> int | None:
    """Return where the last finished predicate ends, whatever was put behind: 딸기지, 내가 제일 좋아하는 건."""
    return max((at for at in range(len(words)) if words[at].tag == "EF" or _insists(words, at)), default=None)


def _insists(words: Sequence[Morpheme], at: int) -> bool:
    """Whether 지 ends a sentence here, though Kiwi takes it for a connective, and does not lead to 않다 or 말다."""
    if words[at].tag != "EC" or plain(words[at].form) != "지":
        return False
    return at + 1 < len(words) and words[at + 1].tag != "VX" and not words[at + 1].tag.startswith("J")


def _may_close(part: Morpheme, behind: Sequence[Morpheme]) -> bool:
    """Whether the sentence was over with `part`, so that `behind` is an afterthought: 뭐야 이게, 왔어요 응."""
    if all(word.form in _POLITE or word.tag == "IC" for word in behind):
        return True
    return part.tag == "EF" or (part.tag == "EC" and plain(part.form) in _ASKS_UNFINISHED)


def _stem(words: Sequence[Morpheme], ending: int) -> tuple[int, int, str, str]:
    """Return where the last predicate begins, where its tail begins, its lemma and its tag."""
    for at in range(ending - 1, -1, -1):
        part = words[at]
        if part.tag in _MADE_OF_NOUN and at:
            return at - 1, at + 1, words[at - 1].form + part.lemma, part.tag
        if at and (words[at - 1].form, part.lemma) in _NOUN_AND_VERB:
            return at - 1, at + 1, words[at - 1].form + part.lemma, part.tag
        if part.tag in _STEMS:
            return at, at + 1, part.lemma, part.tag
        if part.tag in ("EF", "ETM"):
            break
    if ending and not words[ending - 1].tag.startswith(("E", "V")):
        return ending, ending, "이다", "VCP"  # 초코야: the copula melts away after a vowel
    begin = ending
    while begin and words[begin - 1].tag in ("VX", "EP", "EC"):
        begin -= 1  # 수정 줄: Kiwi finds only the auxiliary
    return begin, begin, "", ""
