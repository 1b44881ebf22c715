"""How something is said, where the words leave no doubt: plainly, as over, as new, or as only thought of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from gieok.language.mood import hedged, joking, sentence_moods
from gieok.language.morphemes import Morpheme, analyse
from gieok.language.text import has_hangul

#: words for a time that is over
_FORMERLY: Final = re.compile(
    r"(?:예전|옛날)(?!부터|에도|이나)|(?:어릴|어렸을|젊었을)\s?(?:때|땐|적)(?!부터)|한때|왕년|소싯적|(?:달|년|해)\s?전만\s?해도"
    r"|\bused to\b|\bback (?:then|when)\b|\bwhen i was (?:a kid|little|young)\b|\bformerly\b",
    re.IGNORECASE,
)
_CLAUSE: Final = re.compile(
    r"[.!?~…\n,]+|(?<=는데)\s|(?<=지만)\s|(?<=다가)\s|(?<=\S고)\s|\bbut\b|\bnow\b", re.IGNORECASE
)
_NOW: Final = re.compile(
    r"지금|이제|요즘|요새|현재|아직|여전|인자|시방|\bnow\b|\bstill\b|\bthese days\b", re.IGNORECASE
)

_TO: Final = re.compile(r"(?:으로|로)\s?(?:\S+\s)?(?:이사|이직|이민|전학|전근|전과|옮[겨기긴김]|바[꿔꾼꿈뀌뀐]|갈아)")
_MOVED_TO: Final = re.compile(
    r"\b(?:moved|moving|switched|changed|transferred|relocated) (?:\w+ )?to (?:the |an? )?$", re.I
)


_RATHER: Final = re.compile(r"아니(?:고|라|구|야|요)|아닌|말고|\bnot\b|\binstead of\b", re.IGNORECASE)


def is_replaced(text: str, end: int, start: int) -> bool:
    """Whether the words between `end` and `start` put what follows in the place of what stands before: A 아니고 B."""
    return 0 <= start - end <= 20 and _RATHER.search(text, end, start) is not None


_MORE: Final = re.compile(r"(?:이|가|을|를|도)?\s*(?:훨씬\s?)?더\s?좋|\s+(?:more|better)\b", re.IGNORECASE)
_PREFER: Final = re.compile(r"\bprefer\s+(?:the |a )?$", re.IGNORECASE)
_LATELY: Final = re.compile(r"요즘|요새|이젠|이제는|\bnow\b|\bthese days\b|\blately\b", re.IGNORECASE)


def is_preferred(text: str, start: int, end: int) -> bool:
    """Whether `text[start:end]` is liked more by now than something else: 요즘은 강아지가 더 좋아."""
    begin, stop = _clause(text, start, end)
    more = _MORE.match(text, end) or _PREFER.search(text[max(0, start - _NEAR) : start])
    return more is not None and _LATELY.search(text, begin, stop) is not None


def is_new(text: str, start: int, end: int) -> bool:
    """Whether `text[start:end]` is where a move or a change leads to: 대구로 이사했어."""
    return bool(_TO.match(text, end) or _MOVED_TO.search(text[max(0, start - _NEAR) : start]))


def is_over(text: str, start: int, end: int) -> bool:
    """Whether the clause around `text[start:end]` says by its tense or its words that it was so once."""
    begin, stop = _clause(text, start, end)
    clause = text[begin:stop]
    if _NOW.search(clause):
        return False
    return bool(_FORMERLY.search(clause)) or _was(text, end) or _did(clause, start - begin, end - begin)


#: verbs and nouns that say of something that it is given up
_GIVEN_UP: Final = frozenset(
    "그만두다 관두다 때려치우다 때려치다 접다 끊다 퇴사 퇴직 은퇴 사직 해고 자퇴 폐업 폐점 탈퇴 취소 처분 졸업 팔다 "
    "그만하다 그만둠 때려침 관둠 갈아타다".split()
)
_BEFOREHAND: Final = frozenset("안 못".split())
_QUIT: Final = re.compile(
    r"\b(?:quit|quitting|gave up|given up|giving up|dropped|stopped|no longer|retired|got laid off|laid off|was fired|"
    r"got fired|called off|cancell?ed|done w(?:ith|i)?|sold|resigned)\b|\b(?:any ?more|anymore)\b",
    re.IGNORECASE,
)
_IT: Final = frozenset("it that this them the my to with going 그거 그것 그건 이거 거 것 저".split())
_WORDS: Final = re.compile(r"[A-Za-z']+")


def is_given_up(text: str, start: int, end: int) -> bool:
    """Whether the clause around a span says that it was given up: 필름은 접었어요, I quit the gym.

    What is not done, asked, supposed or only wished gives nothing up; nor does 3개월 끊었어, which is a ticket.
    """
    begin, stop = _clause(text, start, end)
    clause = text[begin:stop]
    if is_thought_of(text, end) or text[stop : stop + 1] == "?":
        return False
    if not has_hangul(clause):
        return _QUIT_IT.search(clause[: start - begin]) is not None and not _UNREAL.search(clause)
    parts = [part for part in analyse(clause) if part.start >= start - begin]
    for number, part in enumerate(parts):
        if part.lemma in _GIVEN_UP - {"취소"} and part.start >= end - begin - 1:
            before, after = parts[number - 1 : number], parts[number + 1 : number + 4]
            denied = any(each.form in _BEFOREHAND for each in before) or any(each.lemma in _DENIES for each in after)
            bought = part.lemma == "끊다" and _TICKET.search(clause[end - begin : part.start]) is not None
            return not denied and not bought and any(each.form in _DONE for each in after)
    return False


_TICKET: Final = re.compile(r"\d|개월|달\s|년|회|권|표|티켓|더\s|등록")
#: what was quit stands right behind the verb: I quit smoking and do yoga gives up no yoga
_QUIT_IT: Final = re.compile(
    _QUIT.pattern + r"\s(?:(?!(?:and|to|then|so|for|at|by|in|off|because)\b)[\w'’]+\s){0,3}$", re.IGNORECASE
)
#: endings of what has happened: 접었어, 관둠, 그만둔 지
_DONE: Final = frozenset("었 았 였 ㅁ 음 ㄴ 은".split())
_UNREAL: Final = re.compile(
    r"\b(?:if|would|could|should|might|maybe|want|wanna|gonna|never|not|nearly|almost)\b|n['’]t\b", re.I
)


def names_nothing(words: str) -> bool:
    """Whether words say only that something is over, and not what: 팔았어요, dropped it."""
    if not has_hangul(words):
        rest = _QUIT.sub(" ", words)
        return rest != words and all(each.lower() in _IT for each in _WORDS.findall(rest))
    nouns = [part for part in analyse(words) if part.tag in ("NNG", "NNP", "SL", "SN", "NR")]
    return all(part.lemma in _GIVEN_UP for part in nouns)


_NEAR: Final = 80  #: letters before and after a span that are looked at
_STATES: Final = frozenset("살다 다니다 좋아하다 싫어하다 키우다 일하다 사귀다 무서워하다 즐기다 기르다".split())
_ONCE: Final = re.compile(r"\b(?:i|we) (?:was|were|lived|worked|studied|liked|loved|hated)\b", re.IGNORECASE)


def _did(clause: str, start: int, end: int) -> bool:
    """Whether the clause is the past of what lasts: 부산에 살았어, I was a nurse."""
    if not has_hangul(clause):
        return _ONCE.search(clause[:start]) is not None
    after = [part for part in analyse(clause) if part.start >= end - 1]
    return any(
        one.lemma in _STATES and two.tag == "EP" and two.form in ("었", "았", "였") for one, two in pairwise(after)
    )


_DENIES: Final = frozenset("없다 않다 아니다 못하다 말다".split())
_NOT: Final = re.compile(r"n['’]t\b|\bnot\b|\bnever\b|\bno longer\b", re.IGNORECASE)
_HATES: Final = re.compile(
    r"싫|질색|극혐|혐오|안\s?좋아|좋아하지\s?[는도]?\s?않|별로"
    r"|\b(?:hates?|dislikes?|can['’]t stand|(?:do(?:es)?n['’]t|do(?:es)? not) (?:really )?like|not a (?:big )?fan)\b",
    re.IGNORECASE,
)


_LIKED: Final = re.compile(r"좋아|\b(?:likes?|loves?|adore|into)\b", re.IGNORECASE)


def is_liked(text: str, start: int, end: int) -> bool:
    """Whether the clause around a span says that it is liked."""
    return _LIKED.search(text[slice(*_clause(text, start, end))]) is not None and not is_hated(text, start, end)


def is_hated(text: str, start: int, end: int) -> bool:
    """Whether the clause around a span says that it is not liked."""
    return _HATES.search(text[slice(*_clause(text, start, end))]) is not None


def is_denied(text: str, start: int, end: int) -> bool:
    """Whether the clause around a span denies it: 남자친구 없어, 고양이 안 키워."""
    begin, stop = _clause(text, start, end)
    clause = text[begin:stop]
    if not has_hangul(clause):
        return _NOT.search(clause) is not None
    after = [part for part in analyse(clause) if part.start >= end - begin - 1]
    return any(part.lemma in _DENIES or (part.tag == "MAG" and part.form in ("안", "못")) for part in after)


def _clause(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where the clause around a span begins and ends; of a long one, what is near."""
    first, last = max(0, start - _NEAR), min(len(text), end + _NEAR)
    begin = max((stop.end() for stop in _CLAUSE.finditer(text, first, start)), default=first)
    stop = _CLAUSE.search(text, end, last)
    return begin, stop.start() if stop else last


