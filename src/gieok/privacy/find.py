"""Where somebody can be reached: telephone numbers and e-mail addresses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from gieok.privacy.numbers import (
    JOINED,
    Found,
    accounts,
    before,
    cards,
    counted,
    english,
    figures,
    identity_numbers,
    impersonal,
    plain,
)

_S: Final = r"(?: ?[-./)] ?| {1,3}| ?(?:에|다시|대시|하이픈|dash) ?)?"
_LEFT: Final = r"(?<![0-9*])(?<![0-9*][-.])"
_RIGHT: Final = r"(?![0-9*]|-[0-9*]|\.[0-9])"
_ABROAD: Final = r"(?:\+ ?82|0082|(?<![\d-])82)[-. ]?(?:\(0\) ?)?"
_MOBILE: Final = re.compile(
    rf"{_LEFT}(?:{_ABROAD}0?1[016-9]|\(?01[016-9]\)?)(?:{_S}|[,_] ?|{JOINED})\d{{3,4}}(?:{_S}|[,_] ?|"
    rf"{JOINED})\d{{4}}{_RIGHT}"
    rf"|{_LEFT}01[016-9](?:[-. ]\d\d){{4}}{_RIGHT}"
    rf"|{_LEFT}0 {{1,3}}1 {{1,3}}[016-9](?: {{1,3}}\d){{7,8}}(?! ?\d)"
)
_NOBODY: Final = re.compile(r"0{3,4}\D{0,3}0{4}$")  #: 010-0000-0000 stands for any number
_ONE_OF_MORE: Final = re.compile(r"\d $")
_AREA: Final = r"(?:2|3[1-3]|4[1-4]|5[1-5]|6[1-4]|70|50\d?)"
_LAND_LINE: Final = re.compile(
    rf"(?<![A-Za-z0-9*])(?<![0-9*][-.])(?:{_ABROAD}0?{_AREA}|\(0{_AREA}\)|"
    rf"0{_AREA}){_S}[1-9]\d{{2,3}}{_S}\d{{4}}{_RIGHT}"
)
_FOREIGN: Final = re.compile(r"(?<![\w+])\+ ?[1-9]\d{0,2}(?:[-. ()]{0,2}\d){6,13}(?!\d)")
_AMERICAN: Final = re.compile(
    r"(?<![A-Za-z0-9*.+-])(?:\+?1[-. ])?(?:\([2-9]\d\d\) ?|[2-9]\d\d(?P<s>[-. ]))[2-9]\d\d(?(s)(?P=s)|[-. "
    r"])\d{4}(?![0-9A-Za-z*]|[-.][0-9*])"
)
_FREE_OF_CHARGE: Final = re.compile(r"\+?1?[-. ]?\(?8(?:00|33|44|55|66|77|88)")

_AT: Final = r"(?: ?@ ?| ?[(\[{<] ?(?:at|앳|골뱅이) ?[)\]}>] ?| ?(?:골뱅이|앳) ?)"
_DOT: Final = r"(?:\.| \. | ?[(\[{<] ?(?:dot|닷|점) ?[)\]}>] ?| ?(?:닷|쩜|점) ?| dot )"
_TLD: Final = r"(?:[A-Za-z]{2,12}|컴|콤|넷|케이알)(?![A-Za-z0-9])"
_HOSTS: Final = "네이버|지메일|구글|다음|한메일|카카오|네이트|핫메일|아웃룩|야후|아이클라우드|천리안|코리아"
_EMAIL: Final = re.compile(
    rf"(?<![A-Za-z0-9._%+*-])[A-Za-z0-9](?:[A-Za-z0-9._%+-]{{0,62}}[A-Za-z0-9_+-])?{_AT}"
    rf"(?:(?:[A-Za-z0-9-]{{1,63}}{_DOT}){{1,4}}{_TLD}|(?:{_HOSTS})(?:{_DOT}(?:[A-Za-z]{{2,3}}{_DOT})?{_TLD}|"
    rf"(?![가-힣])|(?=으?로|이?야|에요|예요|이에요|입니다|임|인데|에))"
    r"|(?:naver|gmail|daum|hanmail|kakao|nate|hotmail|outlook|yahoo|icloud)(?![A-Za-z0-9.]| \. ))",
    re.I,
)
#: eric dot han at gmail dot com: spelled out whole, so that bots do not see it.
_EMAIL_IN_WORDS: Final = re.compile(
    r"(?<![A-Za-z0-9])[a-z0-9_+-]+(?: (?:dot|underscore|dash|plus) [a-z0-9_+-]+){0,4} at [a-z0-9-]+(?: dot "
    r"[a-z]{2,12}){1,3}(?![A-Za-z0-9])",
    re.I,
)
#: my email is mina at gmail.com: only where it is said to be one.
_EMAIL_TOLD: Final = re.compile(
    r"(?:mail|메일)[^\n@]{0,24}?(?<![A-Za-z0-9])(?P<it>[a-z0-9._+-]+ at "
    r"[a-z0-9-]+(?:\.[a-z]{2,12}){1,3})(?![A-Za-z0-9])",
    re.I,
)


def korean_phones(text: str) -> Iterator[Found]:
    """Yield the Korean telephone numbers in `text`, which has figures."""
    for match in _MOBILE.finditer(text):
        if not _NOBODY.search(match[0]):
            yield Found("phone", *_without_bracket(match))
    for match in _LAND_LINE.finditer(text):
        doubtful = match[0].isdigit() and impersonal(text, match.start())
        doubtful |= " " in match[0] and _ONE_OF_MORE.search(text[: match.start()]) is not None
        if not doubtful and not counted(text, match.end()):
            yield Found("phone", *_without_bracket(match))


def foreign_phones(text: str) -> Iterator[Found]:
    """Yield telephone numbers of elsewhere: American ones as they are written there, others with their country."""
    for match in _AMERICAN.finditer(text):
        if (
            not _FREE_OF_CHARGE.match(match[0])
            and not impersonal(text, match.start())
            and not counted(text, match.end())
        ):
            yield Found("phone", match.start(), match.end())
    if "+" in text:
        yield from _foreign(text)


def _without_bracket(match: re.Match[str]) -> tuple[int, int]:
    """Return where the number is: a bracket that opens before it and does not close in it is not of it."""
    opened = match[0].startswith("(") and ")" not in match[0]
    return match.start() + opened, match.end()


def _foreign(text: str) -> Iterator[Found]:
    import phonenumbers

    for match in _FOREIGN.finditer(text):
        try:
            number = phonenumbers.parse(match[0], None)
        except phonenumbers.NumberParseException:
            continue
        if phonenumbers.is_possible_number(number):
            yield Found("phone", match.start(), match.end())


def emails(text: str) -> Iterator[Found]:
    for match in _EMAIL.finditer(text):
        yield Found("email", match.start(), match.end())
    for match in _EMAIL_TOLD.finditer(text):
        yield Found("email", match.start("it"), match.end("it"))
    if " dot " in text.lower():
        for match in _EMAIL_IN_WORDS.finditer(text):
            yield Found("email", match.start(), match.end())


_PROVINCES: Final = (
    "서울 부산 대구 인천 광주 대전 울산 세종 경기 강원 충북 충남 전북 전남 경북 경남 제주 충청북 충청남 전라북 "
    "전라남 경상북 경상남"
)
_CITIES: Final = (
    "수원 성남 의정부 안양 부천 광명 평택 동두천 안산 고양 과천 구리 남양주 오산 시흥 군포 의왕 하남 용인 파주 이천 "
    "안성 김포 화성 광주 "
    "양주 포천 여주 춘천 원주 강릉 동해 태백 속초 삼척 청주 충주 제천 천안 공주 보령 아산 서산 논산 계룡 당진 전주 "
    "군산 익산 정읍 남원 김제 "
    "목포 여수 순천 나주 광양 포항 경주 김천 안동 구미 영주 영천 상주 문경 경산 창원 진주 통영 사천 김해 밀양 거제 "
    "양산 제주 서귀포 세종"
)
_COUNTIES: Final = (
    "기장 달성 군위 강화 옹진 울주 연천 가평 양평 홍천 횡성 영월 평창 정선 철원 화천 양구 인제 고성 양양 보은 옥천 "
    "영동 증평 진천 괴산 음성 "
    "단양 금산 부여 서천 청양 홍성 예산 태안 완주 진안 무주 장수 임실 순창 고창 부안 담양 곡성 구례 고흥 보성 화순 "
    "장흥 강진 해남 영암 무안 "
    "함평 영광 장성 완도 진도 신안 의성 청송 영양 영덕 청도 고령 성주 칠곡 예천 봉화 울진 울릉 의령 함안 창녕 남해 "
    "하동 산청 함양 거창 합천"
)
_WARDS: Final = (
    "종로 중 용산 성동 광진 동대문 중랑 성북 강북 도봉 노원 은평 서대문 마포 양천 강서 구로 금천 영등포 동작 관악 "
    "서초 강남 송파 강동 서 동 남 북 "
    "영도 부산진 동래 해운대 사하 금정 연제 수영 사상 수성 달서 미추홀 연수 남동 부평 계양 제물포 영종 검단 광산 "
    "유성 대덕 장안 권선 팔달 영통 "
    "수정 중원 분당 만안 동안 원미 소사 오정 상록 단원 덕양 일산동 일산서 일산 처인 기흥 수지 상당 서원 흥덕 청원 "
    "동남 서북 완산 덕진 의창 성산 "
    "마산합포 마산회원 진해"
)


def _any(names: str, *, least: int = 1) -> str:
    """Return a pattern for one of `names` of at least so many syllables, longer ones first."""
    return "|".join(sorted((name for name in names.split() if len(name) >= least), key=len, reverse=True))


PROVINCE: Final = rf"(?:{_any(_PROVINCES)})(?:특별자치시|특별자치도|특별시|광역시|시|도)?"
#: In full: 마포구, 수원시, 가평군.
DISTRICT: Final = rf"(?:(?:{_any(_CITIES)})시|(?:{_any(_COUNTIES)})군|(?:{_any(_WARDS)})구)"
#: As people also say it: 마포, 수원, 분당.
CALLED: Final = rf"(?:{_any(' '.join((_CITIES, _COUNTIES, _WARDS)), least=2)})"
FIRST: Final = "".join(
    sorted({name[0] for names in (_PROVINCES, _CITIES, _COUNTIES, _WARDS) for name in names.split()})
)
"""The syllables that any of them begins with."""


_PART: Final = rf"(?:{DISTRICT}|{CALLED})"
_TOWN: Final = r"[가-힣]{1,6}\d?(?:읍|면)"
_HEAD: Final = (
    rf"(?:대한민국 )?(?:{PROVINCE}(?:[ ,]{{0,2}}{_PART}(?=[ ,])){{0,2}}|{DISTRICT}(?:[ ,]{{0,2}}{_PART}(?=[ ,]))?|"
    rf"{CALLED} {_PART}(?=[ ,]))"
    rf"(?:[ ,]{{1,2}}{_TOWN}(?=[ ,]))?(?:[ ,]{{1,2}}[가-힣]{{1,5}}\d?동(?=[ ,]{{1,2}}[가-힣]+\d*(?:로|길)))?[ ,]{{1,2}}"
)
#: A number is not a house's where it counts something.
_UNITS: Final = (
    r"(?:시간|시|분|초|월|년|개월|개|명|원|만|천|백|억|살|세|번째|번(?!지|길)|차선|차로|킬로|키로|미터|km|kg|m|"
    r"정거장|정류장|그릇|잔|병|마리|판|"
    r"인분|권|장|대|곳|군데|주년|주|박|일|도|회|위|등|점|가구|세대|배|평|퍼센트|퍼|프로|사람|출구|호선|코스|학년|반|"
    r"팀|채|건|달|쪽|칸|줄|벌|켤레|끼)"
)
_NO_UNIT: Final = (
    rf"(?![\d%]|[.,:]\d|-\d|층|호|동|(?<=[ 가-힣]\d)가|{_UNITS}(?!지하)"
    rf"| {_UNITS}(?=$|[^가-힣]|[에이가을를은는도만씩쯤간째반넘전뒤후안]|정도|동안|짜리|걸|출구))"
)
_ROAD: Final = (
    r"[가-힣][가-힣·.]{0,9}\d{0,3}(?:대로|로|길)(?: ?(?:지하 ?)?\d{1,4}(?:번?가?나?다?길|번안길))?"
    r"(?: ?[가-힣]{0,4}\d{0,3}길)?"
)
_HOUSE: Final = rf"(?:지하 ?)?\d{{1,4}}(?: ?- ?\d{{1,4}})?(?:번지|번)?{_NO_UNIT}"
_LOT_PLACE: Final = r"(?:[가-힣]{1,6}\d{0,2}(?:동|가|읍|면)(?: [가-힣]{1,6}\d?리)?|[가-힣]{1,6}\d?리)"
_LOT: Final = rf"(?:산 ?)?\d{{1,4}}(?: ?- ?\d{{1,4}}|(?: ?번지)(?: ?\d{{1,4}}호)?|의 ?\d{{1,3}})?(?:번지)?{_NO_UNIT}"
_UNIT: Final = (
    r"(?:제? ?[A-Za-z가나다라마바]?\d{1,4} ?동(?![가-힣]{2})|(?:지하 ?|반지하 ?|옥탑 ?)?(?:B|b|지하)?\d{1,4} ?(?:호|"
    r"층)(?:실)?(?!선)|반지하|옥탑방?|[A-Za-z가나다라마바사]동(?![가-힣]))"
)
_BUILDING: Final = (
    r"[가-힣A-Za-z0-9]{1,14}(?:아파트|빌라|빌딩|타워|센터|오피스텔|맨션|하우스|주공|자이|래미안|푸르지오|힐스테이트|"
    r"원룸|고시원|"
    r"빌|APT|apt|캐슬|아이파크|파크|팰리스|시티|기숙사|연립|주택|프라자|플라자|상가|단지)"
)
_DETAIL: Final = (
    rf"(?:(?:,| )+ ?(?:{_BUILDING}|[가-힣A-Za-z]{{2,10}}(?= (?:\d{{1,4}}|[A-Za-z]) ?(?:동|호)(?![가-힣]{{2}})))?(?:,? "
    rf"?{_UNIT}){{1,3}}"
    rf"|(?:,| )+ ?{_BUILDING} \d{{1,4}}-\d{{1,4}}|, ?{_BUILDING})?(?: ?\([가-힣0-9]{{1,8}}(?:동|가|읍|면|리)(?:, "
    rf"?[가-힣A-Za-z0-9 ]{{2,16}})?\))?(?:(?:,| )+{_UNIT}){{0,2}}"
)
_WITH_DISTRICT: Final = re.compile(
    rf"(?<![가-힣A-Za-z])(?=[{FIRST}대]){_HEAD}(?P<place>{_ROAD} ?{_HOUSE}|{_LOT_PLACE} ?{_LOT}){_DETAIL}"
)
#: 망원동 412-7, 와우산로21길 19-3: a lot with a hyphen, or a road's branch, is telling without a district.
_TELLING: Final = re.compile(
    rf"(?<![가-힣A-Za-z\d])(?:[가-힣]{{1,5}}\d?(?:동(?:\d가)?|로\d가) ?(?:산 ?)?(?:\d{{2,4}} ?- ?\d{{1,4}}|\d ?- "
    rf"?\d{{2,4}})(?:번지)?{_NO_UNIT}"
    rf"|[가-힣]{{1,5}}\d?(?:동|리) ?(?:산 ?)?\d{{1,4}} ?번지(?:의 ?\d+)?"
    rf"|[가-힣]{{2,8}}\d{{0,3}}(?:대로|로) ?\d{{1,4}}(?:번|가|나|다)?길 ?{_HOUSE}){_DETAIL}"
)
_FLAT: Final = re.compile(r"\d ?동 ?\d{1,4} ?호")
#: 대치동 은마아파트 12동 305호: a flat in a building that is named.
_NAMED_FLAT: Final = re.compile(
    rf"(?<![가-힣A-Za-z\d])(?:{_HEAD}|{CALLED} )?(?:[가-힣]{{1,5}}\d?동 )?{_BUILDING} ?\d{{1,4}} ?동 ?\d{{1,4}} "
    rf"?호(?!선)"
)
#: 우리 집은 와우산로 94: a plain number, where somebody says that this is where they live.
_WITH_WORDS: Final = re.compile(rf"(?<![가-힣A-Za-z\d])[가-힣]{{2,8}}(?:대로|로|길) ?{_HOUSE}{_DETAIL}")
_LIVING: Final = re.compile(
    r"주소|사는 ?곳|우리 ?집|울 ?집|본가|자취방|집이|집은|배송지|받는 ?곳|택배는|택배 ?보내|이사(?:했|한|왔|갔)|address"
)
_LIVES_AFTER: Final = re.compile(
    r"(?:에서?|이?에) ?(?:혼자 |같이 |지금 )?(?:살|거주|산다|자취)|(?:으?로) ?(?:배송|배달|택배|이사)|"
    r"[^.!?\n\d]{0,14}주소"
)
_OTHER_WORDS: Final = re.compile(
    r"(?:(?:이|그|저|제|마음|맘|뜻|나름|사실|생각|계획|예정|말|절|순서|차례|기분|멋|내키는|있는|하던|원래|예상|시키는|"
    r"하라는)대로|"
    r"서로|바로|따로|새로|별로|주로|실제로|진짜로|정말로|억지로|의외로|대체로|스스로|앞으로|위로|아래로|뒤로|옆으로|"
    r"그길|이길|하굣길|퇴근길|출근길|"
    r"[가-힣]*(?:으로|카드로|버스로|택시로|기차로|비행기로|지하철로|자전거로|전화로|문자로|메일로|유튜브로|친구로|"
    r"번호로|점수로|스코어로|세트로)|운동|활동|행동|이동|자동|변동|노동|충동|감동|"
    r"진동|아동|공동|연동|작동|출동|한동|합동|선동|소동|반동)(?![가-힣])"
)
_LATIN_PART: Final = r"[A-Z][A-Za-z]*(?:-[A-Za-z]+)*"
_LATIN: Final = re.compile(
    r"(?<![A-Za-z0-9])(?:(?:Apt|Unit|Suite|Room|Rm|No)\.? ?#?\d{1,5}[A-Za-z]?, ?)?"
    r"(?:(?:[A-Z][a-z]+(?:-(?:gu|si|do|gun|dong|eup|myeon|ri))?,? )*"
    r"[A-Z][a-z]+\d{0,3}(?:-?(?:ro|daero|gil|dong|ri)),? ?(?:\d{1,4}(?:beon)?-gil,? ?)?\d{1,4}(?:-\d{1,4})?"
    r"|\d{1,4}(?:-\d{1,4})?,? [A-Z][a-z]+\d{0,3}-(?:ro|daero|gil|dong|ri)(?: \d{1,4}(?:beon)?-gil)?)(?![\d%-])"
    r"(?:, ?(?:(?:Unit|Apt|Apartment|Suite|Room|Rm|Bldg|Building|Floor|No)\.? ?#?[A-Za-z]?\d{1,5}[A-Za-z]?|"
    r"[A-Z][a-z]+(?:-(?:gu|si|do|gun|dong|eup|myeon))|Seoul|Busan|Incheon|Daegu|Daejeon|Gwangju|Ulsan|Sejong|Jeju|"
    r"#\d{1,5}|\d{1,4}(?:st|nd|rd|th) [Ff]loor))*"
)


def addresses(text: str) -> Iterator[Found]:
    for match in _places(text):
        yield Found("address", match.start(), match.start() + len(match[0].rstrip(" ,")))


def _places(text: str) -> Iterator[re.Match[str]]:
    for match in _WITH_DISTRICT.finditer(text):
        if "-" in match["place"] or not _OTHER_WORDS.match(match["place"]):
            yield match
    yield from (match for match in _TELLING.finditer(text) if not _OTHER_WORDS.match(match[0]))
    if _FLAT.search(text):
        yield from _NAMED_FLAT.finditer(text)
    for match in _WITH_WORDS.finditer(text):
        if not _OTHER_WORDS.match(match[0]) and _lived_in(text, match):
            yield match
    if "-" in text:
        yield from _LATIN.finditer(text)


def _lived_in(text: str, match: re.Match[str]) -> bool:
    return bool(_LIVING.search(before(text, match.start(), 20)) or _LIVES_AFTER.match(text, match.end()))


_ANY: Final = re.compile(r"\d|@|＠|골뱅이|[공영일이삼사오육륙칠팔구]{3}|(?i:[ (\[{]at[ )\]}])|[①-⑨⓪]")
_MAIL: Final = re.compile(r"@|골뱅이|앳|(?i:\bat\b|\(at|\[at)")
_FEW: Final = 7  #: digits of the shortest number
_PLACED: Final = re.compile(
    r"(?:로|길|동|가|리|번지|읍|면) ?(?:지하 ?|산 ?)?\d|\d ?동 ?\d{1,4} ?호|-(?:ro|gil|daero|dong|ri)\b|길 ?\d"
)
_STREET: Final = re.compile(r"\d[A-Za-z]? [A-Za-z0-9'. ]{2,40}?[A-Za-z]")


def found(text: str) -> tuple[Found, ...]:
    """Return the personal data in `text`, in order; none overlaps another."""
    if _ANY.search(text) is None:
        return ()
    wide = plain(text)
    return disjoint(_candidates(wide))


def _candidates(wide: str) -> Iterator[Found]:
    """Yield whatever may be personal data, the surer kind first where two claim the same place."""
    if _MAIL.search(wide):
        yield from emails(wide)
    text = figures(wide)
    digits = sum(map(text.count, "0123456789"))
    if digits and _PLACED.search(text):
        yield from addresses(text)
    if digits >= _FEW:
        yield from _numbers(wide, text)
    elif digits and _STREET.search(text):
        yield from english(text)


def _numbers(wide: str, text: str) -> Iterator[Found]:
    yield from cards(text)
    yield from korean_phones(text)
    yield from identity_numbers(wide, text)
    yield from accounts(text)
    yield from foreign_phones(text)
    yield from english(text)


def disjoint(candidates: Iterable[Found]) -> tuple[Found, ...]:
    """Return those that do not overlap one before them, in the order of the text."""
    chosen: list[Found] = []
    for each in candidates:
        if all(each.end <= other.start or other.end <= each.start for other in chosen):
            chosen.append(each)
    return tuple(sorted(chosen, key=lambda each: each.start))
