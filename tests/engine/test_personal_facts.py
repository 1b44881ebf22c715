"""What is remembered of personal data: that it was told, and of whom."""

import pytest

PHONE = [
    ("내 번호는 010-4482-9173이야", "user", "[전화번호]"),
    ("엄마 번호는 공일공 일일이이 삼삼사사야", "엄마", "[전화번호]"),
    ("My phone number is 010-4482-9173.", "user", "[phone number]"),
]


@pytest.mark.parametrize(("said", "whose", "value"), PHONE)
def test_that_somebody_has_a_number_is_a_fact_about_them(letia, said, whose, value):
    letia.observe(said)
    (fact,) = letia.facts(attribute="phone")
    assert (fact.subject_id, fact.value, fact.pii_flags) == (whose, value, ("phone",))


@pytest.mark.parametrize("said", ["나 서울 마포구 와우산로 94에 살아", "나 서울 마포구 와우산로 94로 이사했어"])
def test_an_address_is_where_somebody_lives(letia, said):
    letia.observe(said)
    (fact,) = letia.facts(attribute="residence")
    assert (fact.value, fact.content, fact.pii_flags) == ("[주소]", "[주소]에 삶", ("address",))


def test_where_it_is_kept_the_memory_says_that_it_holds_it(open_bank):
    letia = open_bank(pii_phone="keep").scope(user="minsu", character="letia")
    letia.observe("내 번호는 010-4482-9173이야")
    (fact,) = letia.facts(attribute="phone")
    assert (fact.value, fact.pii_flags) == ("010-4482-9173", ("phone",))


def test_a_correction_marks_a_memory_anew(letia):
    letia.observe("나 고양이 좋아해")
    (fact,) = letia.facts()
    marked = letia.correct(fact.id, "고양이 카페 번호는 02-332-4817임")
    assert (marked.content, marked.pii_flags) == ("고양이 카페 번호는 [전화번호]임", ("phone",))
    assert letia.correct(fact.id, "고양이를 좋아함").pii_flags == ()


def test_districts_names_and_birthdays_stay(letia):
    said = "나 민지야, 생일은 3월 14일이고 서울 마포구 살아"
    assert letia.observe(said).turn.utterances[0].text == said
