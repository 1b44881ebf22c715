"""How the speaker is called: name and nickname, told apart by the words around them.

A request to be called something gives a name where it looks like one, else a nickname.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.heard import heard
from gieok.extract.korean.names import names
from gieok.extract.korean.nicknames import nicknames
from gieok.extract.korean.reading import Finding

_CALLING: Final = re.compile(
    r"이름|본명|성함|실명|개명|통성명|소개|별명|애칭|닉|아이디|부름|별칭|호칭|부르|부른|부릅|불러|불려|불렸|불리|불린|불립|라고|라\s|적힌|적혀|넌\?|너는\?"
    r"|통하|통해|통함|저장|통일|필명|예명|활동명|캐릭|출석|호명|사원증|명찰|고객님|회원님|소리|[가-힣]야\s|[가-힣]아\s|['\"‘“]|똑같|하면|사람|아니고|아니라"
    r"|(?<![가-힣])[나저](?:는)?\s[가-힣]{2,3}(?:이야|이에요|인데|이라고|입니다|임|야|예요|라고)"
)

_READ: Final = 800  #: characters


def naming(text: str) -> Iterator[Finding]:
    """Yield how the speaker of `text` is called."""
    text = text[:_READ]
    if not _CALLING.search(text):
        return
    sentences = heard(text)
    name = next(names(text, sentences), None)
    if name is not None:
        yield name
    nickname = next(nicknames(text, sentences), None)
    if nickname is not None and (name is None or nickname.value != name.value):
        yield nickname
