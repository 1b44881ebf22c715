"""People and animals around somebody: pets and their names, best friends and love."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.keeping import HOMONYMS, called_after, gone
from gieok.extract.korean.kinds import is_country
from gieok.extract.korean.namelike import may_name
from gieok.extract.korean.patterns import patterns
from gieok.extract.korean.reading import Finding, Reading
from gieok.extract.korean.values import READERS
from gieok.extract.korean.whose import Whose
from gieok.language.clauses import Phrase
from gieok.language.mood import mood

_PARTNERS: Final = frozenset("남친 여친 남자친구 여자친구 애인 남편 아내 와이프 썸남 썸녀 짝".split())
_SPOUSES: Final = frozenset({"남편", "아내", "와이프"})
_BEST_FRIENDS: Final = frozenset("베프 절친 단짝 찐친 소꿉친구 불알친구".split())
_CLOSE: Final = frozenset({"친하다", "가깝다", "의지하다", "다니다", "사귀다", "편하다", "믿다", "아끼다", "오래되다"})
_NO_FRIEND: Final = _BEST_FRIENDS | frozenset("이름 친구 사람 애 나 저 없 거 것 하나".split())
_INTRODUCING: Final = frozenset("야 이야 예요 에요 이에요 ㅂ니다 입니다 ㅁ 음 다 고 고요 이고 라 이라 요".split())
_NO_NAME_ENDINGS: Final = ("대", "고", "종", "역", "구", "시", "점", "은행", "병원", "전자")
_HANGUL_NAME: Final = re.compile(r"[가-힣]{2,5}")
_NO_NAMES: Final = frozenset(
    "초보 초짜 고수 신입 재수 삼수 반수 수료 보류 대기 준비 부재 휴무 지각 유지 오타 실수 장난 농담 뻥 구라 거짓말 "
    "진짜 사실 처음 우리 나 저".split()
)
_ADDRESSED: Final = frozenset(
    "형 누나 오빠 언니 이모 삼촌 고모 아저씨 아줌마 총각 아가씨 할머니 할아버지 선생님".split()
)
#: what happened between two people, and how things stand since
_TURNS_OF_LOVE: Final = {
    "헤어지다": "이별", "차이다": "이별", "이별하다": "이별", "결혼하다": "기혼", "이혼하다": "이혼",
    "약혼하다": "약혼", "재혼하다": "기혼",
    "사귀다": "연애중", "연애하다": "연애중", "갈라서다": "이혼", "파혼하다": "이별",
}  # fmt: skip


def love(reading: Reading) -> Iterator[Finding]:
    """나 헤어졌어, 저 남친 생겼어요, 여친 없어."""
    predicate = reading.predicate
    if predicate is None or reading.clause.head is not None or (reading.formerly and not reading.lately):
        return
    status = _TURNS_OF_LOVE.get(predicate.lemma)
    if predicate.lemma == "차이다" and any(phrase.has("에") for phrase in reading.rest):
        return  # 공에 차였어
    if status == "연애중" and predicate.past and predicate.lemma == "연애하다":
        return  # 그때는 연애 중이었지
    told = predicate.past or status == "연애중" or predicate.endings[-1:] in (("ㅁ",), ("음",))
    if status is not None and not predicate.negated and told:
        with_whom = [phrase for phrase in reading.rest if phrase.has("랑", "이랑", "과", "와", "하고")]
        if not any(_is_object(phrase) for phrase in reading.rest) and not with_whom:
            yield _status(status)
        return
    partner = next((phrase.words[-1] for phrase in reading.clause.phrases if phrase.words[-1] in _PARTNERS), None)
    theirs = reading.about.phrase is not None and reading.about.subject == "other"
    if partner is None or (theirs and (reading.about.subject_id != partner or mood(reading.clause) == "hearsay")):
        return
    if predicate.lemma in ("있다", "생기다") and not predicate.negated:
        yield _status("기혼" if partner in _SPOUSES else "연애중", whose=reading.me)
    elif _is_without(reading):
        yield _status("솔로", whose=reading.me)


def _is_without(reading: Reading) -> bool:
    """남친 없어; but 애도 남편도 없고 is said of an hour of peace."""
    lacking = reading.says("없다") or (reading.says("있다") and reading.negated)
    return lacking and not any(phrase.has("도") for phrase in reading.rest)


def _is_object(phrase: Phrase) -> bool:
    return phrase.has("이", "가") and phrase.pronoun is None


def _status(status: str, whose: Whose | None = None) -> Finding:
    return Finding(attribute="relationship_status", value=status, shown=status, surface=status, whose=whose)


def pets(reading: Reading) -> Iterator[Finding]:
    """우리 강아지, 우리 집 고양이 나비, 강아지 이름은 초코야."""
    for phrase in reading.clause.phrases:
        animal = next((word for word in phrase.words if READERS["animal"](word)), None)
        if animal is None:
            continue
        value = READERS["animal"](animal)
        ours = phrase.owner == "우리" or _ours(reading, phrase)
        if animal in HOMONYMS or value is None or not ours:
            continue
        if reading.negated or reading.says("키우다", "기르다", "없다"):
            continue
        lost = gone(reading.text)
        yield Finding(
            attribute="pet",
            value=value.value,
            shown=value.shown,
            surface=animal,
            whose=reading.me,
            polarity="-" if lost else "+",
            act="end" if lost else "assert",
        )
        after = called_after(phrase.words[phrase.words.index(animal) + 1 :])
        if len(after) == 1 and phrase.particles and after[0] != "이름":
            yield Finding(attribute="name", value=after[0], shown=after[0], surface=after[0], whose=_pet(value.value))
    yield from _pet_name(reading)
    yield from _at_home(reading)


def _at_home(reading: Reading) -> Iterator[Finding]:
    """저희 집에 고양이 있어요."""
    home = any(phrase.words[-1] in ("집", "우리집") and phrase.has("에", "엔") for phrase in reading.clause.phrases)
    if not home or not reading.says("있다", "살다") or reading.negated:
        return
    for phrase in reading.rest:
        animal = next((READERS["animal"](word) for word in phrase.words if READERS["animal"](word)), None)
        if animal is not None:
            yield Finding(
                attribute="pet", value=animal.value, shown=animal.shown, surface=animal.surface, whose=reading.me
            )


def _ours(reading: Reading, phrase: Phrase) -> bool:
    place = reading.clause.phrases.index(phrase)
    before = reading.clause.phrases[place - 1] if place else None
    return phrase.words[0] in ("집", "우리집") or (before is not None and before.pronoun in ("우리", "저희"))


def _pet_name(reading: Reading) -> Iterator[Finding]:
    """강아지 이름은 초코야; 강아지 키워! 이름은 뭉치야."""
    phrase = reading.complement
    if phrase is None:
        return
    for label in reading.clause.phrases:
        if label is phrase or not label.words or label.words[-1] != "이름":
            continue
        animal = next((word for word in label.words if READERS["animal"](word)), None) or _animal_before(reading)
        name = READERS["name"](phrase.words[-1])
        if animal and name and label.owner is None and may_name(name.value):
            kind = READERS["animal"](animal)
            species = kind.value if kind is not None else animal
            yield Finding(
                attribute="name", value=name.value, shown=name.value, surface=name.surface, whose=_pet(species)
            )
            yield Finding(attribute="pet", value=species, shown=species, surface=animal, whose=reading.me)
            return


def _animal_before(reading: Reading) -> str | None:
    if reading.before is None:
        return None
    lemma = reading.before.predicate.lemma if reading.before.predicate is not None else ""
    if lemma not in ("", "키우다", "기르다", "있다", "데려오다", "입양하다", "이다", "모시다", "다니다", "살다"):
        return None
    words = (word for phrase in reading.before.phrases for word in phrase.words)
    named = next((word for word in words if READERS["animal"](word)), None)
    if named is not None or reading.before.phrases or lemma not in ("키우다", "기르다"):
        return named
    told = reading.text[: reading.before.end].split()  # 길고양이 데려와서 키워요. 이름은 감자예요
    bare = (each.rstrip("를을은는도") for each in told)
    return next((word for word in bare if READERS["animal"](word)), None)


def _pet(animal: str) -> Whose:
    return Whose(subject="other", subject_id=animal)


def friends(reading: Reading) -> Iterator[Finding]:
    """베프 민지가 …: somebody's best friend has a name."""
    for phrase in reading.clause.phrases:
        named = phrase.morphemes[-1].tag == "NNP" or (phrase.owner == "나" and len(phrase.words[-1]) in (2, 3))
        if phrase.words[0] in (*_BEST_FRIENDS, "친구") and len(phrase.words) == 2 and named:
            yield from _friend(reading, phrase.words[1])
            return
    label = next((phrase for phrase in reading.clause.phrases if _names_a_friend(phrase)), None)
    complement = reading.complement
    if label is None or reading.negated:
        return
    if complement is not None and complement is not label and len(complement.words) == 1:
        yield from _friend(reading, complement.words[0])
    elif label is complement and len(label.words) > 1:
        yield from _friend(reading, label.words[-1])
    elif label is complement and reading.before is not None and reading.predicate is None:
        before = reading.before
        copula = before.predicate is not None and before.predicate.form == "copula"
        called = before.predicate is None and before.phrases and before.phrases[-1].has("야", "아", "이야")
        if (copula or called) and len(before.phrases) == 1:
            yield from _friend(reading, before.phrases[0].text)


