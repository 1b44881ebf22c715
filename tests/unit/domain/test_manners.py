"""Manners: who speaks how to whom, and when that changed."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from gieok.domain.judgement import Moment
from gieok.domain.noticed import Manner
from gieok.domain.relationship import Manners, after

START = datetime(2026, 7, 1, 11, tzinfo=UTC)


class Talk:
    """A conversation that keeps the manners and every change."""

    def __init__(self):
        self.manners = Manners()
        self.changes = []
        self.turn = 0

    def hear(self, *heard):
        at = START + timedelta(days=self.turn)
        moment = Moment(at=at, recorded_at=at, turn_number=self.turn)
        self.manners, changes = after(self.manners, heard, moment)
        self.changes += changes
        self.turn += 1
        return changes

    def says(self, speaker, *styles):
        return [change for style in styles for change in self.hear(Manner(speaker=speaker, style=style))]

    def calls(self, speaker, *names):
        return [change for name in names for change in self.hear(Manner(speaker=speaker, address=name))]


def test_two_utterances_settle_how_somebody_speaks():
    talk = Talk()
    assert talk.says("user", "formal") == []
    (change,) = talk.says("user", "formal")
    assert (change.before, change.after, change.asked_by) == (None, "formal", None)
    assert talk.manners.user.style.value == "formal"
    assert talk.manners.character.style is None


def test_one_odd_sentence_changes_nothing():
    talk = Talk()
    talk.says("user", "formal", "formal", "formal")
    assert talk.says("user", "casual", "formal", "casual", "formal") == []
    assert talk.manners.user.style.value == "formal"


def test_three_of_the_last_four_utterances_change_the_style():
    talk = Talk()
    talk.says("user", "formal", "formal", "formal")
    assert talk.says("user", "casual", "formal", "casual") == []
    (change,) = talk.says("user", "casual")
    assert (change.speaker, change.before, change.after, change.asked_by) == ("user", "formal", "casual", None)
    assert (change.at, change.turn_number) == (START + timedelta(days=6), 6)


def test_utterances_that_do_not_tell_do_not_count():
    talk = Talk()
    talk.says("user", "formal", "formal")
    assert talk.says("user", "casual", None, "casual", None) == []
    assert len(talk.says("user", "casual")) == 1


def test_a_request_that_is_followed_changes_the_style_at_once_and_says_who_asked():
    talk = Talk()
    talk.says("user", "formal", "formal")
    talk.says("character", "formal", "formal")
    asked = talk.hear(
        Manner(speaker="user", style="casual", asks_for="casual"), Manner(speaker="character", style="casual")
    )
    mine, hers = asked
    assert (mine.speaker, mine.before, mine.after, mine.asked_by, mine.mutual) == (
        "user", "formal", "casual", "user", False,
    )  # fmt: skip
    assert (hers.speaker, hers.asked_by, hers.mutual) == ("character", "user", True)
    assert talk.manners.character.style.asked_by == "user"


def test_a_request_that_is_not_followed_changes_nothing():
    talk = Talk()
    talk.says("user", "formal", "formal")
    talk.says("character", "formal", "formal")
    talk.hear(Manner(speaker="user", style="formal", asks_for="casual"), Manner(speaker="character", style="formal"))
    assert [change for change in talk.changes if change.before] == []


def test_a_request_is_forgotten_after_20_turns():
    for wait, changed in ((20, 1), (21, 0)):
        talk = Talk()
        talk.says("character", "formal", "formal")
        talk.hear(Manner(speaker="user", asks_for="casual"))
        talk.turn += wait - 1
        assert len(talk.says("character", "casual")) == changed


def test_after_a_request_one_relapse_does_not_lead_back():
    talk = Talk()
    talk.says("user", "formal", "formal", "formal", "formal")
    talk.hear(Manner(speaker="user", style="casual", asks_for="casual"))
    assert talk.says("user", "formal", "casual", "formal", "casual") == []
    assert talk.manners.user.style.value == "casual"


def test_few_sentences_hold_an_endearment_so_three_of_eight_are_enough():
    talk = Talk()
    talk.says("user", "casual", "casual")
    assert talk.says("user", "intimate", "casual", "casual", "intimate", "casual") == []
    (change,) = talk.says("user", "intimate")
    assert (change.before, change.after) == ("casual", "intimate")
    assert talk.says("user", *["casual"] * 7) == []
    (cooled,) = talk.says("user", "casual")
    assert (cooled.before, cooled.after) == ("intimate", "casual")


def test_an_endearment_in_casual_speech_is_no_way_back_to_politeness():
    talk = Talk()
    talk.says("user", "formal", "formal")
    talk.says("user", "casual", "intimate", "casual")
    assert talk.manners.user.style.value == "casual"


def test_the_first_form_of_address_is_taken_and_another_needs_two_of_three():
    talk = Talk()
    (first,) = talk.calls("user", "선배")
    assert (first.what, first.before, first.after) == ("address", None, "선배")
    assert talk.calls("user", "누나", "선배", "선배") == []
    assert talk.calls("user", "누나") == []
    (change,) = talk.calls("user", "누나")
    assert (change.before, change.after, change.asked_by) == ("선배", "누나", None)


def test_who_asks_to_be_called_so_is_called_so_at_once():
    talk = Talk()
    talk.calls("user", "선배")
    talk.hear(Manner(speaker="character", asks_to_be_called="누나"))
    (change,) = talk.calls("user", "누나")
    assert (change.before, change.after, change.asked_by) == ("선배", "누나", "character")


def test_nobody_is_made_to_call_themselves_so():
    talk = Talk()
    talk.calls("character", "민수 씨")
    talk.hear(Manner(speaker="character", asks_to_be_called="누나"))
    assert talk.calls("character", "누나") == []


def test_a_mere_you_takes_no_name_away():
    talk = Talk()
    talk.calls("user", "너")
    assert [change.after for change in talk.calls("user", "레티아")] == ["레티아"]
    assert talk.calls("user", "너", "야", "너", "너", "너") == []


def test_others_in_the_room_are_none_of_the_two():
    talk = Talk()
    before = talk.manners
    talk.hear(Manner(speaker="민지", style="casual", address="오빠", asks_for="casual"))
    assert talk.manners == before


def test_the_same_utterances_give_the_same_manners():
    def told():
        talk = Talk()
        talk.says("user", "formal", "casual", "casual", "formal", "casual", "intimate", "casual")
        talk.calls("user", "오빠", "자기", "자기")
        return talk

    assert told().manners == told().manners
    assert told().changes == told().changes
    assert replace(told().manners) == told().manners


def test_three_of_the_last_five_utterances_are_not_enough():
    talk = Talk()
    talk.says("user", "formal", "formal")
    assert talk.says("user", "casual", "casual", "formal", "formal", "casual") == []


def test_a_casual_sentence_makes_nobody_intimate():
    talk = Talk()
    talk.says("user", "casual", "casual")
    assert talk.says("user", "intimate", "formal", "intimate", "formal", "intimate") == []
    assert talk.says("user", "casual") == []


def test_who_already_speaks_as_was_asked_changes_no_further_at_once():
    talk = Talk()
    talk.says("user", "casual", "casual")
    talk.hear(Manner(speaker="character", asks_for="casual"))
    assert talk.says("user", "intimate") == []


def test_a_request_settles_the_first_style_at_once_and_only_the_one_asked_for():
    talk = Talk()
    talk.hear(Manner(speaker="character", asks_for="casual"))
    assert talk.says("user", "formal") == []
    (change,) = talk.says("user", "intimate")
    assert (change.before, change.after, change.asked_by) == (None, "intimate", "character")


def test_what_came_by_itself_was_asked_for_by_nobody_whatever_else_was_asked():
    talk = Talk()
    talk.says("user", "casual", "casual")
    talk.hear(Manner(speaker="character", asks_for="casual", asks_to_be_called="누나"))
    talk.calls("user", "선배")
    (style,) = talk.says("user", "formal", "formal", "formal")
    assert (style.after, style.asked_by) == ("formal", None)
    (address,) = talk.calls("user", "언니", "언니")
    assert (address.after, address.asked_by) == ("언니", None)
    assert talk.manners.user.address.asked_by is None


def test_who_asks_for_a_name_is_not_called_by_another_at_once():
    talk = Talk()
    talk.calls("user", "선배")
    talk.hear(Manner(speaker="character", asks_to_be_called="누나"))
    assert talk.calls("user", "누님") == []


def test_of_two_wishes_of_one_the_later_counts_and_the_others_stays():
    talk = Talk()
    talk.calls("user", "선배")
    talk.calls("character", "민수 씨")
    talk.hear(Manner(speaker="user", asks_to_be_called="오빠"))
    talk.hear(Manner(speaker="character", asks_to_be_called="누나"))
    talk.hear(Manner(speaker="character", asks_to_be_called="언니"))
    assert [(wish.by, wish.value) for wish in talk.manners.asked_names] == [("user", "오빠"), ("character", "언니")]
    assert talk.calls("user", "누나") == []
    assert [change.after for change in talk.calls("user", "언니")] == ["언니"]
    (mine,) = talk.calls("character", "오빠")
    assert (mine.after, mine.asked_by) == ("오빠", "user")


def test_a_sentence_that_calls_nobody_takes_no_name():
    talk = Talk()
    talk.calls("user", "너")
    assert talk.says("user", "casual") == []
    assert talk.manners.user.address.value == "너"
    assert talk.manners.user.addresses_heard == ("너",)


def test_the_last_eight_of_each_are_kept_in_mind():
    talk = Talk()
    talk.says("user", *["formal", "casual"] * 6)
    talk.calls("user", *[f"이름 {n}" for n in range(12)])
    assert len(talk.manners.user.styles_heard) == 8
    assert talk.manners.user.addresses_heard == tuple(f"이름 {n}" for n in range(4, 12))
    assert talk.manners.character.styles_heard == talk.manners.character.addresses_heard == ()


def test_a_habit_says_since_when_it_is_one():
    talk = Talk()
    talk.says("character", "formal", "formal")
    habit = talk.manners.character.style
    assert (habit.value, habit.at, habit.turn_number) == ("formal", START + timedelta(days=1), 1)
    assert talk.manners.of("character") == talk.manners.character
    assert talk.manners.of("user") == talk.manners.user
    assert talk.manners.user.style is None


def test_intimate_speech_stays_so_while_an_endearment_is_in_mind():
    talk = Talk()
    talk.says("user", "intimate", "intimate")
    assert talk.manners.user.style.value == "casual"
    talk.says("user", "intimate", "intimate")
    assert talk.manners.user.style.value == "intimate"
    assert [change.after for change in talk.says("user", "formal", "formal", "formal")] == ["formal"]


def test_who_has_just_become_intimate_is_not_cooled_by_a_few_plain_sentences():
    talk = Talk()
    talk.says("user", "formal", "formal")
    assert talk.says("user", "intimate", "formal", "intimate", "formal", "intimate") == []
    assert [change.after for change in talk.says("user", "casual")] == ["intimate"]
    assert talk.says("user", "casual", "casual", "casual") == []
