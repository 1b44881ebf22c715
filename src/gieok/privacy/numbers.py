"""Words near a number that say what it is, or that it is nothing personal."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

from gieok.domain.personal import PersonalKind

_REACH: Final = 48  #: characters before and after that are looked at

#: What bears a number and is nobody's: orders, parcels, tickets, codes.
_IMPERSONAL: Final = re.compile(
    r"(?:(?:주문|운송장|송장|등기|고지서|승인|인증|쿠폰|코드|시리얼|품번|모델명?|학번|수험|사번|군번|바코드|로또|"
    r"복권|영수증|티켓|택배|핀|"
    r"UID|ISBN|PIN|orders?|tracking|ticket|invoice|serial|coupon|sku|receipt|parcel|package|voucher|flight|booking|"
    r"code)"
    r"(?:\s?(?:number|no\.?|num|id|번호|넘버|코드))?"
    r"|(?:접수|예약|사건|납부|일련|회원|고객|포인트|상품권?|제품|관리|문서|계약|증권|견적|발주|청구|거래|좌석|버전|"
    r"계정|유저|게임|방|멤버십|"
    r"기프트|조회|전표|증명서|발급|확인|공고|허가|특허|참가|대기|추첨|응모|비밀|출금|이벤트|배송|문의|보증|자산|"
    r"관리비|전자납부|참조|추적|진료|환자|"
    r"검사|병록)\s?(?:번호|넘버|코드)"
    r"|(?:confirmation|case|ref|reference|model|product|part|user|game|room|promo|gift|membership|"
    r"reservation|claim|"
    r"policy|docket|student|employee|customer|member|lot|batch|item|shipment|raid|licen[cs]e\s?key)\s?"
    r"(?:number|no\.?|num|id|code|#))"
    r"(?:\s?(?:is|was|은|는|이|가|인|이고|요))?[\s:#=(\[-]*$",
    re.IGNORECASE,
)
_LINK: Final = re.compile(r"https?://\S*$")
_LINK_REACH: Final = 300
_COUNTED: Final = re.compile(
    r"\s?(?:(?:원|명|회|개|건|번째|점|위|달러|엔|자리|바이트|픽셀|억|조)(?=[^가-힣]|$|"
    r"[이은는을를가도만씩쯤에의으짜정입])"
    r"|만(?=\s|$|[^가-힣]|원|명|개)|km|kg|byte)",
    re.IGNORECASE,
)


def before(text: str, start: int, reach: int = _REACH) -> str:
    return text[max(start - reach, 0) : start]


def after(text: str, end: int, reach: int = _REACH) -> str:
    return text[end : end + reach]


def impersonal(text: str, start: int) -> bool:
    """Whether the word right before a number says that it is an order's, a parcel's or the like; or it is in a link."""
    if _IMPERSONAL.search(before(text, start, 24)):
        return True
    return "//" in text and _LINK.search(before(text, start, _LINK_REACH)) is not None


def counted(text: str, end: int) -> bool:
    """Whether a unit follows: an amount, not a number of somebody."""
    return _COUNTED.match(text, end) is not None


#: The name of a bank; several are ordinary words, too.
BANKS: Final = (
    "국민|KB|케이비|신한|우리|하나|KEB|외환|농협|NH|엔에이치|기업|IBK|카카오|카뱅|토스|토뱅|케이|케뱅|새마을|"
    "새마을금고|우체국|SC제일|SC|제일|"
    "씨티|시티|부산|대구|iM|아이엠|광주|전북|제주|경남|수협|신협|산업|KDB|저축|산림조합|미래에셋|삼성증권|키움|"
    "한국투자|한투|대신증권|"
    "Kookmin|Shinhan|Woori|Hana|Nonghyup|Kakao|Toss|K ?bank|Citi|Chase|Wells Fargo|Bank of America|Barclays|HSBC"
)
#: A bank's name right before the number, alone or with what is said of accounts.
_BANK_BEFORE: Final = re.compile(
    rf"(?:^|[^가-힣A-Za-z])(?:{BANKS}){{1,2}}(?: ?(?:은행|뱅크|증권|금고|예금|적금|bank|계좌|통장|계좌번호|번호|"
    rf"account))*"
    r"(?:은|는|이고|고|인데|이야|이에요|이요|꺼|거|로|으로|에|,|:|is|number)*[\s:,(\-]*$",
    re.IGNORECASE,
)


_ACCOUNT_MEANT: Final = re.compile(
    r"(?:계좌|통장|예금주|입금|송금|이체|은행|뱅크|\bbank\b|\baccount\b|\bacct\b|routing)[^\d\n]{0,24}$", re.I | re.A
)


def bank_named(text: str, start: int) -> bool:
    """Whether a bank is named right before a number."""
    return _BANK_BEFORE.search(before(text, start)) is not None


def account_meant(text: str, start: int) -> bool:
    """Whether accounts or transfers are spoken of before a number."""
    return _ACCOUNT_MEANT.search(before(text, start)) is not None


_DASHES: Final = "‐‑‒–—―−﹣－ㅡ─━ー~∼～˗⁃"
_DOTS: Final = "·•․。．｡・ㆍ‧∙"
_SPOKEN: Final = dict(zip("공영일이삼사오육륙칠팔구", "001234566789", strict=True))
_HANGUL_DIGITS: Final = "".join(_SPOKEN)
_TO_FIGURES: Final = str.maketrans(_SPOKEN)
_UNUSUAL: Final = re.compile(r"[^\x20-\x7e가-힣ㄱ-ㅎㅏ-ㅠㅢㅣ\n]|~")
_LETTER_O: Final = re.compile(r"(?<=\d)[Oo](?=[-. ]?\d)|(?<![A-Za-z0-9])[Oo](?=\d[\dOo])|(?<=\d)[ㅇ○lI|](?=\d)")
_SPELLED: Final = re.compile(rf"[{_HANGUL_DIGITS}]{{2}}|[{_HANGUL_DIGITS}]\d|\d[{_HANGUL_DIGITS}]")
#: 이 and 일 are also particles and endings: after a figure, or before a syllable that is no digit, they are not read.
_SYLLABLE: Final = (
    rf"(?:\d|[공영삼사오육륙칠팔구](?!개|명|번|시|분|살|원|월|년|층|호|동)|[이일](?=[{_HANGUL_DIGITS}\d])"
    rf"|[이일](?=에\s?[{_HANGUL_DIGITS}\d])|(?<!\d)[이일](?![가-힣]))"
)
_BETWEEN: Final = r"(?: ?[-.,] ?| ?(?:에|다시|대시|하이픈) ?| )"
#: A group ends where its word does, but for particles and endings: 칠 사업자 is no 74.
_GROUP: Final = (
    rf"{_SYLLABLE}+(?=[^가-힣]|$|[이은는가을를로으야예에입인임였랑과와고도만요라번래죠지네다구면며니데처한까부보하맞])"
)
_RUN: Final = re.compile(rf"(?:(?<![가-힣])|(?<=[는은호번폰])){_GROUP}(?:{_BETWEEN}{_GROUP})*(?P<last>[이일]?)")
_NO_DIGIT: Final = re.compile(r"\D")
_LEAST: Final = 9  #: digits of the shortest number that somebody would spell out
_MOBILE: Final = re.compile(r"01[016-9]")
_MOBILE_DIGITS: Final = 11


class _Plain(dict[int, str]):
    """The plain character for an unusual one, looked up when it is first met."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        plain = self[code] = _plain(letter)
        return plain