def _names_a_friend(phrase: Phrase) -> bool:
    if phrase.particles and not phrase.has("은", "는", "이", "가"):
        return False
    best = any(word in _BEST_FRIENDS for word in phrase.words)
    return best or ("친구" in phrase.words and phrase.modifier in _CLOSE)


def _friend(reading: Reading, said: str) -> Iterator[Finding]:
    name = READERS["name"](said)
    if name is not None and name.value not in _NO_FRIEND and name.value not in patterns().by_label:
        yield Finding(attribute="friend", value=name.value, shown=name.value, surface=said, whose=reading.me)


def called(reading: Reading) -> Iterator[Finding]:
    """나 김서준이라고 해, 친구들은 나보고 감자라고 불러."""
    predicate = reading.predicate
    phrase = reading.complement
    if predicate is None or phrase is None or predicate.reported is None or predicate.negated:
        return
    others = any(
        other.has("보고", "한테", "더러", "를", "을") and other.pronoun in ("나", "저")
        for other in reading.clause.phrases
    )
    said = READERS["name"](phrase.words[-1])
    if said is None:
        return
    if (
        reading.formerly
        or any(sign in reading.text for sign in ("소문", "때나 ", "지금은 아무도"))
        or said.value in _ADDRESSED
    ):
        return
    if "말다" in predicate.auxiliaries:
        return  # 바보라고 부르지 마
    if predicate.reported in ("부르다", "불리다") and (others or predicate.reported == "불리다"):
        yield Finding(attribute="nickname", value=said.value, shown=said.value, surface=said.surface)
    elif predicate.reported == "하다" and not others and reading.asserts and _introduces(reading, phrase):
        yield Finding(attribute="name", value=said.value, shown=said.value, surface=said.surface)


