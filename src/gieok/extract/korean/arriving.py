"""Where somebody has come to stay: 송도로 넘어온 뒤로, 광교 온 지 열흘째, 컬리로 왔어, 유기견 보호소로 출근해요.

Coming is not staying: whoever is there for a few days, on a trip or to see somebody still lives and works where they
did. It counts after some time (온 지 한 달), from then on (넘어온 뒤로), or where nobody comes but to work or to learn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.becoming import happened
from gieok.extract.korean.farewells import verbs_of
from gieok.extract.korean.kinds import KINDS, department_of, is_country, is_place
from gieok.extract.korean.lexicon import signals
from gieok.extract.korean.reading import Finding, Reading
from gieok.language.clauses import Phrase

_COMING: Final = frozenset("오다 넘어오다 내려오다 올라오다 건너오다 옮겨오다 들어오다 돌아오다 옮기다".split())
_MOVING: Final = frozenset("넘어오다 내려오다 올라오다 건너오다 옮겨오다 돌아오다 옮기다".split())
_DRAWN: Final = frozenset("스카웃되다 스카우트되다 영입되다 합류하다".split())
#: why one has come for good
_FOR_GOOD: Final = re.compile(
    r"결혼|발령|이직|취[업직]|시집|독립|정착|아예|완전히|전학|자취방|본가|귀농|귀촌|귀국"
    r"|[집방짐]\S?\s?(?:다\s)?(?:빼|정리|팔|구해|사서|싸)"
)
_SINCE: Final = frozenset({"뒤", "이후", "후"})
_ON_A_TRIP: Final = re.compile(
    r"여행(?!\s?(?:온|간|하는)\s?(?:기분|느낌|것|거))|출장|놀러|휴가|관광|한\s?달\s?살기|호캉스|출산|친정|시댁|군대|입대|파견"
)
_AS_GUEST: Final = re.compile(
    r"호텔|숙소|펜션|면회|면접|미팅|회의|구경|견학|방문"
    r"|명절|추석|설날|연휴|주말[이에](?!서)|잠깐|잠시|당일|응원|콘서트|공연|축제|입원|문병|병문안|훈련|캠프|캠핑|집에?\s?가고|돌아[가갈]|먹으러|마시|만나러|보러|사러"
)
_TODAY: Final = frozenset("오늘 방금 아까 점심 저녁 아침 어제 내일 지금 막 낮 밤".split())
#: how long it takes to have moved, by how one has come
_LONGER: Final = re.compile(
    r"[두세네몇2-9]\s?주|[\d한두세네석넉몇]\s?(?:달|개월|년|해)|일\s?년|열흘|보름|\d{2}\s?일|오래|반년"
)
_LONG: Final = re.compile(rf"{_LONGER.pattern}|주일|[\d한]\s?주|꽤|좀\s?됐")
_COUNTED: Final = re.compile(
    r"일주일|열흘|보름|[\d한두세네석넉몇]\s?(?:주|달|개월|년)"
)  #: 배민 온 지 오래됐는데 왜 안 오지
_CARRIERS: Final = frozenset("통신사 핸드폰 휴대폰 폰 번호 은행 주거래 계좌 보험 카드 인터넷 주식 통장".split())
_ADMITTED: Final = re.compile(r"수능|편입|반수|재수|삼수|합격|입학|전학|[석박]사|대학원")
_ALL_OF_US: Final = ("가족", "식구", "식솔")
_DAILY: Final = frozenset(
    "이번 주 오늘 내일 모레 어제 하루 당분간 가끔 월요일 화요일 수요일 목요일 금요일 토요일 일요일".split()
)
_AWAY: Final = frozenset(
    "집 회사 직장 일터 사무실 재택 여기 거기 저기 쪽 곳 데 차 버스 지하철 자전거 전철 셔틀 택시".split()
)
_FINDING: Final = frozenset("구하다 얻다 사다 마련하다 계약하다 짓다".split())


_HOUSES: Final = tuple("소 원 집 관 장 샵 점 실 국 청 처 과 사 가게 학교".split())  #: where one may work


def arrived(reading: Reading) -> Iterator[Finding]:
    """Read where somebody lives, works or studies by their having come there."""
    if reading.predicate is None or reading.negated or reading.predicate.form == "copula":
        return
    verbs = set(verbs_of(reading.clause)) | ({"옮겨오다"} if _carried_over(reading) else set())
    if verbs & _DRAWN:
        found = _drawn(reading)
    elif verbs & _COMING:
        found = _come(reading, verbs)
    elif verbs & {"출근하다", "나가다"}:
        found = _attends(reading) or _goes_to_work(reading)
    else:
        found = _moved_in(reading) or _introduced(reading) or _among_schoolmates(reading)
    if found is not None:
        attribute, value = found
        whose = reading.me if _with_family(reading) else None
        yield Finding(attribute=attribute, value=value, shown=value, surface=value, whose=whose)


def _carried_over(reading: Reading) -> bool:
    """거제로 옮겨왔어요, and 옮겨 왔어요, of which Kiwi makes two clauses."""
    if not reading.says("옮기다") or reading.predicate is None:
        return False
    after = reading.after.predicate if reading.after is not None and not reading.after.phrases else None
    apart = after is not None and after.lemma == "오다" and after.past and reading.predicate.endings[-1:] == ("어",)
    return apart or ("오다" in reading.predicate.auxiliaries and reading.past)


def _with_family(reading: Reading) -> bool:
    """온 가족이 포항으로 내려왔어요, 우리 식구 다 울산으로 내려왔어."""
    for place, phrase in enumerate(reading.clause.phrases):
        if phrase.words[-1] in _ALL_OF_US:
            before = reading.clause.phrases[place - 1] if place else None
            ours = phrase.owner in ("우리", "저희") or (before is not None and before.pronoun in ("우리", "저희"))
            return ours or phrase.words[0] in ("온", "전", "모든") or phrase.words[0] == "온가족"
    return False


def _come(reading: Reading, verbs: set[str]) -> tuple[str, str] | None:
    since = reading.clause.head in _SINCE | {"지"}
    if not since and not happened(reading) and not _carried_over(reading) and not _moved_on(reading):
        return None
    if (_TODAY | _CARRIERS) & reading.everything or _is_guest(reading):
        return None
    if "옮기다" in verbs and any(p.has("을", "를") or (not p.particles and p.pronoun is None) for p in reading.rest):
        return None  # 짐을 옮겼어, 팀 옮겼어
    homing = "돌아오다" in verbs
    fitting = (p for p in reversed(reading.rest) if p.pronoun is None and not p.pointed)
    where = [p for p in fitting if homing or not p.adnominal]
    admitted = _ADMITTED.search(reading.text) is not None
    for phrase in where if since or admitted or not _something_came(reading) else ():
        into = phrase.has("로", "으로")
        if phrase.particles and not into and not (since and phrase.has("에")):
            continue  # 수원에서 왔어
        named = _kind(reading, phrase)
        if named is not None:
            return named if _stays(reading, verbs, named[0], since=since, into=into) else None
    return None


def _moved_on(reading: Reading) -> bool:
    """메가커피로 옮겨서 일하는 중."""
    ends = reading.predicate.endings[-1:] if reading.predicate is not None else ()
    return reading.says("옮기다") and reading.clause.head is None and ends in (("어서",), ("고",))


def _something_came(reading: Reading) -> bool:
    """SK로 이직 제안 왔어요: an offer has come, nobody has."""
    last = reading.clause.phrases[-1] if reading.clause.phrases else None
    return last is not None and not last.particles and last.pronoun is None and not last.words[-1].endswith("로")


def _drawn(reading: Reading) -> tuple[str, str] | None:
    """신세계로 스카웃돼서 넘어왔어요."""
    into = next((p for p in reversed(reading.rest) if p.has("로", "으로", "에") and p.pronoun is None), None)
    company = KINDS["company"](into.words) if into is not None else None
    ends = reading.predicate.endings[-1:] if reading.predicate is not None else ()
    told = happened(reading) or ends in (("어서",), ("고",))
    return ("workplace", company) if company is not None and told and reading.clause.head is None else None


def _is_guest(reading: Reading) -> bool:
    """제주 온 지 3일째, 여행 중이야; 명절이라 목포 내려온 지 나흘 됐어요."""
    start = max(reading.text.rfind(mark, 0, reading.clause.start) for mark in ".!?\n")
    ends = (reading.text.find(mark, reading.clause.end) for mark in ".!?\n")
    end = min((at for at in ends if at >= 0), default=len(reading.text))
    return _ON_A_TRIP.search(reading.text) is not None or _AS_GUEST.search(reading.text, start + 1, end) is not None


def _kind(reading: Reading, phrase: Phrase) -> tuple[str, str] | None:
    """Return what `phrase` names: somewhere to work, to learn or to live."""
    words = reading.said(phrase).split()
    if words and words[-1].endswith("로") and not phrase.particles:
        words[-1] = words[-1].removesuffix("로")  # 컬리로, taken for a name
    school = KINDS["school"](words)
    if school is not None:
        return "school", school
    subject = department_of(words[-1])
    if subject is not None:
        return "major", subject
    company = KINDS["company"](words)
    if company is not None:
        return "workplace", company
    place = KINDS["town"](words)
    return ("residence", place) if place is not None else None


def _stays(reading: Reading, verbs: set[str], attribute: str, *, since: bool, into: bool) -> bool:
    moving = bool(verbs & _MOVING)
    if since and reading.clause.head == "지":
        after = reading.after
        said = reading.text[reading.clause.end : after.end if after is not None else len(reading.text)]
        long = _COUNTED if attribute != "residence" else _LONG if moving else _LONGER
        return long.search(said) is not None
    if since:
        return moving or (attribute != "residence" and "오다" in verbs)
    if attribute == "residence":
        settled = moving and _FOR_GOOD.search(reading.text) is not None
        return into and (_with_family(reading) or _carried_over(reading) or settled)
    if attribute == "school" and _ADMITTED.search(reading.text):  # 수능 다시 봐서 경북대 왔어
        return True
    serving = attribute == "workplace" and not _is_employer(reading)
    change = moving and verbs & _MOVING != {"옮기다"}  # 피부과로 옮겼어 may be said of a patient
    return _was_bare(reading, into=into) and (change or not serving)


def _was_bare(reading: Reading, *, into: bool) -> bool:
    """컬리로 왔어; not 컬리 왔어, where 로 is missing."""
    return into or any(not p.particles and p.words[-1].endswith("로") for p in reading.rest)


def _is_employer(reading: Reading) -> bool:
    """Whether nobody but who works there goes there: 컬리, 화곡지점; not 아산병원."""
    for phrase in reading.rest:
        words = reading.said(phrase).split()
        bare = [*words[:-1], words[-1].removesuffix("로") if not phrase.particles else words[-1]]
        if KINDS["employer"](bare) is not None or bare[-1].endswith(("지점", "지사", "공장", "본사", "보건소")):
            return True
    return False


def _goes_to_work(reading: Reading) -> tuple[str, str] | None:
    """유기견 보호소로 출근해요, 이번 학기부터 유치원에 나가요; not 광화문으로 출근해, 오늘은 본사로 출근했어."""
    from_now_on = _from_now_on(reading)
    if reading.past or _DAILY & (reading.everything - from_now_on) or reading.clause.head is not None:
        return None
    into = ("로", "으로", "에") if from_now_on else ("로", "으로")
    phrase = next((p for p in reversed(reading.rest) if p.has(*into) and p.pronoun is None), None)
    if (
        phrase is None
        or phrase.pointed
        or phrase.adnominal
        or phrase.words[-1] in _AWAY
        or {"다음", "내일"} & from_now_on
    ):
        return None
    last = phrase.words[-1]
    if is_place(last) or is_country(last) or last.endswith(("역", "쪽", "부")):
        return None
    steadily = _steadily(reading) or bool(from_now_on)
    company = KINDS["company"](phrase.words)
    taught = KINDS["school"](phrase.words) if reading.says("출근하다") else None  # 남산초로 출근해요
    employer = company is not None or taught is not None or last in signals("trade", "employers")
    if reading.says("나가다") and last.endswith(("학원", "센터", "병원", "교회", "복지관", "의원")):
        return None  # one may learn there, or be ill
    if reading.says("나가다") and not (steadily and employer):
        return None
    value = company or taught or reading.said(phrase)
    return ("workplace", value) if employer or (len(last) > 1 and last.endswith(_HOUSES)) else None


def _from_now_on(reading: Reading) -> set[str]:
    """Return the words of the time since when it goes on so: 이번 학기부터, 3월부터."""
    words: set[str] = set()
    for place, phrase in enumerate(reading.rest):
        if phrase.has("부터"):
            before = reading.rest[place - 1] if place else None
            words |= {*phrase.words, *(before.words if before is not None and not before.particles else ())}
    return words


def _steadily(reading: Reading) -> bool:
    return reading.predicate is not None and "있다" in reading.predicate.auxiliaries


def _attends(reading: Reading) -> tuple[str, str] | None:
    """편입 붙은 조선대 이번 주부터 나가고 있어."""
    if not reading.says("나가다") or not _steadily(reading) or _ADMITTED.search(reading.text) is None:
        return None
    named = (KINDS["school"](phrase.words[:1]) for phrase in reading.rest if not phrase.has("에서", "서"))
    school = next((each for each in named if each is not None), None)
    return ("school", school) if school is not None else None


def _among_schoolmates(reading: Reading) -> tuple[str, str] | None:
    """전학 온 지 일주일째, 창덕여고 애들 다 착한데; not 전학 온 애가, nor of the school that was left."""
    if _CHANGED_SCHOOLS.search(reading.text) is None:
        return None
    for phrase in reading.rest:
        school = KINDS["school"](phrase.words[:-1]) if phrase.words[-1] in _SCHOOL_LIFE else None
        if school is not None and not re.search(
            rf"{re.escape(school)}\s?(?:에서|그리|보고)|{re.escape(school)} 애들\s?(?:보고|그)", reading.text
        ):
            return "school", school
    return None


_CHANGED_SCHOOLS: Final = re.compile(r"전학\s?(?:온\s?지|왔|와서|옴)|편입\s?(?:한\s?지|했|해서|함)")
_SCHOOL_LIFE: Final = frozenset("애들 친구들 쌤들 선생님들 급식 교복 학식 캠퍼스 기숙사 동기들".split())


def _introduced(reading: Reading) -> tuple[str, str] | None:
    """구글코리아 온보딩 주간 끝났다: only who begins there is shown around."""
    for phrase in reading.rest if "온보딩" in reading.text or "교육" in reading.text else ():
        at = next((at for at, word in enumerate(phrase.words) if word in ("온보딩", "신입교육", "입사교육")), 0)
        company = KINDS["company"](phrase.words[:at]) if at else None
        if company is not None:
            return "workplace", company
    return None


def _moved_in(reading: Reading) -> tuple[str, str] | None:
    """분당에 집 구해서 어제부터 살고 있어요."""
    before = reading.before
    if not reading.says("살다", "지내다", "거주하다") or reading.past or before is None or before.predicate is None:
        return None
    if before.predicate.lemma not in _FINDING or before.predicate.negated:
        return None
    if any(KINDS["town"](reading.said(phrase).split()) for phrase in reading.rest):
        return None
    homes = ("집", "방", "전세", "월세", "원룸", "투룸", "자취방", "아파트", "빌라", "오피스텔")
    named = any(phrase.words[-1] in homes for phrase in before.phrases)
    place = next((KINDS["town"](p.words) for p in before.phrases if p.has("에", "에다", "에다가")), None)
    return ("residence", place) if named and place is not None else None
