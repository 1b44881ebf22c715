import json
from datetime import UTC, datetime, timedelta

import pytest

from support.misbehaving import Misbehaving, answer, status
from support.proposals import answer as reading
from support.proposals import fact

LETIA = ("-u", "민수", "-c", "레티아")
SERA = ("-u", "민수", "-c", "세라")


@pytest.fixture
def told(run, monkeypatch):
    """A bank in which so much was said that a summary is due, and no upkeep was done."""
    from gieok.bank import open_bank

    monkeypatch.setenv("GIEOK_UPKEEP", "off")
    with open_bank("gieok.db") as bank:
        mind = bank.scope(user="민수", character="레티아")
        for number in range(14):
            mind.observe(f"나 오늘 산책을 {number + 1}번 했어", reply="잘했어요!")
    return run


def summaries(run):
    return [memory["content"] for memory in run("facts", "--type", "summary", "--json", *LETIA).record]


def test_a_dry_run_shows_what_would_happen_and_changes_nothing(told):
    shown = told("maintain", "--dry-run")
    assert shown.code == 0
    assert "아직 아무것도 바꾸지 않았어요" in shown.out
    assert "요약하지 않은 대화 14번" in shown.out
    assert summaries(told) == []


def test_what_is_due_is_done_once(told):
    (planned,) = told("maintain", "--dry-run", "--json").record
    (done,) = told("maintain", "--json").record
    assert (planned["dry_run"], done["dry_run"]) == (True, False)
    assert done["passes"] == planned["passes"]
    assert "summarise" in done["passes"]
    assert [(each["action"], each["why"]) for each in done["kept"]] == [
        (each["action"], each["why"]) for each in planned["kept"]
    ]
    assert len(summaries(told)) == 1
    again = told("maintain")
    assert (again.code, again.out) == (0, "지금은 할 일이 없어요.\n")


def test_a_named_pass_is_done_due_or_not(told):
    (done,) = told("maintain", "--pass", "summarise", "--pass", "prune", "--json").record
    assert done["passes"] == ["prune", "summarise"]
    assert "살펴봤지만 바꿀 것이 없었어요: 흐려진 기억 내려놓기" in told("maintain", "--pass", "prune").out


def test_the_report_names_the_passes_and_counts_the_memories(told):
    shown = told("maintain").out
    assert "정리를 마쳤어요: " in shown
    assert "새로 " in shown
    assert told("maintain").err == ""


def test_of_several_scopes_one_is_named_or_all(told):
    told("observe", "안녕", *SERA)
    assert "--all" in told("maintain").refused
    assert [each["scope"]["character"] for each in told("maintain", "--all", "--dry-run", "--json").record] == [
        "레티아",
        "세라",
    ]
    shown = told("maintain", "--all").out
    assert "[user=민수 character=레티아]" in shown
    assert "세라" not in shown
    assert told("maintain", "--all").out == "지금은 할 일이 없어요.\n"


def test_a_scope_that_another_process_works_on_is_told(told):
    from gieok.bank import open_bank

    now = datetime.now(UTC)
    with open_bank("gieok.db") as bank:
        scope = bank.scope(user="민수", character="레티아").key
        assert bank.store.lease(scope, "another", until=now + timedelta(minutes=5), now=now)
    busy = told("maintain")
    assert busy.code == 0
    assert "다른 프로세스가 정리하는 중이에요" in busy.out
    assert summaries(told) == []


@pytest.mark.parametrize(
    ("arguments", "trouble"),
    [
        (("--pass", "tidy"), "promote, merge, prune"),
        (("--all", *LETIA), "--all"),
        (("--watch", "--dry-run"), "--watch는"),
        (("--watch", "--json"), "--watch는"),
        (("--watch", "--pass", "merge"), "--watch는"),
        (("--watch", "--deep"), "--watch는"),
        (("--deep", "--dry-run"), "--deep은"),
        (("--at", "morgen"), "--at 값 'morgen'은 날짜가 아니에요"),
    ],
)
def test_a_slip_is_named(told, arguments, trouble):
    assert trouble in told("maintain", *arguments).refused


def test_a_bank_that_is_not_there_is_not_made(run, tmp_path):
    assert "저장소가 없어요" in run("maintain", "--all").err
    assert list(tmp_path.iterdir()) == []


class Interrupted:
    """Sleeps for nobody: does something else instead, and is interrupted in the end."""

    def __init__(self, *acts):
        self.acts = list(acts)
        self.asked = []

    def __call__(self, seconds):
        self.asked.append(seconds)
        if not self.acts:
            raise KeyboardInterrupt
        self.acts.pop(0)()


@pytest.mark.parametrize("where", [LETIA, ("--all",)])
def test_a_watch_tells_in_a_line_what_it_did_and_ends_quietly(told, monkeypatch, where):
    nap = Interrupted()
    monkeypatch.setattr("gieok.cli.maintain.sleep", nap)
    ran = told("maintain", "--watch", "--every", "30", *where)
    assert ran.code == 0
    (line,) = ran.out.splitlines()
    assert "[user=민수 character=레티아] " in line
    assert "요약" in line
    assert "30초마다 살펴봐요" in ran.err
    assert nap.asked == [30]