def _introduces(reading: Reading, phrase: Phrase) -> bool:
    said = phrase.words[-1]
    if (
        said in reading.words.class_of
        or reading.words.is_job(said)
        or any(m.tag in ("SN", "NR") for m in phrase.morphemes)
        or READERS["mbti"](said) is not None
    ):
        return False
    known = phrase.morphemes[-1].tag == "NNG" and phrase.morphemes[-1].known
    mine = (reading.of_self and not (known and reading.before is not None)) or phrase.morphemes[-1].tag == "NNP"
    others = any(other is not phrase and other.pronoun not in ("나", "저") for other in reading.clause.phrases)
    return len(phrase.words) == 1 and mine and not others


def becoming(reading: Reading) -> Iterator[Finding]:
    """소설가가 되고 싶어."""
    predicate = reading.predicate
    if predicate is None or predicate.negated or "싶다" not in predicate.auxiliaries or predicate.lemma != "되다":
        return
    for phrase in reversed(reading.rest):
        if phrase.has("이", "가") or not phrase.particles:
            value = reading.said(phrase)
            yield Finding(attribute="dream", value=value, shown=value, surface=value)
            return


def introduced(reading: Reading) -> Iterator[Finding]:
    """저는 민수예요, 서시우입니다: what somebody says to be, if it looks like a name."""
    phrase = reading.complement
    predicate = reading.predicate
    if phrase is None or predicate is None or reading.negated or reading.past or len(phrase.words) != 1:
        return
    if predicate.reported is not None or phrase.adnominal or phrase.owner or reading.about.subject == "other":
        return
    ending = predicate.endings[-1] if predicate.endings else ""
    if ending not in _INTRODUCING or reading.clause.head is not None:
        return
    named = any(other is not phrase and other.pronoun not in ("나", "저") for other in reading.clause.phrases)
    name = READERS["name"](phrase.words[0])
    if name is None or named or not _looks_like_a_name(reading, phrase, name.value):
        return
    yield Finding(attribute="name", value=name.value, shown=name.value, surface=name.surface)


def _looks_like_a_name(reading: Reading, phrase: Phrase, name: str) -> bool:
    words = reading.words
    known = (
        name in words.class_of
        or phrase.words[0] in words.class_of
        or words.is_job(name)
        or name in words.cities
        or name in words.kin
    )
    if name.endswith(_NO_NAME_ENDINGS) or is_country(name.removesuffix("인")):
        return False
    if known or name in _NO_NAMES or len(phrase.morphemes) != 1 or phrase.morphemes[0].tag not in ("NNP", "NNG"):
        return False
    proper = phrase.morphemes[0].tag == "NNP"
    if len(name) == 3 and proper and name[0] in words.surnames:
        return True
    made = all(syllable in words.given for syllable in name)
    unheard_of = not phrase.morphemes[0].known and bool(_HANGUL_NAME.fullmatch(name))  # 레티아, 하준
    politely = any(other.pronoun == "저" for other in reading.clause.phrases)  # 저는 지수예요
    return reading.of_self and ((made and len(name) in (2, 3, 4) and (proper or politely)) or unheard_of)
