"""`gieok chat`, where a model speaks for the character, and where phrases do."""

import io
import logging
import re
import signal

import pytest

import gieok
from gieok.cli.chat import Sitting, conversation_with
from gieok.cli.console import Screen
from gieok.conversation import Conversation
from gieok.errors import ModelFailed
from gieok.testing import ScriptedModel
from gieok.words import words_in
from support.bit_by_bit import BitByBit
from support.doubts import DoubtfulReader

TALK = """\
안녕
내 이름은 한민수야
나 고양이 좋아해
나 판교에 살아
내가 어디 살아?
나 이제 부산 살아
[bold]우주[/bold]에는 뭐가 있어? :smile:
/기억
/잊어 2
/잊어 2
/다시
/취소
/모름
/끝
여기는 아무도 듣지 않아
"""


def said(key, **values):
    return words_in("ko")(f"cli_chat.{key}", **values)


def test_a_talk_without_a_model(run, on_file):
    ran = run("chat", "-u", "민수", "-c", "레티아", stdin=TALK)
    assert ran.code == 0
    on_file("chat", ran.out)


def test_after_a_talk_the_library_is_heard_again(run):
    before = logging.getLogger("gieok").handlers[:]
    run("chat", stdin="안녕\n/끝\n")
    assert logging.getLogger("gieok").handlers == before


def test_a_talk_in_an_english_terminal(run, monkeypatch):
    monkeypatch.setenv("GIEOK_LANGUAGE", "en")
    shown = run("chat", stdin="hello\nI like cats\n/facts\n/help\n/quit\n").out
    assert shown.startswith("There is no model. Letia answers")
    assert re.search(r"\+ remembered +me +likes cats", shown)
    assert not re.search("[가-힣]", re.sub("/[가-힣]+", "", shown)), "but for the Korean names of commands"


def test_what_was_said_is_remembered_for_the_next_time_and_the_phrases_are_not(run):
    run("chat", stdin="나 고양이 좋아해\n나 뱀 싫어해\n/undo\n/quit\n")
    facts = run("facts", "--json").record
    assert [(fact["speaker"], fact["content"]) for fact in facts] == [("user", "고양이를 좋아함")]
    assert said("remembered", n=1) in run("chat", stdin="").out


def test_a_line_that_cannot_be_kept_does_not_end_the_talk(run):
    shown = run("chat", stdin="가" * 8_001 + "\n나 고양이 좋아해\n/기억\n/취소\n/잊어 1\n/끝\n").out
    assert "8,000" in shown
    assert "고양이를 좋아함" in shown
    assert said("farewell") in shown, "also after a memory that was gone meanwhile"


@pytest.mark.parametrize("number", ["9" * 5_000, "0", "99", "-1", "둘", "²", ""])
def test_a_number_that_was_not_listed_is_asked_for_again(run, number):
    assert said("which") in run("chat", stdin=f"나 고양이 좋아해\n/기억\n/잊어 {number}\n/끝\n").out


@pytest.mark.parametrize("typed", ["/도움", "/help"])
def test_help_lists_every_command_with_what_it_does(run, typed):
    shown = run("chat", stdin=f"{typed}\n").out
    for table in ("commands", "help"):
        assert all(text in shown for text in words_in("ko").some(f"cli_chat.{table}").values())


def test_a_character_without_a_name_is_called_character(run):
    assert "캐릭터  " in run("chat", "-u", "민수", stdin="안녕\n").out


@pytest.mark.parametrize(("typed", "key"), [("/취소", "nothing_to_undo"), ("/다시", "nothing_to_answer")])
def test_before_anything_was_said_there_is_nothing_to_take_back_or_answer_again(run, typed, key):
    assert said(key) in run("chat", stdin=f"{typed}\n").out


