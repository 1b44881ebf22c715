"""Facts with a label: 혈액형은 A형이야, 생일: 3월 15일, 제일 좋아하는 음식은 떡볶이, 하늘이야 내 이름."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gieok.extract.korean.announced import COMPOUND
from gieok.extract.korean.kinds import is_place
from gieok.extract.korean.lexicon import lexicon, ways
from gieok.extract.korean.listing import in_parts
from gieok.extract.korean.patterns import Pattern, patterns
from gieok.extract.korean.reading import Finding, Reading, found, read_value
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.values import READERS
from gieok.language.clauses import Phrase
from gieok.language.morphemes import analyse

_BEST: Final = frozenset("최애 인생 원픽 제일 가장 젤 젤로 제일로 일등 1등".split())
_LIKED: Final = frozenset(
    {"좋아하다", "선호하다", "아끼다", "애정하다", "사랑하다", "즐기다", "맛있다", "재밌다", "기다리다"}
)
#: a verb and a noun that together name an attribute: "사는 곳", "하는 일"
_VERB_LABELS: Final[dict[tuple[str, str], str]] = {
    ("살다", "곳"): "residence", ("살다", "데"): "residence", ("살다", "동네"): "residence", ("사다",
    "곳"): "residence", ("사다", "데"): "residence",
    ("하다", "일"): "job", ("다니다", "학교"): "school", ("다니다", "회사"): "workplace", ("다니다",
    "직장"): "workplace",
    ("하다", "운동"): "exercise", ("하다", "알바"): "part_time_job", ("먹다", "약"): "medication",
    ("무서워하다", "것"): "phobia", ("무서워하다", "거"): "phobia", ("무섭다", "거"): "phobia",
    ("무섭다", "것"): "phobia",
    ("좋아하다", "것"): "likes", ("좋아하다", "거"): "likes", ("싫어하다", "것"): "dislikes",
    ("싫어하다", "거"): "dislikes",
    ("싫다", "거"): "dislikes", ("태어나다", "날"): "birthday", ("태어나다", "곳"): "hometown",
    ("자라다", "곳"): "hometown",
    ("지키다", "식단"): "diet", ("친하다", "친구"): "friend", ("가깝다", "친구"): "friend", ("의지하다",
    "친구"): "friend",
    ("이루다", "꿈"): "dream", ("간직하다", "꿈"): "dream", ("다니다", "친구"): "friend", ("즐기다", "취미"): "hobby",
    ("키우다", "동물"): "pet",
}  # fmt: skip
_BEFORE_VALUE: Final = frozenset({"알바", "아르바이트", "약", "학교", "회사", "직장", "운동", "공포", "공포증"})
_SCHOOLS: Final = ("대학교", "대학", "대", "고등학교", "고", "중학교", "중", "여고", "여대", "외고", "과고", "예고")
_PERSONAL: Final = frozenset("name age birthday height weight mbti blood_type job nickname gender phone".split())
_NO_VALUE: Final = frozenset("끝 시작 포기 졸업 그만 이젠 요즘 올해 지금 이제 나 저 내 제 비밀 한글 친구".split())
_LEADING: Final = re.compile(
    r"^\s*(?:중(?:에|에서)?\s?하나(?:가|는|인)?\s)?(?:\s|:)*"
    r"(?:(?:당연히|무조건|역시|바로|그냥|진짜|완전|뭐|음|일단|사실|원래|요즘|지금|아마|단연|올해)\s+)*"
)
_PARTICLE: Final = re.compile(r"^\s*(?:이|가|은|는|도|ㄴ|께서)?")
_INTO: Final = frozenset({"빠지다", "꽂히다"})
_SHED: Final = frozenset("머리 머리카락 털 살 이 이빨 힘 기운 물 김".split())  #: 요즘 빠진 건 머리카락
_PRACTISED: Final = frozenset({"배우다", "즐기다", "하다"})
_LATELY: Final = frozenset({"요즘", "요새", "최근"})
_ME: Final = frozenset({"나", "저"})
_TASTES: Final = frozenset({"likes", "dislikes"})
_BROAD: Final = frozenset({"과", "집", "약", "피", "키", "번호", "회사", "직장", "학교", "운동", "목표", "병", "희망"})


_NAMELIKE: Final = 3  #: letters
_DONE: Final = frozenset({"hobby", "exercise"})
_LONGEST_LABEL: Final = 8  #: words, with whose it is
_SOMEBODY: Final = frozenset("애 아이 녀석 분 놈 학생 신입 전학생 주인공".split())
_AS_A_CHILD: Final = re.compile(
    r"(?:어렸을|어릴|학창|옛날|예전|[초중고]딩|학교)\s?(?:적|때|시절)?(?:엔|에|에는|의)?\s(?:[내제]\s)?꿈"
)
_MOCKED: Final = taste_words().mocked


def labelled(reading: Reading) -> Iterator[Finding]:
    """Read a value that stands with its label, in the same clause or right before it."""
    if reading.predicate is not None and reading.predicate.form not in ("copula",):
        return
    yield from _asked_oneself(reading)
    for place, phrase in enumerate(reading.clause.phrases):
        for pattern, label_length in _named_by(reading, phrase):
            said = _value_beside(reading, place, phrase, label_length, open_ended=bool(pattern.nouns))
            if said is None or _read_elsewhere(reading, pattern, phrase, said):
                continue
            said = _without_ya(reading, said) if pattern.attribute in _DONE else said
            theirs = reading.about.phrase is phrase and reading.about.subject_id == phrase.words[0]  # 담임 별명이
            own = theirs or _own(phrase.words[: label_length - 1])
            if label_length > 1 and pattern.attribute in _PERSONAL and not own:
                continue  # 드라마 주인공 이름은
            if "최애" in phrase.words[: label_length - 1] and not pattern.nouns:
                continue  # 내 최애 고향
            values = [read_value(pattern, pattern.value, each) for each in in_parts(pattern.attribute, said)]
            fitting = [value for value in values if value is not None and _may_be(pattern, phrase, value.value)]
            past = reading.past and not reading.measured
            yield from (found(pattern, each, polarity="-" if reading.negated else "+", past=past) for each in fitting)
            if fitting:
                return


def _without_ya(reading: Reading, said: str) -> str:
    """취미는 우쿨렐레야, where 야 is taken for a part of a name that nobody knows."""
    last = reading.clause.phrases[-1].morphemes[-1]
    unknown = reading.predicate is None and not last.known and len(last.form) > _NAMELIKE
    return said.removesuffix("야") if unknown else said


def _may_be(pattern: Pattern, label: Phrase, value: str) -> bool:
    if value in _NO_VALUE or _is_label(value) or value.endswith(("마리", " 하나")):
        return False
    compound = not label.particles and not label.labels and value.split()[0] in COMPOUND  # 취미 부자야
    return not compound and _plausible(pattern, label, value)


def _read_elsewhere(reading: Reading, pattern: Pattern, phrase: Phrase, said: str) -> bool:
    """Whether another rule reads it better, or it is not meant: 내 취미가 설거지지."""
    match pattern.attribute:
        case "name":
            return _of_a_pet(reading, phrase) or _of_somebody_else(reading, phrase)
        case "likes" | "dislikes":
            return phrase.modifier not in _INTO
        case "friend":
            return reading.about.phrase is phrase  # 내 베프는 서연이야 is no fact of the friend's
        case "dream" if _AS_A_CHILD.search(reading.text):
            return True
        case "hobby" | "habit" | "dream":
            return said.endswith(("거", "것", "기", "듯")) or said in _MOCKED or said.startswith("생활")
        case _:
            return bool(pattern.nouns)


def _asked_oneself(reading: Reading) -> Iterator[Finding]:
    """인생영화? 난 무조건 이터널 선샤인."""
    before, phrase = reading.main_before, reading.complement
    if before is None or phrase is None or not before.phrases:
        return
    asked = before.predicate is None and before.ends_with.startswith("?")
    picked = before.predicate is not None and before.predicate.lemma in ("꼽다", "고르다", "뽑다")
    if not asked and not (
        picked and before.predicate is not None and before.predicate.endings[-1:] in (("자면",), ("라면",))
    ):
        return
    words = before.phrases[-1].words
    if not _own(words[:-1]) and not _BEST & set(words) and any(word in taste_words().persons for word in words):
        return  # 동생 취미? 체스
    pattern = patterns().by_favourite.get(words[-1]) or patterns().by_label.get(words[-1])
    if pattern is not None and pattern.attribute in _PERSONAL and not _own(words[:-1]):
        pattern = patterns().by_label.get(words[0])  # 베프 이름? 최유진
        pattern = pattern if pattern is not None and pattern.attribute == "friend" else None
    value = read_value(pattern, pattern.value, reading.said(phrase)) if pattern is not None else None
    if pattern is None or value is None or reading.negated:
        return
    if _may_be(pattern, before.phrases[-1], value.value):
        yield found(pattern, value)


def _of_a_pet(reading: Reading, label: Phrase) -> bool:
    """Whether a name is an animal's: 강아지 이름은 …; 강아지 키워! 이름은 …."""
    if any(READERS["animal"](word) for word in label.words):
        return True
    before = reading.before
    if label.owner is not None or before is None:
        return False
    words = (word for phrase in before.phrases for word in phrase.words)
    return any(READERS["animal"](word) for word in words)