def _plain(letter: str) -> str:
    if letter in _DASHES:
        return "-"
    if letter in _DOTS:
        return "."
    digit = unicodedata.digit(letter, None)
    if digit is not None:
        return str(digit)
    if "！" <= letter <= "～":
        return chr(ord(letter) - 0xFEE0)
    blank = letter != "\n" and (unicodedata.category(letter) in ("Zs", "Cf", "Mn", "Me") or letter == "\t")
    return " " if blank else letter


_PLAIN: Final = _Plain()


def plain(text: str) -> str:
    """Return `text` with plain digits, letters, dashes, dots and blanks, each in its place."""
    return text.translate(_PLAIN) if _UNUSUAL.search(text) else text


def figures(text: str) -> str:
    """Return plain `text` with the numbers that are spelled out, or mixed with letters, as figures."""
    text = _LETTER_O.sub(lambda match: "1" if match[0] in "lI|" else "0", text)
    return _RUN.sub(_as_figures, text) if _SPELLED.search(text) else text


def _as_figures(match: re.Match[str]) -> str:
    last = match["last"]
    run = match[0].removesuffix(last)
    read = run.translate(_TO_FIGURES)
    digits = _NO_DIGIT.sub("", read)
    if len(digits) < _LEAST or digits == _NO_DIGIT.sub("", run):
        return match[0]
    if _MOBILE.match(digits):  # how long it is tells whether 이 is a two or a particle: 공일공 … 육육공사이 맞아
        if len(digits) == _MOBILE_DIGITS + 1 and run.endswith("이"):
            return read[:-1] + "이" + last
        if len(digits) == _MOBILE_DIGITS - 1:
            last = last.translate(_TO_FIGURES)
    return read + last