_PAST: Final = re.compile("[었였았]")


def _was(text: str, end: int) -> bool:
    """Whether the words before `end` are followed by the past of 이다: 88킬로였는데, 간호사였어."""
    if not _PAST.search(text, end, end + _NEAR):
        return False
    first = max(0, end - _NEAR)
    near = end - first
    after = [part for part in analyse(text[first : end + _NEAR]) if part.end > near and part.start >= near - 1]
    tags = [(part.tag, part.form) for part in after[:3]]
    while tags and tags[0][0] not in ("VCP", "EP"):
        if tags[0][0] not in ("NNB", "XSN", "NNG"):
            return False
        tags.pop(0)
    tense = tags[1] if tags and tags[0][0] == "VCP" and len(tags) > 1 else None
    return tense is not None and tense[0] == "EP" and tense[1] in ("었", "였", "았")


_SELF: Final = frozenset("나 저 내 제 우리 저희".split())
_LISTENER: Final = frozenset("너 당신 네 니".split())
_MOST: Final = 14  #: words of a plain sentence
_PLAIN: Final = re.compile(
    r"(?:(?:hi|hello|hey|oh|ah|um|well|so|and|yes|yeah|right|ok|okay|actually|btw)\b[,!\s]+)*"
    r"(?:i|i'm|i’m|i am|i've|we|we've|my|our)\b",
    re.IGNORECASE,
)
_NOT_PLAIN: Final = re.compile(
    r"[?\"“*]|\b(?:if|would|could|should|might|maybe|perhaps|wish|hope|think|guess|used to|not|never|no longer|"
    r"but|when|because|though|until|than|like a|as if|had|was|were|did|went|pretend\w*|joke|kidding|lol)\b|n['’]t\b",
    re.IGNORECASE,
)
_THOUGHT_OF: Final = re.compile(
    r"[까]\s?(?:싶|봐|하는|말까|생각|고민)|고\s?싶|[을ㄹ]지도|(?:할|갈|둘|볼|칠|접을|끊을|옮길|바꿀)까|면\s?(?:좋겠|어떨|안\s?될)"
    r"|\b(?:thinking (?:of|about)|might|maybe i should|should i|want to|tempted to|wish i)\b",
    re.IGNORECASE,
)


