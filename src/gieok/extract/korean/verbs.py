"""Facts in what somebody does: 판교에 살아, 개발자로 일해, 필라테스 다녀. The patterns are data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.kinds import is_place, is_school
from gieok.extract.korean.lexicon import signals
from gieok.extract.korean.patterns import Pattern, VerbPattern, patterns
from gieok.extract.korean.reading import BOUND_NOUNS, Finding, Reading, found
from gieok.extract.korean.remedies import medicine
from gieok.extract.korean.values import READERS
from gieok.language.clauses import Phrase

_SCHOOL: Final = (
    "대학교",
    "대학",
    "대",
    "고등학교",
    "고",
    "중학교",
    "중",
    "초등학교",
    "초",
    "여고",
    "여대",
    "외고",
    "과고",
    "예고",
    "학교",
)
_MEASURED: Final = frozenset({"age", "mbti", "height"})
_OF_PERSONS: Final = frozenset({"hometown", "birthday"})
_HOMES: Final = frozenset("집 댁 본가 친정 처가 시댁 부모님댁".split())
_FIRMS: Final = frozenset("회사 사무실 본사 학교 학원 가게 병원 공장 지점 사옥".split())
_WHERE: Final = frozenset({"residence", "workplace", "part_time_job"})
_COMING: Final = frozenset({"올라오다", "내려오다", "오다", "나오다", "이사오다", "건너오다"})
_PLACE_ENDINGS: Final = ("동", "구", "시", "군", "읍", "면", "역", "도", "촌", "리", "가")
_NEAR: Final = frozenset({"근처", "옆", "앞", "뒤", "쪽", "부근", "인근", "건너편", "맞은편"})
_LANDMARKS: Final = ("공원", "숲", "시장", "호수", "대공원", "포구", "해수욕장", "터미널", "병원", "대학교", "천", "산")
_NO_PLACE: Final = frozenset(
    "여기 거기 저기 어디 집 밖 안 위 아래 옆 앞 뒤 곳 데 때 속 중 사이 동안 이후 전 후 혼자 같이 함께 "
    "부모님 가족 친구 잘 맛 재미 낙 타지 외지 객지 해외 외국 시골 "
    "세상 시대 인생 삶 하루 매일 평생 요즘 지금 마음 생각 걱정 기분 회사 학교 직장 "
    "때문 추억 기억 과거 희망 절망 꿈 환상 행복 고독 외로움 사랑 기대 정 힘 보람 긴장 불안".split()
)


def done(reading: Reading) -> Iterator[Finding]:
    """Read what the patterns' verbs take."""
    predicate = reading.predicate
    if predicate is None or predicate.form == "copula":
        return
    if not reading.asserts or _disowned(reading) or _of_anybody(reading):
        return
    yield from _settled(reading)
    for pattern, verb in patterns().by_verb.get(predicate.lemma, ()):
        if (verb.needs and not verb.needs & reading.everything) or _barred(reading, pattern.attribute):
            continue
        if pattern.attribute == "workplace" and predicate.endings[-1:] in (("러",), ("려고",)):
            continue  # 네팔에서 일하러 왔어요
        if pattern.attribute == "hometown" and predicate.form == "adjective":
            continue  # 버스에서 트로트가 크게 나왔어
        finding = _taken(reading, pattern, verb)
        if finding is not None:
            yield finding
    yield from _attending(reading)
    yield from _by_ending(reading)


def _disowned(reading: Reading) -> bool:
    """여드름약 먹는 거 아니야."""
    after = reading.after.predicate if reading.after is not None else None
    return reading.clause.head in ("거", "것", "게") and after is not None and after.form == "not"


def _of_anybody(reading: Reading) -> bool:
    """고양이 키우는 건 힘들지: what it is like for anybody; but 고양이 키우는 게 힘들어."""
    after = reading.after
    if after is None or after.predicate is None or reading.clause.head not in ("거", "것"):
        return False
    held_up = any(phrase.adnominal and phrase.has("은", "는", "ㄴ") for phrase in after.phrases)
    agreed = after.predicate.endings[-1:] in (("지",), ("죠",), ("지요",))
    return held_up and agreed and after.predicate.form == "adjective"


