"""A change of what somebody is, believes, loves, does or keeps closes what was told before; a look-alike does not."""

from support.rows import from_rows


def current(mind, attribute):
    facts = mind.facts(about="user", attribute=attribute)
    return [fact.value for fact in facts if fact.polarity == "+"]


@from_rows
def test_what_was_told_last_is_current(letia, first, later, attribute, now):
    letia.observe(first)
    assert current(letia, attribute)

    letia.observe(later)

    assert current(letia, attribute) == now


@from_rows
def test_what_is_not_meant_stays(letia, said, attribute, now):
    for text in said:
        letia.observe(text)
    assert sorted(current(letia, attribute)) == now


@from_rows
def test_the_name_of_a_pet_changes_or_ends_alone(letia, first, later, about, names):
    letia.observe(first)
    letia.observe(later)
    known = letia.facts(about=about, attribute="name")
    assert [name.value for name in known if name.polarity == "+"] == names
