"""What something has turned into: 별명이 척척박사로 바뀌었어, 최애 영화를 파묘로 변경합니다, 새 별명 생겼어요."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from gieok.domain.attributes import attribute
from gieok.domain.claim import Act
from gieok.extract.korean.becoming import FIRST, become, happened
from gieok.extract.korean.crowning import crowned
from gieok.extract.korean.farewells import verbs_of
from gieok.extract.korean.favourite_kinds import genus_at_end, team_of
from gieok.extract.korean.giving_up import of_others
from gieok.extract.korean.kinds import KINDS, department_of, is_place
from gieok.extract.korean.labels import label_by_verb
from gieok.extract.korean.lexicon import change_words, lexicon, signals
from gieok.extract.korean.patterns import Pattern, anything, patterns
from gieok.extract.korean.reading import Finding, Reading, found, read_value
from gieok.extract.korean.replacing import doings
from gieok.extract.korean.values import READERS
from gieok.language.clauses import Clause, Phrase

_TURNING: Final = frozenset({"통하다", "나오다", "되다"})
_GROWING: Final = frozenset("크다 자라다 줄다 늘다 찌다 빠지다 찍다 오르다 내려가다 되다 불다".split())
_MEASURED: Final = frozenset({"height", "weight"})
_NEWS: Final = frozenset("생기다 재다 측정하다 재보다 검사하다 알아보다".split())
_HOMES: Final = frozenset("거처 보금자리 터전 자취방 집 방 숙소 거주지".split())
_OFFICES: Final = frozenset("사무실 회사 가게 매장 본사 연구실 학원 부대 학교 공장".split())
_PLACES: Final = ("동", "구", "시", "군", "역", "읍", "면")
_TYPED: Final = ("mbti", "relationship_status", "blood_type", "exercise")
#: what has changed, by the verb alone
_MOVES: Final = {
    "이사하다": "residence", "이사가다": "residence", "이사오다": "residence", "입주하다": "residence",
    "이주하다": "residence", "전출오다": "workplace", "전근오다": "workplace", "전근가다": "workplace",
    "입성하다": "residence", "전입하다": "residence", "이직하다": "workplace", "취직하다": "workplace",
    "입사하다": "workplace", "취업하다": "workplace", "전과하다": "major", "편입하다": "school",
    "전학하다": "school", "전학가다": "school", "전학오다": "school", "입학하다": "school",
    "진학하다": "school", "붙다": "school", "합격하다": "school", "개명하다": "name", "전직하다": "job",
    "개종하다": "religion", "귀화하다": "nationality",
}  # fmt: skip
#: by which one goes to another department or branch
_POSTED: Final = frozenset(
    "옮기다 이동하다 발령나다 발령받다 발령되다 배치되다 배치받다 배정되다 배정받다 전보되다".split()
)
_BRANCHES: Final = tuple(
    "팀 부서 사업부 본부 지점 지사 본사 영업소 연구실 영업부 총무부 인사부 기획부 총무과 인사과 민원과 병동".split()
)
_DEPARTMENTS: Final = frozenset({"부서", "팀", "보직"})
_COMPLETED: Final = frozenset("완료 성공 끝 확정 승인 합격".split())
_COMPLETING: Final = frozenset(
    "마치다 끝내다 끝나다 완료하다 완료되다 성공하다 하다 오다 가다 나오다 들어오다 나가다 들어가다".split()
)
_GOING: Final = frozenset("다니다 하다 일하다 출근하다 살다 지내다 뛰다 근무하다 댕기다 재학하다".split())
_NOWHERE: Final = frozenset("곳 데 거 것 첫날 자리 쪽 여기 거기".split())
_AGAIN: Final = frozenset("이제 지금 요즘 요새 현재 이번 이젠 올해 드디어 벌써 어느새".split())


def turned_into(reading: Reading) -> Iterator[Finding]:
    """Read the new value in 로, with its label or a kind of its own."""
    for way in (_into, crowned, _announced, become, _right):
        findings = list(way(reading))
        if findings:
            yield from findings
            return


@cache
def _turning() -> frozenset[str]:
    return change_words().became["turned"] | _TURNING | _GROWING | _POSTED | frozenset(_MOVES)


def _into(reading: Reading) -> Iterator[Finding]:
    lemma = next((verb for verb in reversed(_verbs(reading.clause)) if verb in _turning()), None)
    if lemma is None or reading.negated or _wished(reading):
        return
    into = (p for p in reversed(reading.rest) if p.has("로", "으로") and not _since(p) and p.pronoun is None)
    phrase = next((p for p in into if not p.pointed), None) or _entered(reading, lemma)
    label = _labelled(reading.clause)
    if phrase is None and label is not None and (stuck := _stuck(reading.clause)):
        said = stuck
    elif phrase is None:
        spans = list(doings(reading.clause)) if label is not None else []
        said = reading.text[spans[0][0] : spans[0][1]] if spans else ""
    else:
        posted = _posted(reading, phrase) if lemma in _POSTED else None
        label = label or _moved(lemma) or _inside(phrase) or posted or _typed(reading, phrase)
        said = _without_label(_in_full(reading, phrase), label)
    if label is None or not said or (lemma in _GROWING - _TURNING and label.attribute not in _MEASURED):
        return
    value = read_value(label, label.value, _without_side(said, label))
    if value is not None and (not _of_department(reading.clause) or said.endswith(_BRANCHES)):
        yield found(label, value, act=_replacing(label, lemma))


def _in_full(reading: Reading, phrase: Phrase) -> str:
    """방이동으로 이사했어: what Kiwi takes for 방이 and 동 is one word."""
    start = phrase.morphemes[0].start
    opening = max(reading.text.rfind(mark, 0, start) for mark in " \n,.") + 1
    whole = reading.text[opening : phrase.morphemes[-1].end]
    return whole if len(phrase.text) == 1 and opening < start and is_place(whole) else reading.said(phrase)


def _stuck(clause: Clause) -> str:
    """저탄고지로 식단 바꿔서: 로 is taken for a part of a word that nobody knows."""
    label = next((p for p in clause.phrases if len(p.words) == 2 and p.words[-1] in patterns().by_label), None)
    return label.words[0].removesuffix("로") if label is not None and label.words[0].endswith("로") else ""


def _verbs(clause: Clause) -> tuple[str, ...]:
    """발령이 났어, 발령 받았어, 이사를 마쳤습니다, 이직 완료: the noun makes one verb with what follows it."""
    verbs = verbs_of(clause)
    last = clause.phrases[-1].words if clause.phrases else ()
    if verbs and last == ("발령",):
        return (*verbs, f"발령{verbs[0]}")
    through = len(last) > 1 and last[-1] in _COMPLETED  # 이직 완료, 전과 승인 떴다
    moved = f"{last[-2]}하다" if through else f"{last[-1]}하다" if last and set(verbs) & _COMPLETING else ""
    return (*verbs, moved) if moved in _MOVES else verbs


def _posted(reading: Reading, phrase: Phrase) -> Pattern | None:
    """기획팀으로 옮겼어 tells of work, 철학과로 옮겼어 of one's studies; not 짐을 옮겼어, nor 피부과로 옮겼어."""
    if phrase.adnominal or any(p.has("을", "를", "이", "가") and p.text != "발령" for p in reading.rest):
        return None
    last = phrase.words[-1]
    official = not reading.says("옮기다", "이동하다") and last in signals("trade", "employers")  # 구청으로 발령났어
    if official or last.endswith(_BRANCHES) or (phrase.has("에") and KINDS["company"](phrase.words)):
        return patterns().by_attribute["workplace"] if last not in _DEPARTMENTS else None
    studied = last.endswith(("과", "학부")) and department_of(last) is not None
    return patterns().by_attribute["major"] if studied else None


