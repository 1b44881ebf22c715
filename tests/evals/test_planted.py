"""The planted-facts test: its language, its scripts, and the scores of a perfect, a deaf and a gullible reader.

Failures name lines by number, never by their words: those of the test split are not to be read.
"""

import json
import random
from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from io import StringIO

import pytest
from rich.console import Console
from typer.testing import CliRunner

from gieok.bank import open_bank
from gieok.domain.attributes import attribute
from gieok.domain.claim import Claim
from gieok.domain.turn import USER
from gieok_evals.banks import StoryClock
from gieok_evals.commands import app
from gieok_evals.planted import MEANINGS, play, report, show_planted
from gieok_evals.planted.generator import script, successors
from gieok_evals.planted.language import IDENTITY, LIFESTYLE, NOISES, Value, filled, language, pieces, typed
from gieok_evals.planted.scoring import leaked, mentions
from gieok_evals.planted.script import Change, Line, Planted, Script, gold, private_words
from gieok_evals.reports import as_json
from gieok_evals.statements import fold

SEEDS = [str(seed) for seed in range(4)]
CLOSED = {"age", "birthday", "gender", "family", "blood_type", "mbti", "height", "favorite.season"}
CLOSED |= {"relationship_status"}
TELLING = {"job", "residence", "hometown", "nickname", "favorite.movie", "favorite.food", "likes", "dream", "habit"}
ABOUT = {"split": "dev", "turns": 101, "seed": 0, "embedder": "hashing-256", "seconds": 1.0}
AT = datetime(2026, 3, 1, tzinfo=UTC)


def value(text, **forms):
    return Value(gold=text, forms={"v": text, **forms})


BUSAN = value("부산", short="부")
AGE = Value(gold="25", forms={"v": "25살", "native": "스물다섯"}, alt=("25세", "스물다섯"))
HEIGHT = Value(gold="178", forms={"v": "178"}, alt=("178cm",))
BLOOD = Value(gold="A", forms={"v": "A형"}, alt=("에이형",))
BOOK = value("해변의 카프카")


@pytest.fixture(params=["dev", "test"])
def words(request):
    return language(request.param)


# The language


def test_every_slot_has_values_frames_and_probes(words):
    slots = {*IDENTITY, *LIFESTYLE}
    assert set(words.values) == slots
    assert {frame.slot for frame in words.frames} == slots
    assert {probe.slot for probe in words.probes if probe.kind == "direct"} == slots
    assert {probe.slot for probe in words.probes if probe.kind == "indirect"} == slots


def test_every_sentence_can_be_filled_with_every_value(words):
    def fills(text, **values):
        try:
            return bool(filled(text, values).strip())
        except ValueError:
            return False

    broken = []
    for kind in ("frames", "adversarial"):
        for number, line in enumerate(getattr(words, kind)):
            broken += (f"{kind} {number}" for each in words.values[line.slot] if not fills(line.text, v=each))
    for number, line in enumerate(words.updates):
        pool = words.values[line.slot]
        broken += (f"updates {number}" for each in pool if not fills(line.text, old=each, new=pool[0]))
    assert broken == []


def test_open_slots_share_no_value_between_the_splits():
    dev, test = language("dev").values, language("test").values
    for slot in {*dev} - CLOSED - {"pet"}:
        assert not {fold(each.gold) for each in dev[slot]} & {fold(each.gold) for each in test[slot]}, slot
    names = [{each.forms["name"] for each in values["pet"]} for values in (dev, test)]
    assert not names[0] & names[1]


def test_a_place_takes_the_form_it_names_and_the_particle_that_fits():
    assert filled("나 {v}{으로/로} 이사했어", {"v": BUSAN}) == "나 부산으로 이사했어"
    assert filled("올해 {v.native}{이야/야}", {"v": AGE}) == "올해 스물다섯이야"
    assert filled("{old} 아니고 {new}{이야/야}", {"old": BUSAN, "new": AGE}) == "부산 아니고 25살이야"


@pytest.mark.parametrize("noise", NOISES)
def test_typing_noise_leaves_values_alone(noise):
    parts = pieces("나 {v} 진짜 좋아해 있었어", {"v": value("해변의 카프카 있어")})
    for seed in range(20):
        noisy = typed(parts, noise, random.Random(seed))
        assert [part.text for part in noisy if part.value] == ["해변의 카프카 있어"]


STATUS = ["솔로", "연애중", "이별", "기혼", "이혼"]


