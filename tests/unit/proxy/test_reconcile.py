"""Clients resend, edit, re-roll, delete and shorten; the log becomes what they show, and loses nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.proxy import history
from gieok.proxy.history import Exchange, LoggedTurn, Observation, Plan, client_history, reconcile, similar
from support.clients import Pair, messages

DAY = datetime(2026, 3, 1, tzinfo=UTC)


def logged(*pairs: Pair, first: int = 0) -> list[LoggedTurn]:
    turns = []
    for number, (text, reply) in enumerate(pairs, first):
        said = Exchange(text=text, reply=reply)
        at = DAY + timedelta(minutes=number)
        turns.append(LoggedTurn(id=f"t{number}", at=at, said=said, utterances=(f"t{number}/0",)))
    return turns


def plan(log: list[Pair], shown: list[Pair], pending: str | None = None) -> Plan:
    return reconcile(logged(*log), client_history(messages(shown, pending)))


def pairs(plan: Plan) -> list[tuple[str | None, str | None, str | None]]:
    return [(each.said.text, each.said.reply, each.turn_id) for each in plan.observe]


A, B, C, D, E = [(f"{name} 이야기를 할게", f"{name} 이야기군요") for name in ("가족", "나무", "다람쥐", "라면", "마법")]
GREETING: Pair = (None, "어서 와요, 오늘은 어땠어요?")


def test_a_conversation_that_goes_on_changes_nothing():
    assert plan([A, B], [A, B], "다음 말") == Plan(
        pending=Observation(said=Exchange(text="다음 말")), shown=("t0/0", "t1/0"), matched=2
    )


def test_a_reroll_takes_the_place_of_the_turn_once_it_is_answered():
    found = plan([A, B], [A], B[0])
    assert (found.take_back, found.observe, found.instead_of) == ((), (), ("t1",))
    assert found.pending == Observation(said=Exchange(text=B[0]), turn_id="t1", at=DAY + timedelta(minutes=1))
    assert found.as_of == DAY + timedelta(minutes=1)
    assert found.shown == ("t0/0", "t1/0")
    assert found.lost == 0


def test_after_deleting_the_last_turns_something_new_is_said_now():
    found = plan([A, B, C, D], [A, B], "전혀 다른 말인데")
    assert found.take_back == ("t2", "t3")
    assert found.pending == Observation(said=Exchange(text="전혀 다른 말인데"), turn_id="t2")
    assert found.lost == 2


def test_an_edited_last_reply_is_observed_anew_in_its_place():
    edited = (B[0], "나무가 좋아요")
    found = plan([A, B], [A, edited], "다음")
    assert found.take_back == ("t1",)
    assert found.observe == (
        Observation(said=Exchange(text=edited[0], reply=edited[1]), turn_id="t1", at=DAY + timedelta(minutes=1)),
    )


@pytest.mark.parametrize("shown", ["나무  이야기군요", " 나무 이야기군요\n\n", "나무\n이야기군요"])
def test_a_reply_that_is_laid_out_anew_is_the_same(shown):
    assert plan([A, B], [A, (B[0], shown)], "다음").take_back == ()


def test_what_follows_an_edited_message_is_observed_again_with_its_ids_and_times():
    edited = ("나무 말고 풀 이야기를 할게", B[1])
    found = plan([A, B, C, D], [A, edited, C, D], "다음")
    assert found.take_back == ("t1", "t2", "t3")
    assert pairs(found) == [(*edited, "t1"), (*C, "t2"), (*D, "t3")]
    assert [each.at for each in found.observe] == [DAY + timedelta(minutes=each) for each in (1, 2, 3)]


def test_an_exchange_that_was_put_in_gets_the_time_of_the_next():
    found = plan([A, C], [A, B, C], "다음")
    assert found.take_back == ("t1",)
    assert pairs(found) == [(*B, None), (*C, "t1")]
    assert found.observe[0].at == DAY + timedelta(minutes=1)


MANY: list[Pair] = [(f"{number}번째 말이야", f"{number}번째 대답") for number in range(20)]


@pytest.mark.parametrize(
    ("log", "shown", "taken_back", "observed"),
    [
        ([], [GREETING, A], (), [(*GREETING, None), (*A, None)]),
        ([A, B, C], [D], (), [(*D, None)]),  # nothing in common
        ([A, B, C, A, B], [A, B], (), []),  # what is said twice is found at its last place
        ([A, B, C, D, E], [A, B, D, E], ("t2",), []),  # one exchange was removed
        ([A, B, C, D, E], [A, C, (D[0], "맛있죠"), E], ("t1", "t3", "t4"), [(D[0], "맛있죠", "t3"), (*E, "t4")]),
        ([A, B, C, D], [C, D], (), []),  # a shortened history, …
        ([A, B, C, D], [(None, B[1]), C, D], (), []),  # … which may begin with a reply
        ([A, B, C, D], [("이야기를 할게", B[1]), C, D], (), []),  # … or within a message
        ([GREETING, A, B, C], [GREETING, B, C], (), []),  # … or keep the greeting
        ([GREETING, *MANY], [GREETING, (None, MANY[7][1]), *MANY[8:]], (), []),
        ([B], [(normalize("NFD", B[0]), normalize("NFD", B[1]))], (), []),  # letters put together otherwise
    ],
)
def test_only_what_a_client_changed_is_taken_back_and_observed(log, shown, taken_back, observed):
    found = plan(log, shown, "다음 말")
    assert (found.take_back, pairs(found)) == (taken_back, observed)


@pytest.mark.parametrize("opening", [[GREETING], [A], [GREETING, A]], ids=["greeting", "first", "both"])
@pytest.mark.parametrize("left_out", [1, 2, 10])
def test_a_client_that_keeps_the_opening_of_a_long_talk_takes_nothing_back(opening, left_out):
    found = plan([*opening, *MANY], [*opening, *MANY[left_out:]], "다음")
    assert (found.take_back, found.observe) == ((), ())


def test_an_edit_in_a_shortened_history_leaves_what_is_not_shown():
    edited = ("고친 말이야, 조금", MANY[12][1])
    found = plan(MANY, [edited, *MANY[13:]], "다음")
    assert found.take_back == tuple(f"t{number}" for number in range(12, 20))
    assert pairs(found)[0] == (*edited, "t12")


def test_a_shared_greeting_takes_nothing_back_and_is_not_said_twice():
    found = plan([GREETING, A, B], [GREETING], "처음 뵙겠습니다")
    assert (found.take_back, found.observe, found.instead_of) == ((), (), ())
    assert found.shown == ("t0/0",)


@pytest.mark.parametrize("again", [A[0], "가족 이야기를 할까"])
def test_the_only_exchange_may_be_answered_again_or_edited(again):
    found = plan([GREETING, A], [GREETING], again)
    assert found.instead_of == ("t1",)


def test_another_greeting_comes_before_the_first_words():
    other: Pair = (None, "안녕! 왔구나?")
    found = plan([GREETING, A], [other], A[0])
    assert found.take_back == ("t0", "t1")
    assert pairs(found) == [(*other, "t0")]
    assert found.pending is not None
    assert found.pending.turn_id == "t1"


def test_a_continued_reply_is_begun_by_what_the_client_shows():
    found = reconcile(logged(A, B), client_history(messages([A, (B[0], "나무 이야기군요, 그럼")])))
    assert found.instead_of == ("t1",)
    assert found.pending == Observation(
        said=Exchange(text=B[0], reply="나무 이야기군요, 그럼"), turn_id="t1", at=DAY + timedelta(minutes=1)
    )


def test_an_instruction_behind_the_last_reply_leaves_the_log_alone():
    asked = [*messages([A, B]), {"role": "system", "content": "지금까지의 이야기를 요약해"}]
    found = reconcile(logged(A, B), client_history(asked))
    assert (found.pending, found.take_back, found.observe, found.instead_of) == (None, (), (), ())


@pytest.mark.parametrize("older", [1, 3])
def test_what_is_shown_from_before_the_log_at_hand_stays_as_it_is(older):
    """Of very long talks only the last turns are read; the client shows all of them."""
    before = [(f"옛날 {number}", "그랬죠") for number in range(older)]
    shown = client_history(messages([*before, A, B], "다음 말"))
    found = reconcile(logged(A, B), shown, goes_back=True)
    assert (found.take_back, found.observe, found.shown) == ((), (), ("t0/0", "t1/0"))
    edited = reconcile(
        logged(A, B, C), client_history(messages([*before, ("고친 말", "네"), B, C], "다음 말")), goes_back=True
    )
    assert pairs(edited) == [("고친 말", "네", "t0"), (*B, "t1"), (*C, "t2")]
    assert pairs(reconcile(logged(A, B), shown))[:older] == [(*each, None) for each in before]


@pytest.mark.parametrize(("change", "lost"), [("{} 그치?", 0), ("완전히 다른 이야기", 998)])
def test_a_long_talk_that_was_edited_everywhere_is_weighed_by_a_part_of_it(monkeypatch, change, lost):
    compared = []

    def counted(*given):
        compared.append(given)
        return similar(*given)

    monkeypatch.setattr(history, "similar", counted)
    talk = [(f"{number}번째로 하는 긴 이야기야", f"{number}번째 이야기군요") for number in range(1_000)]
    edited = [talk[0], *((change.format(text), change.format("")) for text, _ in talk[1:-1]), talk[-1]]
    found = plan(talk, edited, "다음 말")
    assert found.lost == lost
    assert len(compared) < 100
    assert len(found.observe) == 999


def test_very_long_talks_are_compared_at_their_ends():
    long = [(f"{number}", f"{number}!") for number in range(1_200)]
    changed = [*long[:600], ("바뀐 말", "바뀐 대답"), *long[601:]]
    found = plan(long, changed, "다음")
    assert found.take_back[0] == "t600"
    assert pairs(found)[0] == ("바뀐 말", "바뀐 대답", "t600")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("나 오늘 학교에서 넘어졌어", "나 오늘 학교에서 넘어졌어!!", True),
        ("나 오늘 학교에서 넘어졌어", "나 어제 학교에서 넘어졌어", True),
        ("나 오늘 학교에서 넘어졌어", "배고파", False),
        ("", "배고파", False),
    ],
)
def test_an_edit_is_told_from_something_else(one, other, same):
    assert similar(one, other) is same


@dataclass
class Story:
    """A client and the log of its session, by the plans alone."""

    client: list[Pair] = field(default_factory=list)
    log: list[LoggedTurn] = field(default_factory=list)
    numbers: count[int] = field(default_factory=count)

    def say(self, text: str, keeps: int | None, reply: str | None) -> None:
        shown = self.client if keeps is None else self.client[-keeps:]
        found = reconcile(self.log, client_history(messages(shown, text)))
        self._apply(found)
        if found.instead_of:
            self.log = [turn for turn in self.log if turn.id not in found.instead_of]
        assert found.pending is not None
        self._observe(Observation(said=Exchange(text=text, reply=reply), turn_id=found.pending.turn_id))
        self.client.append((text, reply))

    def _apply(self, found: Plan) -> None:
        ids = {turn.id for turn in self.log}
        assert {*found.take_back, *found.instead_of} <= ids
        self.log = [turn for turn in self.log if turn.id not in found.take_back]
        for each in found.observe:
            self._observe(each)

    def _observe(self, what: Observation) -> None:
        number = next(self.numbers)
        id = what.turn_id or f"n{number}"
        assert id not in {turn.id for turn in self.log}, "the id of a turn in force is not used again"
        self.log.append(LoggedTurn(id=id, at=what.at or DAY, said=what.said, utterances=(f"{id}/{number}",)))

    @property
    def kept(self) -> list[Pair]:
        return [(turn.said.text, turn.said.reply) for turn in self.log]


TEXTS = st.sampled_from(["응", "그래", "나 고양이 키워", "오늘 비가 와", "배고파", "졸려 죽겠어", "내일 시험이야"])
REPLIES = st.sampled_from(["네.", "그렇군요", "좋아요!", None])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("say"), TEXTS, REPLIES),
        st.tuples(st.just("reroll"), REPLIES),
        st.tuples(st.just("edit text"), st.integers(0, 30), TEXTS),
        st.tuples(st.just("edit reply"), st.integers(0, 30), REPLIES),
        st.tuples(st.just("delete tail"), st.integers(1, 3)),
        st.tuples(st.just("delete"), st.integers(0, 30)),
        st.tuples(st.just("insert"), st.integers(0, 30), TEXTS),
    ),
    max_size=25,
)


@given(STEPS, st.booleans())
def test_whatever_a_client_does_the_log_is_what_it_shows(steps, greeted):
    """Words and replies come again and again here, so that nothing can be told by its words alone."""
    story = Story(client=[GREETING] if greeted else [])
    for number, step in enumerate(steps):
        _step(story, step, number)
        before = story.kept
        common = [pair for pair in story.client if pair[0] and pair in before]
        story.say(f"마지막 {number}", None, "끝.")
        if before and not common:
            spoken = [pair for pair in before if pair[0]]
            assert story.kept[: len(before)] == before or len(spoken) == 1
            return
        kept, hidden = story.kept[-len(story.client) :], story.kept[: -len(story.client)]
        assert kept == story.client
        # What the client no longer shows at its beginning is taken for shortened, never for deleted.
        assert hidden == before[: len(hidden)]


@given(STEPS, st.integers(1, 6))
def test_a_client_that_shortens_loses_nothing_that_it_does_not_show(steps, keeps):
    story = Story()
    for number in range(8):
        story.say(f"처음 {number}", keeps, f"처음 대답 {number}")
    for number, step in enumerate(steps):
        if step[0] == "say":
            story.say(f"{step[1]} {number}", keeps, step[2])
        elif step[0] == "reroll":
            text, _ = story.client.pop()
            assert text is not None
            story.say(text, keeps, f"다시 {number}")
    assert story.kept == story.client


def _step(story: Story, step: tuple, number: int) -> None:
    client = story.client
    match step:
        case ("say", text, reply):
            story.say(text, None, reply)
        case ("reroll", reply) if client and client[-1][0] is not None:
            text, _ = client.pop()
            assert text is not None
            story.say(text, None, reply)
        case ("edit text", at, text) if client and client[at % len(client)][0] is not None:
            client[at % len(client)] = (f"{text} {number}", client[at % len(client)][1])
        case ("edit reply", at, reply) if client and reply and client[at % len(client)][1] is not None:
            client[at % len(client)] = (client[at % len(client)][0], f"{reply} {number}")
        case ("delete tail", size):
            del client[max(len(client) - size, 1) :]
        case ("delete", at) if len(client) > 3:
            # What is missing at the beginning, or right behind it, is what shortened histories lack.
            del client[3 + at % (len(client) - 3)]
        case ("insert", at, text):
            client.insert(min(1 + at % 5, len(client)), (f"{text} {number}", "넣은 말"))
