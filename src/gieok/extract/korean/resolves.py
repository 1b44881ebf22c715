"""What is decided and what is promised, by how it is put.

-기로 (마음을 굳혔다, 결론 났다), -는 걸로 (정리했다), 퇴사 확정 are decisions; -ㄴ다고 약속했다, -겠다고 큰소리쳤다,
-기로 손가락 걸었다 are promises. Whatever somebody else resolves is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gieok.extract.korean.briefly import brief, verb_before
from gieok.extract.korean.lexicon import lexicon, signals
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.telling import Part, Telling, finding
from gieok.language.morphemes import Morpheme

_DECIDED: Final = re.compile(
    r"\s*(?:(?:드디어|결국|그냥|다|이제|딱|이미|완전히?|[가-힣]{1,6}(?:이?랑|하고|끼리))\s){0,2}"
    r"(?:(?:마음|맘|결심|결론|결정|얘기|이야기|의견|말)(?:을|를|이|은|까지)?\s?(?:다\s)?(?:먹|굳|정하|정했|정함|내|냈|났|나|섰|모|끝|됐|되|했|했|함|봤)"
    r"|정했|정함|정해|정리(?:했|됐|함|됨|하)|결정|결심|굳혔|굳혓|굳힘|확정|땅땅)"
)
_SETTLED: Final = re.compile(r"\s*(?:했|함(?![께])|하였|한다(?=[\s.!]|$))")
_PROMISED: Final = re.compile(
    r"\s*(?:(?:[가-힣]{1,8}(?:한테|께|에게|이?랑|하고|앞에서)|이미|벌써|또|다)\s){0,3}"
    r"(?:약속|맹세|다짐|딜|합의|손가락|각서|장담|큰소리|선언|서명|공증|도장|말씀\s?드렸|말씀드려)"
)
#: said to somebody: 꼭 갚는다고 했어, 도와준다고 말해놨어
_SAID: Final = re.compile(
    r"\s*(?:[가-힣]{1,8}(?:한테|께|에게)\s)?(?:했(?!대|다더|다며|냐|니)|해\s?버렸|해\s?놨|그랬|캤|말했|말해\s?[놨뒀]|얘기했|얘기해\s?[놨뒀]|카톡|문자|빌었)"
)
_TO_SOMEBODY: Final = re.compile(r"[가-힣](?:한테|께|에게|께서도|앞에서|더러)\s")
_FIRMLY: Final = re.compile(r"꼭|무조건|반드시|절대|다시는|두\s번\s다시|앞으로|다음부터|대신|직접|매달|매일|매주")
_SAYING: Final = frozenset("ㄴ다고 는다고 다고 자고 ㄴ다 는다 겠다".split())
_GIVING: Final = frozenset({"주다", "드리다"})
_OPEN: Final = re.compile(
    r"(?:할|갈|볼|살|말|둘)까|기로\s?(?:할까|하자|하면)|고민\s?중|\?\s*$|으면\s?좋|다(?:더라|던데|며)|했더니|그랬더니|정했다가|틀었|엎어|무산|취소|안\s?지켰|(?:했|는|한|된|났)대"
)
_SCENES: Final = re.compile(r"드라마|영화|소설|웹툰|주인공|뉴스|^\s*\*")
_NOUNS: Final = re.compile(
    r"(?<![가-힣])(?P<deed>{deeds})\s?(?:(?:최종\s?)?(?:확정|결정|결심)|포기)(?=\s*(?:[.!~,ㅋㅎ♡]|$|했|함|이야|임|입니다|이에요|됐|이다|한\s))".replace(
        "{deeds}", "|".join(sorted(signals("decision", "deeds"), key=len, reverse=True))
    )
)
_INSTEAD: Final = re.compile(
    r"(?<![가-힣])(?P<thing>[가-힣A-Za-z\d]{2,10})(?:으로|로)\s(?:최종\s|결국\s|딱\s)?(?:정함|정했|정해졌|결정했|결정함|결정\s*[.!]|굳혔|굳힘|낙점)"
)
_MENU: Final = re.compile(r"메뉴|(?:아침|점심|저녁|야식|간식|안주)(?:은|는|밥)|먹|색")  #: 오늘 저녁은 치킨으로 정했어
_LONGEST: Final = 40


def resolved(telling: Telling) -> Iterator[Finding]:
    """Yield what the speaker decided or promised."""
    if not telling.parts or _SCENES.search(telling.text):
        return
    parts = [each for part in telling.parts for each in part.clause.morphemes]
    end = telling.parts[-1].clause.end
    for at, part in enumerate(parts):
        particle = part.tag == "JKB" and part.form in ("로", "으로")
        if not particle and part.form not in _SAYING:
            continue
        after = telling.text[part.end : end + 4]
        if _OPEN.search(after):
            continue
        found = _at(telling, parts, at, after)
        if found is not None:
            yield found
            return
    yield from _named(telling)


def _at(telling: Telling, parts: Sequence[Morpheme], at: int, after: str) -> Finding | None:
    part = parts[at]
    before = parts[at - 1] if at else part
    if part.tag == "JKB" and part.form in ("로", "으로"):
        named = before.tag == "ETN" and before.form == "기"
        listed = before.form in ("거", "것", "걸", "쪽") and at > 1 and parts[at - 2].tag == "ETM"
        ending = at - 1 if named else at - 2
        if not (named or listed):
            return None
        if _PROMISED.match(after):
            return _found(telling, "promise", parts, ending)
        decided = _DECIDED.match(after) or (named and _SETTLED.match(after))
        for_them = any(each.lemma in _GIVING for each in parts[max(0, ending - 3) : ending])
        return _found(telling, "promise" if for_them else "decision", parts, ending) if decided else None
    if part.tag not in ("EC", "EF") or part.form not in _SAYING:
        return None
    verb = verb_before(parts, at)
    if verb is None:
        return None
    if part.form.endswith("고") and _PROMISED.match(after):
        return _found(telling, "promise", parts, at)
    giving = parts[verb].lemma in _GIVING or any(each.lemma in _GIVING for each in parts[verb:at])
    giving = giving or parts[verb].form in signals("decision", "giving")
    said = telling.text[telling.parts[0].clause.start : part.end]
    meant = giving or _FIRMLY.search(said) or _TO_SOMEBODY.search(said + after[:12])
    return _found(telling, "promise", parts, at) if meant and _SAID.match(after) else None


def _found(telling: Telling, attribute: str, parts: Sequence[Morpheme], ending: int) -> Finding | None:
    verb = verb_before(parts, ending)
    if verb is None or any(each.form in ("었", "았", "였") for each in parts[verb:ending]):
        return None  # 헤어졌다고 말씀드렸어요
    if _anothers(telling, parts[verb].start):
        return None
    value = brief(telling.text, parts, verb)
    bare = " " not in value and (value.endswith("기") or value in signals("decision", "bare"))
    if bare or not 2 <= len(value.replace(" ", "")) <= _LONGEST:
        return None
    return finding(attribute, value, whose=telling.me)


def _anothers(telling: Telling, at: int) -> bool:
    """Whether somebody else is the one who does it: 엄마가 사 준다고 했어, 친구 …기로 했대."""
    for part in telling.parts:
        holds = part.clause.start <= at < part.clause.end
        if holds and part.mood in ("question", "hypothetical"):
            return True
        if part.clause.start > at:
            return part.mood == "hearsay" if part.clause.final else False
        if holds and any(
            _is_other(phrase.words[-1]) and phrase.has("이", "가", "은", "는", "께서") for phrase in part.clause.phrases
        ):
            return True
        if holds and (part.mood == "hearsay" or _named_other(part)):
            return True
    return False


def _named_other(part: Part) -> bool:
    about = part.about
    return about is not None and about.subject == "other" and about.phrase is not None and not about.phrase.has("도")


def _is_other(word: str) -> bool:
    words = lexicon()
    return word in words.kin | words.others | words.address


def _named(telling: Telling) -> Iterator[Finding]:
    """퇴사 확정, 유학 포기, 이과로 정함."""
    if any(part.closes == "hearsay" or part.mood == "question" for part in telling.parts):
        return
    if any(part.about is not None and part.about.subject == "other" for part in telling.parts):
        return
    said = telling.text[telling.parts[0].clause.start : telling.parts[-1].clause.end + 2]
    named = _NOUNS.search(said)
    if named is not None:
        value = f"{named['deed']} 포기" if "포기" in named[0] else named["deed"]
        yield finding("decision", value, whose=telling.me)
        return
    chosen = _INSTEAD.search(said)
    if chosen is not None and not _MENU.search(said) and chosen["thing"] not in signals("decision", "bare"):
        yield finding("decision", chosen["thing"], whose=telling.me)