@pytest.mark.parametrize(
    ("slot", "old", "kind", "pool", "expected"),
    [
        ("age", "25", "update", ["24", "25", "26", "27", "40"], ["26"]),
        ("age", "25", "correction", ["24", "25", "26", "27", "40"], ["24", "26", "27"]),
        ("height", "160", "update", ["158", "160", "163", "190"], ["158", "163"]),
        ("relationship_status", "솔로", "update", STATUS, ["연애중"]),
        ("relationship_status", "기혼", "update", STATUS, ["이혼"]),
        ("relationship_status", "솔로", "correction", STATUS, ["연애중", "이별", "기혼", "이혼"]),
        ("favorite.season", "여름", "update", ["한여름", "늦여름", "가을", "여름"], ["가을"]),
    ],
)
def test_a_new_value_may_follow_the_old_one_and_differs_clearly(slot, old, kind, pool, expected):
    assert [each.gold for each in successors(slot, value(old), kind, list(map(value, pool)))] == expected


# Scripts


def test_the_same_seed_gives_the_same_script(words):
    assert script(words, "7") == script(words, "7")
    assert script(words, "7") != script(words, "8")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_script_has_its_shape(words, seed):
    def part(number):
        parts = {25: "plant", 75: "bury", 81: "probes A", 98: "bury again", 101: "probes B"}
        return next(name for last, name in parts.items() if number <= last)

    lines = script(words, seed).of("uA")
    kinds = Counter((part(line.number), line.kind) for line in lines)

    assert [line.number for line in lines] == list(range(1, 102))
    assert kinds["bury", "adversarial"] == 14
    assert kinds["bury", "update"] == 6
    assert kinds["probes A", "probe"] == 6
    assert kinds["bury again", "update"] == 1
    assert kinds["probes B", "probe"] == 3
    assert {fact.slot for line in lines[:13] for fact in line.facts} <= set(IDENTITY)
    assert {fact.slot for line in lines[13:25] for fact in line.facts} <= set(LIFESTYLE)
    assert sum(len(line.facts) for line in lines[:25]) == 25
    assert max(len(line.facts) for line in lines[:25]) <= 3


def test_the_long_form_buries_the_same_number_of_facts_deeper(words):
    lines = script(words, "0", turns=1_000).of("uA")
    assert len(lines) == 1_000
    assert sum(len(line.facts) for line in lines[:25]) == 25
    assert sum(line.trap is not None for line in lines) == 140
    assert sum(line.change is not None for line in lines) == 13


@pytest.mark.parametrize("seed", SEEDS)
def test_a_script_is_consistent(words, seed):
    story = script(words, seed)
    lines = story.of("uA")

    times = [line.at for line in story.lines]
    assert times == sorted(set(times))
    true = {fold(text) for line in lines for fact in line.facts for text in fact.value.accepted}
    forbidden = {line.number: {fold(text) for each in line.trap.must_not for text in each.accepted}
                 for line in lines if line.trap}  # fmt: skip
    assert [number for number, values in forbidden.items() if values & true] == [], "a trap speaks of something true"
    asks = {frame.ask for frame in words.frames if frame.ask}
    assert all(lines[line.number].kind == "facts" for line in lines if line.reply in asks), "a question needs an answer"


@pytest.mark.parametrize("seed", SEEDS)
def test_others_are_told_values_that_only_they_know(words, seed):
    story = script(words, seed)
    for conversation in ("uA", "uB", "vA"):
        private = private_words(story, conversation)
        own = fold("".join(line.text + line.reply for line in story.of(conversation)))
        assert len(private) >= 5
        assert not [place for place, word in enumerate(sorted(private)) if word in own]


@pytest.mark.parametrize("seed", SEEDS)
def test_every_planted_slot_is_asked_for_directly_and_indirectly(words, seed):
    story = script(words, seed)
    slots = {fact.slot for line in story.of("uA")[:25] for fact in line.facts}
    for checkpoint in story.checkpoints:
        for kind in ("direct", "indirect"):
            assert {question.slot for question in checkpoint.questions if question.kind == kind} == slots
        abstaining = {question.slot for question in checkpoint.questions if question.kind == "abstain"}
        assert abstaining
        assert not abstaining & slots


