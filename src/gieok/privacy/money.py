"""Numbers that money goes through: bank accounts, cards, IBANs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from gieok.privacy.cues import BANKS, account_meant, after, bank_named, before, counted, impersonal
from gieok.privacy.found import Found
from gieok.privacy.identity import JOINED

_S: Final = r"(?: ?[-.] ?| |  |--)?"
_LEFT: Final = r"(?<![0-9A-Za-z*])(?<![0-9*][-.])"
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
