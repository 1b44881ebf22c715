"""A small year through real banks, in two processes."""

from gieok_evals.year.running import Plan, run


def test_a_small_year_is_lived_side_by_side_and_looked_back_on():
    counted = []
    report = run(Plan(characters=2, turns=60, workers=2), progress=counted.append)
    shares = {condition.name: condition for condition in report.conditions}

    assert sum(counted) == 120
    assert [lived.user for lived in report.lives] == ["지호", "도윤"]
    assert shares["turns could be read"].holds
    assert shares["closed memories have a reason in their history"].holds
    assert shares["memories in view are bounded"].holds
    assert shares["… and in the context of a question about them"].share.of == 16
    assert shares["identity and caution facts are current"].share.hits >= 12
    for lived in report.lives:
        assert lived.course[0].day < lived.course[-1].day
        assert lived.made >= lived.visible > 0
