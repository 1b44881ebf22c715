"""Names of one's own people, told by the way: 아들놈 도윤이가, 우리 집 큰애 지우는, 조카 녀석 이름이 은우인데."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from gieok.extract.korean.calling import COPULA
from gieok.extract.korean.kinds import is_place
from gieok.extract.korean.lexicon import lexicon, signals
from gieok.extract.korean.namelike import is_given_name
from gieok.extract.korean.parting import parts_read
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.telling import Part, finding
from gieok.extract.korean.values import READERS
from gieok.extract.korean.whose import PERSONS, Speaking, Whose
from gieok.language.clauses import Phrase

_OURS: Final = frozenset({None, "나", "저", "우리", "저희"})
_UNTOLD: Final = frozenset({"question", "wish", "hypothetical"})
_MADE_UP: Final = re.compile(
    r"(?:드라마|영화|소설|웹툰|만화|게임|예능|애니)(?:에서|에선|에|의|\s?속)|주인공|캐릭터|배우|아이돌|가수|연예인|등장인물"
)
_SYLLABLES: Final = 2  #: of a given name
_LONGEST: Final = 600  #: characters


def named_kin(text: str, speaking: Speaking) -> Iterator[Finding]:
    """Yield the names that `text` gives to the speaker's own people."""
    text = text[:_LONGEST]
    if _someone().search(text) is None or _MADE_UP.search(text):
        return
    last: Part | None = None
    for part in parts_read(text, speaking):
        if part.closes not in _UNTOLD and part.mood not in _UNTOLD:
            yield from _in_apposition(part, last)
            yield from _labelled(text, part)
        last = part


def kinship(word: str) -> str | None:
    """Return the relation that `word` names, without what is said fondly: 아들 of 아들놈, 딸 of 딸내미."""
    known = signals("kin_named", "kin")
    if word in known:
        return word
    return next((bare for end in signals("kin_named", "fondly") if (bare := word.removesuffix(end)) in known), None)


def _in_apposition(part: Part, last: Part | None) -> Iterator[Finding]:
    """딸내미 서아가, 조카 녀석 민재한테, 우리 아들 도윤이 때문에."""
    before: Phrase | None = None
    for phrase in part.clause.phrases:
        place = next((at for at, word in enumerate(phrase.words) if kinship(word) is not None), None)
        if place is not None and _own(phrase, place, before) and not (phrase.adnominal and _anothers(last)):
            at = place + 1
            if at < len(phrase.words) and phrase.words[at] in signals("kin_named", "fondly"):
                at += 1
            name = _name(phrase, at)
            relation = kinship(phrase.words[place])
            if name is not None and relation is not None:
                yield finding("name", name, whose=Whose(subject="other", subject_id=relation))
        before = phrase


def _own(phrase: Phrase, place: int, before: Phrase | None) -> bool:
    """Whether nobody else's people are meant: not 친구 아들, 언니네 막내, 걔 동생, 그 집 딸."""
    if phrase.pointed or phrase.owner not in _OURS:
        return False
    if not set(phrase.words[:place]) <= signals("kin_named", "before"):
        return False
    if phrase.words[0] in signals("kin_named", "before") and (before is None or before.pronoun not in _OURS - {None}):
        return phrase.words[0] == "우리집"
    if before is None:
        return True
    if before.particles or before.pronoun is not None:
        return before.pronoun in _OURS and not before.has("의", "네")
    return not _is_somebody(before)  # 요즘 딸내미 서아가


def _anothers(last: Part | None) -> bool:
    """친구가 낳은 딸: whom the relative clause is about."""
    return last is not None and any(phrase.has("이", "가") and _is_somebody(phrase) for phrase in last.clause.phrases)


def _is_somebody(phrase: Phrase) -> bool:
    words, last = lexicon(), phrase.words[-1]
    known = last in words.kin | words.others | words.address | PERSONS
    return known or last.endswith("네") or phrase.morphemes[-1].tag == "NNP"


def _name(phrase: Phrase, at: int) -> str | None:
    """Return the given name that stands at `at`: 도윤 of 도윤이, 서아."""
    if at >= len(phrase.words):
        return None
    if at + 1 < len(phrase.words) and phrase.words[at + 1] in signals("kin_named", "adored"):
        return None  # 우리 딸 유나 팬이야
    value = READERS["name"](phrase.words[at])
    if value is None or len(value.value) != _SYLLABLES:
        return None
    return value.value if is_given_name(value.value) or _is_proper(phrase, value.value) else None


def _is_proper(phrase: Phrase, name: str) -> bool:
    """예린이 때문에: a name in its sentence, though alone it may be read as something else."""
    words = lexicon()
    known = name in words.class_of or name in words.cities or words.is_job(name) or is_place(name)
    made = all(syllable in words.given for syllable in name)
    return made and not known and any(part.form == name and part.tag == "NNP" for part in phrase.morphemes)


def _labelled(text: str, part: Part) -> Iterator[Finding]:
    """둘째 녀석 이름이 은우인데, 작은애는 이름이 다온이에요."""
    said = text[part.clause.start : part.clause.end]
    match = _called().search(text, max(0, part.clause.start - _AHEAD), part.clause.end + 1) if "이름" in said else None
    if match is None or match.start("v") < part.clause.start:
        return
    value, relation = READERS["name"](match["v"]), kinship(match["kin"].replace(" ", ""))
    if value is not None and relation is not None and is_given_name(value.value):
        yield finding("name", value.value, whose=Whose(subject="other", subject_id=relation))


_AHEAD: Final = 12  #: characters


@cache
def _someone() -> re.Pattern[str]:
    """아들, and 큰애 apart as well: 큰 애."""
    words = sorted(signals("kin_named", "kin"), key=len, reverse=True)
    return re.compile("|".join(words))


@cache
def _called() -> re.Pattern[str]:
    fondly = "|".join(sorted(signals("kin_named", "fondly"), key=len, reverse=True))
    return re.compile(
        rf"(?:^|[,.!?~]\s?|(?:우리|저희|내|제|울)\s(?:집\s)?)(?P<kin>{_someone().pattern})(?:\s?(?:{fondly}))?(?:은|는|이|가)?\s"
        rf"이름(?:은|이|도)?\s(?P<v>[가-힣]{{2,4}}?)(?:{COPULA}|(?:이)?라고\s?(?:해|합|함|지었))"
    )
