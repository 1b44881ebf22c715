"""Files of four formats, all written for these tests, become the same kind of dataset."""

import json
from datetime import datetime

import pytest

from gieok.errors import InvalidQuery
from gieok_evals.retrieval.datasets import sampled
from gieok_evals.retrieval.loading import load

LOCOMO = [
    {
        "sample_id": "talk-1",
        "conversation": {
            "speaker_a": "Nora",
            "speaker_b": "Theo",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Nora", "dia_id": "D1:1", "text": "I planted tomatoes on the balcony."},
                {"speaker": "Theo", "dia_id": "D1:2", "text": "Look at mine!", "blip_caption": "a red pepper"},
            ],
            "session_10_date_time": "12:05 am on 1 June, 2023",
            "session_10": [{"speaker": "Nora", "dia_id": "D10:1", "text": "The first tomato is ripe."}],
            "session_2_date_time": "9:00 am on 20 May, 2023",
            "session_2": [{"speaker": "Theo", "dia_id": "D2:1", "text": "Still only leaves here."}],
        },
        "qa": [
            {"question": "What did Nora plant?", "answer": "tomatoes", "evidence": ["D1:1; D10:01"], "category": 1},
            {"question": "What does Theo grow?", "answer": "pepper", "evidence": ["D1:2", "D7:7"], "category": 4},
            {"question": "What did Theo harvest?", "evidence": ["D10:1"], "category": 5, "adversarial_answer": "…"},
            {"question": "Who knows?", "answer": "nobody", "evidence": [], "category": 3},
        ],
    }
]
PARAPHRASES = "0\t몇 시에 깨워 줄까?\n0\t언제 깨우면 돼?\n0\t언제 깨우면 돼?\n1\t우산 챙겼어?\n1\t우산 가져왔니?\n"
REGISTERS = (
    "formal\tinformal\tking\n밥은 드셨습니까?\t밥 먹었어?\t수라는 들었는가?\n\t빈 줄\t\n비가 옵니다.\t비 온다\t\n"
)
TURNS = [
    {"id": "a", "speaker": "민수", "text": "나 어제 이사했어", "at": "2025-03-01T10:00:00+09:00", "session": "1"},
    {"id": "b", "speaker": "레티아", "text": "어디로요?", "session": "1"},
    {"id": "c", "speaker": "민수", "text": "강릉으로", "session": "2"},
]
ASKED = [
    {"query": "어디로 이사했어?", "evidence": ["a", "c"], "category": "사는 곳"},
    {"query": "누가 알아?", "evidence": ["z"]},
]


@pytest.fixture
def write(tmp_path):
    def write(name, content):
        path = tmp_path / name
        text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_locomo_sessions_come_in_their_order_each_with_its_time(write):
    (talk,) = load(write("locomo.json", LOCOMO)).conversations

    assert [line.id for line in talk.lines] == ["D1:1", "D1:2", "D2:1", "D10:1"]
    assert talk.lines[1].at == datetime.fromisoformat("2023-05-08T13:56:20")
    assert talk.lines[3].at == datetime.fromisoformat("2023-06-01T00:05")
    assert {line.session for line in talk.lines} == {"session 1", "session 2", "session 10"}


def test_locomo_evidence_may_stand_in_one_string_and_only_what_was_said_counts(write):
    dataset = load(write("locomo.json", LOCOMO))
    (talk,) = dataset.conversations

    assert [(query.category, query.evidence) for query in talk.queries] == [
        ("multi-hop", {"D1:1", "D10:1"}),
        ("single-hop", {"D1:2"}),
        ("adversarial", {"D10:1"}),
    ]
    assert [query.apart for query in talk.queries] == [False, False, True]
    assert (dataset.format, dataset.left_out) == ("LoCoMo", 1)


def test_a_shared_photo_is_told_or_left_out(write):
    path = write("locomo.json", LOCOMO)
    assert load(path).conversations[0].lines[1].text == "Look at mine! [shares a photo: a red pepper]"
    assert load(path, captions=False).conversations[0].lines[1].text == "Look at mine!"


