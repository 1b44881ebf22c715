"""Manners: who speaks how to whom, and when that changed."""

from datetime import UTC, datetime, timedelta

from gieok.domain.judgement import Moment
from gieok.domain.noticed import Manner
from gieok.domain.relationship import Manners, after
from support.rows import from_rows

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

    def hears_perhaps(self, *words):
        return [change for word in words for change in self.hear(Manner(speaker="user", perhaps_called=(word,)))]


@from_rows
def test_what_changes_in_a_conversation(story, script, changes):
    talk = Talk()
    for speaker, *words in (step.split() for step in script.split("; ")):
        match words:
            case [turns] if speaker == "wait":
                talk.turn += int(turns) - 1
            case ["calls", *names]:
                talk.calls(speaker, *names)
            case ["asks", style]:
                talk.hear(Manner(speaker=speaker, asks_for=style))
            case ["named", name]:
                talk.hear(Manner(speaker=speaker, asks_to_be_called=name))
            case styles:
                talk.says(speaker, *(None if style == "-" else style for style in styles))
    told = (
        f"{each.speaker} {str(each.before).lower()}>{each.after}" + (f" by {each.asked_by}" if each.asked_by else "")
        for each in talk.changes
    )
    assert "; ".join(told) == changes


def test_three_of_the_last_four_utterances_change_the_style():
    talk = Talk()
    talk.says("user", "formal", "formal", "formal")
    assert talk.says("user", "casual", "formal", "casual") == []
    (change,) = talk.says("user", "casual")
    assert (change.speaker, change.before, change.after, change.asked_by) == ("user", "formal", "casual", None)
    assert (change.at, change.turn_number) == (START + timedelta(days=6), 6)


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


def test_others_in_the_room_are_none_of_the_two():
    talk = Talk()
    before = talk.manners
    talk.hear(Manner(speaker="민지", style="casual", address="오빠", asks_for="casual"))
    assert talk.manners == before


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


def test_the_latest_words_are_kept_in_mind_and_what_was_said_once_goes_first():
    talk = Talk()
    talk.says("user", *["formal", "casual"] * 6)
    talk.hears_perhaps("조시", *[f"낱말{n}" for n in range(60)], "조시", "조시")
    assert len(talk.manners.user.styles_heard) == 8
    assert len(talk.manners.user.addresses_heard) == 32
    assert talk.manners.user.addresses_heard[-1] == "조시"
    assert talk.manners.character.styles_heard == talk.manners.character.addresses_heard == ()


def test_a_word_that_opens_utterances_again_and_again_is_what_the_other_is_called():
    talk = Talk()
    talk.says("user", "casual")
    assert talk.hears_perhaps("조시", "토익", "고등어", "조시", "우즈벡") == []
    assert [change.after for change in talk.hears_perhaps("조시")] == ["조시"]
    assert talk.hears_perhaps("토익", "토익") == []


def test_a_guess_that_gives_way_is_no_change_from_one_name_to_another():
    talk = Talk()
    talk.says("user", "casual")
    talk.hears_perhaps(*["조시"] * 3)
    [guess] = talk.hears_perhaps(*["바다"] * 6)
    assert (guess.before, guess.after) == (None, "바다")
    changes = talk.calls("user", *["선배"] * 6)
    assert [(each.before, each.after) for each in changes] == [("바다", "선배")]


def test_a_name_takes_the_place_of_a_mere_you_and_a_title_stands_for_the_whole_name():
    talk = Talk()
    talk.calls("user", "너", "너", "너", "너")
    talk.hears_perhaps("보글쌤")
    talk.calls("user", "쌤")
    assert talk.manners.user.address.value == "보글쌤"


def test_who_is_called_so_speaks_of_themselves():
    talk = Talk()
    talk.calls("user", "오빠")
    assert talk.calls("character", "오빠", "오빠", "오빠") == []
    talk.hear(Manner(speaker="user", asks_to_be_called="대장"))
    assert talk.calls("user", "대장", "대장", "대장") == []


def test_a_habit_says_since_when_it_is_one():
    talk = Talk()
    talk.says("character", "formal", "formal")
    habit = talk.manners.character.style
    assert (habit.value, habit.at, habit.turn_number) == ("formal", START + timedelta(days=1), 1)
    assert talk.manners.of("character") == talk.manners.character
    assert talk.manners.of("user") == talk.manners.user
    assert talk.manners.user.style is None