def _taken(reading: Reading, pattern: Pattern, verb: VerbPattern) -> Finding | None:
    for phrase in reversed(reading.rest):
        if not _in_particle(phrase, verb) or phrase.pronoun is not None or phrase.pointed:
            continue
        if pattern.attribute in _MEASURED and (
            phrase is not reading.clause.phrases[-1] or "더" in reading.clause.adverbs
        ):
            continue  # 한 살 더 어른이 됐네
        hyperbole = pattern.attribute == "phobia" and any(other.has("보다") for other in reading.rest)
        if hyperbole or reading.in_doing(phrase):
            continue  # 통장 잔고가 귀신보다 무섭다; 통장 보기가 무섭다
        place = phrase.adnominal and phrase.words[0] in ("곳", "데")  # 좁은 곳
        said = reading.written(phrase) if place else _named(reading, pattern.attribute, phrase)
        value = READERS[verb.value](said) if said else None
        if value is None or not _sensible(pattern.attribute, phrase, value.value):
            continue
        if pattern.attribute == "age" and len(value.value) == 1 and "살" not in value.surface:
            continue  # 아들만 셋 됐어
        if pattern.attribute == "phobia" and {*_NO_FEAR, *signals("fear", "no_fear")} & set(phrase.words):
            continue
        long_past = (
            any(part.form in ("었었", "았었") for part in reading.predicate.tail) if reading.predicate else False
        )
        past = (reading.past and not verb.past) or long_past
        if past and not _was_long(reading, pattern.attribute):
            return None
        return found(pattern, value, polarity="-" if reading.negated else "+", past=past)
    return None


def _named(reading: Reading, attribute: str, phrase: Phrase) -> str:
    """Return what a phrase names: a medicine without its dose, a place without the time before it (평일 꽃집)."""
    said = reading.said(phrase)
    if attribute == "medication":
        return medicine(phrase)[0] or said
    if attribute not in _WHERE:
        return said
    words = said.split()
    while len(words) > 1 and words[0] in signals("trade", "when"):
        words = words[1:]
    if attribute == "residence" and len(words) > 1 and words[-1] in _HOMES and is_place(words[0]):
        return words[0]  # 수원 부모님 집에서 지내요
    return " ".join(words)


def _barred(reading: Reading, attribute: str) -> bool:
    if attribute == "residence":
        return any(p.has("이", "가", "도") and p.words[-1] in _FIRMS for p in reading.rest)  # 회사가 판교로 이사했어
    return (attribute in _OF_PERSONS and _of_a_thing(reading)) or (attribute == "exercise" and _only_tried(reading))


def _of_a_thing(reading: Reading) -> bool:
    """버스에서 트로트가 크게 나왔어: nobody was born there."""
    bare = (phrase for phrase in reading.rest if phrase.pronoun is None and phrase.has("이", "가"))
    return any(phrase.words[-1] not in patterns().by_label for phrase in bare)


def _only_tried(reading: Reading) -> bool:
    """처음으로 볼링 쳐봤는데."""
    return reading.predicate is not None and "보다" in reading.predicate.auxiliaries and reading.past


def _settled(reading: Reading) -> Iterator[Finding]:
    """서울 올라와서 산다, 광주서 나고 자랐어: the place stands with the verb before."""
    before = reading.before
    if before is None or before.predicate is None or reading.negated:
        return
    pair = (before.predicate.lemma, reading.predicate.lemma if reading.predicate else "")
    attribute = None
    if pair[0] in _COMING and pair[1] == "살다" and not reading.past:
        attribute = "residence"
    elif pair[0] == "나다" and pair[1] in ("자라다", "크다"):
        attribute = "hometown"
    places = [phrase for phrase in before.phrases if phrase.morphemes[-1].tag == "NNP" and not phrase.has("은", "는")]
    if attribute is not None and places:
        place = places[-1].text
        yield Finding(attribute=attribute, value=place, shown=place, surface=place)


def _in_particle(phrase: Phrase, verb: VerbPattern) -> bool:
    if not phrase.particles:
        return "" in verb.particles
    return phrase.particles[0] in verb.particles and not phrase.has("부터", "까지")


def _sensible(attribute: str, phrase: Phrase, value: str) -> bool:
    if attribute in ("residence", "hometown", "workplace"):
        last = phrase.morphemes[-1]
        if attribute == "residence" and _near_a_landmark(phrase):
            return True
        if {value, phrase.words[-1]} & (_NO_PLACE | BOUND_NOUNS) or phrase.adnominal or last.tag == "NNB":
            return False
        return bool(phrase.particles) or last.tag == "NNP" or phrase.words[-1].endswith(_PLACE_ENDINGS)
    return (attribute, value) != ("job", "검사")  # one does a test, one is a prosecutor


def _near_a_landmark(phrase: Phrase) -> bool:
    """보라매공원 근처 살아요, 서울숲 옆에 삽니다."""
    if len(phrase.words) < 2 or phrase.words[-1] not in _NEAR or phrase.adnominal:
        return False
    landmark = phrase.words[-2]
    return is_place(landmark) or is_school(landmark) or (len(landmark) > 2 and landmark.endswith(_LANDMARKS))


def _was_long(reading: Reading, attribute: str) -> bool:
    """Whether a past state is worth keeping as one that ended."""
    return attribute in ("residence", "pet", "exercise", "part_time_job", "job", "workplace")