@dataclass(frozen=True, slots=True)
class Found:
    """Its kind, and where it begins and ends."""

    kind: PersonalKind
    start: int
    end: int


#: 앞은 …이고 뒤는 …: both halves are one number.
JOINED: Final = (
    r"(?:(?:이?고|이며|이랑|하고|랑|,)? ?(?:그 ?)?(?:뒤|뒷자리|뒷번호|뒷부분|뒷 ?네 ?자리|가운데|중간|끝|끝자리|"
    r"마지막|다음|나머지)(?:는|은|가|에|이|엔|에는)? ?"
    r"|이?고 |이며 | ?(?:그리고|그담에?|그 ?다음에?) ?| ?(?:and |, ?)?(?:then|and) )"
)
_LEFT: Final = r"(?<![0-9A-Za-z*])(?<![0-9*][-.])"
_RIGHT: Final = r"(?![0-9A-Za-z*]|[-.][0-9*])"

_BIRTH: Final = r"(?P<y>\d\d)(?P<m>\d\d)(?P<d>\d\d)"
_RESIDENT: Final = re.compile(
    rf"{_LEFT}{_BIRTH}(?: ?[-.] ?| |{JOINED}| ?(?:에|다시|대시|하이픈) ?)?(?P<sex>[1-8])\d{{6}}{_RIGHT}"
)
_RESIDENT_CUE: Final = re.compile(
    r"주민|민번|등본|등록번호|외국인|외등|resident|registration|\bRRN|\bFRN|\bARC\b|\bID\b", re.I | re.A
)
_CENTURY: Final = {"1": 1900, "2": 1900, "3": 2000, "4": 2000, "5": 1900, "6": 1900, "7": 2000, "8": 2000}
_LATEST_BIRTH: Final = 2049  #: a year later than this is no year of birth

_BUSINESS: Final = re.compile(
    rf"{_LEFT}(\d{{3}})( ?[-.] ?| )(\d\d)\2(\d{{5}})(?! ?[0-9]|[-.*A-Za-z])|{_LEFT}\d{{10}}{_RIGHT}"
)
_BUSINESS_WEIGHTS: Final = (1, 3, 7, 1, 3, 7, 1, 3, 5)
_BUSINESS_CUE: Final = re.compile(r"사업자|등록번호|세금계산서|business|\bBRN|tax id", re.I | re.A)

_PASSPORT: Final = re.compile(
    r"(?<![A-Za-z0-9*_-])[MSRODmsrod](?:\d{8}|\d{3}[A-Za-z]\d{4})(?![A-Za-z0-9*_]|-[A-Za-z0-9])"
)
_PASSPORT_APART: Final = re.compile(
    r"(?<![A-Za-z0-9*_-])[MSRODmsrod][ -]?(?:\d{4}[ -]?\d{4}|\d{3}[ -]?[A-Za-z][ -]?\d{4}|\d{8})(?![A-Za-z0-9*_]|[- "
    r"]\d)"
)
_FOREIGN_PASSPORT: Final = re.compile(
    r"(?<![A-Za-z0-9*-])(?:[A-Za-z]\d{8}|\d{9}|\d{3}[ -]\d{3}[ -]\d{3})(?![A-Za-z0-9*]|-\d)"
)
_PASSPORT_CUE: Final = re.compile(r"여권|passport", re.I)
_KOREAN: Final = re.compile(r"한국|대한민국|korea", re.I)
_AMERICAN: Final = re.compile(r"미국|미합중국|\bU\.?S\.?A?\b|americ|green ?card|state department", re.I | re.A)