def test_who_says_nothing_has_no_line(write):
    wordless = [{**TURNS[0], "id": "w", "text": " "}, *TURNS]
    (talk,) = load(write("own.jsonl", {"turns": wordless, "queries": ASKED})).conversations
    assert [line.id for line in talk.lines] == ["a", "b", "c"]


def test_every_paraphrase_asks_for_the_others_of_its_group_and_never_for_itself(write):
    dataset = load(write("paraphrases.tsv", PARAPHRASES))
    (all_of_them,) = dataset.conversations

    assert dataset.format == "ParaKQC"
    assert [line.text for line in all_of_them.lines][:2] == ["몇 시에 깨워 줄까?", "언제 깨우면 돼?"]
    assert len(all_of_them.queries) == 4
    assert all(query.itself not in query.evidence for query in all_of_them.queries)
    assert len({line.session for line in all_of_them.lines}) == len(all_of_them.lines) == 4
    assert dataset.unit == "group"


def test_every_register_asks_for_the_formal_line(write):
    dataset = load(write("registers.tsv", REGISTERS))
    (all_of_them,) = dataset.conversations
    text_of = {line.id: line.text for line in all_of_them.lines}

    assert dataset.format == "SmileStyle"
    assert list(text_of.values()) == ["밥은 드셨습니까?", "비가 옵니다."]
    assert [(query.text, query.category, text_of[min(query.evidence)]) for query in all_of_them.queries] == [
        ("밥 먹었어?", "informal", "밥은 드셨습니까?"),
        ("수라는 들었는가?", "king", "밥은 드셨습니까?"),
        ("비 온다", "informal", "비가 옵니다."),
    ]


def test_json_lines_say_what_they_know_and_the_rest_is_filled_in(write):
    record = {"id": "one", "turns": TURNS, "queries": ASKED}
    dataset = load(write("own.jsonl", record))
    (talk,) = dataset.conversations

    assert [line.at.isoformat() for line in talk.lines] == [
        "2025-03-01T10:00:00+09:00",
        "2025-03-01T10:00:20+09:00",
        "2025-03-02T10:00:20+09:00",
    ]
    assert [query.evidence for query in talk.queries] == [{"a", "c"}]
    assert (dataset.format, dataset.left_out, dataset.unit) == ("JSON Lines", 1, "question")


def test_a_sample_is_the_same_for_the_same_seed_and_knows_what_it_left_out(write):
    dataset = load(write("paraphrases.tsv", PARAPHRASES))

    drawn = sampled(dataset, 2, seed=7)
    assert (drawn.queries, drawn.unasked, drawn.lines) == (2, 2, 4)
    assert drawn == sampled(dataset, 2, seed=7)
    assert sampled(dataset, 0, seed=7) == dataset


@pytest.mark.parametrize(
    ("name", "content", "way_out"),
    [
        ("empty.json", " \n", "is empty; what can be measured is LoCoMo"),
        ("prose.txt", "그냥 글이다.", "no format known here; what can be measured is LoCoMo"),
        ("list.json", [1, 2], "line 1 is no conversation"),
        ("broken.jsonl", '{"id": 1, "turns": []', "line 1 is no conversation"),
        ("talk.jsonl", {"id": "x", "turns": TURNS}, "'queries'.*what can be measured"),
        ("string.jsonl", {"turns": TURNS, "queries": [{"query": "?", "evidence": "a"}]}, "give a list of turn ids"),
        ("twice.jsonl", {"turns": [TURNS[0]] * 2, "queries": []}, "same id"),
        ("nothing.jsonl", {"turns": TURNS, "queries": ASKED[1:]}, "no question in .* has evidence"),
        ("times.json", [{"conversation": {"session_1": [], "session_1_date_time": "noon"}, "qa": []}], "noon"),
        ("ragged.tsv", "0\t하나\n둘\n", "cannot be understood"),
    ],
)
def test_a_file_that_cannot_be_measured_says_what_can(write, name, content, way_out):
    with pytest.raises(InvalidQuery, match=way_out):
        load(write(name, content))