_VISITED: Final = re.compile(
    r"\b(?:travel\w*|visit\w*|flying|fly|flew|heading|trip|vacation|on my way)\b"
    r"|(?:놀러|여행|출장|구경)|다녀[왔오온]|갔다\s?[왔오온]|가고\s?있|가는\s?[중길]",
    re.IGNORECASE,
)


_TAKES_BACK: Final = re.compile(
    r"\bi was (?:just |only )?(?:joking|kidding|lying)\b|\bjust kidding\b|\bi lied\b|\bmade that up\b", re.IGNORECASE
)
_FORGET: Final = re.compile(
    r"(?:^|(?:말|얘기|이야기|거|것|말씀)\S{0,2}\s)(?:그냥\s|좀\s)*잊어\s?(?:줘|주세요|줄래|버려)[요.!~ㅋㅎㅠ]*$"
    r"|못\s?들은\s?(?:걸로|거로|척)\s?(?:해|하자)"
    r"|^(?:please |just |ok,? |oh,? )*forget (?:i said|what i (?:just )?said|i told|about what i said)\b"
    r"|^scratch that\b",
    re.IGNORECASE,
)
_MEANT: Final = re.compile(
    r"^(?:아니+[,\s]*|아[,\s]+)?(?:그거|그게|그건|거기|그쪽)?\s*(?:말고|아니고|아니라)\s+"
    r"(?P<ko>[^.!?~…\n]{1,30})[.!~…]*$"
    r"|^(?:no,? )?(?:wait,? |sorry,? )*(?:i meant|make that)\s+"
    r"(?P<en>(?!to\b|it\b|that\b|what\b)[^.!?\n]{1,30})[.!]*$",
    re.IGNORECASE,
)
_NAMED_IN: Final = 3  #: words
_NAMING: Final = frozenset("NNG NNP NNB NR SL SN XPN XSN VCP EF JX SF SP W_SERIAL Z_CODA".split())
_DISCLAIMER: Final = re.compile(
    r"(?:저는|나는|전|난|제가|내가)\s[^.!?\n]{0,20}(?:인공\s?지능|언어\s?모델|챗봇|\bAI)"
    r"(?:\s?(?:언어\s?)?(?:모델|어시스턴트|비서))?\s?(?:이에요|예요|이야|야|입니다|이라|라서|로서|일\s?뿐)"
    r"|\bas an? (?:AI|language model)\b"
    r"|\bI(?:'m| am|’m) (?:just |only )?an? (?:AI|(?:large )?language model|chatbot)\b",
    re.IGNORECASE,
)
_TOOL_OUTPUT: Final = re.compile(r"^\s*(?:\{|```|\[\s*[{\"\]]|<\w+>[^<]*</)|\"\s*:\s*[\"\d{\[]")
_WHO_LIVES: Final = re.compile(r"(?:에|에서)?\s?사는\s(?!나|저|내|제|사람|것|거|게|중)")