def _replacing(label: Pattern, *verbs: str) -> Act:
    """알바가 …로 바뀌었어 gives up the old one, though it is not named; 취미가 생겼어 does not."""
    turned = bool(set(verbs) & change_words().became["turned"])
    return "prefer" if turned and not attribute(label.attribute).single else "assert"


def _since(phrase: Phrase) -> bool:
    """어제부로, 이번 달부로; 앞으로, 실제로; not 의정부로."""
    last = phrase.words[-1]
    return (last.endswith("부") and not is_place(last)) or last in _ADVERBS


_ADVERBS: Final = frozenset(
    "인사 인사이동 조직개편 승진 발령 공채 앞 실제 정말 진짜 억지 스스 여기 거기 저기 이쪽 이걸 그걸 다른데 "
    "위 아래".split()
)


def _entered(reading: Reading, lemma: str) -> Phrase | None:
    """중앙대 편입했어, 카카오에 입사했어, 판교 이사 왔어: where one goes in, without 로."""
    if lemma in _POSTED - {"옮기다", "이동하다"}:  # 아산공장에 발령 나서
        return next((p for p in reversed(reading.rest) if p.has("에") and KINDS["company"](p.words)), None)
    attribute = _MOVES.get(lemma)
    if attribute not in ("school", "workplace", "residence") or not happened(reading):
        return None
    for phrase in reversed(reading.rest):
        name = phrase.text
        if (phrase.particles and not phrase.has("에", "를", "을")) or phrase.pronoun is not None or phrase.adnominal:
            continue
        school = name.endswith(_SCHOOLS) and len(name) > 2
        place = name in lexicon().cities or (name.endswith(_PLACES) and len(name) > 2)
        firm = phrase.morphemes[-1].tag in ("NNP", "SL") and not place
        if {"school": school, "residence": place, "workplace": firm}[attribute]:
            return phrase
    return None