def _attending(reading: Reading) -> Iterator[Finding]:
    """X 다녀: a school by its name, else nothing is known of it unless the clause says so."""
    if not reading.says("다니다", "재학하다", "입학하다", "댕기다") or (reading.past and not reading.says("입학하다")):
        return
    for phrase in reversed(reading.rest):
        if phrase.particles and not phrase.has("에", "을", "를", "은", "는"):
            continue
        word = phrase.text
        if word.endswith(("학과", "공학과", "학부", "교육과", "디자인과")) and len(word) > 3:
            major = word.removesuffix("과") if word.endswith("과") else word
            yield Finding(attribute="major", value=major, shown=major, surface=word)
            return
        if word.endswith(_SCHOOL) and word not in _SCHOOL and not word.endswith(("기대", "대대", "군대", "무대")):
            yield Finding(attribute="school", value=word, shown=word, surface=reading.said(phrase))
            return
        employer = word.endswith("회사") or word in signals("trade", "employers") - _VISITED
        workplace = employer or {"회사", "직장"} & reading.everything
        if workplace and word not in ("회사", "직장") and phrase.morphemes[-1].tag in ("NNP", "NNG", "SL"):
            yield Finding(attribute="workplace", value=word, shown=word, surface=reading.said(phrase))
            return


_VISITED: Final = frozenset({"병원"})  # 병원 다녀: as a patient, more often than not
_MEDICINE: Final = (
    "약",
    "제",
    "정",
    "인슐린",
    "비타민",
    "유산균",
    "철분",
    "오메가3",
    "진통제",
    "호르몬",
    "스테로이드",
    "한약",
)
_NO_MEDICINE: Final = frozenset(
    "치약 농약 예약 계약 과제 문제 숙제 어제 언제 주제 경제 축제 점심 걱정 안정 정 약".split()
)
_NO_FEAR: Final = frozenset("제일 가장 건 속".split())
_MEALS: Final = frozenset("아침 점심 저녁 밤 식후 식전 매일 자기전 하루".split())
_DIETS: Final = ("식단", "다이어트", "단식", "채식", "끊기", "식물식", "저염식", "키토", "금식", "비건", "소식", "식이")
_PART_TIME: Final = ("알바", "아르바이트", "과외", "스태프")


def _by_ending(reading: Reading) -> Iterator[Finding]:
    """Things whose last syllables say what they are: 혈압약 먹어, 닭가슴살 식단 하고 있어, 편의점 알바 해."""
    if reading.negated:
        return
    yield from _fasting(reading)
    for phrase in reversed(reading.rest):
        if phrase.particles and not phrase.has("을", "를", "도", "만"):
            continue
        word = phrase.text
        if reading.says("먹다", "복용하다", "챙기다", "맞다", "묵다", "먹이다") and word.endswith(_MEDICINE):
            if reading.says("먹이다") and any(READERS["animal"](each) for each in phrase.words):
                return  # 강아지 심장약 먹여
            word = " ".join(each for each in phrase.words if each not in _MEALS)
            if phrase.words[-1] not in _NO_MEDICINE and not (reading.past and not reading.lately):
                if word in signals("medicine", "occasional") and not _keeps_on(reading):
                    return
                yield Finding(attribute="medication", value=word, shown=word, surface=word)
                return
        elif word.endswith(_DIETS) and reading.says(*_KEEPING):
            yield Finding(attribute="diet", value=word, shown=word, surface=word)
            return
        elif (
            word.endswith(_PART_TIME)
            and len(word) > 2
            and reading.says(*_KEEPING, "뛰다", "다니다", "병행하다", "구하다")
        ):
            job = word.removesuffix("알바").removesuffix("아르바이트").strip() or word
            ended = reading.past and not reading.says("시작하다")
            yield Finding(attribute="part_time_job", value=job, shown=job, surface=word, past=ended)
            return


def _keeps_on(reading: Reading) -> bool:
    """Whether what everybody takes once in a while is taken regularly."""
    assert reading.predicate is not None, "asked of a deed"
    return bool(signals("medicine", "regular") & reading.everything) or "있다" in reading.predicate.auxiliaries


_KEEPING: Final = ("하다", "유지하다", "지키다", "실천하다", "시작하다", "이어오다", "하고있다", "허다")


def _fasting(reading: Reading) -> Iterator[Finding]:
    """간헐적 단식 중이라서: the diet itself is the verb."""
    done = reading.predicate.lemma.removesuffix("하다") if reading.predicate is not None else ""
    if not done.endswith(_DIETS) or reading.past:
        return
    last = reading.rest[-1] if reading.rest else None
    kind = last.text if last is not None and not last.particles and last.pronoun is None else ""
    value = f"{kind} {done}".strip()
    yield Finding(attribute="diet", value=value, shown=value, surface=value)
