"""Words of a text without Hangul, tagged as Kiwi would tag them: English needs no analyser."""

from __future__ import annotations

import re
from collections.abc import Iterator

_PICTOGRAPH = r"[\u2600-\u27bf\U0001f000-\U0001f1e5\U0001f200-\U0001faff]"
_WORD = re.compile(
    rf"""
    (?P<W_URL>https?://\S+)
    |(?P<W_EMAIL>[\w.+-]{{1,64}}@[\w-]{{1,64}}(?:\.[\w-]{{1,64}})+)
    |(?P<W_MENTION>@\w+)
    |(?P<W_SERIAL>\d+(?:[-/]\d+)+|\d+(?:\.\d+){{2,}})
    |(?P<SN>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)
    |(?P<W_EMOJI>[\U0001f1e6-\U0001f1ff]{{2}}|{_PICTOGRAPH}[\ufe0f\U0001f3fb-\U0001f3ff]*
        (?:\u200d{_PICTOGRAPH}[\ufe0f\U0001f3fb-\U0001f3ff]*)*)
    |(?P<SH>[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+)
    |(?P<JAMO>[ㄱ-ㆎ]+)
    |(?P<SL>[^\W\d_ㄱ-ㆎ\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+(?:\.(?:js|net|io|py|ai)\b)?)
    |(?P<SF>[.?!…]+)
    |(?P<SW>[^\w\s]+)
    """,
    re.VERBOSE,
)


def scan(text: str) -> Iterator[tuple[str, str, int, int]]:
    """Yield (form, tag, start, end) of every word, number, pictograph and mark in `text`."""
    for match in _WORD.finditer(text):
        tag = match.lastgroup or "SW"
        yield match.group(), "SW" if tag == "JAMO" else tag, match.start(), match.end()