_SCHOOLS: Final = ("대학교", "대학", "대", "고등학교", "고", "중학교", "여고", "여대", "외고", "과고", "예고")


def _moved(lemma: str) -> Pattern | None:
    return patterns().by_attribute[_MOVES[lemma]] if lemma in _MOVES else None


def _inside(phrase: Phrase) -> Pattern | None:
    """최애 색 남색으로: the label stands in front in the same phrase."""
    known = patterns()
    for word in phrase.words[:-1]:
        if word in _HOMES:
            return known.by_attribute["residence"]
        pattern = known.by_label.get(word) or known.by_favourite.get(word)
        if pattern is not None:
            return pattern
    return None


def _without_label(said: str, label: Pattern | None) -> str:
    words = said.split()
    names = (label.labels | label.nouns | _HOMES) if label is not None else frozenset()
    last = max((at for at, word in enumerate(words[:-1]) if word in names), default=-1)
    return " ".join(words[last + 1 :])


def _without_side(said: str, label: Pattern) -> str:
    """겨울파 is 겨울, where sides are taken."""
    taste = label.attribute.startswith(("favorite.", "likes"))
    return said.removesuffix(" 팬").removesuffix("파") if taste and len(said) > 1 else said


def _wished(reading: Reading) -> bool:
    return reading.predicate is not None and "싶다" in reading.predicate.auxiliaries


def _announced(reading: Reading) -> Iterator[Finding]:
    """새 별명 생겼어요, 펭귄이에요; MBTI 바뀌었어요 ESTP로요; 회사 옮겼어요, 이제 대한항공 다녀요."""
    pattern = _news(reading.before) or _news(reading.main_before)
    if pattern is None or reading.negated:
        return
    said = _after_news(reading, pattern)
    value = read_value(pattern, pattern.value, _without_side(said, pattern)) if said else None
    idle = value is None or value.value in patterns().by_label or value.value in _AGAIN | _NOWHERE
    if value is not None and not idle and _is_branch(reading, value.value):
        news = {verb for clause in (reading.before, reading.main_before) if clause for verb in verbs_of(clause)}
        yield found(pattern, value, act=_replacing(pattern, *news))


def _is_branch(reading: Reading, value: str) -> bool:
    """부서 옮겨서 이제 인사팀이야; not 팀 옮겨서 이제 두산 팬이야."""
    moved = any(_of_department(clause) for clause in (reading.before, reading.main_before) if clause is not None)
    return not moved or value.endswith((*_BRANCHES, "과", "부", "실"))


def _of_department(clause: Clause) -> bool:
    return any(phrase.words[-1] in _DEPARTMENTS and not phrase.has("로", "으로") for phrase in clause.phrases)


def _news(clause: Clause | None) -> Pattern | None:
    """Return the attribute of which `clause` says that it has changed."""
    if clause is None or clause.head is not None or not _is_told(clause) or of_others(clause) or _of_animals(clause):
        return None
    verbs = _verbs(clause)
    if any(p.has("로", "으로") and not _since(p) for p in clause.phrases):
        return None
    moved = next((_MOVES[verb] for verb in verbs if verb in _MOVES), None) or _grown(clause)
    if moved == "residence" and any(p.words[-1] in _OFFICES for p in clause.phrases):
        return None  # 사무실 이사하고 첫날인데
    if moved is not None and not any(p.has("에") for p in clause.phrases):
        return patterns().by_attribute[moved]
    return _labelled(clause) if set(verbs) & (change_words().became["turned"] | _NEWS | _POSTED) else None


def _is_told(clause: Clause) -> bool:
    """옮겼어, 옮겨서, 옮김; 전과 성공!."""
    predicate = clause.predicate
    if predicate is None:
        return bool(_verbs(clause)) and not clause.ends_with.startswith("?")
    return not predicate.negated and (
        predicate.past or predicate.endings[-1:] in (("어서",), ("고",), ("ㅁ",), ("음",))
    )


def _of_animals(clause: Clause) -> bool:
    words = {word for phrase in clause.phrases for word in phrase.words if len(word) > 1}  # 새 별명
    return any(lexicon().class_of.get(word) == "animal" for word in words)


def _grown(clause: Clause) -> str | None:
    """3센티 자라서, 5키로 빠져서."""
    measures = [p.words[-1] for p in clause.phrases if p.words[-1].endswith(_UNITS)]
    if not measures or not set(verbs_of(clause)) & _GROWING:
        return None
    return "weight" if measures[-1].endswith(("키로", "킬로", "kg")) else "height"


_UNITS: Final = ("센티", "센치", "cm", "키로", "킬로", "kg")


