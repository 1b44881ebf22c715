"""Facts worded like a person's notes: 고양이를 좋아함, 이제는 판교에 살지 않음; "lives in Pangyo".

The templates are in `notes.ko.tsv` and `notes.en.tsv`. A note does not name whom it is about; whoever shows it does.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Final, Literal, NamedTuple

from gieok.language.morphemes import analyse, join
from gieok.language.text import MONTHS
from gieok.words.particles import josa

_SLOT: Final = re.compile(r"\{([vk])(?::([^}]+))?\}")
_THING: Final = {"을/를": "걸", "은/는": "건", "이/가": "게"}  #: 거 with its particle: 빵 굽는 걸
_IRREGULAR: Final = dict.fromkeys("짓 잇 긋 낫 붓 젓".split(), "VV-I")  #: 지을, which the analysis does not tell
_ENDINGS: Final = {"-ㄹ": ("ᆯ", "ETM"), "-야": ("어야", "EC"), "-지": ("지", "EC"), "-ㄴ 게": ("ᆫ", "ETM")}
_OF_NOUN: Final = {"-ㄹ": "", "-야": " 해야", "-지": " 하지"}  #: what follows a noun instead


class _Row(NamedTuple):
    values: str
    now: str
    before: str
    negative: str
    ended: str


class _Templates(NamedTuple):
    rows: dict[str, list[_Row]]
    kinds: dict[str, str]  #: of favourites


@cache
def _templates(language: str) -> _Templates:
    found = _Templates({}, {})
    for line in files(__package__).joinpath(f"notes.{language}.tsv").read_text(encoding="utf-8").splitlines():
        attribute, *columns = line.split("\t")
        if len(columns) == 1:
            found.kinds[attribute] = columns[0]
        elif columns:
            found.rows.setdefault(attribute, []).append(_Row(*columns))
    return found


def note(
    attribute: str, value: str, language: Literal["ko", "en"], *, negative: bool = False, over: bool = False
) -> str:
    """Return what `attribute` = `value` means as a note that needs no context; `over`: it is so no longer."""
    rows, kinds = _templates(language)
    kind = kinds.get(attribute, attribute.removeprefix("favorite."))
    name = attribute
    if attribute not in rows and kind != attribute:  # favorite.꽃 has a name to be called by; favorite.flower has not
        name = "favorite" if language == "en" or kind[-1:] >= "가" else "favorite."
        kind += "s" if language == "en" and attribute not in kinds and not kind.endswith("s") else ""
    fitting = rows.get(name, rows[""])
    shape = value
    if any("-" in row.values for row in fitting):
        shape += {"기": "-기", "ㅁ": "-ㅁ", "음": "-ㅁ"}.get(_noun_ending(value), "")
    row = next(row for row in fitting if re.search(row.values, shape))
    template = (row.ended if over else row.negative) if negative else (row.before if over else row.now)
    return _SLOT.sub(lambda slot: _formed(value if slot[1] == "v" else kind, slot[2]), template)


def _formed(word: str, form: str | None) -> str:
    if form is None:
        return word
    if form == "a":
        if not word[:1].isalpha() or word.endswith("s") or word.split()[0] in ("a", "an", "the"):
            return word
        # MBTI types and other initials are spelt out: an INFP.
        vowels = "aefhilmnorsx" if word.isupper() else "aeio"
        return f"{'an' if word[0].lower() in vowels else 'a'} {word}"
    if form == "day":
        month, _, day = word.partition("-")
        return f"{MONTHS[int(month) - 1]} {int(day)}" if month.isdigit() and day.isdigit() else word
    if form in _ENDINGS:
        # Return a deed in another form: 왕도로 돌아갈 of 왕도로 돌아가기, 개한테 물린 게 of 개한테 물림.
        wanted = "ㅁ음" if form == "-ㄴ 게" else "기"
        start = word.rfind(" ") + 1
        verb = [(each.form, _IRREGULAR.get(each.form, each.tag)) for each in analyse(word)[:-1] if each.start >= start]
        ending = _noun_ending(word)
        if not verb or not ending or ending not in wanted:
            return word + _OF_NOUN[form] if form in _OF_NOUN else josa(word, "이/가")
        return word[:start] + join([*verb, _ENDINGS[form]]) + (" 게" if form == "-ㄴ 게" else "")
    return f"{word[:-1]}{_THING[form]}" if word.endswith(" 거") and form in _THING else josa(word, form)


def _noun_ending(deed: str) -> str:
    """Return the ending that makes a noun of a deed: 기 of 돌아가기; "" where there is none."""
    said = analyse(deed)
    return said[-1].form if len(said) > 1 and said[-1].tag in ("ETN", "EF") else ""