def test_a_watch_over_everything_sees_scopes_that_come_later(told, monkeypatch):
    from gieok.bank import open_bank

    def talk():
        with open_bank("gieok.db") as bank:
            mind = bank.scope(user="민수", character="세라")
            for number in range(14):
                mind.observe(f"나 오늘 책을 {number + 1}권 읽었어")

    monkeypatch.setattr("gieok.cli.maintain.sleep", Interrupted(talk))
    ran = told("maintain", "--watch", "--all")
    assert ran.code == 0
    assert ["세라" in line for line in ran.out.splitlines()] == [False, True]


def test_trouble_in_one_scope_does_not_end_a_watch(told, monkeypatch):
    from gieok.bank.mind import Mind
    from gieok.errors import ScopeBusy

    def fails(self, *_, **__):
        raise ScopeBusy(5)

    monkeypatch.setattr(Mind, "maintain", fails)
    monkeypatch.setattr("gieok.cli.maintain.sleep", Interrupted(lambda: None))
    ran = told("maintain", "--watch")
    assert ran.code == 0
    assert ran.err.count("5번 연달아 고치는 중") == 2


OPEN = "골목 끝 공방에서 물레를 돌려 봤어."
FOUND = reading(fact("hobby", "물레", "공방에서 물레를 돌려 봤어"))
NOTE = {"note": "새 취미 이야기를 더 들어 줄 것.", "deltas": []}


@pytest.fixture
def server():
    with Misbehaving() as server:
        yield server


@pytest.fixture
def left_open(run, server, monkeypatch):
    """A bank with a turn that a model is to read, and the settings of a model that reads and directs."""
    monkeypatch.setenv("GIEOK_LLM_URL", server.url)
    monkeypatch.setenv("GIEOK_LLM", "vllm:small")
    monkeypatch.setenv("GIEOK_LLM_DEEP", "vllm:large")
    monkeypatch.setenv("GIEOK_LLM_RETRIES", "0")
    monkeypatch.setenv("GIEOK_BEHIND_THE_SCENES", "off")
    run("observe", OPEN, *LETIA)
    return run


def extracting(asked):
    return asked.body["model"] == "small"


def directing(asked):
    return asked.body["model"] == "large"


def test_models_do_their_work_now(left_open, server, on_file):
    server.always(answer(FOUND), when=extracting)
    server.always(answer(json.dumps(NOTE)), when=directing)
    done = left_open("maintain", "--deep")
    assert (done.code, done.err) == (0, "")
    on_file("deepened-ko", done.out)
    assert [memory["value"] for memory in left_open("facts", "--json").record] == ["물레"]
    again = left_open("maintain", "--deep", "--all")
    assert (again.code, again.out) == (0, "지금은 할 일이 없어요.\n")


def test_what_models_did_is_written_as_json(left_open, server, monkeypatch):
    server.always(answer(FOUND), when=extracting)
    server.always(answer(json.dumps(NOTE)), when=directing)
    (done,) = left_open("maintain", "--deep", "--json").record
    (turn,) = done.pop("read")
    assert [decision["memory"]["value"] for decision in turn["decisions"]] == ["물레"]
    assert done == {
        "scope": {"user": "민수", "character": "레티아", "world": None},
        "directed": True,
        "note": NOTE["note"],
        "left_open": 0,
        "asked": [],
        "failed": [],
        "kept": [],
    }


def test_a_model_that_gives_no_answer_leaves_what_is_open(left_open, server, monkeypatch):
    server.always(status(500))
    done = left_open("maintain", "--deep")
    assert done.code == 0
    assert "아직 읽지 못한 대화가 1번 남았어요" in done.out
    monkeypatch.setenv("GIEOK_LANGUAGE", "en")
    assert "1 turns still wait for a model" in left_open("maintain", "--deep").out


def test_without_a_model_it_is_said_how_one_is_set(told):
    assert 'llm = "ollama:qwen3:8b" (GIEOK_LLM)' in told("maintain", "--deep").refused


def test_a_watch_wakes_models_once_for_what_was_said(left_open, server, monkeypatch):
    from gieok.bank import MemoryBank

    monkeypatch.setenv("GIEOK_BEHIND_THE_SCENES", "auto")
    monkeypatch.setenv("GIEOK_LLM_READING", "turn")
    server.always(answer(FOUND), when=extracting)
    server.always(answer('{"note": "", "deltas": []}'), when=directing)
    opened = []
    woken = MemoryBank.wake
    monkeypatch.setattr(MemoryBank, "wake", lambda bank, scope: (opened.append(bank), woken(bank, scope)))
    settle = lambda: opened[-1].settle(20)  # noqa: E731  # one line reads better here
    monkeypatch.setattr("gieok.cli.maintain.sleep", Interrupted(settle, settle))
    assert left_open("maintain", "--watch").code == 0
    assert len(opened) == 1, "nothing was said since"
    assert [memory["value"] for memory in left_open("facts", "--json").record] == ["물레"]