def _of_somebody_else(reading: Reading, label: Phrase) -> bool:
    """Whether a name is not the speaker's, but that of somebody without one: 새로 온 애는 이름이 …."""
    if reading.about.subject_id != reading.me.subject_id:
        return False
    phrases = reading.clause.phrases
    topics = (each.words[-1] for each in phrases[: phrases.index(label)] if each.has("은", "는"))
    return any(READERS["animal"](word) or word in _SOMEBODY or word in taste_words().persons for word in topics)


def _plausible(pattern: Pattern, label: Phrase, value: str) -> bool:
    """Whether a value after a broad label can be meant: 집은 합정, but not 집은 3층."""
    if pattern.attribute == "family" and not label.labels:
        return READERS["family"](value) is not None or any(word in lexicon().kin for word in value.split())
    if label.labels or pattern.attribute not in ("school", "workplace", "residence", "major"):
        return True
    if value in _NO_VALUE or len(value) > 20 or re.search(r"[은는이가을를]\s", value):
        return False
    if pattern.attribute == "school":
        return value.endswith(_SCHOOLS) and value not in _SCHOOLS
    if pattern.attribute == "residence" and {"집", "동네"} & set(label.words) and not label.modifier:
        last = value.split()[-1]
        return (is_place(last) or analyse(last)[-1].tag == "NNP") and not re.search(r"\d", value)
    return not re.search(r"\d", value)