_DIED: Final = r"무지개\s?다리|하늘나라|별이\s?됐|세상을?\s?떠|죽었|돌아가셨|떠나보냈"
_DIED_EN: Final = r"(?:\w+ ){0,3}(?:passed away|died)\b"


def tells_a_death(text: str, name: str) -> bool:
    """Whether `name` is said to have died, or to have been seen off: 호두 보냈어요.."""
    called = re.escape(name)
    return bool(
        re.search(rf"{called}(?:이)?[가는은도를을]?\s(?:[^\s.!?]+\s){{0,3}}?(?:{_DIED})", text)
        or re.search(rf"{called}(?:이)?[를을]?\s?보냈[어습][가-힣]*(?:\.\.|…|\s?[ㅠㅜ])", text)
        or re.search(rf"\b{called} {_DIED_EN}|\bput {called} down\b", text, re.IGNORECASE)
    )


def takes_back(text: str) -> bool:
    """Whether the words say outright that something was not true, or ask that it be forgotten."""
    return joking(text) or _TAKES_BACK.search(text) is not None or _FORGET.search(text.strip()) is not None


def meant_instead(text: str) -> tuple[int, int] | None:
    """Return where the words stand that replace what was just said: 아니 그거 말고 파스타, no wait, I meant Austin."""
    found = _MEANT.search(text)
    if found is None:
        return None
    start, end = found.span("ko" if found["ko"] else "en")
    words = text[start:end]
    names = not has_hangul(words) or all(part.tag in _NAMING for part in analyse(words))
    return (start, end) if names and len(words.split()) <= _NAMED_IN else None


