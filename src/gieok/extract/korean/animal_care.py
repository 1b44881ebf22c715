"""What is told of an animal's body and of no person's: 4.2kg, 참치 주면 안 돼, 종합백신 맞혔어.

Owners feed, give and have it vaccinated; said of the animal itself, it eats and gets it. Whoever feeds an animal does
not joke about what it must not have: here no illness has to be named for the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.parting import parts_read
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.telling import finding
from gieok.extract.korean.values import READERS
from gieok.extract.korean.whose import Speaking
from gieok.language.morphemes import analyse

_DONE_TO_IT: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(said), itself)
    for said, itself in (
        (r"먹여\s?(?=주|줬|줘)", "먹여"),
        (r"먹여(?=요|서|야|도|\s|[.,!?~ㅠㅜㅋㅎ]|$)", "먹어"),
        (r"먹였", "먹었"),
        (r"먹이(?=고|는|던|지|게|기|다가|면서)", "먹"),
        (r"먹이(?=면|려|니)", "먹으"),
        (r"먹인다", "먹는다"),
        (r"먹인", "먹은"),
        (r"먹일", "먹을"),
        (r"먹입니다", "먹습니다"),
        (r"급여(?=하|했|해|중|\s중)", "섭취"),
        (r"투약(?=하|했|해|중|\s중)", "복용"),
        (r"맞[혔췄]", "맞았"),
        (r"맞혀(?=야|서|요)", "맞아"),
        (r"맞히(?=고|는|지)", "맞"),
        (r"(?<=\s)주면(?=\s?(?:절대\s)?(?:안|큰일|위험))", "먹으면"),
    )
)
_END: Final = r"(?=[\s.,!?~…ㅠㅜㅋㅎ]|$)"
#: What is heard of an animal at home was heard at the vet's: 알레르기가 있대요
_HEARD: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(said + _END), plain)
    for said, plain in (
        (r"있대(요?)", r"있어\1"),
        (r"없대(요?)", r"없어\1"),
        (r"안\s?된대(요?)", r"안 돼\1"),
        (r"못\s?먹는대(요?)", r"못 먹어\1"),
        (r"(?<=야\s)[한된]대(요?)", r"해\1"),
        (r"(?<=[병증염전양종구핍애환장화기])이래(요?)", r"이야\1"),
        (r"(?<=당뇨)래(요?)", r"야\1"),
    )
)
_WEIGHS: Final = re.compile(
    r"(?<![\d.])(?P<number>\d{1,3}(?:\.\d{1,2})?)\s?(?P<unit>kg|㎏|키로|킬로(?:그램)?|그램|g)(?![A-Za-z])"
    r"(?!\s?(?:짜리|사료|봉지|포대|이하|이상|미만|까지(?!\s?(?:빠졌|쪘|늘었|줄었|나가))|씩|만\s?더|(?:이나|정도|쯤|가|이|은|는|만)?\s?(?:빠|빼|늘|쪘|쪄|찌|줄)))"
)
_AIMED_AT: Final = re.compile(r"목표|빼야|빼려|적정|표준|정상|평균|사료|모래|간식")
_THOUSAND: Final = 1000
_NOW: Final = (
    r"이(?:야|에요|고|라|네|지|거든|래|며|\s?(?:됐|되었))|입니다|임|야|이?요|\s?(?:됐|되었|먹었)|[.!~,ㅠㅜㅋㅎ]|$"
)
_AGED: Final = re.compile(rf"(?<![가-힣\d])(?P<age>(?:[가-힣]{{1,3}}|\d{{1,2}})\s?살)(?={_NOW})")
_ILLNESS: Final = (
    r"(?:만성\s|급성\s|초기\s)?(?:(?:갑상선|신장|심장|간|췌장|방광|피부|관절|잇몸|슬개골|고관절|십자인대)\s)?"
    r"(?:[가-힣]{0,7}(?:병|증|염|부전|종양|림프종|결석|탈구|결핍|장애|질환|내장|경화)"
    r"|(?:위|간|폐|유선|피부|구강|췌장|방광|혈액|비장)암|당뇨|빈혈|천식|간질|디스크|곰팡이|심잡음"
    r"|심장사상충|사상충|파보|홍역|기생충|허피스|칼리시|범백)"
)
_HAS_IT: Final = (
    r"이?(?:야|에요|예요|래|라|고|라서|라고|라네|거든|지만|네|며|입니다|임)(?![가-힣]{2})|인데|\s때문|에\s?걸|으?로\s?(?:입원|고생|치료)"
    r"|이?\s?(?:있(?!었)|생겼(?!던)|걸렸(?!던)|재발|심해|와서|왔)|(?:을|를)?\s?(?:앓|진단|판정|확진)"
)
_SUFFERS: Final = re.compile(rf"(?<![가-힣])(?P<ill>{_ILLNESS})(?:\s[1-5]\s?기)?(?={_HAS_IT})")
_NO_ILLNESS: Final = re.compile(
    r"^(?:병|증|염|장애|질환|내장|부전|결핍|경화)$|(?:꾀|물|꽃|유리|젖|투|간|발|질|난치|지)병$|(?:짜|인|보|갈|검|영수|학생|면허|궁금|회원|방)증$|(?:수|소|오|전|감)염$|탈모증상$|수내장$"
)
_SUSPECTED: Final = re.compile(r"의심|아닌지|아닐까|인가|일까|일\s?수|을까|걱정")
_THING: Final = (
    r"(?<![가-힣A-Za-z\d])(?P<thing>(?:[가-힣]{0,5}(?:진|한|운|은|단|짠|찬)\s(?=거|것|음식|간식))?"
    r"\S{1,12}(?:\s(?:많은|들어간|든)\s(?:거|것|음식|사료|간식))?)\s"
)
_HAVING: Final = r"(?:먹|마시|쓰|맞|바르|닿|핥|맡|씹|섭취하|(?:근처에|옆에|가까이|집에)?\s?두)(?:으)?면"
_HARMS: Final = (
    r"(?:안\s?(?:돼|되|된|됩)|큰일|위험|죽|토[해하]|설사|탈\s?나|배탈|두드러기|가려|부어|붓"
    r"|(?:온몸을\s|몸을\s|막\s)?긁)"
)
_BARRED: Final = re.compile(
    rf"{_THING}(?:절대\s?로?\s|조금만\s|조금이라도\s)?(?:{_HAVING}\s(?:절대\s|또\s|바로\s|꼭\s|다\s)?{_HARMS}"
    r"|(?:절대\s)?못\s?(?:먹|마시|마셔|맞)|금지|금물|금기|위험(?:하|해)|(?:피해|조심해|주의해|끊어|빼)야)"
)
_LESS: Final = re.compile(
    rf"{_THING}(?:좀\s|더\s|많이\s)?(?:줄여야|제한해야|제한\s?(?:해|하|식|중)|줄이는\s?중|줄이고\s?있)"
)
_FED_ON: Final = re.compile(
    r"(?<![가-힣])(?P<food>(?:저단백|저지방|저염|저인|저칼로리|처방|가수분해|신장|비뇨기|유리너리|다이어트|무곡물|그레인프리|습식|생식)"
    r"\s?(?:사료|식단|식|캔)?)(?:만|을|를|으로|로)?\s?(?:먹어야|먹는\s?중|먹고\s?있|먹어요?(?=[\s.,!~]|$)|바꿔야|바꿨)"
)
_ALLERGENS: Final = re.compile(
    r"(?<![가-힣])(?P<things>[가-힣]{1,8}(?:(?:이랑|랑|하고|와|과|,)\s?[가-힣]{1,8}?){1,3})"
    r"(?:\s(?:둘\s?다|모두|다))?\s?(?:에\s)?(?:알레르기|알러지)"
)
_APART: Final = re.compile(r"(?:랑|하고|와|과|,)\s?")
_NOT_SO: Final = re.compile(r"없|아니|아냐|나았|완치|괜찮")
_NO_THING: Final = frozenset(
    "나 나는 내가 나도 나만 밥 사료 물 간식 아무것 아무것도 거의 요즘 오늘 어제 지금 잘 많이 그거 이거 그런거 거 것 뭐 "
    "아예 혼자 이제 아직 근처에 옆에 가까이 집에 절대 때문에 먹이 처방식 습식 조금 너무 살 몸무게 체중 병원 약".split()
)
_SHOT: Final = re.compile(
    r"(?P<kind>종합|혼합|광견병|범백|켄넬코프|코로나|인플루엔자|독감|신종플루|허피스|칼리시|백혈병|사상충|심장사상충|[2-6]종|[1-6]차|기초|추가)"
    r"\s?(?:종합\s?|기초\s?|추가\s?|혼합\s?)?(?P<shot>예방\s?접종|예방\s?주사|백신|접종|주사)"
    r"(?P<after>[^.!?\n]{0,16})"
)
_YEAR: Final = re.compile(r"재작년|작년|지난해|(?P<year>(?:19|20)\d\d)년")
_AGO: Final = {"작년": 1, "지난해": 1, "재작년": 2}
_HAD: Final = re.compile(r"맞았|맞음|맞고|했|하고\s?(?:왔|옴)|완료|끝|받았|마쳤|받고\s?(?:왔|옴)|함(?:[\s.,]|$)")
_NOT_HAD: Final = re.compile(r"안\s?(?:맞|했|받)|못\s?(?:맞|했|받)|맞아야|해야|예약|할까|맞을|았으면|했으면|언제")


def as_its_own(text: str) -> str:
    """Return `text` with what is done to an animal, or found out, as it would tell it: 약 먹여요 as 약 먹어요."""
    for said, itself in (*_DONE_TO_IT, *_HEARD):
        text = said.sub(itself, text)
    return text


def of_animals(text: str, speaking: Speaking, year: int) -> Iterator[Finding]:
    """Yield what the animal that says `text` in `year` weighs, must not have, suffers from and got shots against."""
    for sentence in _told(text, speaking):
        yield from _health(sentence)
        yield from _vaccinated(sentence, year)
        yield from _fed(sentence)


def _vaccinated(sentence: str, year: int) -> Iterator[Finding]:
    """Yield every shot with its year: the next one is no repetition of what is known."""
    for shot in _SHOT.finditer(sentence):
        if _HAD.search(shot["after"]) and not _NOT_HAD.search(shot["after"]):
            told = _YEAR.search(sentence[: shot.start()])
            then = int(told["year"]) if told and told["year"] else year - (_AGO[told[0]] if told else 0)
            yield finding("vaccination", f"{then}년 {shot['kind']} 백신", surface=shot["kind"])


def _fed(sentence: str) -> Iterator[Finding]:
    """Yield what it must not have, what it is allergic to, and what it is fed on."""
    for barred in _BARRED.finditer(sentence):
        if thing := _thing(barred["thing"]):
            yield finding("contraindication", thing)
    allergens = _ALLERGENS.search(sentence) if not _NOT_SO.search(sentence) else None
    for each in _APART.split(allergens["things"]) if allergens is not None else ():
        if thing := _thing(each):
            yield finding("allergy", thing)
    for less in _LESS.finditer(sentence):
        if thing := _thing(less["thing"]):
            yield finding("diet", f"{thing} 제한", surface=thing)
    for fed in _FED_ON.finditer(sentence):
        yield finding("diet", fed["food"])


def _health(sentence: str) -> Iterator[Finding]:
    """Yield what it weighs, how old it is, and what it suffers from."""
    weight = _weight(sentence)
    if weight is not None:
        yield weight
    aged = _AGED.search(sentence)
    age = READERS["age"](aged["age"]) if aged is not None else None
    if age is not None:
        yield finding("age", age.value, surface=age.surface)
    for suffers in _SUFFERS.finditer(sentence) if not _SUSPECTED.search(sentence) else ():
        if not _NO_ILLNESS.search(suffers["ill"]) and not _NOT_SO.search(sentence):
            yield finding("medical_condition", suffers["ill"])


def _thing(said: str) -> str:
    """Return what is had, without its particle; nothing where it is no thing."""
    *first, last = said.split()
    if first and last in ("거", "것"):
        return " ".join((*first, "것"))
    parts = analyse(last)
    noun = next((at for at, part in enumerate(parts) if part.tag[0] not in "NXS"), len(parts))
    if not noun or any(part.tag[0] in "VEM" for part in parts[noun:]):
        return ""
    thing = " ".join((*first, last[: parts[noun - 1].end]))
    return "" if thing in _NO_THING else thing


def _weight(sentence: str) -> Finding | None:
    said = _WEIGHS.search(sentence)
    if said is None or _AIMED_AT.search(sentence):
        return None
    number = float(said["number"]) / (_THOUSAND if said["unit"] in ("그램", "g") else 1)
    return finding("weight", f"{number:g}", surface=said[0])


def _told(text: str, speaking: Speaking) -> Iterator[str]:
    """Yield the sentences of `text` that state something."""
    start = 0
    parts = parts_read(text, speaking)
    for part, following in zip(parts, (*parts[1:], None), strict=False):
        end = following.clause.start if following is not None else len(text)
        if part.clause.final or part.clause.ends_with.lstrip().startswith((".", "?", "!")) or following is None:
            if part.closes in ("statement", "fragment", "hearsay") and "?" not in text[start:end]:
                yield text[start:end]
            start = end
