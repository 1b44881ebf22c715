"""Facts filled in like a form: "생일: 3월 15일 / 혈액형: B형", "거주지: 서울 강남구"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.patterns import Pattern, patterns
from gieok.extract.korean.reading import Finding, found, read_value

_LINE: Final = re.compile(
    r"\s*[-•*]?\s*(?P<label>[가-힣A-Za-z][가-힣A-Za-z\- ]{0,14}?)\s*[:：]\s*(?P<value>\S.{0,59}?)\s*$"
)
_LINES: Final = re.compile(r"[/\n;|]|[.!?]\s|,(?=[^,:：]{1,16}[:：])")
_LIKED: Final = re.compile(r"^(?:내|나의|제|제일|가장|최고로)*(?:좋아하는|선호하는|최애|인생|원픽|애정하는)")
_NEWS: Final = re.compile(r"(?:업데이트|변경|정정|수정|갱신)(?:합니다|했어요|해요|할게요|했어|함|됨)?$")
_UNSURE: Final = re.compile(r"[?？]|모름|몰라|비밀|없음|미정|글쎄")
#: what is no part of a value: (진짜), ㅋㅋ, pictures, 쪽입니다
_AFTER: Final = re.compile(
    r"\s*(?:\(.*\)|[ㅋㅎㅠㅜ~!^.\u2600-\u27bf\ufe0f\u200d\U0001f000-\U0001faff]+"
    r"|\s쪽(?:이에요|이야|입니다|임|인 듯)?)\s*$"
)


def filled_in(text: str) -> Iterator[Finding]:
    """Yield the fields of a form; the rest of a text is left to the other rules."""
    for line in _LINES.split(text):
        field = _LINE.match(line)
        if field is None or _UNSURE.search(field["value"]):
            continue
        pattern = _named(field["label"])
        value = read_value(pattern, pattern.value, _bare(field["value"])) if pattern is not None else None
        if pattern is not None and value is not None:
            yield found(pattern, value)


def _bare(said: str) -> str:
    """Return a field's value without what trails it: 떡볶이 쪽ㅋㅋ👍 is 떡볶이."""
    for _ in range(3):
        said = _AFTER.sub("", said)
    return said


def without_forms(text: str) -> str:
    """Return `text` without the lines of a form, so that nothing is read twice."""
    kept = [line for line in _LINES.split(text) if (field := _LINE.match(line)) is None or not _named(field["label"])]
    return text if len(kept) == len(_LINES.split(text)) else "\n".join(kept)


def _named(label: str) -> Pattern | None:
    known = patterns()
    bare = _NEWS.sub("", label.replace(" ", ""))
    liked = _LIKED.sub("", bare)
    return (
        known.by_label.get(bare)
        or known.by_label.get(bare.upper())
        or known.by_favourite.get(liked)
        or (known.by_attribute["likes"] if liked in ("것", "거") and liked != bare else None)
    )
