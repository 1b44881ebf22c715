"""Whose fact it is, where the talk leaves no doubt: who was asked about, who is called by a name, who is in focus."""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass, replace
from typing import Final

from gieok.domain.claim import Subject
from gieok.domain.memory import Background
from gieok.domain.turn import CHARACTER, USER, Utterance
from gieok.extract.learned.reader import mentioned
from gieok.extract.values import asked_for, kind_of
from gieok.language.people import PEOPLE_WORDS

_HONOURED: Final = {
    "따님": "딸", "아드님": "아들", "남편분": "남편", "아내분": "아내", "동생분": "동생", "어머님": "엄마",
    "아버님": "아빠",
}  # fmt: skip
_KIN: Final = (*_HONOURED, *sorted(PEOPLE_WORDS.kin, key=len, reverse=True))
_PARTICLES: Final = "(?:님|분)?(?:은|는|이|가|의|을|를|도|한테|에게|이?랑|하고|네)?"
STOP: Final = re.compile(r"[.!?~…\n]+|(?<=[ㅋㅎㅠㅜ])\s")
_ASKS: Final = re.compile(r"(?<!까요)(?<!까)\?[\s)~!]*$")  #: a question; 무슨 이야기를 할까요? is an offer
_WH: Final = re.compile(
    r"뭐|뭘|무엇|무슨|어디|언제|누구|누가|몇|얼마|어떤|어느|이름|성함|나이|직업|전공|취미|생일|혈액형|MBTI|연세"
    r"|있어|있나|있으|좋아하는|\b(?:what|where|when|who|which|how|any|your)\b",
    re.IGNORECASE,
)  #: what asks for a value, not for a yes
_TALK: Final = re.compile(r"얘기|이야기|말씀|\btalk\b|\btell me\b", re.IGNORECASE)  #: it is asked about the talk itself
_TAG: Final = re.compile(r"(?:\bright|맞(?:아|죠|지|나)\S*|그치|그렇죠|그죠)\s*\?", re.IGNORECASE)  #: asks for a yes
_TITLE: Final = re.compile(r"대리|과장|부장|팀장|사장|실장|이사|선생|교수|원장|선배|사원")  #: 코코 대리님 is not 코코
_I_MYSELF: Final = re.compile(
    r"(?:^|[\s,])(?:나|난|나는|내가|내|저|전|저는|제가|제|나도|저도|나한테|저한테|나보고|저보고|i|i'm|i’m|my|me)(?=[\s,]|$)",
    re.IGNORECASE,
)
_HEARSAY: Final = re.compile(r"(?<![원오노빨그아미고모])래요?[\s.!~ㅠㅜ]*$|(?<![군침상기])대요?[\s.!~ㅠㅜ]*$")
#: somebody reports what is so of whom they speak: a vet or a doctor, mostly
_REPORTED: Final = re.compile(
    rf"{_HEARSAY.pattern}|[다라]고\s?(?:하[셨시더던네]|그러|그랬|진단|나왔)|진단\s?(?:받|나왔)|말라(?:고|셔|네|던)"
    r"|(?:의사|쌤|선생님|원장님)\S{0,4}\s(?:\S{1,12}\s){0,6}\S{0,12}[다라]고\s?했"
    r"|\b(?:vet|doctor|doc|gp|they|she|he) (?:said|says|told|thinks)\b|\bdiagnos\w+|\bturns out\b",
    re.IGNORECASE,
)
_CLINIC: Final = re.compile(r"병원|의사|의원|진료|검사|입원|\b(?:vet|vet's|clinic|hospital|doctor)\b", re.IGNORECASE)
_I_AM: Final = re.compile(r"(?:나는|난|저는|전)\s")
_SHORT: Final = 120  #: letters
_HELD_FOCUS: Final = 4  #: utterances back in which somebody stays in focus


