"""Words near a number that say what it is, or that it is nothing personal."""

from __future__ import annotations

import re
from typing import Final

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