_PLACES: Final = "서울|부산|경기남부|경기북부|경기|강원|충북|충남|전북|전남|경북|경남|제주|대구|인천|광주|대전|울산"
_LICENCE: Final = re.compile(
    rf"{_LEFT}(?:1[1-9]|2[0-8])(?P<s>[- .])\d\d(?P=s)\d{{6}}(?P=s)\d\d(?! ?[0-9]|[-.*A-Za-z])"
    rf"|{_LEFT}(?:1[1-9]|2[0-8])\d{{10}}{_RIGHT}"
    rf"|(?<![가-힣])(?:{_PLACES}) ?\d\d[- .]\d{{6}}[- .]\d\d(?![0-9]|[-.*][0-9*])"
)
_LICENCE_CUE: Final = re.compile(r"면허|licen[cs]e", re.I)


def identity_numbers(wide: str, text: str) -> Iterator[Found]:
    """Yield the numbers of state and office in `text` (figures); passports are read in `wide`, where O is a letter."""
    yield from _residents(text)
    yield from _licences(text)
    yield from _businesses(text)
    yield from _passports(wide)


def _residents(text: str) -> Iterator[Found]:
    for match in _RESIDENT.finditer(text):
        told = _RESIDENT_CUE.search(before(text, match.start(), 16))
        if _born(match) and (told or not (impersonal(text, match.start()) or _in_a_bank(text, match))):
            kind: PersonalKind = "resident" if match["sex"] in "1234" else "foreigner"
            yield Found(kind, match.start(), match.end())


def _in_a_bank(text: str, match: re.Match[str]) -> bool:
    """Whether digits without a break follow the name of a bank, or words about accounts."""
    return match[0].isdigit() and (bank_named(text, match.start()) or account_meant(text, match.start()))


def _born(match: re.Match[str]) -> bool:
    """Whether the first half is a day on which somebody can have been born."""
    year = _CENTURY[match["sex"]] + int(match["y"])
    try:
        date(year, int(match["m"]), int(match["d"]))
    except ValueError:
        return False
    return year <= _LATEST_BIRTH


def _businesses(text: str) -> Iterator[Found]:
    for match in _BUSINESS.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        told = _BUSINESS_CUE.search(before(text, match.start(), 24)) or _BUSINESS_CUE.search(
            after(text, match.end(), 12)
        )
        plausible = _checked(digits) and not impersonal(text, match.start()) and not counted(text, match.end())
        if told or (plausible and match[2] != " " and not bank_named(text, match.start())):
            yield Found("business", match.start(), match.end())


def _checked(business: str) -> bool:
    """Whether the last digit of a business number follows from the others."""
    digits = [int(digit) for digit in business]
    total = sum(digit * weight for digit, weight in zip(digits, _BUSINESS_WEIGHTS, strict=False)) + digits[8] * 5 // 10
    return (10 - total % 10) % 10 == digits[9]


def _passports(text: str) -> Iterator[Found]:
    cues = [match.start() for match in _PASSPORT_CUE.finditer(text)]
    if not cues:
        for match in _PASSPORT.finditer(text):
            if not impersonal(text, match.start()) and not _LICENCE_CUE.search(before(text, match.start())):
                yield Found("passport", match.start(), match.end())
        return
    for match in _PASSPORT_APART.finditer(text):
        if not _american(text, match.start()):
            yield Found("passport", match.start(), match.end())
    for match in _FOREIGN_PASSPORT.finditer(text):
        near = _PASSPORT_CUE.search(before(text, match.start())) or _PASSPORT_CUE.search(after(text, match.end(), 12))
        if near and not counted(text, match.end()):
            yield Found("us_passport", match.start(), match.end())


