"""Where somebody lives: Korean addresses by road (도로명) and by lot (지번), in Hangul and in Latin letters.

A district alone is no address: it takes a road or a quarter with a number. Without a district before it, a name in
-로 or -동 is often another word (이대로 3일, 운동 45분): it takes a lot like 412-7, or words about living there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from gieok.privacy.cues import before
from gieok.privacy.districts import CALLED, DISTRICT, FIRST, PROVINCE
from gieok.privacy.found import Found

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
