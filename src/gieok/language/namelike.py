"""What reads as somebody's name in a Korean sentence, and the name without what hangs on to it: 지훈이, 이모네."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gieok.language.clauses import Phrase
from gieok.language.mentioned_words import mentioned_words
from gieok.language.morphemes import Morpheme
from gieok.language.people_words import people_words

_WITH: Final = ("랑", "이랑", "하고", "한테", "에게", "께", "더러")
_TO: Final = ("한테", "에게", "께", "더러")
_BECAUSE: Final = ("때문", "덕분", "탓")
_PERSON: Final = (
    *_WITH,
    "야말로",
    "이야말로",
    "만",
    "이",
    "가",
    "은",
    "는",
    "ㄴ",
    "께서",
    "도",
    "을",
    "를",
    "ㄹ",
    "와",
    "과",
    "보고",
)
_SYLLABLES: Final = ("가", "힣")


def pieces(phrase: Phrase) -> list[tuple[str, tuple[Morpheme, ...]]]:
    """Return the words of `phrase`, each with its morphemes."""
    left = list(phrase.morphemes)
    found = []
    for word in phrase.words:
        parts: list[Morpheme] = []
        while left and len("".join(part.form for part in parts)) < len(word):
            parts.append(left.pop(0))
        found.append((word, tuple(parts)))
    return found


def bare_name(word: str) -> str:
    """Return the name in `word`: 지훈 of 지훈이, 이모 of 이모네, 팀장 of 팀장님."""
    people = people_words()
    if word in people.kin or word in mentioned_words().species:
        return word
    if word.endswith("네") and (word[:-1] in people.kin or word[:-1].endswith("이")):
        return bare_name(word[:-1])
    post = word.removesuffix("님")
    if post.split(" ")[-1] in mentioned_words().posts:
        return post
    if len(word) in (3, 4) and word.endswith("이") and _closed(word[-2]) and word not in people.names:
        return word[:-1]
    return word


def reads_as_name(
    words: Sequence[tuple[str, tuple[Morpheme, ...]]], place: int, phrase: Phrase, *, fandom: bool, acting: bool
) -> bool:
    """Whether the `place`th of `words` names somebody whom the speaker knows.

    A full name alone may be a star's: it needs a title, a relation, or a particle that only goes with company.
    `acting`: the sentence narrates what only somebody alive does.
    """
    word, parts = words[place]
    name = bare_name(word)
    proper = bool(parts) and (parts[0].tag == "NNP" or not parts[0].known)
    if not proper or name in mentioned_words().no_names or name in people_words().cities or name in people_words().kin:
        return False
    after = words[place + 1][0] if place + 1 < len(words) else ""
    before = words[place - 1][0] if place else ""
    if len(name) > 1 and (after in mentioned_words().after_name or after.removesuffix("님") in mentioned_words().posts):
        return True
    if before in mentioned_words().before_name or before in people_words().kin:
        return _is_made(name) or (not after and len(name) in (2, 3, 4))
    if fandom or (place and name == word):
        return not place and not after and _is_made(name) and phrase.has(*_WITH)
    if acting and not after and 2 <= len(name) <= 4 and phrase.has("이", "가", "은", "는"):
        return True  # 엘리사가 다가온다
    return _stands_alone(name, word, phrase, after)


def _stands_alone(name: str, word: str, phrase: Phrase, after: str) -> bool:
    if name != word and len(name) == 2 and _is_made(name):
        return True  # 지훈이: nobody says so of a stranger
    if after:
        return after in _BECAUSE and len(name) == 2 and _is_made(name)
    if _is_full(name) or name in people_words().names:
        return phrase.has(*_WITH)
    given = len(name) == 2 and _is_made(name) and name[-1] not in mentioned_words().place_endings
    return (given and phrase.has(*_PERSON)) or (2 <= len(name) <= 4 and phrase.has(*_TO))


def _is_made(name: str) -> bool:
    return len(name) in (2, 3) and all(syllable in people_words().given for syllable in name[-2:])


def _is_full(name: str) -> bool:
    return len(name) == 3 and name[0] in people_words().surnames and _is_made(name)


def _closed(syllable: str) -> bool:
    """Whether `syllable` ends in a consonant."""
    return _SYLLABLES[0] <= syllable <= _SYLLABLES[1] and (ord(syllable) - ord("가")) % 28 > 0
