"""What was said, in plain words: dialect endings as the standard language has them, and the verb back at the end.

경상 "부산 산다 아이가", 전라 "오형이랑께", 충청 "간호사구먼유" and "생물학과야 나" say what "부산 산다", "오형이야",
"간호사네요" and "나 생물학과야" say. Only endings that mean nothing else are rewritten.
"""

from __future__ import annotations

import re
from typing import Final

from gieok.extract.korean.announced import announced
from gieok.extract.korean.kinds import department_of, is_company, is_place, is_school
from gieok.extract.korean.lexicon import lexicon

_END: Final = r"(?=[\s,.!?~…ㅋㅎㅠㅜ^]*(?:$|[,.!?~…\n]|[ㅋㅎㅠㅜ]))"
_DIALECT: Final = re.compile(
    r"아이가|아이다|아입니|데이|니더|심더|슴더|임더|예|카이|께|잉|디|유|슈|쥬|구먼|구만|여|부렀|와[,.!?]|그려|지라|내는|^내\s|인자|묵|혀|욤"
)
_ENDINGS: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(said), plain)
    for said, plain in (
        (r"(?<=[다야여제네어아지께라마요])잉" + _END, ""),
        (r"(?<=다)\s?아이가(?=[\s,.!?~…ㅋㅎ]|$)", "."),  # 부산 산다 아이가
        (r"(?<=다)\s와(?=[,.!?]|$)", ""),  # 스물이다 와
        (r"^((?:내는?|나는?)\s(?!아이)[^,.!?\n]{1,16}?[가-힣A-Za-z0-9])\s?아이가(?=[\s,.!~…ㅋㅎ]|$)", r"\1임."),
        (r"(?<=[가-힣])\s아이다" + _END, " 아니다"),
        (r"(?<![타트로])([산간한인난린진온된큰단친탄킨운른는]|이|었|았|했)데이" + _END, r"\1다"),
        (r"니더(?=[\s,.!~…ㅋㅎ]|$)", "니다"),
        (r"(?<=[있없했었았겠됐싫좋많작크졌렸갔왔봤섰컸켰쳤났탔샀꿨])심더", "습니다"),
        (r"(?:임더|입니더)", "입니다"),
        (r"\s?아입니[꺼까]" + _END, "입니다"),
        (r"(?<=[는던])\s디(?=는\s|가\s|도\s|서\s)", " 데"),
        (r"(?<=[가-힣])응께(?=\s)", "으니까"),
        (r"라예" + _END, "예요"),
        (r"(?<=[가-힣])([아어여해와워지데고네])예" + _END, r"\1요"),
        (r"(?:라\s?카이|라\s안\s?카나)" + _END, "야"),
        (r"(?<=다)(?:카이|\s안\s?카나)" + _END, ""),
        (r"이랑께" + _END, "이야"),
        (r"랑께" + _END, "야"),
        (r"당께(?:요)?" + _END, "다"),
        (r"(?<=[가-힣])([는은인한산간된])디(?=[\s,.!~…]|$)", r"\1데"),
        (r"(?<=[었았했겠있없])(?:슈|어유)" + _END, "어요"),
        (r"(?:이여유|이어유)" + _END, "이에요"),
        (r"는?(?:구먼|구만|고만|구마)유?" + _END, "네요"),
        (r"그려유?" + _END, "그래요"),
        (r"(?<=[가-힣])([어아해여와워네지데고예에래돼서게])유" + _END, r"\1요"),
        (r"(?<=[가-힣])쥬" + _END, "죠"),
        (r"(?<=\d)여" + _END, "야"),
        (r"(?<=[십일이삼사오육칠팔구살세형])여" + _END, "야"),
        (r"이여" + _END, "이야"),
        (r"(?<=[가-힣])지라" + _END, "지"),
        (r"부렀", "버렸"),
        (r"(?<![가-힣])인자(?=는?\s)", "이제"),
        (r"(?<=\s)묵(?=[어었는고겠으을])", "먹"),  # 오이 잘 묵어
        (r"(?<=좋아|싫어)혀", "해"),
        (r"(?<=[가-힣][해어아예에])욤" + _END, "요"),
        (r"((?:최애|1등|1위|1순위|최고|원픽)[은는]\s\S{2,10})여" + _END, r"\1야"),
        (r"(?:^|(?<=^마\s))내는(?=\s)", "나는"),
        (r"^내(?=\s[가-힣]{2,6}(?:한다|다닌다|배운다|친다|탄다)(?:\s|[,.!~ㅋㅎ]|$))", "나"),  # 내 복싱한다
    )
)
_AFTER_NOUN: Final = re.compile(r"(?P<noun>[가-힣A-Za-z0-9]{2,10}?)(?:데이|이?(?:구먼|구만)유?|라예|여유|여)" + _END)
#: 저는요, 국악을 좋아해요
_POLITELY_ME: Final = re.compile(r"(?<![가-힣])(?P<me>[저나]는|[저나]도|[제내]가)요[\s,.…~]+(?=\S)")
_HUMBLE: Final = re.compile(r"(?:^|(?<=\s))지(?=(?:는|가|도|를|보고|한테)\s)")
_HUMBLE_ENDINGS: Final = re.compile(r"[가-힣](?:유|슈|쥬|예|니더|심더)" + _END)
_ME_IN_JEOLLA: Final = re.compile(r"^나가(?=\s)")