def _american(text: str, start: int) -> bool:
    """Whether a passport is said to be American; what is said before it counts first, and of that the nearest."""
    ahead = [match.start() for match in _AMERICAN.finditer(text, 0, start)]
    korean = [match.start() for match in _KOREAN.finditer(text, 0, start)]
    if ahead or korean:
        return max(ahead, default=-1) > max(korean, default=-1)
    return _AMERICAN.search(text, start) is not None


def _licences(text: str) -> Iterator[Found]:
    for match in _LICENCE.finditer(text):
        told = _LICENCE_CUE.search(text)
        if told or not (impersonal(text, match.start()) or _in_a_bank(text, match)):
            yield Found("licence", match.start(), match.end())


_S: Final = r"(?: ?[-.] ?| |  |--)?"
_CARD: Final = re.compile(
    rf"{_LEFT}(?:\d{{4}}{_S}\d{{4}}(?:{_S}|{JOINED})\d{{4}}{_S}\d{{4}}|3[47]\d\d{_S}\d{{6}}{_S}\d{{5}})"
    r"(?![0-9*]|[-.] ?[0-9*]| \d{2,6}(?![\d/년월-]))"
)
#: What the first digits of a card can be.
_ISSUED: Final = re.compile(r"3[0-9]|4|5|6|9|222[1-9]|22[3-9]|2[3-6]|27[01]|2720")
_CARD_CUE: Final = re.compile(
    r"카드|엄카|법카|체크|비자|마스터|아멕스|\bcard|visa|master|amex|debit|credit", re.I | re.A
)

_TOLD_AFTER: Final = re.compile(
    rf"\W{{0,3}}(?:(?:{BANKS}) ?(?:은행|뱅크|금고|계좌|통장|bank)|\( ?(?:{BANKS}) ?\)|계좌|예금주"
    r"|(?:농협|카뱅|토뱅|케뱅|신한|카카오|토스|새마을|신협|수협|IBK|KB|NH)(?=$|[^가-힣]|[이야예로으에입임은는]))"
    r"|(?:으?로|에|에다|앞으로)? ?[^\d\n]{0,14}(?:입금|송금|이체)",
    re.I,
)
_ACCOUNT: Final = re.compile(
    rf"{_LEFT}(?:\d{{2,6}}(?:(?P<s>[- .])|(?P<a> ?- ?))\d{{2,7}}(?:(?:(?P=s)|(?P=a))\d{{1,8}}){{0,3}}|"
    rf"\d{{10,16}})(?![0-9*A-Za-z]|[-.][0-9*])"
)
_FEWEST, _MOST = 10, 16

#: How long an IBAN is, by country.
_IBAN_LENGTHS: Final = {
    country: int(length)
    for length, countries in (
        entry.split(":")
        for entry in (
            "15:NO 16:BE 18:DK,FI,FO,GL,NL,SD 19:MK,SI 20:AT,BA,EE,KZ,LT,LU,XK,MN 21:CH,HR,LI,LV "
            "22:BG,BH,CR,DE,GB,GE,IE,"
            "ME,RS,VA 23:AE,GI,IL,IQ,OM,SO,TL 24:AD,CZ,ES,MD,PK,RO,SA,SE,SK,TN,VG 25:LY,PT,ST 26:IS,TR "
            "27:BI,DJ,FR,GR,IT,MC,"
            "MR,SM 28:AL,AZ,BY,CY,DO,GT,HN,HU,LB,NI,PL,SV 29:BR,EG,PS,QA,UA 30:JO,KW,MU 31:MT,SC 32:LC 33:RU"
        ).split()
    )
    for country in countries.split(",")
}
_IBAN: Final = re.compile(
    rf"(?<![A-Za-z0-9])(?=[A-Za-z]{{2}}\d\d)(?:{'|'.join(_IBAN_LENGTHS)})\d\d(?=[ -]?[A-Za-z0-9]{{4}})", re.I
)
_IBAN_CUE: Final = re.compile(r"\biban\b|아이반", re.I | re.A)


def cards(text: str) -> Iterator[Found]:
    """Yield the numbers of cards and IBANs: their check digits tell."""
    yield from _ibans(text)
    yield from _cards(text)


