"""Whether a sentence asks: by its ending, by a question word in its reach, or by asking to be told.

Chat leaves the question mark out, so that the words have to say it. What only the voice tells apart ("밥 먹었어" with
or without a rise, "누가 왔어") is read as told.
"""

from __future__ import annotations

from typing import Final

from gieok.language.mood_closing import Closing
from gieok.language.mood_question_words import asked_about, asked_words, is_question_word
from gieok.language.mood_requests import asks_a_favour, asks_to_be_told, speaker_is_named

#: endings that ask by themselves
_ASKING: Final = frozenset(
    "니 냐 까 ㄹ까 을까 나 ㄴ가 은가 는가 던가 ㄴ감 는감 ㅂ니까 습니까 ㄹ래 을래 려나 으려나 ㄹ라나 을라나 노 "
    "대니 ㄴ대니 는대니 래니".split()
)
#: endings that ask where a question word is in reach
_ASKING_WITH_WORD: Final = frozenset(
    "어 야 지 던 더라 다더라 라더라 ㄴ다더라 래 대 ㄴ대 는대 ㄴ데 는데 은데 던데 ㄴ지 는지 은지 ㄹ지 을지 "
    "다고 라고 ㄴ다고 는다고 고 게 려고 으려고 세요 ㅁ 음".split()
)
#: with a question mark these still tell: AB형일걸?, B형이라던데?
_TELLING_WITH_MARK: Final = frozenset(
    "ㄹ걸 을걸 라던데 다던데 ㄴ다던데 는다던데 라더라 다더라 ㄴ다더라 거든 잖아".split()
)
_CONFIRMING: Final = frozenset("맞다 괜찮다 지내다".split())  # 맞지, 괜찮죠, 잘 지내지
_LISTENER: Final = frozenset("너 당신 너희".split())
_TOPIC: Final = frozenset("은 는 ㄴ".split())


def asks(close: Closing, mark: str = "") -> bool:
    """Say whether the sentence that closes so wants an answer."""
    if asks_to_be_told(close):
        return True
    if asks_a_favour(close):
        return False
    if mark.startswith("?"):
        return close.ending not in _TELLING_WITH_MARK
    if not close.lemma:
        return _noun_asks(close)
    if close.ending in _ASKING:
        return not (speaker_chooses(close) or _only_joins(close))
    if close.ending in _ASKING_WITH_WORD and asked_about(close):
        return True
    return _turns_to_listener(close)


def speaker_chooses(close: Closing) -> bool:
    """Say whether 을래 is the speaker's own choice, not a question: 난 이거 먹을래."""
    return close.ending in ("ㄹ래", "을래") and speaker_is_named(close.before) and not asked_about(close)


def _only_joins(close: Closing) -> bool:
    """Whether 니 or 나 belongs to what would follow, or is no ending at all: 하다 보니, 두드러기 나."""
    if close.ending == "나" and close.tag == "VCP":
        return not close.past
    if close.ending not in ("니", "나"):
        return False
    return close.ends_in_connective and close.helped_by("보다") and close.tail_has("다", "고")


def _noun_asks(close: Closing) -> bool:
    words = close.words
    if len(words) < 2:
        return bool(words) and is_question_word(words[0]) and words[0].tag in ("NP", "MAG")
    if asked_words(words):
        return True
    last, before = words[-1], words[-2]
    if last.tag == "JX" and last.form in _TOPIC and before.tag in ("NNG", "NNP"):  # 하늘이 파란 이유는
        return any(part.tag in ("ETM", "JKG") for part in words[:-2])
    return last.form == "아니" and before.form in ("을", "를")  # 나이를 아니: so Kiwi reads 알 + 니


def _turns_to_listener(close: Closing) -> bool:
    """Whether the sentence asks for the listener's yes: 너 고양이 좋아하지, 이거 맞죠, 혹시 봤어."""
    if close.ending in ("어", "야", "지") and any(part.form == "혹시" for part in close.before):
        return True
    if close.ending != "지":
        return False
    to_listener = bool(close.before) and close.before[0].tag == "NP" and close.before[0].form in _LISTENER
    return to_listener or close.lemma in _CONFIRMING