def told(slot, *changes):
    """Return lines that state the first value and then change it: (kind, old, new, names_old)."""
    first, *rest = changes
    fact = Planted(slot=slot, value=value(first), surfaces=(first,))
    lines = [Line(conversation="uA", number=1, kind="facts", at=AT, text="…", reply="…", facts=(fact,))]
    for number, (kind, old, new, names_old) in enumerate(rest, start=2):
        planted = Planted(slot=slot, value=value(new), surfaces=(new,)) if new else None
        change = Change(slot=slot, kind=kind, old=value(old), new=planted, names_old=names_old)
        facts = (planted,) if planted else ()
        lines.append(
            Line(
                conversation="uA", number=number, kind="update", at=AT, text="…", reply="…", facts=facts, change=change
            )
        )
    return lines


@pytest.mark.parametrize(
    ("slot", "lines", "current", "stale", "unsettled"),
    [
        ("job", ["간호사"], "간호사", "", ""),
        ("residence", ["판교", ("update", "판교", "합정", True)], "합정", "판교", ""),
        ("name", ["유진", ("correction", "유진", "유빈", True)], "유빈", "유진", ""),
        ("part_time_job", ["편의점", ("ended", "편의점", None, True)], "", "편의점", ""),
        ("part_time_job", ["편의점", ("retraction", "편의점", None, True)], "", "편의점", ""),
        ("hobby", ["낚시", ("update", "낚시", "자수", False)], "자수", "", "낚시"),
        ("hobby", ["낚시", ("update", "낚시", "자수", True)], "자수", "낚시", ""),
        ("job", ["의사", ("update", "의사", "가수", False)], "가수", "의사", ""),
        ("residence", ["판교", ("update", "판교", "합정", True), ("update", "합정", "판교", True)], "판교", "합정", ""),
    ],
)
def test_the_truth_of_a_slot_follows_its_changes(slot, lines, current, stale, unsettled):
    truth = gold(told(slot, *lines))[slot]
    assert " ".join(each.gold for each in truth.values) == current
    assert " ".join(each.gold for each in truth.stale) == stale
    assert " ".join(each.gold for each in truth.unsettled) == unsettled
    assert truth.changed_by == tuple(range(2, len(lines) + 1))


# Scores


@pytest.mark.parametrize(
    ("text", "wanted", "there"),
    [
        ("- **(상대) 나이는 25살임**", AGE, True),
        ('상대의 말: "올해 스물 다섯 됐어"', AGE, True),
        ("키는 178임", HEIGHT, True),
        ("혈액형은 a형임", BLOOD, True),
        ("해변의카프카 읽는 중", BOOK, True),
        ("(상대, 2026-03-25) 감기 조심", AGE, False),
        ("방이 25개", AGE, False),
        ("전화는 1178번", HEIGHT, False),
        ("A와 B", BLOOD, False),
        ("해변", BOOK, False),
        ("나도 좋아해요\n가자", value("요가"), False),
    ],
)
def test_a_value_is_recognised_however_it_is_written_and_not_by_chance(text, wanted, there):
    assert mentions(text, wanted) is there


def test_a_leak_is_a_private_word_in_one_line():
    assert leaked("(상대) 별명은 찐 빵임", frozenset({"찐빵", "감자"})) == ["찐빵"]
    assert leaked("나도 좋아해요\n가자", frozenset({"요가"})) == []


@pytest.fixture(scope="module")
def story():
    """A script with less small talk, asked a third of its questions once."""
    whole = script(language("dev"), "0-0")
    kept = [line for line in whole.lines if line.kind != "small_talk" or line.number % 4 == 0]
    (late,) = whole.checkpoints[1:]
    few = tuple(each for number, each in enumerate(late.questions) if number % 3 == 0 or each.kind == "abstain")
    return replace(whole, lines=tuple(kept), checkpoints=(replace(late, questions=few),))


@pytest.fixture(scope="module")
def played(story, tmp_path_factory):
    def play_with(extractor):
        clock = StoryClock(story.lines[0].at)
        path = tmp_path_factory.mktemp("bank") / "eval.db"
        with open_bank(path, embedder="hashing", extractor=extractor, clock=clock) as bank:
            return play(bank, story, clock)

    return play_with