def _cards(text: str) -> Iterator[Found]:
    from stdnum import luhn

    for match in _CARD.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        if not _ISSUED.match(digits) or not luhn.is_valid(digits) or len(set(digits)) == 1:
            continue
        if _CARD_CUE.search(text) or not impersonal(text, match.start()):
            yield Found("card", match.start(), match.end())


def accounts(text: str) -> Iterator[Found]:
    """Yield what is said to be a bank account."""
    for match in _ACCOUNT.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        if _FEWEST <= len(digits) <= _MOST and _an_account(text, match.start(), match.end()):
            yield Found("account", match.start(), match.end())


def _an_account(text: str, start: int, end: int) -> bool:
    if counted(text, end):
        return False
    if bank_named(text, start):
        return True
    if impersonal(text, start):
        return False
    return bool(account_meant(text, start) or _TOLD_AFTER.match(after(text, end)))


def _ibans(text: str) -> Iterator[Found]:
    from stdnum.iso7064 import mod_97_10

    for match in _IBAN.finditer(text):
        end = _taken(text, match.start(), _IBAN_LENGTHS[match[0][:2].upper()])
        if end is None:
            continue
        number = re.sub(r"[^A-Z0-9]", "", text[match.start() : end].upper())
        if mod_97_10.is_valid(number[4:] + number[:4]) or _IBAN_CUE.search(before(text, match.start(), 24)):
            yield Found("iban", match.start(), end)


def _taken(text: str, start: int, count: int) -> int | None:
    """Return where `count` letters and digits end, single blanks and hyphens between them aside; None: too few."""
    place, taken = start, 0
    while place < len(text) and taken < count:
        letter = text[place]
        if letter.isascii() and letter.isalnum():
            taken += 1
        elif letter not in " -" or not text[place - 1].isalnum():
            return None
        place += 1
    whole = taken == count and not (text[place : place + 1].isascii() and text[place : place + 1].isalnum())
    return place if whole else None


_SSN: Final = re.compile(
    r"(?<![0-9A-Za-z*])(?<![0-9*][-.])(?!000|666|9)\d{3}(?P<s>[- .]?)(?!00)\d\d(?P=s)(?!0000)\d{4}(?![0-9A-Za-z*]|"
    r"[-.][0-9*]| \d)"
)
_SSN_CUE: Final = re.compile(r"\bSSN\b|\bSS number|social|소셜|사회 ?보장|쏘셜", re.I | re.A)

_ENGLISH: Final = re.compile(r"[A-Za-z]{2}")
_HANGUL: Final = re.compile(r"[가-힣]")

_US_LICENCE: Final = re.compile(
    r"(?<![A-Za-z0-9*-])(?:[A-Za-z]\d{4} \d{5} \d{5}|[A-Za-z][ -]?\d{3}-?\d{3,4}(?:-?\d{1,4}){0,3}|"
    r"[A-Za-z]{1,2}\d{5,13}|\d{3} \d{3} \d{3}|"
    r"\d{7,9})(?![A-Za-z0-9*]|[- ]\d)"
)
_US_LICENCE_CUE: Final = re.compile(r"licen[cs]e|면허|\bDL\b|permit", re.I | re.A)
_STATES: Final = (
    "Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois|"
    "Indiana|"
    "Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|"
    "Nebraska|"
    "Nevada|New Hampshire|New Jersey|New Mexico|New York|Carolina|Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode "
    "Island|"
    "Tennessee|Texas|Utah|Vermont|Virginia|Washington|Wisconsin|Wyoming|"
    "앨라배마|알래스카|애리조나|아칸소|캘리|콜로라도|코네티컷|델라웨어|플로리다|조지아|하와이|아이다호|일리노이|"
    "인디애나|아이오와|캔자스|켄터키|"
    "루이지애나|메인주|메릴랜드|매사추세츠|미시간|미네소타|미시시피|미주리|몬태나|네브래스카|네바다|뉴햄프셔|뉴저지|"
    "뉴멕시코|뉴욕|캐롤라이나|"
    "다코타|오하이오|오클라호마|오리건|오레곤|펜실베이니아|로드아일랜드|테네시|텍사스|유타|버몬트|버지니아|워싱턴|"
    "위스콘신|와이오밍"
)
_US_WORDS: Final = re.compile(rf"(?:{_STATES})|미국|\bU\.?S\b|americ|driver|licen[cs]e|\bDL\b", re.I | re.A)