@dataclass(frozen=True, slots=True)
class Talk:
    """One utterance with what was said before it and who is known."""

    utterance: Utterance
    before: tuple[Utterance, ...]
    people: tuple[str, ...]  #: known by name, the latest first
    background: Background
    character: str

    def subject(self, holder: str, named: Set[str]) -> tuple[Subject, str]:
        """Return who is meant by `holder`; `named` are the words that name people of the user in the same utterance."""
        if holder == USER or (holder in self.background.names and holder not in named):
            return "user", USER
        if holder in (CHARACTER, self.character):
            return "character", self.character
        if holder == self.utterance.speaker:
            return "other", holder
        if holder in self.background.aliases:
            return "other", self.background.aliases[holder]
        for known in self.people:
            within = min(len(known), len(holder)) > 1 and (known in holder or holder in known)
            if known == holder or (within and not _TITLE.search(holder.removeprefix(known))):
                return "other", self.background.aliases.get(known, known)
        return "other", holder

    def asked_of(self) -> str:
        """Return of whom the character has just asked for a value; "": she has asked nothing."""
        question = self._question()
        if question is None:
            return ""
        said = self.before[-1].text
        if not (_WH.search(said) or asked_for(question.text)) or _TALK.search(said) or _TAG.search(said):
            return ""
        kin = _kin_in(question.text)
        others = kin[:1] or [each for each in mentioned(question) if each not in self.background.names]
        return _HONOURED.get(others[0], others[0]) if len(others) == 1 else USER

    def asked_attribute(self) -> str:
        """Return the attribute that the character has just asked for: 나이가 어떻게 되세요?; "" if no word says so."""
        question = self._question()
        return asked_for(question.text) if question is not None and self.asked_of() else ""

    def _question(self) -> Utterance | None:
        """Return the last sentence of what the character has just said, if it asks something."""
        last = self.before[-1] if self.before else None
        if last is None or last.speaker != CHARACTER:
            return None
        stop = max((each.end() for each in STOP.finditer(last.text, 0, len(last.text.rstrip("?!~. ")))), default=0)
        question = last.text[stop:]
        asks = _ASKS.search(question) or ("?" in question and asked_for(question))  # 뭐라고 불러드릴까요?
        return replace(last, text=question) if asks else None

    def reported_of(self, sentence: str) -> str:
        """Return of whom a sentence reports what a vet or a doctor has said: whoever the talk is about.

        "" where the speaker names themselves, nothing is reported or several may be meant.
        """
        if _I_MYSELF.search(sentence) or not _REPORTED.search(sentence):
            return ""
        told = [
            each for each in (*self.before[-_HELD_FOCUS:], self.utterance) if each.speaker == self.utterance.speaker
        ]
        for utterance in reversed(told):
            names = self._others_in(utterance)
            if names:
                return names[0] if len(names) == 1 else ""
            if utterance is not self.utterance and _I_MYSELF.search(utterance.text) and _CLINIC.search(utterance.text):
                return ""  # 나 병원 갔다왔어: the speaker is the patient
        return ""

    def is_of_oneself(self) -> bool:
        """Whether a short utterance begins with 나는 or 저는 and names nobody else."""
        text = self.utterance.text
        return len(text) <= _SHORT and _I_AM.match(text) is not None and not self._others_in(self.utterance)

    def _others_in(self, utterance: Utterance) -> list[str]:
        """Return who else an utterance speaks of, an animal by its name where it has one."""
        kin = _kin_in(utterance.text)
        known = [each for each in self.people if len(each) > 1 and each in utterance.text]
        called = (*mentioned(utterance), *known, *(_HONOURED.get(each, each) for each in kin[:1]))
        found = [self.subject(each, frozenset()) for each in called]
        names = list(dict.fromkeys(name for subject, name in found if subject == "other"))
        return [name for name in names if kind_of(name) != "animal"] or names


def _kin_in(text: str) -> list[str]:
    return [word for word in _KIN if word in text and re.search(rf"(?<![가-힣]){word}{_PARTICLES}(?![가-힣])", text)]


def is_hearsay(sentence: str) -> bool:
    """Whether somebody else said so, and it is not said of whom: 신부전이래요."""
    return _HEARSAY.search(sentence) is not None and _I_MYSELF.search(sentence) is None
