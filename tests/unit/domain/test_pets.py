"""Animals at home: their names, and what of theirs belongs into every context."""

import pytest

from gieok.domain.decision import Reinforce, Remember
from gieok.domain.judgement import Beliefs, judge
from gieok.domain.pets import PET, of_pets
from gieok.testing import claim, memory
from unit.domain.histories import POLICY, moment, told


def of_coco(attribute, value, **fields):
    return claim(attribute, value, **{"subject": "other", "subject_id": "코코", **fields})


@pytest.mark.parametrize(
    ("said", "always"),
    [
        (of_coco("allergy", "닭고기", tags=(PET,)), True),
        (of_coco("medication", "심장약", tags=(PET,)), True),
        (of_coco("allergy", "닭고기"), False),
        (of_coco("allergy", "닭고기", tags=(PET,), polarity="-"), False),
        (of_coco("age", "3", tags=(PET,)), False),
        (claim("allergy", "땅콩"), True),
        (claim("age", "30"), True),
    ],
)
def test_of_a_pet_its_cautions_are_pinned_and_of_the_user_all_that_the_schema_pins(said, always):
    _, (decision,) = told(said)
    assert decision.memory.pinned is always


def test_a_kind_has_as_many_names_as_there_are_animals_of_it_and_a_friend_has_one():
    def named(name, *tags):
        return claim("name", name, id=name, subject="other", subject_id="고양이", tags=tags)

    _, cats = told(named("나비", PET), named("코코", PET))
    assert [type(each) for each in cats] == [Remember, Remember]
    beliefs, _ = told(named("나비"), named("코코"))
    assert beliefs["나비"].invalid_at is not None


def test_what_was_known_of_somebody_is_pinned_when_it_is_heard_again_of_a_pet_and_stays_unpinned_if_it_was_taken_down():
    known = {"subject": "other", "subject_id": "코코", "attribute": "allergy", "value": "닭고기"}
    beliefs = Beliefs([memory("", id="stranger", **known)])
    [decision] = judge([of_coco("allergy", "닭고기", tags=(PET,))], beliefs, moment(), POLICY)
    assert isinstance(decision, Reinforce)
    assert (beliefs["stranger"].pinned, beliefs["stranger"].tags) == (True, (PET,))

    beliefs = Beliefs([memory("", id="unpinned", tags=(PET,), **known)])
    judge([of_coco("allergy", "닭고기", tags=(PET,))], beliefs, moment(), POLICY)
    assert not beliefs["unpinned"].pinned


def test_what_was_pinned_by_hand_stays_so_when_it_turns_out_to_be_a_pets():
    known = {"subject": "other", "subject_id": "코코", "attribute": "age", "value": "3"}
    beliefs = Beliefs([memory("", id="by hand", pinned=True, **known)])
    judge([of_coco("age", "3", tags=(PET,))], beliefs, moment(), POLICY)
    assert (beliefs["by hand"].pinned, beliefs["by hand"].tags) == (True, (PET,))


def test_only_what_is_told_of_an_animal_is_marked():
    mine, hers, theirs = (
        claim("allergy", "땅콩"),
        of_coco("allergy", "닭고기"),
        of_coco("allergy", "새우", subject_id="지훈"),
    )
    assert [PET in each.tags for each in of_pets([mine, hers, theirs], {"코코", "user"})] == [False, True, False]
