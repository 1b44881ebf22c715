"""The year as it is written: what is said, when, and in which manner."""

import random
from collections import Counter
from itertools import pairwise

import pytest

from gieok.domain.attributes import attribute
from gieok.errors import InvalidQuery
from gieok_evals.year.generator import START, day_of, moment, talk, year
from gieok_evals.year.people import COURTESIES, DAYS, LEVELS, first, people

REGISTERS = ("casual", "formal", "english")


def person(user):
    return next(each for each in people() if each.user == user)


def test_ten_people_live_and_no_two_share_a_name():
    assert len(people()) == 10
    assert len({name for each in people() for name in (each.user, each.character)}) == 20


def test_the_same_seed_gives_the_same_year_and_another_seed_another():
    assert year(person("지호"), seed=3, turns=200) == year(person("지호"), seed=3, turns=200)
    assert year(person("지호"), seed=3, turns=200) != year(person("지호"), seed=4, turns=200)


@pytest.mark.parametrize("who", people(), ids=lambda each: each.user)
def test_a_year_has_as_many_turns_as_asked_in_order_and_tells_its_whole_script(who):
    lines = year(who, turns=3_000)

    assert len(lines) == 3_000
    assert [line.number for line in lines] == list(range(1, 3_001))
    assert all(earlier.at < later.at for earlier, later in pairwise(lines))
    assert [line.told for line in lines if line.told is not None] == list(who.lines)
    assert all(line.day == line.told.day for line in lines if line.told is not None)


def test_a_script_that_does_not_fit_is_refused():
    with pytest.raises(InvalidQuery, match="turns=3"):
        year(person("지호"), turns=3)


def test_nobody_says_a_word_while_away():
    days = {line.day for line in year(person("수아"), turns=3_000)}

    assert not days & set(range(150, 212))
    assert {149, 212} & days


def test_insults_are_heard_before_the_apology_and_never_after():
    insults = set(talk("casual").courtesy["insult"])
    days = [line.day for line in year(person("건우"), turns=3_000) if line.text in insults]

    assert len(days) > 50
    assert max(days) < 112


def test_the_manner_changes_on_the_day_it_was_agreed_on():
    lines = [line for line in year(person("지안"), turns=3_000) if line.kind == "courtesy"]
    polite = set(sum(talk("formal").courtesy.values(), ()))

    assert all((line.text in polite) == (line.day < 121) for line in lines)


def test_nobody_speaks_of_snow_in_summer():
    snow = [
        line.day for each in people() for line in year(each, turns=600) if "눈 " in line.text or "snow" in line.text
    ]

    assert snow
    assert not [day for day in snow if 91 <= day <= 180]


def test_everyday_talk_is_varied():
    frames = {frame for register in REGISTERS for pool in talk(register).everyday.values() for frame in pool}
    own = {frame for each in people() for frame in each.own}
    lines = [line.text for line in year(person("태오"), turns=3_000) if line.trivial]

    assert len(frames | own) >= 400
    assert len(set(lines)) >= 500
    assert Counter(lines).most_common(1)[0][1] <= 60


@pytest.mark.parametrize("register", REGISTERS)
def test_every_topic_and_courtesy_has_an_answer_and_every_slot_a_word(register):
    words = talk(register)
    assert {*words.everyday, *words.courtesy, "own"} <= set(words.answers)
    assert set(words.courtesy) == set(COURTESIES)
    for frame in sum((*words.everyday.values(), *words.courtesy.values()), ()):
        assert "{" not in words.filled(frame, random.Random(0))


def test_a_particle_fits_the_word_before_it():
    words = talk("casual")
    said = {words.filled("{menu}{을/를}", random.Random(seed)) for seed in range(200)}

    assert {"라면을", "김치찌개를"} <= said
    assert not {"라면를", "김치찌개을"} & said


@pytest.mark.parametrize("who", people(), ids=lambda each: each.user)
def test_a_script_is_fit_to_be_checked(who):
    facts = [line.fact for line in who.lines if line.fact is not None]
    categories = {attribute(key).category for fact in facts for key in fact.attributes}

    assert {"identity", "caution"} <= categories <= {"identity", "caution", "people"}
    assert all(line.ask for line in who.lines if line.keep is not None)
    assert {line.keep for line in who.lines} == {None, "promise", "event"}
    assert all(1 <= line.day <= DAYS and not who.away(line.day) for line in who.lines)
    assert all(each.at_most in (None, *LEVELS) and each.at_least in (None, *LEVELS) for each in who.course)
    assert all(sum(phase.shares.values()) < 0.5 for phase in who.phases)
    for fact in facts:
        told_before = {value for earlier in facts[: facts.index(fact)] for value in earlier.values}
        assert set(fact.ends) & told_before if fact.ends else True


def test_days_are_counted_from_the_first_midnight():
    assert day_of(START) == 0.0
    assert day_of(moment(365)) == 365.0


@pytest.mark.parametrize("count", [0, 11])
def test_there_are_one_to_ten_people(count):
    with pytest.raises(InvalidQuery, match=f"characters={count}"):
        first(count)