_SUFFIXES: Final = (
    r"(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Drive|Dr|Lane|Ln|Court|Ct|Place|Pl|Way|Terrace|Ter|Circle|Cir|"
    r"Highway|"
    r"Hwy|Parkway|Pkwy|Square|Sq|AuditLog|Trl|Loop|Alley|Crescent|Close|Row|Run|Path|Pike|Point|Ridge|Walk|Mews|Grove|"
    r"Gardens)"
)
_COMPASS: Final = r"(?:(?:[NSEW]|NE|NW|SE|SW|North|South|East|West)\.? )?"
_FLAT: Final = (
    r"(?:,? ?(?:Apt|Apartment|Unit|Suite|Ste|Room|Rm|Floor|Fl|Bldg|Building|Lot)\.? "
    r"?#?[A-Za-z]?-?\d{0,5}[A-Za-z]?(?![A-Za-z0-9])|,? ?#\d{1,5}[A-Za-z]?)?"
)
_STREET: Final = re.compile(
    rf"(?<![A-Za-z0-9$.,:/#-])\d{{1,6}}[A-Za-z]? {_COMPASS}(?:(?:[A-Z][A-Za-z'.]*|\d{{1,3}}(?:st|nd|rd|th)|of|the|de|"
    rf"la)\s){{1,4}}?"
    rf"{_SUFFIXES}\b(?!-)\.?(?: (?:NE|NW|SE|SW|[NSEW])\b)?{_FLAT}"
)
_SMALL_STREET: Final = re.compile(
    r"(?<![A-Za-z0-9$.,:/#-])\d{2,6} (?:[nsew] )?(?!(?:minutes?|hours?|miles?|mins?|hrs?|days?|people|cars?|lanes?|"
    r"way|more|new|long|the|a|of|on|"
    r"in|at|to|and|or|kids|guys|blocks?|feet|foot|meters?|km)\b)[a-z]{3,14} (?:(?!(?:the|a|of|on|in|at|to|and|or|"
    r"down|up|by)\b)[a-z]{3,14} )?"
    r"(?:street|st|avenue|ave|road|rd|blvd|boulevard|drive|lane)\b(?:,? (?:apt|unit|suite|ste|#)\.? "
    r"?#?\d{0,5}[a-z]?(?![a-z0-9]))?"
)
_LENGTHS: Final = re.compile(r"\d+ (?:Minutes?|Hours?|Miles?|Days?|People|Lanes?)\b", re.I)


def english(text: str) -> Iterator[Found]:
    yield from _ssns(text)
    yield from _us_licences(text)
    for pattern in (_STREET, _SMALL_STREET):
        for match in pattern.finditer(text):
            if not _LENGTHS.match(match[0]):
                yield Found("us_address", match.start(), match.start() + len(match[0].rstrip(" ,")))


def _ssns(text: str) -> Iterator[Found]:
    for match in _SSN.finditer(text):
        told = _SSN_CUE.search(before(text, match.start())) or _SSN_CUE.search(after(text, match.end(), 40))
        abroad = match["s"] == "-" and "미국" in before(text, match.start())
        english = match["s"] == "-" and _ENGLISH.search(text) and not _HANGUL.search(text)
        if told or abroad or (english and not impersonal(text, match.start())):
            yield Found("us_ssn", match.start(), match.end())


def _us_licences(text: str) -> Iterator[Found]:
    if not _US_LICENCE_CUE.search(text):
        return
    for match in _US_LICENCE.finditer(text):
        ahead = before(text, match.start())
        told = _US_LICENCE_CUE.search(ahead) or _US_LICENCE_CUE.search(after(text, match.end(), 12))
        if told and (match[0][0].isalpha() or _US_WORDS.search(ahead)) and not counted(text, match.end()):
            digits = sum(letter.isdigit() for letter in match[0])
            if digits >= 5 and not (match[0].isdigit() and match[0][:2] in ("19", "20") and digits == 8):
                yield Found("us_licence", match.start(), match.end())
