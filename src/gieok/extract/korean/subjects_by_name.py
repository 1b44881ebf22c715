"""Somebody spoken of by name: 유나는, 수진이가, 지민 씨는, 민지네 집은, 손흥민 키가."""

from __future__ import annotations

from typing import Final

from gieok.extract.korean.lexicon import Lexicon, lexicon
from gieok.extract.korean.patterns import patterns
from gieok.language.clauses import Clause, Phrase

_PERSONAL: Final = frozenset("name nickname age birthday height weight mbti blood_type job hobby hometown".split())
_NO_PERSON: Final = frozenset(
    "프사 프로필 사진 카톡 닉 닉네임 목소리 말투 이름 체중계 저울 인바디 검사지 결과지".split()
)
_NO_NAME: Final = frozenset(
    "양력 음력 진짜 실제 정식 본래 원래 평균 현재 올해 이상 최종 예상 주민 호적 지금 인생 유일".split()
)
_SEASONS: Final = frozenset("봄 여름 가을 겨울 새봄".split())
_BEST: Final = ("최고", "최애", "원픽", "1등", "1순위", "1위")
_TITLES: Final = frozenset({"씨", "양", "군"})
_GENTLY: Final = (("이", "는"), ("이", "가"), ("이", "도"))  #: 하늘이는, which nobody says of the sky


def name_of_subject(phrase: Phrase, clause: Clause, words: Lexicon) -> str | None:
    """Return the name of the one who is spoken of in `phrase`, the subject of `clause`."""
    called = _titled(phrase) or _at_home(phrase, words)
    if called is not None:
        return called
    if phrase.particles[:2] in _GENTLY and len(clause.phrases) > 1 and len(phrase.words[-1]) > 1:
        return phrase.text
    if phrase.text in words.class_of or clause.phrases[-1].words[-1] in _BEST:
        return None  # 훠궈가 최고야
    if phrase.words[-1] in patterns().by_label or phrase.words[-1] in patterns().by_favourite:
        return _owner(phrase, words)
    if phrase.words[-1] in ("최애", "원픽"):
        return None
    if phrase.words[-1] in words.names and phrase.has("이") and _owns_next(phrase, clause):
        return phrase.words[-1]
    if phrase.text in _NO_PERSON or _is_dish(phrase.text, clause, words) or len(clause.phrases) < 2:
        return None
    told_of = phrase.has("은", "는", "이", "가") or (phrase.has("도") and _is_made(phrase.morphemes[0].form, words))
    return phrase.text if told_of and is_name(phrase) else None


def is_name(phrase: Phrase) -> bool:
    """유나, 수진이, 정다은."""
    first, *rest = phrase.morphemes
    if [(part.form, part.tag) for part in rest] == [("이", "XSN")]:
        return first.tag in ("NNP", "NNG")
    if len(rest) == 1 and rest[0].tag == "NNP" and rest[0].start == first.end:
        return first.form in lexicon().surnames
    return not rest and first.tag == "NNP"


def _titled(phrase: Phrase) -> str | None:
    """지민 씨는, 은영씨가."""
    last = phrase.morphemes[-1]
    apart = last.tag == "NNB" and len(phrase.words) > 1 and last.form == "씨"
    named = len(phrase.morphemes) > 1 and phrase.morphemes[-2].tag == "NNP" and last.form in _TITLES
    return phrase.text if (apart or named) and phrase.has("은", "는", "이", "가", "도") else None


def _at_home(phrase: Phrase, words: Lexicon) -> str | None:
    """민지네 집은, 하늘이네는; not 고양이네."""
    name = phrase.words[0].removesuffix("네")
    if name == phrase.words[0] or name in words.class_of or not phrase.has("은", "는", "이", "가", "도"):
        return None
    gently = name.removesuffix("이")
    if gently != name and len(gently) > 1 and (ord(gently[-1]) - ord("가")) % 28:
        return gently
    return name if _is_made(name, words) else None


def _is_made(name: str, words: Lexicon) -> bool:
    """Whether a word is made like a given name, with or without a surname, and means no place and no thing."""
    made = 2 <= len(name) <= 3 and all(syllable in words.given for syllable in name[-2:])
    return made and name not in words.cities and name not in words.class_of


def _owns_next(phrase: Phrase, clause: Clause) -> bool:
    """하늘이 생일이: a noun that is a name as well, and what only people have."""
    after = clause.phrases[clause.phrases.index(phrase) + 1 :]
    label = patterns().by_label.get(after[0].words[-1]) if after and len(after[0].words) == 1 else None
    return label is not None and label.attribute in _PERSONAL


def _is_dish(said: str, clause: Clause, words: Lexicon) -> bool:
    """해물탕은 못 먹어; but 정국 is a name, whatever is said of him."""
    eaten = clause.predicate is not None and clause.predicate.lemma in ("먹다", "마시다")
    return (eaten or said.endswith(words.food_endings)) and not all(syllable in words.given for syllable in said)


def _owner(phrase: Phrase, words: Lexicon) -> str | None:
    """손흥민 키가, 정국 생일이, 하윤이 생일은."""
    first = phrase.morphemes[0]
    personal = patterns().by_label.get(phrase.words[-1])
    owned = len(phrase.words) == 2 and phrase.words[0] in (first.form, f"{first.form}이")
    if personal is None or personal.attribute not in _PERSONAL or not owned or not phrase.has("은", "는", "이", "가"):
        return None
    if first.form in words.names - _SEASONS:
        return phrase.words[0]  # 보라 생일이
    gently = phrase.words[0] != first.form
    proper = first.tag == "NNP" or (first.tag == "NNG" and _is_made(first.form, words) and first.form not in _NO_NAME)
    known = first.form in words.cities or first.form in words.class_of
    return phrase.words[0] if gently or (proper and not known) else None
