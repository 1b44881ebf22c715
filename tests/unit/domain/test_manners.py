"""Manners: who speaks how to whom, and when that changed."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from gieok.domain.judgement import Moment
from gieok.domain.manners import Manners, after
from gieok.domain.noticed import Manner

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
    assert talk.says("user", *["casual"] * 4) == []
    (cooled,) = talk.says("user", *["casual"] * 4)
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