def _own(words: tuple[str, ...]) -> bool:
    return all(
        word in ("나", "내", "제", "저", "본인", "우리", "올해", "지금", "현재", "이번", "제일", "새") for word in words
    )


def _named_by(reading: Reading, phrase: Phrase) -> Iterator[tuple[Pattern, int]]:
    """Yield the attributes that `phrase` names, and how many of its words are the label."""
    known = patterns()
    for length, word in enumerate(phrase.words[:_LONGEST_LABEL], start=1):
        pattern = known.by_label.get("".join(phrase.words[:length])) or known.by_label.get(word)
        if pattern is not None and _may_label(reading, phrase, word, length):
            yield pattern, length
        if word == "최애" and length == len(phrase.words):
            yield known.by_attribute["favorite.music"], length
        favourite = known.by_favourite.get(word)
        if favourite is not None and _is_favourite(reading, phrase, length):
            yield favourite, length
    named = label_by_verb(phrase) or _label_by_doing(reading, phrase)
    if named is not None:
        yield named, 1


def _may_label(reading: Reading, phrase: Phrase, word: str, length: int) -> bool:
    if phrase.particles and not phrase.has("은", "는", "이", "가", "ㄴ", "도", "께서"):
        return False
    last = length == len(phrase.words)
    if phrase.labels:
        return last
    if word in _BROAD and not last and phrase.words[:length] != ("장래", "희망"):
        return False  # 우리 학교 밥; but 장래 희망 가수
    if phrase.has("은", "는", "ㄴ", "이", "가"):
        return last
    # "혈액형 A형임": without a particle there must be a copula or a value of its own kind
    pattern = patterns().by_label.get(word)
    typed_value = pattern is not None and pattern.value != "noun"
    named_after = reading.predicate is None and (phrase.owner is not None or _to_become(reading, phrase, pattern))
    return word not in _BEFORE_VALUE and (typed_value or named_after or reading.predicate is not None)


def _to_become(reading: Reading, phrase: Phrase, pattern: Pattern | None) -> bool:
    """장래희망 특수분장사: nothing but what somebody dreams of being."""
    dreamt = pattern is not None and pattern.attribute == "dream"
    surely = "장래희망" in phrase.text.replace(" ", "") or reading.words.is_job(phrase.words[-1])
    return dreamt and surely and len(reading.clause.phrases) == 1


def _is_favourite(reading: Reading, phrase: Phrase, length: int) -> bool:
    head = set(phrase.words[: length - 1]) | {phrase.words[length - 1]}
    compound = any(word.startswith(("최애", "인생", "원픽")) for word in head)
    best = bool(_BEST & (set(reading.clause.adverbs) | head))
    return compound or phrase.modifier in _LIKED or (best and reading.predicate is not None)