def test_leaving_a_chat_without_a_model_does_not_speak_of_one(run, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "모델이 뒤에서" not in run("chat", stdin="/끝\n").err


@pytest.fixture
def bank(tmp_path):
    with gieok.open(tmp_path / "memories.db", embedder="hashing") as bank:
        yield bank


@pytest.fixture
def mind(bank):
    return bank.scope(user="민수", character="레티아")


@pytest.fixture
def talk(mind):
    """Type lines to a character that `model` speaks for; return what the screen shows."""

    def talk(model, *typed):
        screen = Screen(file=io.StringIO(), width=100, markup=False, emoji=False, highlight=False)
        sitting = Sitting(Conversation(mind, model, session="s"), screen)
        sitting.open()
        sitting.hear(typed)
        return screen.file.getvalue()

    return talk


def lines(mind):
    return [each.text for turn in mind.turns() for each in turn.utterances]


def test_a_talk_with_a_model(talk, on_file):
    replies = [
        "반가워요, 민수 씨!",
        "정말요? 저도 고양이 좋아해요! 너무 기뻐요!",
        "저는 강아지도 좋아요.",
        ModelFailed("timeout", "m", "late"),
        "저 여기 있어요.",
    ]
    typed = (
        "내 이름은 한민수야",
        "나 고양이 좋아해",
        "/다시",
        "듣고 있어?",
        "/다시",
        "/기억",
        "/취소",
        "/끝",
        "아무도 없어?",
    )
    on_file("chat_with_a_model", talk(ScriptedModel({"reply": replies}), *typed))


def test_what_is_remembered_as_doubtful_says_that_it_needs_confirming(tmp_path):
    screen = Screen(file=io.StringIO(), width=100)
    with gieok.open(tmp_path / "doubts.db", embedder="hashing", extractor=DoubtfulReader()) as bank:
        Sitting(conversation_with(bank.scope(user="민수", character="레티아")), screen).hear(
            ["residence 부산?", "likes 고양이"]
        )
    told = [line for line in screen.file.getvalue().splitlines() if "+ " in line]
    assert [line.rstrip().endswith(" · 확실하지 않아서 확인이 필요해요") for line in told] == [True, False]


def test_a_reply_comes_bit_by_bit_and_no_code_in_it_reaches_the_terminal(mind, talk):
    shown = talk(BitByBit("안", "녕\x1b[2J하", "세요", "\n둘째 줄 [bold]"), "안녕")
    assert "레티아  안녕[2J하세요\n둘째 줄 [bold]" in shown
    assert lines(mind)[1] == "안녕[2J하세요\n둘째 줄 [bold]"


@pytest.mark.parametrize(
    ("language", "told"), [("ko", "모델에 연결할 수 없어요."), ("en", "The model cannot be reached.")]
)
def test_a_failure_is_told_with_its_cause_and_the_talk_goes_on(mind, talk, monkeypatch, language, told):
    monkeypatch.setenv("GIEOK_LANGUAGE", language)
    shown = talk(BitByBit("저는 ", ModelFailed("unreachable", "m", "reset")), "나 고양이 좋아해", "/facts").splitlines()
    place = next(number for number, line in enumerate(shown) if line.startswith("레티아  저는"))
    assert shown[place + 1].startswith(told)
    assert shown[place + 2] == "(unreachable: reset)"
    assert "고양이를 좋아함" in shown[place + 3]
    assert "고양이를 좋아함" in shown[-1]


INTERRUPTED = ("저는 ", lambda: signal.raise_signal(signal.SIGINT), "고양이가 좋아요")


def test_ctrl_c_breaks_off_the_reply_and_not_the_program(mind, talk):
    usual = signal.getsignal(signal.SIGINT)
    shown = talk(BitByBit(*INTERRUPTED), "나 고양이 좋아해")
    assert f"레티아  저는 \n{said('broken_off')}\n" in shown
    assert "고양이를 좋아함" in shown
    assert lines(mind) == ["나 고양이 좋아해", "저는"]
    assert mind.turns()[0].cut_off
    assert signal.getsignal(signal.SIGINT) is usual


def test_a_second_ctrl_c_does_not_tear_what_is_being_kept(bank, mind, talk):
    bank.on("memory.remembered", lambda event: signal.raise_signal(signal.SIGINT))
    talk(BitByBit(*INTERRUPTED), "나 고양이 좋아해")
    assert lines(mind) == ["나 고양이 좋아해", "저는"]


def test_ctrl_c_while_a_whole_reply_is_being_kept_leaves_it_whole(bank, mind, talk):
    bank.on("memory.remembered", lambda event: signal.raise_signal(signal.SIGINT))
    talk(BitByBit("그렇군요."), "나 고양이 좋아해", "안녕")
    assert lines(mind) == ["나 고양이 좋아해", "그렇군요.", "안녕", "그렇군요."]
    assert not mind.turns()[0].cut_off


def test_the_model_of_the_bank_speaks_as_the_persona_says(tmp_path):
    model = ScriptedModel({"reply": "네."})
    with gieok.open(tmp_path / "memories.db", embedder="hashing", model=model) as bank:
        mind = bank.scope(user="민수", character="레티아")
        list(conversation_with(mind, "너는 레티아다.").say("안녕"))
        assert lines(mind) == ["안녕", "네."]
    assert "너는 레티아다." in model.asked[0][1][0].content


def test_a_persona_needs_a_model_and_is_read_from_a_file(run, tmp_path):
    assert "--llm" in run("chat", "--persona", "너는 레티아다.").refused
    (tmp_path / "persona.txt").write_bytes("너는".encode("cp949"))
    assert "UTF-8" in run("chat", "--persona", f"@{tmp_path}/persona.txt").refused
    assert "nobody.txt" in run("chat", "--persona", f"@{tmp_path}/nobody.txt").refused
