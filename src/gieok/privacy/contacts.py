"""Where somebody can be reached: telephone numbers and e-mail addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from gieok.privacy.cues import counted, impersonal
from gieok.privacy.found import Found
from gieok.privacy.identity import JOINED

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
