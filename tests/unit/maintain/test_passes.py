"""What holds for every pass: the same ground gives the same decisions, and twice in a row changes nothing."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gieok.domain.upkeep import PASSES, UpkeepRules, is_protected
from gieok.maintain.maintainer import PASS_FUNCTIONS as DOING
from gieok.testing.builders import day, memory
from unit.maintain.grounds import Field, episode, moment, turn_of

CONTENTS = [
    "커피를 마셨다",
    "카페에서 커피를 마셨다",
    "엄마랑 싸웠다",
    "아빠랑 싸웠다",
    "커피를 안 마셨다",
    "went home",
]
FACTS = [("likes", "고양이"), ("likes", "강아지"), ("likes", "토끼"), ("name", "민수"), ("promise", "영화 보기")]
LINES = [
    "고양이가 귀여워",
    "커피를 마시고 고양이를 봤어",
    "ㅋㅋㅋ",
    "지훈이랑 부산에 다녀왔어",
    "뭐 해?",
    "I went home with Anna",
]
RULES = UpkeepRules(cap=6, keep_days={"note": 10}, insight_at=2, profile_at=2, summary_tokens=60)
NOW = moment(40, turn=120)


@st.composite
def grounds(draw) -> Field:
    units = st.integers(0, 10).map(lambda tenths: tenths / 10)
    ground = Field(
        alike_as=lambda one, other: 0.7 + (len(one.id + other.id) + ord(one.id[-1]) * ord(other.id[-1])) % 3 / 10
    )
    for number in range(draw(st.integers(0, 10))):
        told_on = draw(st.integers(1, 39))
        common = {
            "id": f"m{number:02}",
            "known_at": day(told_on),
            "valid_at": day(told_on),
            "touched_turn": told_on * 3,
            "importance": draw(units),
            "emotion_intensity": draw(units),
            "strength": draw(units),
            "mentions": draw(st.integers(0, 2)),
            "uses": draw(st.integers(0, 3)),
            "pinned": draw(st.booleans()) and draw(st.booleans()),
            "sources": draw(st.sampled_from([(), (f"u{number}",)])),
        }
        if draw(st.booleans()):
            attribute, value = draw(st.sampled_from(FACTS))
            about = {"attribute": attribute, "value": value, "surface": value, "value_class": "animal"}
            ground.known.append(memory(f"{value} 기억함", **common, **about))
        else:
            kind = draw(st.sampled_from(["event", "note"]))
            ground.known.append(replace(episode(draw(st.sampled_from(CONTENTS))), **common, content_type=kind))
    for number in range(draw(st.integers(0, 8))):
        felt = draw(st.sampled_from(["happy", "sad", "neutral"]))
        ground.turns.append(turn_of(number, draw(st.sampled_from(LINES)), on=1 + number * 5, felt=felt))
    return ground


@pytest.mark.parametrize("mode", ["fuse", "keep"])
@pytest.mark.parametrize("name", PASSES)
def test_a_pass_run_twice_in_a_row_changes_nothing_the_second_time(name, mode):
    @settings(max_examples=40, deadline=None)
    @given(ground=grounds())
    def holds(ground):
        rules = replace(RULES, merge_mode=mode)
        ground.run(name, NOW, rules)
        assert ground.run(name, NOW, rules) == []

    holds()


@pytest.mark.parametrize("name", PASSES)
def test_the_order_in_which_memories_are_given_changes_nothing(name):
    @settings(max_examples=40, deadline=None)
    @given(ground=grounds(), shuffled=st.randoms(use_true_random=False))
    def holds(ground, shuffled):
        other = Field(list(ground.known), ground.turns, ground.alike_as)
        shuffled.shuffle(other.known)
        assert ground.run(name, NOW, RULES) == other.run(name, NOW, RULES)

    holds()


@settings(max_examples=80, deadline=None)
@given(ground=grounds(), mode=st.sampled_from(["fuse", "keep"]))
def test_no_pass_but_retention_closes_what_is_pinned_or_has_an_attribute(ground, mode):
    safe = {each.id for each in ground.known if is_protected(each)}
    for name in PASSES:
        if name != "retain":
            ground.run(name, NOW, replace(RULES, merge_mode=mode))
    assert safe <= {each.id for each in ground.known}


@settings(max_examples=80, deadline=None)
@given(ground=grounds())
def test_after_all_passes_nothing_is_lost_and_everything_closed_says_so(ground):
    before = {each.id for each in ground.known}
    for name in PASSES:
        for kept in ground.run(name, NOW, RULES):
            assert kept.why
            assert kept.changes
    assert before <= {each.id for each in (*ground.known, *ground.hidden)}
    assert all(NOW.at in (each.faded_at, each.forgotten_at) for each in ground.hidden)
    there = {each.id for each in (*ground.known, *ground.hidden)}
    assert {each.closed_by for each in ground.hidden} - {None} <= there


@settings(max_examples=60, deadline=None)
@given(texts=st.lists(st.text(min_size=1, max_size=60), min_size=1, max_size=4))
def test_any_text_is_answered(texts):
    ground = Field()
    for number, text in enumerate(texts, start=1):
        ground.known += [
            episode(text, number, id=f"a{number}", sources=(f"u{number}",)),
            episode(text, number, id=f"b{number}", subject="other", subject_id=text, attribute="note", value=text),
        ]
        ground.turns += [turn_of(number, text, on=number, topics=(text,))]
    for name in PASSES:
        ground.run(name, NOW, RULES)
        assert ground.run(name, NOW, RULES) == []


@pytest.mark.parametrize("name", PASSES)
def test_an_empty_scope_needs_no_upkeep(name):
    assert list(DOING[name](Field(), NOW, RULES, str)) == []


def test_every_pass_has_a_name_and_every_name_a_pass():
    assert set(DOING) == set(PASSES)
