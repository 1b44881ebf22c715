from datetime import UTC, datetime

from gieok_evals.planted.language import Value
from gieok_evals.planted.script import Change, Line, Planted, gold

AT = datetime(2026, 3, 1, tzinfo=UTC)


def value(text):
    return Value(gold=text, forms={"v": text})


def planted(slot, text):
    return Planted(slot=slot, value=value(text), surfaces=(text,))


def line(number, *facts, change=None):
    facts = (change.new,) if change and change.new else facts
    kind = "update" if change else "facts"
    return Line(
        conversation="uA", number=number, kind=kind, at=AT, text="…", reply="…", facts=tuple(facts), change=change
    )


def change(slot, kind, old, new=None, *, names_old=True):
    new = planted(slot, new) if new else None
    return Change(slot=slot, kind=kind, old=value(old), new=new, names_old=names_old)


def truth(slot, *lines):
    found = gold(lines)[slot]
    stale = [each.gold for each in found.stale]
    return [each.gold for each in found.values], stale, [each.gold for each in found.unsettled]


def test_what_is_stated_is_true():
    assert truth("job", line(1, planted("job", "간호사"))) == (["간호사"], [], [])


def test_an_update_makes_the_old_value_stale():
    lines = line(1, planted("residence", "판교")), line(2, change=change("residence", "update", "판교", "합정"))
    assert truth("residence", *lines) == (["합정"], ["판교"], [])
    assert gold(lines)["residence"].changed_by == (2,)


def test_a_correction_makes_it_stale_as_well():
    lines = line(1, planted("name", "유진")), line(2, change=change("name", "correction", "유진", "유빈"))
    assert truth("name", *lines) == (["유빈"], ["유진"], [])


def test_what_ended_or_was_taken_back_leaves_nothing():
    for kind in ("ended", "retraction"):
        lines = line(1, planted("part_time_job", "편의점")), line(2, change=change("part_time_job", kind, "편의점"))
        assert truth("part_time_job", *lines) == ([], ["편의점"], [])


def test_a_new_pastime_says_nothing_of_the_old_one_unless_it_names_it():
    lines = (
        line(1, planted("hobby", "낚시")),
        line(2, change=change("hobby", "update", "낚시", "자수", names_old=False)),
    )
    assert truth("hobby", *lines) == (["자수"], [], ["낚시"])
    lines = line(1, planted("hobby", "낚시")), line(2, change=change("hobby", "update", "낚시", "자수"))
    assert truth("hobby", *lines) == (["자수"], ["낚시"], [])


def test_a_single_value_goes_even_unnamed():
    lines = line(1, planted("job", "의사")), line(2, change=change("job", "update", "의사", "가수", names_old=False))
    assert truth("job", *lines) == (["가수"], ["의사"], [])


def test_what_comes_back_is_no_longer_stale():
    lines = (
        line(1, planted("residence", "판교")),
        line(2, change=change("residence", "update", "판교", "합정")),
        line(3, change=change("residence", "update", "합정", "판교")),
    )
    assert truth("residence", *lines) == (["판교"], ["합정"], [])