def is_not_her_own(text: str) -> bool:
    """Whether what a character says is none of her words: a disclaimer of the model, or the output of a tool."""
    return _DISCLAIMER.search(text) is not None or _TOOL_OUTPUT.search(text) is not None


def is_anothers_home(text: str, end: int) -> bool:
    """Whether it is where somebody else lives: 부산 사는 친구가 왔어."""
    return _WHO_LIVES.match(text, end) is not None


def is_visited(sentence: str) -> bool:
    """Whether the sentence is of a journey: nobody lives where they only go."""
    return _VISITED.search(sentence) is not None


_ANYBODY: Final = re.compile(r"[가-힣]*[는은인한]\s사람(?:은|들은|들이|이라면)|\s?(?:or more )?people\b", re.IGNORECASE)


def is_of_anybody(text: str, end: int) -> bool:
    """Whether what ends at `end` describes people in general: 몸무게 90 넘는 사람은."""
    return _ANYBODY.match(text[end : end + _NEAR].lstrip("kg킬로 ")) is not None


def is_plain(sentence: str) -> bool:
    """Whether somebody says something of themselves in one plain clause: 저는 간호사예요, I have a cat."""
    if len(sentence) > 2 * _NEAR:
        return False
    if not has_hangul(sentence):
        words = sentence.split()
        return len(words) <= _MOST and _PLAIN.match(sentence) is not None and _NOT_PLAIN.search(sentence) is None
    said = list(sentence_moods(sentence))
    if len(said) != 1 or said[0][1] not in ("statement", "fragment"):
        return False
    parts = said[0][0]
    persons = {part.form for part in parts if part.tag == "NP"}
    quoted = any(mark in sentence for mark in "\"“‘'*")
    first = any(part.tag == "NP" and part.form in _SELF for part in parts[:2])
    return first and not persons & _LISTENER and not quoted and _is_one_clause(parts) and not hedged(parts)


def _is_one_clause(parts: Sequence[Morpheme]) -> bool:
    """Whether nothing is supposed or reported; 서울에 살고 개를 키워 says two plain things."""
    for part, after in zip(parts, [*parts[1:], None], strict=True):
        if part.tag == "EC" and part.form not in ("고", "며") and (after is None or after.tag != "VX"):
            return False
        if part.tag == "VCN" or part.lemma == "싶다":
            return False
    return len(parts) <= 3 * _MOST


