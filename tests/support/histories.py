"""Random histories of one mind, and what is left of them: ids are told by the step that made them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

import gieok
from gieok.domain.claim import Claim, Saying, claim_id
from gieok.domain.memory import NOTHING_KNOWN, Memory, by_truth
from gieok.domain.model_conclusions import THOUGHTS, Conflict, Evidence, Insight, Retelling, evidence_for
from gieok.domain.operation import Direct, Learn, Think
from gieok.domain.relationship import Axis
from gieok.domain.scene import Scene
from gieok.domain.state import KINDS, Delta, Move, StateRecord
from gieok.domain.turn import Turn, Utterance
from gieok.domain.upkeep import PASSES
from gieok.errors import UnknownMemory, UnknownPerson
from gieok.extract.reader import Reader
from gieok.observe.noticed import Acquaintance
from gieok.ports import MemoryFilter
from gieok.testing import FixedClock, day
from support.models import director, ponderer

THEMES = {
    "facts": (
        "나 스물다섯 살이야", "아니, 스물여섯 살이야", "나 서울에 살아", "나 부산으로 이사했어", "나 간호사야",
        "직업은 개발자예요", "I live in Busan", "I moved to Seoul last month",
    ),
    "tastes": (
        "나 고양이 좋아해", "요즘은 강아지가 더 좋아", "나 고양이 싫어해", "나 땅콩 알레르기 있어",
        "땅콩 알레르기 있다는 건 뻥이야", "I love cats", "코코가 아파서 너무 슬퍼",
    ),
    "people": (
        "오늘 수진이랑 같이 영화 봤어", "수진이는 정말 착해", "지훈이 때문에 너무 짜증나", "우리 아빠는 선생님이야",
        "우리 강아지 이름은 코코야", "My friend Jane is so kind", "내 이름은 김민수야", "My name is Minsu",
    ),
    "the two": (
        "고마워, 네 덕분에 힘이 났어", "너 정말 멋지다", "넌 진짜 바보야, 꺼져", "미안해, 내가 잘못했어",
        "내일 영화 보러 가기로 약속할게", "Thanks, you are the best", "You are an idiot", "우리 말 놓자",
        "존댓말 써 주세요", "누나라고 불러 줘", "안녕하세요, 오늘도 좋은 하루 보내세요",
        "네, 저도 그렇게 생각해요", "야, 뭐 해?",
    ),
    "scenes": (
        "우리 카페에서 만났네", "공원으로 가자", "지금 학교 도서관에 왔어", "오늘 날씨 좋다", "이제 갈게, 잘 자",
    ),
    "events": (
        "그날 한강에서 자전거를 탔어", "그날 한강에서 자전거를 또 탔어", "그날 밤에 한강에서 자전거를 탔어",
        "그날 아침에 한강에서 자전거를 탔어", "그날 작은 책방에서 시집을 샀어", "그날 시험을 망쳐서 하루 종일 울었어",
    ),
}  # fmt: skip
LINES = tuple(line for lines in THEMES.values() for line in lines)
REPLIES = (
    "저도 고양이 좋아해요!", "그래, 우리 말 놓자.", "응, 알았어.", "*환하게 웃으며* 정말 기뻐요!", "흥, 너무해요.",
    "수진 씨는 좋은 사람이네요.", "잘 자요, 내일 봐요.",
)  # fmt: skip
NOTES = (
    "한강에서 자전거를 탔다", "한강에서 자전거를 또 탔다", "한강에서 자전거를 탔다고 한다", "작은 책방에서 시집을 샀다",
    "비 오는 날을 좋아하는 것 같다",
)  # fmt: skip
CORRECTIONS = ("대전에 살아", "스물일곱 살이야", "한강에서 자전거를 탔다", "강아지를 아주 좋아함", "수진이와 다퉜다")
NAMES = ("수진", "지훈", "아빠", "코코", "Jane", "강아지")
SESSIONS = (None, None, None, "아침", "저녁")
GAPS = (1, 1, 5, 30, 90, 60 * 24, 60 * 24 * 8, -60 * 5)  # minutes; the last: told late
_TOLD = "그날 "
_PLACES = 3  # surprise goes by cosines, and a store may keep vectors in half precision


class Unaware(Reader):
    """Reads every turn by its own words, and a line that begins with 그날 as an event besides.

    A rewind keeps what survivors were once read to mean. Reading them anew with other facts known may give another
    meaning, and that is not what is tested here. The rules give few events without an attribute, which upkeep merges
    and prunes: hence those of 그날.
    """

    def claims(self, turn: Turn, scope: gieok.Scope, before: Sequence[Utterance], *_: object) -> Sequence[Claim]:
        read = list(super().claims(turn, scope, (), NOTHING_KNOWN))
        return read + [_event(each) for each in turn.utterances if each.text.startswith(_TOLD)]


def _event(utterance: Utterance) -> Claim:
    return Claim(
        id=claim_id(utterance.id, 99),
        speaker=utterance.speaker,
        subject="user",
        subject_id="user",
        content=utterance.text.removeprefix(_TOLD),
        content_type="event",
        importance=0.8,
        source_id=utterance.id,
    )


def nobody_known(*_: object) -> Acquaintance:
    """Stand in for `observing.acquaintance`, for the same reason."""
    return Acquaintance(known={}, user=("minsu",), character=("letia",), called=())


@dataclass(frozen=True, kw_only=True)
class Step:
    """Something that was done, with everything settled by which it can be done again elsewhere."""

    number: int
    at: datetime
    do: Callable[[History, datetime], object]
    turn_id: str | None = None
    after: str | None = None  #: the turn that it is a consequence of


@dataclass(kw_only=True)
class History:
    """One mind, the steps that are in force, and whose ids are whose."""

    mind: gieok.Mind
    clock: FixedClock
    steps: list[Step] = field(default_factory=list)
    made: dict[str, str] = field(default_factory=dict)  #: the beginning of an id → the step that made it

    def take(self, step: Step) -> None:
        """Do `step`; one about somebody or something that is not there does nothing."""
        self.clock.set(step.at)
        before = len(self.mind.journal())
        with suppress(UnknownMemory, UnknownPerson):
            step.do(self, step.at)
        self.steps.append(step)
        for operation in self.mind.journal()[before:]:
            self.made[operation.id] = f"step {step.number}"
            claims = operation.request.claims if isinstance(operation.request, Learn) else ()
            for position, claim in enumerate(claims):
                if claim.source_id is None:
                    self.made[claim.id] = f"step {step.number} claim {position}"
        if step.turn_id is not None:
            [turn] = [turn for turn in self.mind.turns(10_000) if turn.id == step.turn_id]
            for utterance in turn.utterances:
                self.made[utterance.id] = f"step {step.number} line {utterance.position}"

    def rewind(self, turn_id: str, *, following: bool) -> None:
        taken = set(self.mind.rewind(turn_id, following=following, at=self.mind.turns(1)[-1].at))
        expected = [step.turn_id for step in self.steps if step.turn_id]
        gone = expected[expected.index(turn_id) :] if following else [turn_id]
        assert taken == set(gone)
        self.steps = [step for step in self.steps if step.turn_id not in taken and step.after not in taken]

    def named(self, public_id: str) -> str:
        """Return an id as every run of the same steps calls it."""
        for beginning, name in self.made.items():
            if public_id.startswith(beginning):
                return name + public_id.removeprefix(beginning)
        return public_id

    def memories(self, *, hidden: bool = True) -> list[Memory]:
        with self.mind._bank.store.view(self.mind.key) as view:
            return view.memories(MemoryFilter(include_hidden=hidden))

    def find(self, name: str, saying: Saying) -> str:
        """Return the id of the memory of that name, or of the newest visible one that says the same."""
        known = self.memories()
        for memory in known:
            if self.named(memory.id) == name:
                return memory.id
        alike = [memory for memory in known if memory.saying == saying and not memory.hidden]
        if not alike:
            raise UnknownMemory(name)
        return max(alike, key=by_truth).id

    def state(self) -> dict[str, Any]:
        """Return all that a mind is made of."""
        mind = self.mind
        with mind._bank.store.view(mind.key) as view:
            things = {key: _nameless(thing) for key, thing in view.state_records().items()}
            moves = {
                kind: [
                    (each.at, each.turn_id, each.turn_number, _nameless_move(each.move)) for each in view.moves(kind)
                ]
                for kind in KINDS
            }
            counts = view.counts(learned_since=2, said_since=2)
        known = sorted(map(self._told, self.memories()), key=lambda memory: memory.id)
        return {
            "turns": [(turn.number, turn.id, [line.text for line in turn.utterances]) for turn in mind.turns(1_000)],
            "memories": {memory.id: memory for memory in known},
            "facts": [self._told(memory) for memory in sorted(mind.facts(as_of=LATE), key=by_truth)],
            "things": things,
            "moves": moves,
            "counts": counts,
            "relationship": mind.relationship(),
            "manners": mind.manners(),
            "scenes": list(map(_nameless, mind.scenes())),
            "emotions": mind.emotions(),
            "entities": mind.entities(),
            "found": sorted(hit.text for query in QUERIES for hit in mind.recall(query, k=60, at=LATE)),
        }

    def _told(self, memory: Memory) -> Memory:
        return replace(
            memory,
            id=self.named(memory.id),
            importance=round(memory.importance, _PLACES),
            strength=round(memory.strength, _PLACES),
            sources=tuple(map(self.named, memory.sources)),
            made_from=tuple(map(self.named, memory.made_from)),
            closed_by=None if memory.closed_by is None else self.named(memory.closed_by),
        )


def _nameless(thing: StateRecord | None) -> StateRecord | None:
    """Return a scene without its id, which comes from the operation that started it."""
    return replace(thing, id="") if isinstance(thing, Scene) else thing


def _nameless_move(move: Move) -> Move:
    return replace(move, before=_nameless(move.before), after=_nameless(move.after))


LATE = day(500)
QUERIES = ("고양이 강아지 서울 부산 한강 자전거", "수진이 지훈이 코코", "나이 직업 이름")


def observing(number: int, at: datetime, turn_id: str, text: str, reply: str | None, session: str | None) -> Step:
    def do(history: History, at: datetime) -> object:
        return history.mind.observe(text, reply=reply, at=at, session=session, turn_id=turn_id)

    return Step(number=number, at=at, do=do, turn_id=turn_id)


def remembering(number: int, at: datetime, content: str) -> Step:
    return Step(number=number, at=at, do=lambda history, at: history.mind.remember(content, type="event", at=at))


def editing(history: History, number: int, at: datetime, which: int, what: str, words: str) -> Step | None:
    """Return a step that changes one of the memories that are known now."""
    known = history.memories(hidden=False)
    if not known:
        return None
    memory = known[which % len(known)]
    name, saying = history.named(memory.id), memory.saying

    def do(other: History, at: datetime) -> object:
        memory_id = other.find(name, saying)
        if what == "correct":
            return other.mind.correct(memory_id, words, at=at)
        if what == "forget":
            return other.mind.forget(memory_id, at=at)
        return other.mind.pin(memory_id, what == "pin", at=at)

    return Step(number=number, at=at, do=do)


def telling(number: int, at: datetime, what: str, name: str, other_name: str) -> Step:
    def do(history: History, at: datetime) -> object:
        tell = history.mind.same_person if what == "same" else history.mind.different_people
        return tell(name, other_name, at=at)

    return Step(number=number, at=at, do=do)


def staging(number: int, at: datetime, place: str | None) -> Step:
    def do(history: History, at: datetime) -> object:
        return history.mind.end_scene(at) if place is None else history.mind.start_scene(place=place, at=at)

    return Step(number=number, at=at, do=do)


def keeping(number: int, at: datetime, passes: Iterable[str]) -> Step:
    wanted = [name for name in PASSES if name in set(passes)]
    return Step(number=number, at=at, do=lambda history, at: history.mind.maintain(passes=wanted, at=at))


def thinking(history: History, number: int, at: datetime, picks: Sequence[int], kinds: Iterable[str]) -> Step | None:
    """Return a step in which a model has thought of memories that are known now: all by the names that they go by."""
    known = history.memories(hidden=False)
    if not known:
        return None
    picked = [known[pick % len(known)] for pick in picks]
    one, other = picked[0], picked[-1]
    newer, older = (one, other) if one.valid_at > other.valid_at else (other, one)
    think = Think(
        insights=(
            Insight(
                content=f"{number}번째로 깨달은 것",
                about="취향",
                grounds=tuple(map(evidence_for, dict.fromkeys(picked))),
            ),
        ),
        retellings=(Retelling(content=f"{number}번째로 다시 한 말", ground=evidence_for(one)),),
        conflicts=(Conflict(newer=evidence_for(newer), older=evidence_for(older)),),
        over=THOUGHTS,
    )
    wanted = {f"{kind}s": () for kind in ("insight", "retelling", "conflict") if kind not in set(kinds)}
    think = replace(think, **wanted)
    named = {memory.id: history.named(memory.id) for memory in picked}

    def do(other: History, at: datetime) -> object:
        ids = {other.named(memory.id): memory.id for memory in other.memories()}
        translated = _renamed(think, {each: ids.get(name, "gone") for each, name in named.items()})
        return ponderer(other.mind._bank).keep(other.mind.key, translated, who="reflect/1 scripted", at=at)

    return Step(number=number, at=at, do=do)


def _renamed(think: Think, ids: Mapping[str, str]) -> Think:
    def of(ground: Evidence) -> Evidence:
        return replace(ground, memory_id=ids[ground.memory_id])

    return replace(
        think,
        insights=tuple(replace(each, grounds=tuple(map(of, each.grounds))) for each in think.insights),
        retellings=tuple(replace(each, ground=of(each.ground)) for each in think.retellings),
        conflicts=tuple(replace(each, newer=of(each.newer), older=of(each.older)) for each in think.conflicts),
    )


def directing(history: History, number: int, at: datetime, axis: Axis, points: float) -> Step | None:
    """Return a step in which a director leaves a note after the last turn."""
    turns = history.mind.turns(1)
    if not turns:
        return None
    turn_id = turns[-1].id
    direct = Direct(note=f"{number}번째 메모", deltas=(Delta(axis=axis, points=points, words="분위기가 달라졌다"),))

    def do(other: History, at: datetime) -> object:
        [turn] = other.mind.turns(1)
        assert turn.id == turn_id
        return director(other.mind._bank).leave(other.mind.key, turn, direct, who="director/1 scripted")

    return Step(number=number, at=at, do=do, after=turn_id)


def moment_after(at: datetime, gap: int) -> datetime:
    return max(day(1), at + timedelta(minutes=gap))