def _value_beside(reading: Reading, place: int, phrase: Phrase, label_length: int, *, open_ended: bool) -> str | None:
    phrases = reading.clause.phrases
    tail = phrase.words[label_length:]
    after = phrases[place + 1 :]
    if tail or (after and (phrase.particles or phrase.labels or open_ended)):
        return _rest_of(reading, phrase, label_length)
    for other in after:
        if not other.particles and other.pronoun is None and other.text not in _NO_VALUE:
            return reading.said(other)
    return _value_before(reading) if place == len(phrases) - 1 and reading.predicate is None else None


def _rest_of(reading: Reading, label: Phrase, label_length: int) -> str | None:
    """Return everything between the label and the copula, as it was typed: titles have particles of their own."""
    words = label.words[:label_length]
    size = sum(len(word) for word in words)
    count, at = 0, 0
    while at < len(label.morphemes) and count < size:
        count += len(label.morphemes[at].form)
        at += 1
    start = label.morphemes[at].start if at < len(label.morphemes) else label.morphemes[-1].end
    stem = reading.predicate.stem[0] if reading.predicate is not None else None
    end = stem.start if stem is not None and stem.start > start else reading.clause.end
    last = reading.clause.phrases[-1]
    if stem is None and last is not label and last.has("야", "아", "이야"):  # 이름이 민호야, taken for a call
        end = last.morphemes[-1].end
    beside = reading.text[start:end]
    said = _LEADING.sub("", beside if at < len(label.morphemes) else _PARTICLE.sub("", beside)).strip(" :~!.,")
    return said or None


def _value_before(reading: Reading) -> str | None:
    """하늘이야, 내 이름: the value is what the clause before said somebody is."""
    before = reading.main_before
    if before is None or not before.phrases:
        return None
    if before.predicate is None:
        called = before.phrases[-1]
        return called.text if len(before.phrases) == 1 and called.has("야", "아", "이야") else None
    if before.predicate.form != "copula":
        return None
    last = before.phrases[-1]
    return reading.said(last) if not last.particles and len(before.phrases) <= 2 else None


def label_by_verb(phrase: Phrase) -> Pattern | None:
    """Return the attribute that a noun and the verb before it name: 사는 곳; not 살던 곳."""
    if any(part.form in ("던", "었", "았") for part in phrase.adnominal):
        return None
    attribute = _VERB_LABELS.get((phrase.modifier or "", phrase.words[0]))
    return patterns().by_attribute[attribute] if attribute is not None else None


def _label_by_doing(reading: Reading, phrase: Phrase) -> Pattern | None:
    """제일 잘하는 건, 요즘 푹 빠진 게, 즐겨 하는 건: what it names is told by the value as well."""
    doing, last = reading.before, reading.clause.phrases[-1]
    if doing is None or doing.predicate is None or doing.head != phrase.words[0] or phrase.words[0] not in ("거", "것"):
        return None
    lemma, value = doing.predicate.lemma, last.words[0]
    phrases = [each for each in doing.phrases if each.pronoun not in _ME]
    lately = all(_LATELY & set(each.words) for each in phrases) and (phrases or doing.adverbs)
    if doing.predicate.negated or doing.predicate.past or last is phrase or value in _SHED:
        return None
    sure = lemma == "있다" and [each.text for each in phrases] == ["자신"]
    if sure or (lemma == "잘하다" and not phrases):
        return patterns().by_attribute["skill"]
    into = lemma in _INTO and lately
    if into and not ways().is_pastime(value):
        return patterns().by_attribute["likes"]
    if into or (lemma in _PRACTISED and ways().is_pastime(value)):
        return patterns().by_attribute["exercise" if ways().is_exercise(value) else "hobby"]
    return None


def _is_label(text: str) -> bool:
    return text in patterns().by_label


def label_of(words: Sequence[str], text: str) -> Pattern | None:
    """Return the attribute that a question asks for, by the first of its words that names one (회사 이름이 뭐야?)."""
    known = patterns()
    if "과목" in text:
        return None  # 학교에서 무슨 과목 좋아해? asks for neither school nor department
    asked = [pattern for pattern in known.by_attribute.values() if any(said in text for said in _phrases(pattern))]
    narrow = [pattern for pattern in asked if pattern.attribute not in _TASTES]
    if narrow:
        return narrow[0]
    for word in words:
        if word in known.by_favourite and word not in known.by_label:
            return known.by_favourite[word]  # 노래 뭐 좋아해?
    if asked:
        return asked[0]
    for word in words:
        if word in known.by_label:
            return known.by_label[word]
    return None


def _phrases(pattern: Pattern) -> tuple[str, ...]:
    words = pattern.asked
    return tuple(" ".join(words[i : i + 2]) for i in range(0, len(words) - 1, 2))