#: what a clause that ends a caution may say beside the caution itself
_BARE: Final = frozenset(
    """
    나 저 내 제 이제 인제 지금 요즘 요새 더 이상 더이상 다 싹 이미 벌써 전혀 아예 완전히 완전 진짜 정말 참 사실 하나
    아 오 와 야 응 네 그냥 안 못 알레르기 알러지 앨러지 공포증 공포 병 증 증상 약 질환 진단 판정 음성 완치 극복 완료
    졸업 출산 없다 아니다 괜찮다 무섭다 두렵다 먹다 마시다 복용 하다 않다 못하다
    """.split()
)
#: what is so from now on once it has happened
_CHANGED: Final = frozenset(
    "낫다 없어지다 사라지다 이기다 이겨내다 끊다 그만두다 관두다 끝나다 되다 받다 지다 버리다".split()
)
_ENDINGS: Final = frozenset("어 아 어요 아요 에요 야 다 ᆫ다 는다 습니다 ᆸ니다 음 ᆷ 네 네요 지 지롱 어용".split())
_JOINS: Final = frozenset("어 아 지 어도 아도".split())  #: 없어지다, 무섭지 않아, 먹어도 괜찮아
_MARKS: Final = frozenset(["SF", "SP", "SE", "SW", "W_EMOJI", "XSN", "XSV", "XSA", "VCP"])
_BARE_EN: Final = re.compile(
    r"(?:(?:oh|well|actually|btw|so|and|hey|yes|no|ok) )*(?:i|i['’]?m|i['’]ve|my|not)(?: (?:i|am|have|has|is|are|got|"
    r"do|does|not|no|never|longer|more|any|anymore|now|really|finally|completely|fully|officially|btw|"
    r"(?:is|are|do|does|have|has)n['’]t|off|over|out|of|free|from|an?|the|my|to|allerg(?:y|ic|ies)|phobia|afraid|"
    r"scared|fear|disease|condition|meds?|medication|pills?|diet|gone|cured|healed|recovered|outgrew|outgrown|"
    r"overcame|beat|stopped|quit|taking|eating|grew))*"
)
_QUOTED: Final = re.compile(r"[\"“”„«»『』「」<>{}]|(?<!\w)['‘]|['’](?!\w)")
#: words that say that other words are somebody else's, or are not meant
_NOT_MEANT: Final = re.compile(
    r"드라마|영화|웹툰|만화|애니|소설|노래|가사|[가-힣]?랩\s|대사|번역|영작|예문|문장|단어|연기|역할|배역|콩트|상황극|역극|롤플|"
    r"(?<![A-Za-z])RP|개그|농담|장난|드립|만우절|거짓말|뻥|가정|만약|상상|꿈|기도|소원|따라\s?(?:해|말|써)|복붙|퍼온|전달|공지|"
    r"댓글|밈|프롬프트|시스템|무시해"
    r"|\b(?:movie|drama|show|book|novel|songs?|lyrics?|rap|verse|poem|lines?|script|scene|translat\w+|sentence|phrase|"
    r"rp|role\s?-?play\w*|pretend\w*|imagin\w+|jok(?:e|ing)|kidding|prank|april fool\w*|dream\w*|wish|hope|"
    r"pray|suppose|hypothetic\w*|what if|forward\w*|meme|prompt|system|ignore|repeat after|sa(?:id|ys)|tells?|told|"
    r"wrote|writes?|quote\w*|lied|lying)\b",
    re.IGNORECASE,
)
_APART: Final = re.compile(r"[.!~…\n,;:]+|[ㅋㅎㅠㅜ]{2,}|[\u2600-\u27bf\U0001f300-\U0001faff]+")


def is_direct(text: str, start: int, end: int) -> bool:
    """Whether a message says of a span plainly, as of now, that it is so or is over.

    The clause around it may say nothing else: anything more may make it a wish, a memory or somebody else's words, in
    ways that nobody can list. Nor may the rest of the message say that it is not meant.
    """
    if "?" in text or "？" in text or _QUOTED.search(text) or _NOT_MEANT.search(text) or joking(text):
        return False
    begin = max((stop.end() for stop in _APART.finditer(text, 0, start)), default=0)
    apart = _APART.search(text, end)
    clause = text[begin : apart.start() if apart else len(text)]
    if not has_hangul(clause):
        rest = f"{clause[: start - begin]} {clause[end - begin :]}".lower()
        return _BARE_EN.fullmatch(" ".join(rest.split())) is not None
    parts = [part for part in analyse(clause) if part.start >= end - begin or part.end <= start - begin]
    return all(_is_bare(part, before) for before, part in zip([None, *parts], parts, strict=False))


