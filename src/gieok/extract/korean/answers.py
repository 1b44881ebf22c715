"""Short answers, read with the question before them: "어느 계절 좋아해?" – "가을!", "너 A형이지?" – "ㄴㄴ 오형"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gieok.domain.attributes import attribute
from gieok.domain.turn import Utterance
from gieok.extract.korean.doing_words import doings
from gieok.extract.korean.giving_up import ended_by
from gieok.extract.korean.labels import label_of
from gieok.extract.korean.namelike import is_given_name
from gieok.extract.korean.patterns import Pattern, patterns
from gieok.extract.korean.reading import Finding, found
from gieok.extract.korean.replacing import newly_named
from gieok.extract.korean.romance import attached
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.values import READERS
from gieok.language.clauses import clauses

_YES: Final = re.compile(
    r"^(?:ㅇㅇ+|응+|어|네+|넵|넹|예|맞아|맞아요|맞음|맞습니다|맞지|그래|그럼|당연|당연하지|ㅇㅋ|웅|엉|ㅇ|옙|넴|딩동댕|정답|빙고|ㄹㅇ|어떻게\s?알았)"
    r"(?=$|[\s,.!~ㅋㅎ])"
)
_NO: Final = re.compile(
    r"^(?:ㄴㄴ+|아니|아뇨|아니요|아닌데|아닌데요|아닌디|노노|노|땡|아녀|아니야|아냐|아님|ㄴ|그럴\s?리가|누가\s?그래|무슨\s?소리야|엥|에이|틀렸어|틀림)"
    r"(?=$|[\s,.!~?ㅋㅎ요])[요]?"
)
_FILLER: Final = re.compile(
    r"^(?:음+|어+|글쎄|저요|저는|전|나는|난|나|무조건|당연히|역시|주로|거의|딱|요즘|그냥|아마|이제|지금은|이젠|사실은?|실은|솔직히|있잖아요?|저기요?|아니|아|그거|그건|요즘은"
    r"|요새는|요새|원래|난데|나도|저도)[\s?,.…~]+"
)
_TAIL: Final = re.compile(
    r"(?:[\s~!?.…ㅋㅎㅠㅜ^]+|(?:이에요|예요|이예요|에요|이요|요|이야|야|임|이지|지|입니다|이랄까|랄까"
    r"|이라고 해|라고 해|인데|이고|쪽|정도|이거든|거든|이라니까|라니까|라구요?|이라구요?|이여|여|이다)$)+$"
)
_SPLIT: Final = re.compile(r"[.!?…,\n]|(?<=고)\s+(?=지금|이제|요즘|현재)|(?<=ㅋ)\s|(?<=ㅎ)\s")
_NEVER_SAID: Final = re.compile(
    r"한\s?적\s?없|안\s?했는데|말한\s?적\s?없|옛말|옛날\s?(?:얘기|일|말)|그건\s?(?:예전|옛날|과거)|다\s?지난|예전\s?얘기"
)
_AT_ONCE: Final = re.compile(
    r"^(?:(?:아무\s?)?고민(?:할\s?것)?도\s?(?:없이|안\s?하고|없지)|(?:\d+|일)\s?초도\s?(?:안\s?걸\S*|고민\s?\S{1,4})|두말할\s?것\s?(?:도\s?)?없이"
    r"|(?:물어|말해)\s?(?:뭐해|뭐하\S*|볼\s?것도\s?없이)|생각할\s?것도\s?없이|망설임\s?없이|바로|단연|당근)[\s,.!~ㅋㅎ]+"
)
_HATED: Final = re.compile(
    r"(?:은|는|이|가|을|를|만|만은)?\s(?:진짜|완전|너무|딱|좀|절대)?\s?(?:극혐|질색|싫|별로|못\s?먹|노노|혐오)\S*$"
)
_DISLIKED: Final = re.compile(r"싫|못\s?(?:먹|드시)|질색|별로|안\s?좋아|꺼리|극혐")
_LONGEST: Final = 30
_ANSWERING: Final = frozenset(
    "하다 다니다 먹다 듣다 있다 좋다 좋아하다 무섭다 무서워하다 키우다 싫다 싫어하다 보다 읽다 치다 타다 "
    "살다 가다 이다 나오다 되다".split()
)
_NO_ANSWER: Final = frozenset(
    "아니 맞아 응 왜 뭐 누구 어디 언제 그냥 몰라 비밀 글쎄 없어 아직 진짜 헐 그거 그게 나 저 다 별로 둘 둘다 "
    "그래 안녕 안녕하세요 하이 헬로 hi hello 고마워 미안 미안해 잘자 굿모닝 "
    "사실 사실은 실은 솔직히 솔직히는 저기 저기요 있잖아 있잖아요 근데 그런데 그러니까 뭐랄까 아무튼 어쨌든".split()
)


def question_before(text: str, before: Sequence[Utterance], speaker: str) -> Utterance | None:
    """Return the question that `text` may answer: the last thing said, by somebody else."""
    last = before[-1] if before else None
    if last is None or last.speaker == speaker or len(text) > 4 * _LONGEST or "이상형" in last.text:
        return None
    if not _asks(last.text):
        return None
    return last


def answer(text: str, question: str, guessed: Sequence[Finding], told: frozenset[str]) -> Iterator[Finding]:
    """Read `text` as the answer to `question`.

    `guessed` is what the question takes to be so; `told`: the attributes that were read in the answer already.
    """
    opened = _asked_back(re.sub(r"^(?:나|저요|저|나는)\s*\?\s*", "", text.strip()), question)
    opened = _AT_ONCE.sub("", opened)
    silent = not told
    parts = [part.strip() for part in _SPLIT.split(opened) if part.strip()] or [opened]
    asks_back = opened.startswith(parts[0] + "?")  # 응? 내가 언제
    yes, no = None if asks_back else _YES.match(parts[0]), _NO.match(parts[0])
    over = no is not None or bool(_NEVER_SAID.search(text)) or _over(text, guessed)
    if yes and not over:
        yield from guessed
    elif over:
        yield from (_denied(guess) for guess in guessed)
    asked = clauses(question)
    words = tuple(word for clause in asked for phrase in clause.phrases for word in phrase.words)
    lacking = _LACKING.match(parts[0]) is not None
    told_so = yes or no or lacking or _HAVING.match(parts[0])
    bound = attached(question, denied=over or lacking) if told_so and silent and not guessed else None
    if bound is not None:
        yield bound
        return
    pattern = _guessed_pattern(guessed) or _asked_for(words, question)
    if pattern is None or (guessed and yes) or _OF_ANOTHER.search(question):
        return
    if guessed and not over and not attribute(pattern.attribute).single and guessed[0].value in question:
        return  # 땅콩 알레르기 있다고 했지? – 커피: nothing says that this is another of the kind
    if told and (pattern.attribute in told or not _says_one_word(parts[0], pattern)):
        return
    opening = yes or no
    rest = parts[0] if opening is None else parts[0][opening.end() :].strip(" ,.!~?")
    own = _OF_MYSELF.search(rest)  # AB는 오빠고 나는 B라구
    rest = own["rest"] if own is not None else rest
    tries = [*(() if _NEVER_SAID.search(rest) else (rest,)), *(parts[1:2] if over or not rest else ())]
    yield from _named(tries, pattern, guessed)


_OF_ANOTHER: Final = re.compile(r"이상형|(?:남친|여친|남자친구|여자친구|남편|아내|최애|상대)(?:의|분)?\s")
#: 여친 있어? – 없어
_LACKING: Final = re.compile(r"^(?:아직|지금은|당연히)?\s?없(?:어|음|습니|지|네|는데|다)")
_HAVING: Final = re.compile(r"^(?:당연히)?\s?있(?:어|음|습니|지|네|는데|다)")
_OF_MYSELF: Final = re.compile(r"\S+(?:고|지만|는데|인데)\s(?:나는|난|저는|전)\s(?P<rest>\S{1,12})$")


def _asked_back(text: str, question: str) -> str:
    """Return `text` without the word of the question it opens with: 근무지요? 면세점이에요."""
    echo = re.match(r"(?P<word>[가-힣A-Za-z]{1,8}?)(?:이요|요|은요|는요|은|는)?\?\s*(?=\S)", text)
    return text[echo.end() :] if echo is not None and echo["word"] in question else text


def _says_one_word(said: str, pattern: Pattern) -> bool:
    """Whether an answer opens with nothing but a value: 국문과요.. 놀리지 마세요."""
    word = _bare(said)
    return " " not in word and len(word) <= 12 and not _is_clause(said) and pattern.value != "gender"


def _asked_for(words: Sequence[str], question: str) -> Pattern | None:
    """못 먹는 음식 있어?: what is named then is no favourite."""
    pattern = label_of(words, question)
    if pattern is not None and pattern.attribute.startswith(("favorite.", "likes")) and _DISLIKED.search(question):
        return patterns().by_attribute["dislikes"]
    return pattern


def _named(tries: Sequence[str], pattern: Pattern, guessed: Sequence[Finding]) -> Iterator[Finding]:
    disliked = pattern.attribute == "dislikes"
    hated = [(_HATED.sub("", each) if disliked else each) for each in tries]
    for said in (_spelt(each) if short == each else short for each, short in zip(tries, hated, strict=True)):
        if not said or len(said) > _LONGEST or said in _NO_ANSWER:
            continue
        whole = said.replace(" ", "") not in taste_words().kinds and _is_clause(said)
        moved = newly_named(said, pattern, guessed[0].value) if whole and guessed else None
        if moved is not None:
            yield found(pattern, moved)
            return
        named = _object_of(said) if whole else said
        if pattern.attribute in ("habit", "hobby", "dream"):
            done = next(iter(doings(said)), None)
            named = done.value if done is not None else named
        if named in _NO_ANSWER or (guessed and len(named.split()) > 3):
            continue
        free = pattern.free or pattern.value in ("noun", "name")
        value = READERS[pattern.value](named) or (READERS["noun"](named) if free else None)
        if named and value is not None and value.value not in {guess.value for guess in guessed}:
            called = value.value.removesuffix("이")
            real = pattern.attribute == "nickname" and is_given_name(called)  # 뭐라고 부를까? – 유진이!
            yield (
                found(patterns().by_attribute["name"], READERS["name"](called) or value)
                if real
                else found(pattern, value)
            )
            return


def _guessed_pattern(guessed: Sequence[Finding]) -> Pattern | None:
    return patterns().by_attribute.get(guessed[0].attribute) if guessed else None


def _over(text: str, guessed: Sequence[Finding]) -> bool:
    """요즘도 헬스 다녀? – 그만뒀어."""
    return bool(guessed) and ended_by(clauses(text), guessed[0].attribute)


def _denied(guess: Finding) -> Finding:
    return Finding(
        attribute=guess.attribute, value=guess.value, shown=guess.shown, surface=guess.surface, polarity="-", act="end"
    )


def _asks(said: str) -> bool:
    asking = (
        "말해봐",
        "말해 봐",
        "말해줘",
        "말해 줘",
        "골라줘",
        "알려줘",
        "골라봐",
        "알려 줘",
        "했잖아",
        "지",
        "구나",
        "네",
    )
    return "?" in said or said.rstrip(" .!~").endswith(asking)


def _bare(text: str) -> str:
    """Return an answer without its fillers and endings."""
    said = text
    while (shorter := _FILLER.sub("", said)) != said and shorter:
        said = shorter
    return _TAIL.sub("", said).strip()


def _spelt(text: str) -> str:
    """Return an answer without its fillers and endings, but for those that are part of a thing: 오이요."""
    short = _bare(text)
    whole = re.sub(r"요?[\s~!?.…ㅋㅎㅠㅜ^]*$", "", text)
    whole = whole[whole.find(short) :] if short else whole
    known = whole != short and bool(taste_words().kind_of(whole))
    return whole if known else short


def _object_of(said: str) -> str:
    """Return what an answer in a whole sentence is about: 거의 재즈만 들어요."""
    for clause in clauses(said):
        if clause.predicate is None or clause.predicate.negated or clause.predicate.lemma not in (*_ANSWERING, "이다"):
            if clause.head is None:
                break
            continue  # 어린 왕자 있잖아 begins with what modifies 왕자
        fitting = [
            p for p in clause.phrases if p.pronoun is None and not p.has("에서", "한테", "부터", "까지", "은", "는")
        ]
        if fitting:
            parts = (*fitting[-1].adnominal, *fitting[-1].morphemes)
            return said[min(part.start for part in parts) : max(part.end for part in parts)]
    return ""


def _is_clause(said: str) -> bool:
    """Whether there is a whole sentence in it, which the other rules read better."""
    return any(clause.predicate is not None and clause.predicate.form != "copula" for clause in clauses(said))