def _after_news(reading: Reading, pattern: Pattern) -> str:
    others = [p for p in reading.clause.phrases if p.pronoun not in ("나", "저")]
    last = others[-1] if others else None
    if last is None or last.pronoun is not None or last.pointed:
        return ""
    spans = list(doings(reading.clause)) if reading.predicate is None or reading.says("이다") else []
    if spans:
        return reading.text[spans[0][0] : spans[0][1]]
    if last.words[-1] in FIRST:  # 이제 육회가 원탑
        return next((reading.said(p) for p in others if p is not last and p.has("이", "가")), "")
    topics = [p for p in others if p is not last and p.words[-1] not in _AGAIN]
    if reading.predicate is None or reading.predicate.form == "copula":
        fitting = not last.particles or (reading.predicate is None and last.has("로", "으로"))
        said = reading.said(last) if fitting and (not topics or reading.lately) else ""
        return " ".join(said.split()[:-1]) if last.words[-1] in _MEMBERS and len(last.words) > 1 else said
    going = reading.says(*_GOING) and not reading.past and (not last.particles or last.has("에서", "에", "서"))
    return reading.said(last) if going and pattern.attribute in _WHERE and last.words[-1] not in _AGAIN else ""


_MEMBERS: Final = frozenset("학생 재학생 소속 직원 사원 주민 사람 신입생".split())
_WHERE: Final = frozenset({"workplace", "school", "part_time_job", "exercise", "residence", "major"})


def _right(reading: Reading) -> Iterator[Finding]:
    """15살이 맞아, 솔로가 맞아요."""
    if not reading.says("맞다") or reading.negated:
        return
    for phrase in reversed(reading.rest):
        if phrase.has("이", "가") or not phrase.particles:
            for pattern in patterns().alone:
                value = READERS[pattern.value](phrase.text)
                if value is not None and value.alone:
                    yield found(pattern, value)
                    return


def _labelled(clause: Clause) -> Pattern | None:
    known = patterns()
    turned = clause.predicate.lemma if clause.predicate is not None else ""
    for phrase in clause.phrases:
        if phrase.particles and not phrase.has("이", "가", "을", "를", "은", "는", "도", "ㄹ", "ㄴ"):
            continue
        if turned in _POSTED and phrase.words[-1] in _DEPARTMENTS:
            return known.by_attribute["workplace"]
        if turned == "옮기다" and phrase.words[-1] in _HOMES:
            return known.by_attribute["residence"]
        if phrase.words[-1] == "상태" and "연애" in phrase.words:
            return known.by_attribute["relationship_status"]
        named = label_by_verb(phrase)
        if named is not None:
            return named
        for word in phrase.words:
            pattern = known.by_label.get(word) or (known.by_favourite.get(word) if _favourite(clause, phrase) else None)
            if pattern is not None and not (word in ("집", "소속") and turned == "되다"):
                return pattern
    return None


def _favourite(clause: Clause, phrase: Phrase) -> bool:
    """최애 음식, 제일 좋아하는 음식; not just any 메뉴."""
    best = any(word.startswith(("최애", "인생", "원픽", "소울")) for word in phrase.words)
    return best or phrase.modifier in ("좋아하다", "사랑하다") or bool({"제일", "가장", "젤"} & set(clause.adverbs))


def _typed(reading: Reading, phrase: Phrase) -> Pattern | None:
    """Return the attribute whose kind of value `phrase` is, where the kind says it all."""
    known = patterns()
    if phrase.words[-1] == "팬" and team_of(" ".join(phrase.words[:-1])):
        return anything(team_of(" ".join(phrase.words[:-1])))  # LG 팬으로 전향했어요
    side = phrase.text.removesuffix("파")
    of_class = known.by_class.get(lexicon().class_of.get(side, "")) or (
        known.by_attribute["favorite.season"] if READERS["season"](side) else None
    )
    if side != phrase.text and reading.says("갈아타다", "전향하다", "바꾸다", "바뀌다", "돌아서다"):
        genus = genus_at_end(side)
        if genus:
            return anything(genus)  # 열라면파로 전향했어요
        return of_class or (known.by_attribute["favorite.color"] if READERS["color"](side) else None)
    if any(p.has("을", "를", "이", "가") and p.pronoun is None for p in reading.rest):
        return None  # 폰을 파란색으로 바꿨어
    for kind in _TYPED:
        value = READERS[known.by_attribute[kind].value](phrase.text)
        if value is not None and (
            value.alone or (kind == "exercise" and reading.says("갈아타다", "전향하다", "바꾸다"))
        ):
            return known.by_attribute[kind]
    home = phrase.text.endswith(_PLACES) and len(phrase.text) > 2
    return known.by_attribute["residence"] if home and not reading.says("되다", "나오다") else None
