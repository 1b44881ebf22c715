"""Random histories for property tests: what people might say, correct, pin, forget and take back."""

from datetime import datetime
from random import Random

from hypothesis import strategies as st

from gieok.domain.claim import Claim
from gieok.domain.decision import Decision
from gieok.domain.judgement import Beliefs, Moment, Policy, judge
from gieok.domain.memory import Memory
from gieok.domain.operation import Amend, Confirm, Hide, Learn, Operation, Pin, Reject, Request, Restore
from gieok.testing import claim, day, note
from gieok.testing.builders import WALL, memory

POLICY = Policy()
NOW = 100  #: the day on which the first operation of a history happens; claims may reach back from it

VALUES = {
    "residence": ("서울", "부산", "제주"),
    "age": ("25", "26"),
    "likes": ("고양이", "강아지", "떡볶이"),
    "dislikes": ("고양이", "오이"),
    "favorite.animal": ("고양이", "강아지"),
}
CLASSES = {"고양이": "animal", "강아지": "animal", "떡볶이": "food", "오이": "food"}
ACTS = ("assert", "prefer", "correct", "end", "retract")
EVENTS = ("같이 별을 봤다", "첫눈이 왔다", "시험을 망쳤다")


def moment(when: float = NOW, *, turn_number: int = 1) -> Moment:
    return Moment(at=day(when), recorded_at=WALL, turn_number=turn_number)


def told(*claims: Claim, beliefs: Beliefs | None = None, at: float = NOW) -> tuple[Beliefs, list[Decision]]:
    """Judge `claims`, each on a day of its own from `at` on; return what is believed then, and the decisions."""
    known = beliefs or Beliefs()
    decisions = [judge([each], known, moment(at + i), POLICY)[0] for i, each in enumerate(claims)]
    return known, decisions


def as_said(words: str) -> Claim:
    """Return the claim that a row of tests/data/rows/domain_judgement.txt tells."""
    first, *more = words.split()
    attribute, _, value = first.partition("=")
    fields: dict[str, object] = {}
    for word in more:
        kind, _, told = word.partition(":")
        match word[0]:
            case "-":
                fields["polarity"] = "-"
            case "#":
                fields["id"] = word[1:]
            case "@":
                fields["valid_at"] = day(float(word[1:]))
            case ".":
                fields["invalid_at"] = day(float(word[2:]))
            case "/":
                fields["value_class"] = word[1:]
            case _ if kind == "of":
                fields |= {"subject": "other", "subject_id": told}
            case _ if told:
                names = {"not": "instead_of", "by": "speaker", "sure": "certainty", "from": "source_id"}
                fields[names.get(kind, kind)] = float(told) if kind == "sure" else told
            case _:
                fields["act"] = word
    return claim(attribute, value, **fields)


def operation(number: int, request: Request, *, at: float | None = None) -> Operation:
    """Return operation `number` of a history, not carried out yet."""
    kinds = {Learn: "observe", Amend: "correct", Restore: "correct", Pin: "pin", Hide: "forget"}
    kinds |= {Confirm: "confirm", Reject: "reject"}
    return Operation(
        id=f"o{number}",
        kind=kinds[type(request)],
        moment=moment(NOW + number if at is None else at),
        who="person",
        request=request,
    )


@st.composite
def claims(draw, id: str, *, attributes=tuple(VALUES), acts=ACTS, polarities="+-", events=True) -> Claim:
    """Something said on day `NOW` or later, mostly of that day, now and then of an earlier one."""
    if events and draw(st.integers(0, 5)) == 0:
        return note(draw(st.sampled_from(EVENTS)), id=id, importance=draw(st.sampled_from((0.2, 0.8))))
    attribute = draw(st.sampled_from(attributes))
    value = draw(st.sampled_from(VALUES[attribute]))
    return claim(
        attribute,
        value,
        id=id,
        act=draw(st.sampled_from(acts)),
        polarity=draw(st.sampled_from(polarities)),
        value_class=CLASSES.get(value),
        instead_of=draw(st.none() | st.sampled_from(VALUES[attribute])),
        speaker=draw(st.sampled_from(("user", "user", "user", "character"))),
        certainty=draw(st.sampled_from((1.0, 1.0, 0.3))),
        valid_at=draw(st.none() | st.integers(0, NOW).map(day)),
        doubtful=draw(st.sampled_from((False, False, False, True))),
    )


@st.composite
def histories(draw, *, most: int = 12, edits: bool = True, **about) -> list[Operation]:
    """Operations that were asked for, in order; edits name memories that may or may not have come to be."""
    asked = []
    made: list[str] = []
    first: dict[str, Memory] = {}
    for number in range(draw(st.integers(1, most))):
        if edits and made and draw(st.integers(0, 3)) == 0:
            memory_id = draw(st.sampled_from(made))
            request = draw(
                st.sampled_from(
                    (
                        Pin(memory_id=memory_id, pinned=True),
                        Pin(memory_id=memory_id, pinned=False),
                        Confirm(memory_id=memory_id),
                        Reject(memory_id=memory_id),
                        Hide(memory_id=memory_id),
                        Amend(memory_id=memory_id, content="바로잡은 말"),
                        Restore(memory_id=memory_id, to=first[memory_id]),
                    )
                )
            )
        else:
            ids = [f"c{number}{letter}" for letter in "ab"[: draw(st.integers(1, 2))]]
            said = tuple(draw(claims(id, **about)) for id in ids)
            used = tuple(draw(st.lists(st.sampled_from(made), max_size=1))) if made else ()
            request = Learn(claims=said, used=used)
            made += ids
            first |= {each.id: _as_told(each, number) for each in said}
        asked.append(operation(number, request))
    return asked


def _as_told(each: Claim, number: int) -> Memory:
    """Return the memory that a claim gave if nothing stood against it."""
    names = ("id", "speaker", "subject", "subject_id", "attribute", "value", "value_class", "polarity", "invalid_at")
    said = {name: getattr(each, name) for name in names}
    return memory(each.content, **said, valid_at=each.valid_at or day(NOW + number))


def alike(history: list[Operation], seed: int) -> dict[tuple[str, str], float]:
    """Return how alike the free claims of `history` are, in a few steps, so that there are ties."""
    free = [
        each.id for op in history if isinstance(op.request, Learn) for each in op.request.claims if not each.attribute
    ]
    dice = Random(seed)
    return {(one, other): dice.choice((0.2, 0.7, 0.9)) for one in free for other in free if one != other}


def true_values(memories: dict[str, Memory], attribute: str, moment: datetime) -> list[str | None]:
    """Return the positive values of `attribute` that are firmly true of the user at `moment`, in no order."""
    firm = (each for each in memories.values() if not each.doubtful)
    return [
        each.value for each in firm if each.attribute == attribute and each.polarity == "+" and each.true_at(moment)
    ]