_STRETCH: Final = re.compile(r"[^,.!?\n~…]+")
_COPULA: Final = r"(?P<copula>이야|야|이에요|예요|에요|이예요|입니다|임|이지|이다|다|이네|네)"
_AFTER_I: Final = re.compile(
    rf"^(?P<said>(?:(?!나\s|저\s|내\s|제\s|난\s|전\s)\S+\s){{0,3}}\S+?){_COPULA}\s(?:나|저|내가|제가|난|전|나는|저는|나도|저도)"
    r"(?:\s말이(?:야|에요))?\s*[ㅋㅎㅠㅜ]*\s*$"
)
_AFTER_MINE: Final = re.compile(
    rf"^(?P<said>(?:\S+\s){{0,3}}\S+?){_COPULA}\s(?P<mine>(?:내|제|우리|저희)\s(?:\S+는\s)?[가-힣A-Za-z]{{1,6}}?)(?:은|는|이|가)?\s*[ㅋㅎㅠㅜ]*\s*$"
)
_CALLED_FIRST: Final = re.compile(
    r"^(?P<call>(?:다들\s)?(?:불려요?|불러요?|불립니다|불림|부른다|불린다|"
    r"불리고 있어요?))\s(?P<name>\S{1,8}?)(?P<as>이라고|라고)(?:요)?\s*$"
)

#: a word in quotation marks is named, not quoted: 별명이 '매점귀신'인데
_TERM: Final = re.compile(
    r"['‘\"“](?P<term>(?:[가-힣A-Za-z0-9]{1,8}\s)?[가-힣A-Za-z0-9]{2,10}(?<![야어요다지니까해자라네임아래줘]))['’\"”]"
    r"(?=이고|고\s|인데|이라는|라는|이라|로\s|으로\s|예요|이에요|입니다|임|에\s|에서|이야)"
)
_ABOVE_ALL: Final = re.compile(r"뭐니\s?뭐니\s?해도\s")
#: ㅅ typed for ㅆ: 접엇어, 고쳣다
_SLIPPED: Final = re.compile(
    r"(?<=[가-힣])[엇앗햇쳣졋렷겻녓봣왓폇켯텻셧](?=다|어|음|네|는데|지만|고|던|습니|거든|으|ㅋ|ㅎ)|(?<![가-힣])햇(?=다|어|음|네|는데|습니)"
)
#: what one thinks best is best to one: 김치찜이 최고라고 생각합니다
_THOUGHT: Final = re.compile(
    r"(?P<best>최고|으뜸|제일|1등|일등|최애|진리|원탑|최악|별로)이?라고\s?(?:생각(?:합니다|해요?|함|한다)|봅니다|봐요?|본다)"
    + _END
)
#: 민트초코 극혐해요: made a verb of
_LOATHED: Final = re.compile(r"(?<=\s)극혐(?:해요?|합니다|함|한다)" + _END)
_READ: Final = 800  #: characters
_RUN_ON: Final = re.compile(r"(?<![가-힣A-Za-z])(?P<noun>[가-힣A-Za-z0-9]{2,10})임(?=\s[가-힣A-Za-z])")