def _is_bare(part: Morpheme, before: Morpheme | None) -> bool:
    if part.tag in ("EF", "ETN"):
        return part.form in _ENDINGS
    if part.tag == "EC":
        return part.form in _JOINS
    if part.tag == "EP":  # 없었어 tells of then, 나았어 of now
        return part.form in ("었", "았") and before is not None and (before.lemma in _CHANGED or before.tag == "XSV")
    if part.tag[0] == "J":
        return part.tag != "JKQ"
    return part.tag in _MARKS or part.lemma in _BARE or part.lemma in _CHANGED


#: what is said of an illness or a fear that is over
_GONE: Final = frozenset(
    "없다 없어지다 아니다 낫다 사라지다 이기다 이겨내다 끊다 그만두다 관두다 완치 극복 졸업 음성 출산".split()
)
_GONE_EN: Final = re.compile(
    r"\b(?:no longer|not|never|outgrew|outgrown|grew out of|cured|over|overcame|beat|off|without|free of)\b|n['’]t\b",
    re.IGNORECASE,
)


def is_overcome(text: str, start: int, end: int) -> bool:
    """Whether the first thing that the clause says of a span is that it is gone: 천식 완치됐어, off lithium."""
    begin, stop = _clause(text, start, end)
    clause = text[begin:stop]
    if not has_hangul(clause):
        return _GONE_EN.search(clause[: start - begin]) is not None
    for part, after in pairwise([*(each for each in analyse(clause) if each.end > end - begin), None]):
        assert part is not None
        if part.lemma in _GONE:
            return after is None or after.form not in ("지", "줄")  # 낫지 않아
        if part.form in _BEFOREHAND or part.tag in ("VV", "VA"):
            return False
    return False


def is_thought_of(text: str, end: int) -> bool:
    """Whether the sentence goes on after `end` to say that it is only thought of: 그만두고 카페나 차릴까 싶다."""
    rest = text[end : end + _NEAR]
    stop = re.search(r"[.!?\n]", rest)
    return _THOUGHT_OF.search(rest[: stop.start() + 1] if stop else rest) is not None


_VOW: Final = re.compile(r"꼭|약속|다시는|절대|언제나|항상|앞으로|평생|맹세|영원히")
_WILL: Final = re.compile(r"[을할갈줄될볼올킬릴낼살일길쏠걸둘칠뺄쓸끊]게요?$|드릴게요?$")
_POLITE: Final = re.compile(
    r"기억(?:할|해)|말해\s?줄|알려\s?줄|\bremember\b|\btell you\b|\blet you know\b", re.IGNORECASE
)
_PROMISE: Final = re.compile(
    r"^(?:(?:when|if|once) [^,]+,? )?i(?:'ll| will|’ll) (?:never|always|not)\b.*\byou"
    r"|^(?:(?:when|once) .+ )?i(?:'ll| will|’ll) \w+ you\b"
    r"|\bi promise\b|\byou have my word\b",
    re.IGNORECASE,
)


_HELPS: Final = frozenset("주다 드리다 쏘다 지키다 잊다 떠나다".split())


def promises(text: str) -> list[tuple[int, int]]:
    """Return where the speaker promises something to the listener: 꼭 데려갈게, I'll never leave you."""
    found = []
    for sentence in re.finditer(r"[^.!?~…\n]+", text):
        said = sentence[0].strip(" ㅋㅎㅠㅜ^,")
        if len(said) > 2 * _NEAR or _POLITE.search(said):
            continue
        begin = text.find(said, sentence.start())
        if has_hangul(said):
            if _WILL.search(said) and (_VOW.search(said) or any(part.lemma in _HELPS for part in analyse(said))):
                found.append((begin, begin + len(said)))
        elif text[sentence.end() : sentence.end() + 1] != "?" and _PROMISE.search(said):
            found.append((begin, begin + len(said)))
    return found
