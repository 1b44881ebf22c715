"""`gieok chat` where a model speaks for the character."""

import io
import signal

import pytest

import gieok
from gieok.cli.chat import Sitting, Spoken, voice_of
from gieok.cli.console import Screen
from gieok.cli.phrases import phrases
from gieok.conversation import Conversation
from gieok.domain.emotion import EMOTIONS
from gieok.errors import ModelFailed
from gieok.testing import ScriptedModel
from support.bit_by_bit import BitByBit

REPLIES = phrases()["replies"]


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
        voice = Spoken(conversation=Conversation(mind, model, session="s"), console=screen)
        sitting = Sitting(mind=mind, console=screen, voice=voice)
        sitting.open()
        sitting.hear(typed)
        return screen.file.getvalue()

    return talk


def lines(mind):
    return [said.text for turn in mind.turns() for said in turn.utterances]


def test_a_talk_with_a_model(talk, on_file):
    replies = [
        "반가워요, 민수 씨!",
        "정말요? 저도 고양이 좋아해요! 너무 기뻐요!",
        "저는 강아지도 좋아요.",
        ModelFailed("timeout", "m", "late"),
        "저 여기 있어요.",
    ]
    shown = talk(
        ScriptedModel({"reply": replies}),
        "내 이름은 한민수야",
        "나 고양이 좋아해",
        "/다시",
        "듣고 있어?",
        "/다시",
        "/기억",
        "/취소",
        "/도움",
        "/끝",
        "여기는 아무도 듣지 않아",
    )
    on_file("chat_with_a_model", shown)


def test_who_comes_back_is_told_how_much_is_known(mind, talk):
    mind.observe("나 고양이 좋아해")
    assert "1가지를 기억하고 있어요." in talk(ScriptedModel({"reply": "네"}))


def test_a_reply_comes_bit_by_bit_and_what_it_moves_a_terminal_by_does_not(mind, talk):
    shown = talk(BitByBit("안", "녕\x1b[2J하", "세요", "\n둘째 줄 [bold]"), "안녕")
    assert "레티아  안녕[2J하세요\n둘째 줄 [bold]" in shown
    assert lines(mind)[1] == "안녕[2J하세요\n둘째 줄 [bold]"


def test_a_failure_is_told_with_its_cause_and_the_talk_goes_on(mind, talk):
    model = BitByBit("저는 ", ModelFailed("unreachable", "m", "reset"))
    shown = talk(model, "나 고양이 좋아해", "/기억").splitlines()
    place = next(number for number, line in enumerate(shown) if line.startswith("레티아  저는"))
    assert shown[place + 1].startswith("모델에 연결할 수 없어요.")
    assert shown[place + 2] == "(unreachable: reset)"
    assert "고양이를 좋아함" in shown[place + 3]
    assert "고양이를 좋아함" in shown[-1]


def test_ctrl_c_breaks_off_the_reply_and_not_the_program(mind, talk):
    usual = signal.getsignal(signal.SIGINT)
    model = BitByBit("저는 ", lambda: signal.raise_signal(signal.SIGINT), "고양이가 좋아요")
    shown = talk(model, "나 고양이 좋아해", "/취소")
    assert f"레티아  저는 \n{REPLIES['broken_off']}\n" in shown
    assert "고양이를 좋아함" in shown
    assert "없던 일로 할게요: “나 고양이 좋아해”" in shown
    assert signal.getsignal(signal.SIGINT) is usual


def test_an_interrupted_reply_is_kept_and_marked(mind, talk):
    talk(BitByBit("저는 ", lambda: signal.raise_signal(signal.SIGINT), "고양이"), "나 고양이 좋아해")
    assert lines(mind) == ["나 고양이 좋아해", "저는"]
    assert mind.turns()[0].cut_off


def test_a_second_ctrl_c_does_not_tear_what_is_being_kept(bank, mind, talk):
    bank.on("memory.remembered", lambda event: signal.raise_signal(signal.SIGINT))
    talk(BitByBit("저는 ", lambda: signal.raise_signal(signal.SIGINT), "고양이"), "나 고양이 좋아해")
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
        voice_of(mind, "너는 레티아다.").answer("안녕")
        assert lines(mind) == ["안녕", "네."]
    assert "너는 레티아다." in model.asked[0][1][0].content


def test_nothing_can_be_answered_again_before_anything_was_said(talk):
    assert REPLIES["nothing_to_answer"] in talk(ScriptedModel({"reply": "네"}), "/다시")


def test_without_a_model_nothing_is_answered_again(run):
    assert REPLIES["no_model"] in run("chat", stdin="안녕\n/다시\n").out


def test_a_persona_without_a_model_is_refused(run):
    ran = run("chat", "--persona", "너는 레티아다.")
    assert ran.code == 1
    assert "--llm" in ran.err


def test_a_persona_is_read_from_a_file(run, tmp_path):
    (tmp_path / "persona.txt").write_bytes("너는".encode("cp949"))
    assert "not UTF-8" in run("chat", "--persona", f"@{tmp_path}/persona.txt").err
    assert "nobody.txt" in run("chat", "--persona", f"@{tmp_path}/nobody.txt").err


def test_every_feeling_but_calm_has_its_faces():
    faces = phrases()["faces"]
    assert set(faces) == set(EMOTIONS) - {"neutral"}
    assert all(len(each) == 2 for each in faces.values())