#: 내이름 김민수, 제직업은
_JOINED_LABEL: Final = re.compile(
    r"(?<![가-힣])(?P<whose>내|제)(?P<label>이름|별명|나이|생일|직업|전공|고향|혈액형|성별|취미|꿈|종교|국적|몸무게|번호|남친|여친|남편|아내|동생|친구|학교|회사)"
    r"(?=[은는이가도야]?\s|이야|예요|이에요|임)"
)


#: 울 냥이, 울 엄마
_OUR: Final = re.compile(
    r"(?<![가-힣])울(?=\s(?:집|엄마|아빠|언니|오빠|누나|형|동생|할머니|할아버지|남편|와이프|아들|딸|애기|고양이|냥이|강아지|댕댕이|멍멍이)"
    r"[가-힣]{0,2}(?:\s|$))"
)


def plainly(text: str) -> str:
    """Return `text` with the endings of dialects and turned-round sentences put plainly; a long one as it is."""
    if len(text) > _READ:
        return text
    text = _JOINED_LABEL.sub(r"\g<whose> \g<label>", text)
    text = _POLITELY_ME.sub(r"\g<me> ", _OUR.sub("우리", text))
    text = _ABOVE_ALL.sub("", _SLIPPED.sub(lambda slip: chr(ord(slip[0]) + 1), text))
    text = _THOUGHT.sub(r"\g<best>입니다", text)
    if _DIALECT.search(text):
        text = "\n".join(_standard(line) for line in text.split("\n"))
    text = _LOATHED.sub("극혐이야", text)
    text = _RUN_ON.sub(_with_stop, _TERM.sub(lambda term: term["term"], text))
    return _STRETCH.sub(lambda stretch: _in_order(stretch[0]), announced(text))


def as_first_person(text: str, names: frozenset[str]) -> str:
    """Return `text` with 나 for the speaker's own name where it opens a sentence: 서준이는 판교 살아."""
    for name in names:
        if name and name in text:
            opening = rf"(^|[.!?~,\n]\s*){re.escape(name)}(?:이)?(?P<particle>은|는|이|가|도)(?=\s)(?!\s아니)"
            text = re.sub(opening, lambda said: f"{said[1]}{_I[said['particle']]}", text)
    return text


_I: Final = {"은": "나는", "는": "나는", "이": "내가", "가": "내가", "도": "나도"}


def _with_stop(run_on: re.Match[str]) -> str:
    """나 웹툰 작가임 마감 살려줘: a sentence ends with -임."""
    return f"{run_on['noun']}임." if _is_known(run_on["noun"]) else run_on[0]


def _is_known(noun: str) -> bool:
    if noun in lexicon().mbti or noun in lexicon().class_of or lexicon().is_job(noun):
        return True
    return is_place(noun) or is_school(noun) or is_company(noun) or department_of(noun) is not None


def _standard(line: str) -> str:
    said = line
    if _HUMBLE_ENDINGS.search(line):
        said = _HUMBLE.sub("저", said)
    said = _AFTER_NOUN.sub(lambda noun: f"{noun['noun']}임" if _is_known(noun["noun"]) else noun[0], said)
    for ending, plain in _ENDINGS:
        said = ending.sub(plain, said)
    return _ME_IN_JEOLLA.sub("내가", said) if said != line else said


def _in_order(stretch: str) -> str:
    said = stretch.strip()
    blank = stretch[: len(stretch) - len(stretch.lstrip())]
    turned = _AFTER_I.match(said)
    if turned is not None and not _calls(turned):
        return f"{blank}나 {turned['said']}{turned['copula']}"
    turned = _AFTER_MINE.match(said)
    if turned is not None and not _calls(turned):
        return f"{blank}{turned['mine']}{_topic(turned['mine'])} {turned['said']}{turned['copula']}"
    turned = _CALLED_FIRST.match(said)
    if turned is not None:
        return f"{blank}{turned['name']}{turned['as']} {turned['call']}"
    return stretch


def _calls(turned: re.Match[str]) -> bool:
    """지우야 나: somebody is called, not described."""
    return turned["copula"] == "야" and " " not in turned["said"] and len(turned["said"]) <= 2


def _topic(word: str) -> str:
    return "은" if "가" <= word[-1] <= "힣" and (ord(word[-1]) - ord("가")) % 28 else "는"
