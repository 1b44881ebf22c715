"""Retrieval: files, figures, rankings, and what a model's help is worth."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from math import log2
from xml.etree import ElementTree as ET

import pytest
from rich.console import Console
from typer.testing import CliRunner

from gieok.bank import open_bank
from gieok.domain.answer import Aid, ModelCall
from gieok.domain.scoring import PART_NAMES, Parts, Weights
from gieok.errors import InvalidQuery, InvalidText, ModelFailed
from gieok.testing import ScriptedModel
from gieok_evals.charts import retrieval_chart
from gieok_evals.commands import app
from gieok_evals.retrieval import Plan, measure, record, show_retrieval
from gieok_evals.retrieval.datasets import Query, conversation, load, sampled
from gieok_evals.retrieval.metrics import NAMES, difference, recall_at, reciprocal_rank, scored, scores, sheet, summary
from gieok_evals.retrieval.ranking import Answer, Asking, ModelUse, Way, ablations, compared, play
from gieok_evals.retrieval.tuning import tuned

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


def test_locomo_evidence_may_be_one_string_and_unknown_lines_are_ignored(write):
    dataset = load(write("locomo.json", LOCOMO))
    (talk,) = dataset.conversations

    assert [(query.category, query.evidence) for query in talk.queries] == [
        ("multi-hop", {"D1:1", "D10:1"}),
        ("single-hop", {"D1:2"}),
        ("adversarial", {"D10:1"}),
    ]
    assert [query.apart for query in talk.queries] == [False, False, True]
    assert (dataset.format, dataset.left_out) == ("LoCoMo", 1)


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


def test_missing_times_of_json_lines_are_filled_in(write):
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


def test_a_sample_is_the_same_for_the_same_seed_and_counts_what_it_left_out(write):
    dataset = load(write("paraphrases.tsv", PARAPHRASES))

    drawn = sampled(dataset, 2, seed=7)
    assert (drawn.queries, drawn.unasked, drawn.lines) == (2, 2, 4)
    assert drawn == sampled(dataset, 2, seed=7)
    assert sampled(dataset, 0, seed=7) == dataset


@pytest.mark.parametrize(
    ("name", "content", "way_out"),
    [
        ("empty.json", " \n", "is empty; the formats are LoCoMo"),
        ("prose.txt", "그냥 글이다.", "an unknown format; the formats are LoCoMo"),
        ("list.json", [1, 2], "line 1 is not a conversation"),
        ("broken.jsonl", '{"id": 1, "turns": []', "line 1 is not a conversation"),
        ("talk.jsonl", {"id": "x", "turns": TURNS}, "'queries'.*the formats are"),
        ("string.jsonl", {"turns": TURNS, "queries": [{"query": "?", "evidence": "a"}]}, "give a list of turn ids"),
        ("twice.jsonl", {"turns": [TURNS[0]] * 2, "queries": []}, "same id"),
        ("nothing.jsonl", {"turns": TURNS, "queries": ASKED[1:]}, "no question in .* has evidence"),
        ("times.json", [{"conversation": {"session_1": [], "session_1_date_time": "noon"}, "qa": []}], "noon"),
        ("ragged.tsv", "0\t하나\n둘\n", "cannot be understood"),
    ],
)
def test_a_file_that_cannot_be_read_names_the_formats(write, name, content, way_out):
    with pytest.raises(InvalidQuery, match=way_out):
        load(write(name, content))


def answer(conversation, ranking, *evidence, parts=(), **more):
    query = Query(text="?", evidence=frozenset(evidence), **more)
    return Answer(conversation=conversation, query=query, ranking=tuple(ranking), parts=tuple(parts))


def test_recall_is_the_share_of_the_evidence_that_stands_in_front():
    assert recall_at(5, [1, 6], 4) == 0.25
    assert recall_at(10, [1, 6], 4) == 0.5
    assert recall_at(5, [], 3) == 0


def test_the_reciprocal_rank_looks_at_the_first_only():
    assert reciprocal_rank([4, 2]) == 0.5
    assert reciprocal_rank([]) == 0


def test_the_figures_of_one_question():
    assert dict(zip(NAMES, scores([2, 7], 2), strict=True)) == pytest.approx(
        {
            "recall@5": 0.5,
            "recall@10": 1.0,
            "recall@20": 1.0,
            "mrr": 0.5,
            "ndcg@10": (1 / log2(3) + 1 / 3) / (1 + 1 / log2(3)),
        }
    )


def test_a_category_that_is_apart_is_not_part_of_the_overall_figures():
    measured = summary(
        sheet(
            [
                answer("1", "ab", "a", category="single"),
                answer("2", "ab", "b", category="single"),
                answer("1", "ab", "z", category="never said", apart=True),
            ]
        )
    )
    assert measured.overall.queries == 2
    assert measured.overall.figures["mrr"].value == 0.75
    assert measured.categories.keys() == {"single"}
    assert measured.apart["never said"].figures["mrr"].value == 0


def test_intervals_draw_whole_conversations():
    found, lost = answer("1", "a", "a"), answer("2", "a", "z")
    whole = scored(sheet([*[found] * 50, *[lost] * 50]))
    assert whole.figures["mrr"].interval == (0.0, 1.0)  # both draws may be the same conversation
    mixed = [answer(name, "a", each) for name in "12" for each in "az" * 25]
    assert scored(sheet(mixed)).figures["mrr"].interval == (0.5, 0.5)


def test_in_a_single_conversation_groups_are_drawn_and_one_group_gives_no_interval():
    pairs = [answer("1", "a", evidence, group=group) for evidence, group in ("aX", "zX")]
    assert scored(sheet(pairs)).figures["mrr"].interval is None
    alone = [answer("1", "a", evidence) for evidence in "az"]
    assert scored(sheet(alone)).figures["mrr"].interval == (0.0, 1.0)


def test_a_difference_is_paired_by_question():
    default = sheet([answer("1", "ab", "a"), answer("2", "ba", "b")])
    other = sheet([answer("1", "ba", "a"), answer("2", "ab", "b")])
    change = difference("worse", other, default)
    assert change.figures["mrr"].value == -0.5
    assert change.figures["mrr"].interval == (-0.5, -0.5)  # it is the same for each
    assert change.figures["recall@10"].value == 0


@pytest.fixture
def misled():
    """Answers in which the words are right and the meaning always points elsewhere."""
    wrong, right = Parts(relevance=0.9, keyword=0.2), Parts(relevance=0.1, keyword=0.9)
    return [answer(name, "ab", "b", parts=(wrong, right)) for name in ("1", "2", "3")]


def test_tuning_finds_what_helps_and_is_scored_on_what_it_never_saw(misled):
    found = tuned(misled, Weights(relevance=1.0, keyword=0.1, graph=0.0))

    assert [fold.left_out for fold in found.folds] == ["1", "2", "3"]
    assert found.default["mrr"] == 0.5
    assert found.held_out["mrr"] == found.seen["mrr"] == 1
    assert found.weights["keyword"] > found.weights["relevance"] * 8 / 7


def test_tuning_keeps_weights_that_are_already_best(misled):
    right = Weights(relevance=0.1, keyword=1.0)
    found = tuned(misled, right)
    assert found.weights == pytest.approx({name: getattr(right, name) for name in found.weights})


SEA = {
    "id": "바다",
    "turns": [
        {"id": "1", "speaker": "민수", "text": "나 지난달에 강릉 바다에 다녀왔어"},
        {"id": "2", "speaker": "레티아", "text": "우와, 수영도 했어요?"},
        {"id": "3", "speaker": "민수", "text": "파도가 높아서 모래성만 쌓았지"},
        {"id": "4", "speaker": "지훈", "text": "나는 산이 더 좋던데"},
    ],
    "queries": [
        {"query": "강릉 바다", "evidence": ["1"], "category": "곳"},
        {"query": "모래성", "evidence": ["3"], "category": "일"},
    ],
}
CAT = {
    "id": "고양이",
    "turns": [
        {"id": "1", "speaker": "민수", "text": "우리 고양이 이름은 코코야"},
        {"id": "2", "speaker": "레티아", "text": "코코는 뭘 좋아해요?"},
        {"id": "3", "speaker": "민수", "text": "참치 캔이라면 자다가도 일어나"},
    ],
    "queries": [
        {"query": "고양이 이름", "evidence": ["1"], "category": "일"},
        {"query": "참치 캔", "evidence": ["3"], "category": "일"},
    ],
}


OWN = "\n".join(json.dumps(each, ensure_ascii=False) for each in (SEA, CAT))


@pytest.fixture
def data(write):
    return write("own.jsonl", OWN)


def gieok_eval(*arguments):
    return CliRunner().invoke(app, ["retrieval", "--embedder", "hashing", *map(str, arguments)])


@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    """One report with all there is in it."""
    path = tmp_path_factory.mktemp("data") / "own.jsonl"
    path.write_text(OWN, encoding="utf-8")
    plan = Plan(ablate=True, compare=compared("default,words=relevance:0,keyword:1"), tune=True)
    return measure(load(path), plan, embedder="hashing")


@pytest.fixture
def heard(tmp_path):
    with open_bank(tmp_path / "eval.db", embedder="hashing") as bank:
        yield bank, play(bank, conversation(SEA, 1), progress=lambda: None)


def test_lines_are_observed_as_their_speakers_said_them(heard):
    bank, played = heard
    said = [utterance for turn in bank.mind(played.scope).turns() for utterance in turn.utterances]
    assert [utterance.speaker for utterance in said] == ["user", "character", "user", "지훈"]
    assert (played.scope.user, played.scope.character) == ("민수", "레티아")


def test_a_line_that_cannot_be_kept_is_named(tmp_path):
    endless = {**SEA, "turns": [{"id": "9", "speaker": "민수", "text": "아" * 9_000}]}
    with (
        open_bank(tmp_path / "eval.db", embedder="hashing") as bank,
        pytest.raises(InvalidText, match=r"turn '9' of conversation '바다': .* at most 8,000"),
    ):
        play(bank, conversation(endless, 1), progress=lambda: None)


def test_a_question_ranks_the_lines_and_finds_its_own(heard):
    bank, played = heard
    answer = played.answer(bank, played.conversation.queries[0], Way(), Asking(depth=3))
    assert answer.ranking[0] == "1"
    assert len(answer.ranking) == len(set(answer.ranking)) <= 3
    assert answer.parts == ()


def test_the_question_itself_is_not_an_answer(heard):
    bank, played = heard
    itself = replace(played.conversation.queries[0], text=SEA["turns"][0]["text"], itself="1")
    answer = played.answer(bank, itself, Way(), Asking(depth=4, keep_parts=True))
    assert "1" not in answer.ranking
    assert len(answer.parts) == len(answer.ranking)


def test_a_memory_counts_as_the_line_it_was_read_from(tmp_path):
    with open_bank(tmp_path / "eval.db", embedder="hashing") as bank:
        played = play(bank, conversation(CAT, 1), progress=lambda: None)
        assert bank.mind(played.scope).facts(), "there has to be something to stand for"
        answer = played.answer(bank, played.conversation.queries[0], Way(), Asking(depth=5, with_memories=True))
    assert answer.ranking[0] == "1"
    assert len(answer.ranking) == len(set(answer.ranking))


def test_an_ablation_leaves_out_each_part_and_source_once():
    ways = ablations()
    assert {name for way in ways for name in way.weights} == set(PART_NAMES)
    assert {name for way in ways for name in way.without} == set(Aid.__args__)
    assert all(len(way.weights) + len(way.without) == 1 for way in ways)


def test_an_ablation_reports_the_greatest_loss_first(everything):
    assert {each.name for each in everything.differences} == {way.name for way in ablations()}
    losses = [each.figures["recall@10"].value for each in everything.differences]
    assert losses == sorted(losses)
    assert everything.default.overall.figures["recall@10"].value == 1


def test_presets_are_asked_about_what_was_heard_once(data):
    heard = []
    plan = Plan(compare=compared("heroine,social"))
    report = measure(load(data), plan, embedder="hashing", progress=heard.append)
    assert list(report.compared) == ["default", "heroine", "social"]
    assert all(each.overall.queries == 4 for each in report.compared.values())
    assert (heard.count("observed"), heard.count("asked")) == (7, 12)


def test_ranking_again_by_score_gives_the_ranking_of_recall(everything):
    figures = everything.default.overall.figures
    assert everything.tuning.default == pytest.approx({name: figures[name].value for name in NAMES})


def test_compare_reads_presets_and_weights():
    ways = compared("default, heroine ,mine=relevance:0.7,keyword:0.2,yours=graph:1")
    assert [(way.name, way.preset, dict(way.weights)) for way in ways] == [
        ("default", None, {}),
        ("heroine", "heroine", {}),
        ("mine", None, {"relevance": 0.7, "keyword": 0.2}),
        ("yours", None, {"graph": 1.0}),
    ]


@pytest.mark.parametrize(
    ("text", "way_out"),
    [
        ("relevance:0.7", "weights need a name"),
        ("default,keyword:1", "weights need a name"),
        ("default=keyword:1", "weights need a name of their own"),
        ("mine=relevanz:1", "the parts are recency"),
        ("mine=relevance:viel", "write it like relevance:0.5"),
        ("mine=graph:1,mine=graph:2", "a name of its own"),
    ],
)
def test_a_comparison_that_cannot_be_read_says_how_to_write_it(text, way_out):
    with pytest.raises(InvalidQuery, match=way_out):
        compared(text)


def test_tuning_with_memories_is_refused():
    with pytest.raises(InvalidQuery, match="leave out --with-memories"):
        Plan(tune=True, with_memories=True)


def test_a_bank_that_searches_memories_only_needs_an_option(data, monkeypatch):
    monkeypatch.setenv("GIEOK_SEARCH_TURNS", "false")
    assert "add --with-memories" in str(gieok_eval("--data", data).exception)
    assert gieok_eval("--data", data, "--with-memories").exit_code == 0


def test_json_has_the_figures_first(data):
    done = gieok_eval("--data", data, "--json")
    report = json.loads(done.stdout)

    assert list(report)[:6] == [*NAMES, "categories"]
    assert report["recall@10"] == 1
    assert {name: set(figures) for name, figures in report["categories"].items()} == {
        "곳": set(NAMES),
        "일": set(NAMES),
    }
    assert report["counts"]["queries"] == 4
    assert report["counts"]["categories"] == {"곳": 1, "일": 3}
    assert report["data"] == {"name": "own.jsonl", "format": "JSON Lines"}
    assert report["settings"]["embedder"].startswith("hashing")
    assert set(report["settings"]["weights"]) == set(PART_NAMES)
    assert not {"ablation", "compare", "tuning"} & set(report)


def test_a_chart_shows_the_figures_or_the_changes(everything):
    figures = retrieval_chart(replace(everything, data='<script>"&$x$', differences=()))
    words = " ".join(ET.fromstring(figures).itertext())
    assert '<script>"&$x$: found' in words
    assert "overall" in words
    assert "1.000" in words
    assert "곳" in words
    assert "without keyword" in retrieval_chart(everything)


@pytest.mark.parametrize(("name", "way_out"), [("chart.png", "chart.svg"), ("no/chart.svg", "make it first")])
def test_a_chart_that_cannot_be_drawn_is_refused_before_anything_is_measured(data, tmp_path, name, way_out):
    done = gieok_eval("--data", data, "--chart", tmp_path / name)
    assert way_out in str(done.exception)


def test_the_whole_report_as_json(data):
    done = gieok_eval("--data", data, "--ablate", "--compare", "default,mine=graph:0", "--tune", "--json")
    report = json.loads(done.stdout)
    assert {each["off"] for each in report["ablation"]} == {way.name for way in ablations()}
    assert set(report["ablation"][0]) == {"off", *NAMES, "intervals"}
    assert list(report["compare"]) == ["default", "mine"]
    assert set(report["tuning"]) == {"folds", "default", "held_out", "weights", "seen"}


TALK = {
    "id": "바다",
    "turns": [
        {"id": str(number), "speaker": "민수" if number % 2 else "레티아", "text": text}
        for number, text in enumerate(
            ["강릉 바다에 갔어", "바다는 어땠어요?", "바다에서 모래성을 쌓았지", "바다 사진도 찍었어요?"], start=1
        )
    ],
    "queries": [{"query": "바다에서 뭐 했어?", "evidence": ["3"]}, {"query": "바다 이야기", "evidence": ["1"]}],
}


class Answering(ScriptedModel):
    """Says that the memory with `best` in it is the best one, and has every call counted, as a real one has."""

    def __init__(self, store, best):
        super().__init__({"rerank": self._ranked, "compress": '{"items": []}', "rewrite_query": "모래성"})
        self._store = store
        self._best = best

    def ask(self, prompt):
        failure = None
        try:
            return super().ask(prompt)
        except ModelFailed as failed:
            failure = failed.failure
            raise
        finally:
            self._store.note_call(
                ModelCall(task=prompt.task, model=self.name, at=datetime.now(UTC), seconds=1.5, failure=failure)
            )

    def _ranked(self, messages):
        rows = map(json.loads, re.findall(r'\{"id": .*\}', messages[-1].content))
        return json.dumps({"ids": [row["id"] for row in rows if self._best in row["text"]] or ["m99"]})


@pytest.fixture
def talk(write):
    return load(write("own.jsonl", TALK))


def helped_by(best):
    """Return an opener whose banks are helped by a model that likes `best`."""

    def opened(bank, way):
        handle = open_bank(bank.settings.bank, embedder=bank.embedder, preset=way.preset)
        names = {"rewrite_query": "rewrite"}
        fields = {names.get(switch, switch): True for switch in way.switches}
        model = Answering(bank.services.store, best)
        vars(handle.services)["recaller"] = replace(handle.services.recaller, model=model, **fields)
        return handle

    return opened


def printed(report):
    console = Console(width=160, record=True, file=None, quiet=False)
    with console.capture() as shown:
        show_retrieval(report, console)
    return shown.get()


@pytest.mark.parametrize("text", ["default+magic", "default+", "heroine+rerank+Compress"])
def test_unknown_help_is_refused_with_a_list_of_choices(text):
    with pytest.raises(InvalidQuery, match=r"add \+rerank, \+compress, \+rewrite"):
        compared(text)


def test_without_a_model_help_cannot_be_measured(data):
    done = gieok_eval("--data", data, "--compare", "default+rerank")
    assert "--compare default+rerank asks a model; name one, e.g. --llm" in str(done.exception)


def test_reranking_is_compared_with_the_default_and_its_calls_are_counted(talk):
    plan = Plan(compare=compared("default,default+rerank"))
    report = measure(talk, plan, embedder="hashing", opener=helped_by("강릉"))

    first = report.compared["default+rerank"]
    assert list(report.compared) == ["default", "default+rerank"]
    assert report.asked == {"default+rerank": ModelUse(calls=2, failed=0, seconds=3.0)}
    assert first.overall.figures["mrr"].value > report.default.overall.figures["mrr"].value
    assert report.contexts == {}
    table = printed(report)
    assert re.search(r"model s +calls +failed", table)
    assert re.search(r"default\+rerank .* 3\.0 +2 +0", table)
    assert record(report)["model"] == {"default+rerank": {"calls": 2, "failed": 0, "seconds": 3.0}}


def test_a_failing_model_leaves_the_figures_of_the_default(talk):
    plan = Plan(compare=compared("default+rerank"))
    report = measure(talk, plan, embedder="hashing", opener=helped_by("없는 말"))

    assert report.compared["default+rerank"] == report.default
    assert report.asked["default+rerank"] == ModelUse(calls=2, failed=2, seconds=3.0)


def test_compression_is_measured_by_what_contexts_hold(talk):
    plan = Plan(compare=compared("default+compress,default+rewrite+compress"))
    report = measure(talk, plan, embedder="hashing", opener=helped_by("모래성"))

    assert list(report.contexts) == ["default", "default+compress", "default+rewrite+compress"]
    assert report.contexts["default"].held == 1
    assert report.contexts["default"].tokens > 0
    assert re.search(r"in context +tokens", printed(report))
    assert set(record(report)["contexts"]["default"]) == {"held", "tokens"}