@dataclass(frozen=True)
class Oracle:
    """Reads every line of a script as its author meant it."""

    script: Script
    name: str = "oracle/1"

    def claims(self, turn, scope, before, background=None):
        said = turn.utterances[0]
        if said.speaker != USER:
            return []
        line = next(line for line in self.script.lines if line.at == turn.at)
        change = line.change
        corrected = {"act": "correct", "instead_of": change.old.gold} if change and change.kind == "correction" else {}
        claims = [self.claim(said, planted.slot, planted.value.gold, **corrected) for planted in line.facts]
        if change is None:
            return claims
        updates = change.kind == "update" and not attribute(change.slot).single
        if change.kind == "retraction":
            claims.append(self.claim(said, change.slot, change.old.gold, act="retract"))
        elif change.names_old and (change.kind == "ended" or updates):
            claims.append(self.claim(said, change.slot, change.old.gold, act="end", polarity="-"))
        return claims

    def claim(self, said, slot, value, **how):
        return Claim(
            id=f"{said.id}-{slot}-{value}",
            speaker=USER,
            subject="user",
            subject_id=USER,
            attribute=slot,
            value=value,
            surface=value,
            content=f"{slot}: {value}" + (" 아님" if how.get("polarity") == "-" else ""),
            content_type=attribute(slot).content_type,
            importance=attribute(slot).importance,
            source_id=said.id,
            **how,
        )


@pytest.fixture(scope="module")
def perfect(played, story):
    return played(Oracle(story))


@dataclass
class Deaf:
    """Reads nothing."""

    name: str = "deaf/1"

    def claims(self, turn, scope, before, background=None):
        return []


@dataclass
class Gullible:
    """Takes everything that is said of anybody for the user's own, besides what is true."""

    oracle: Oracle
    name: str = "gullible/1"

    def claims(self, turn, scope, before, background=None):
        line = next(line for line in self.oracle.script.lines if line.at == turn.at)
        true = list(self.oracle.claims(turn, scope, before, background))
        if line.trap is None or turn.utterances[0].speaker != USER:
            return true
        facts = [(bad.said.attribute, bad.said.value) for bad in line.trap.must_not]
        return [*true, *(self.oracle.claim(turn.utterances[0], slot, text) for slot, text in facts)]


def test_who_reads_perfectly_believes_what_is_true_and_nothing_else(perfect):
    for name in ("state_single", "state_many", "abstention"):
        assert perfect.share(name).rate == 1, name
    for name in ("stale_kept", "others_given", "false_memories", "small_talk_stored", "leaks"):
        assert perfect.share(name).hits == 0, name
    assert perfect.total.precision == 1
    assert perfect.share("contains").rate > 0.7
    assert perfect.unread == 0


def test_who_reads_nothing_stores_nothing_and_still_finds_much_in_the_log(played):
    tally = played(Deaf())

    assert tally.total.found == 0
    assert tally.share("stored_per_utterance").hits == 0
    assert tally.share("abstention").rate == 1
    assert tally.share("contains").rate > 0.5


def test_who_believes_everything_is_found_out(story, played):
    tally = played(Gullible(Oracle(story)))

    assert tally.share("false_memories").rate == 1
    assert tally.share("others_given").rate == 1
    assert tally.share("state_single").rate < 1


def test_a_value_of_another_conversation_is_a_leak(story, played):
    stolen = next(fact for line in story.of("uB") for fact in line.facts if fact.slot in TELLING)
    moment = story.of("uA")[0].at

    class Leaky(Oracle):
        def claims(self, turn, scope, before, background=None):
            extra = [self.claim(turn.utterances[0], "allergy", stolen.value.gold)] if turn.at == moment else []
            return [*super().claims(turn, scope, before, background), *extra]

    tally = played(Leaky(story))
    assert tally.share("leaks").hits > 0
    assert any(failure.startswith("LEAK into uA") for failure in tally.failures)


def test_one_leak_fails_the_run(perfect):
    leaky = replace(perfect, shares={**perfect.shares, "leaks": replace(perfect.share("leaks"), hits=1)})
    assert report([perfect, perfect], **ABOUT).passed
    assert not report([perfect, leaky], **ABOUT).passed


def test_a_report_reads_well_as_a_table_and_as_json(perfect):
    whole = report([perfect, perfect], **ABOUT)
    console = Console(width=120, record=True, file=StringIO())
    show_planted(whole, console)

    assert "stale_given" in console.export_text()
    assert set(json.loads(as_json(whole))["scores"]) == set(MEANINGS)


def test_planted_writes_json_and_shows_no_sentence_of_the_test_split():
    command = ["planted", "--split", "test", "--scripts", "1", "--embedder", "hashing", "--json"]
    written = json.loads(CliRunner().invoke(app, command).stdout)
    assert written["scores"]["contains"]["share"]["of"] > 0
    assert written["failures"] == []


@pytest.mark.parametrize("command", ["frames", "planted"])
def test_showing_sentences_of_the_test_split_is_refused(command):
    done = CliRunner().invoke(app, [command, "--split", "test", "--show-misses"])
    assert done.exit_code != 0
    assert "not shown" in str(done.exception)
