"""No text holds up anybody else: whatever reads, masks or cleans a text takes about as long per letter for a long one.

Functions that take nothing but texts are found by themselves, so that a new reader is measured too; those that need
more are listed.
"""

from __future__ import annotations

import inspect
import json
import pkgutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from importlib import import_module
from zoneinfo import ZoneInfo

import pytest

from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, LONGEST_UTTERANCE, USER, Turn, Utterance
from gieok.extract.ground import Ground
from gieok.extract.learned.reader import marks, mentioned
from gieok.extract.left_open import sentences_left_open
from gieok.extract.reader import Reader
from gieok.extract.times import dated, time_of_plan, time_of_state, undated
from gieok.interop.importers.fields import fill_names
from gieok.language import manners, people, periods
from gieok.observe.noticed import Acquaintance, noticed_in
from gieok.privacy.masking import Mask, Policy
from gieok.prompts import data
from gieok.proxy.history import ReplyReader, client_history, normalized, similar, storable
from support.growth import OFTEN, PARTICLES, PIECES, grown, mixtures

pytestmark = pytest.mark.check

NOON = datetime(2026, 3, 5, 12, tzinfo=UTC)
SEOUL = ZoneInfo("Asia/Seoul")
SCOPE = Scope(user="민수", character="레티아", world="학교")
#: characters of the longest text: of what reads utterances, and of what is given whole requests
UTTERANCE, BODY = LONGEST_UTTERANCE, 65_536
ROOMS = {
    "gieok.language": UTTERANCE,
    "gieok.extract": UTTERANCE,
    "gieok.maintain": UTTERANCE,
    "gieok.recall": UTTERANCE,
    "gieok.conversation": UTTERANCE,
    "gieok.domain": BODY,
    "gieok.privacy": BODY,
    "gieok.prompts": BODY,
    "gieok.proxy": BODY,
    "gieok.interop": BODY,
    "gieok.access": BODY,
    "gieok.llms": BODY,
    "gieok.bank": UTTERANCE,
}
WHOLE = frozenset("text own wide said reply answer content query question value".split())
REST = {"speaker": USER, "attribute": "job", "name": "민수", "language": "ko", "sentence": "나는 간호사야"}
#: what takes a text that is not what somebody said
NOT_TEXTS = frozenset(
    {
        "gieok.bank.models._provider",
        "gieok.llms._require",
        "gieok.maintain.merge.gist",
    }
)


def _functions() -> Iterator[tuple[str, int, Callable[[str], object]]]:
    for room, longest in ROOMS.items():
        package = import_module(room)
        names = [each.name for each in pkgutil.walk_packages(package.__path__, room + ".")]
        for module in map(import_module, [room, *names]):
            for name, read in list(vars(module).items()):
                if getattr(read, "__module__", "") == module.__name__ and inspect.isroutine(read):
                    wanted = _arguments(read)
                    if wanted is not None and f"{module.__name__}.{name}" not in NOT_TEXTS:
                        first, rest = wanted
                        yield f"{module.__name__}.{name}", longest, _with(read, first, rest)


def _arguments(read: Callable[..., object]) -> tuple[str, dict[str, str]] | None:
    needed = [each for each in inspect.signature(read).parameters.values() if each.default is each.empty]
    if not needed or any(each.annotation != "str" for each in needed) or needed[0].name not in WHOLE:
        return None
    rest = {each.name: REST.get(each.name, "민수") for each in needed[1:]}
    return needed[0].name, rest


def _with(read: Callable[..., object], first: str, rest: dict[str, str]) -> Callable[[str], object]:
    return lambda text: read(text, **rest)


def _turn(text: str, speaker: str = USER) -> Turn:
    said = Utterance(id="u1", turn_id="t1", speaker=speaker, text=text, at=NOON, position=0)
    return Turn(id="t1", utterances=(said,), at=NOON, recorded_at=NOON)


def _events(text: str) -> None:
    reader = ReplyReader(events=True)
    for begin in range(0, len(text), 700):
        piece = json.dumps({"choices": [{"delta": {"content": text[begin : begin + 700]}}]}, ensure_ascii=False)
        reader.feed(f"data: {piece}\n\n".encode())
    reader.feed(text.encode())
    reader.end()


def _history(text: str) -> object:
    parts = [text[begin : begin + 40] for begin in range(0, len(text), 40)]
    roles = ("user", "assistant")
    return client_history(
        [{"role": roles[at % 2], "content": part} for at, part in enumerate(parts)], lambda text: Mask()(text).text
    )


KNOWN = Acquaintance(
    known={"민수": "person", "코코": "pet"}, user=("민수", "minsu"), character=("레티아", "letia"), called=("오빠",)
)
NAMES = ("민수", "Minsu", "코코", "엄마")
OTHERS: dict[str, tuple[int, Callable[[str], object]]] = {
    "the whole reader": (UTTERANCE, lambda text: Reader().claims(_turn(text), SCOPE, ())),
    "the whole reader, of her": (UTTERANCE, lambda text: Reader().claims(_turn(text, CHARACTER), SCOPE, ())),
    "what is noticed": (UTTERANCE, lambda text: noticed_in(_turn(text), SCOPE, (), KNOWN)),
    "what is noticed of her": (UTTERANCE, lambda text: noticed_in(_turn(text, CHARACTER), SCOPE, (), KNOWN)),
    "tagger.marks": (UTTERANCE, lambda text: marks(_turn(text).utterances[0], (), NAMES)),
    "tagger.mentioned": (UTTERANCE, lambda text: mentioned(_turn(text).utterances[0])),
    "left_open": (UTTERANCE, lambda text: list(sentences_left_open(_turn(text), ()))),
    "time_of_plan": (UTTERANCE, lambda text: time_of_plan(text, NOON)),
    "time_of_state": (UTTERANCE, lambda text: time_of_state(text, NOON)),
    "dated": (UTTERANCE, lambda text: dated(text, NOON, NOON, "ko")),
    "undated": (UTTERANCE, lambda text: undated(text, NOON)),
    "asked_periods": (UTTERANCE, lambda text: periods.asked_periods(text, NOON, SEOUL)),
    "named": (UTTERANCE, lambda text: people.named(text, NAMES)),
    "find_parties": (
        UTTERANCE,
        lambda text: people.find_parties(text, dict.fromkeys(NAMES, "user"), asker="user", asked="character"),
    ),
    "mentions": (UTTERANCE, lambda text: people.mentions(text, parties=NAMES, called=("오빠",), own="레티아")),
    "address": (UTTERANCE, lambda text: manners.address(text, NAMES)),
    "manners_in": (UTTERANCE, lambda text: manners.manners_in([(USER, text, NAMES)])),
    "Ground": (UTTERANCE, lambda text: (Ground(text).holds("땅콩 알레르기"), Ground(text).place_of("땅콩 100"))),
    "mask": (BODY, Mask()),
    "drop": (BODY, Mask(Policy({"phone": "drop", "email": "drop"}))),
    "mask of what is said beside": (BODY, lambda text: Mask()("내 번호 알지?", beside=text)),
    "mask beside": (BODY, lambda text: Mask()(text, beside="010-1234-5678 a@b.kr")),
    "quoted in a prompt": (BODY, lambda text: data.quoted(text, most=BODY)),
    "said in a prompt": (BODY, lambda text: data.said([data.Line(speaker=text, text=text)])),
    "cut": (BODY, lambda text: data.cut(text, BODY - 1)),
    "proxy.storable": (BODY, storable),
    "proxy.normalized": (BODY, normalized),
    "proxy.similar": (BODY, lambda text: similar(text, text[1:])),
    "proxy.client_history": (BODY, _history),
    "proxy.ReplyReader": (BODY, _events),
    "fill_names": (BODY, lambda text: fill_names(text, user="민수", character="레티아")),
}


def _all() -> Iterator[tuple[str, int, Callable[[str], object]]]:
    yield from _functions()
    for name, (longest, read) in OTHERS.items():
        yield name, longest, read


CASES = [each for each in _all() if each[0].endswith("morphemes.analyse")] + list(_all())


def _check(piece: str) -> None:
    for _, _, read in CASES:
        with suppress(ValueError):  # a refusal
            read("나는 고양이 좋아해. I like 3 cats.")
    found = [grown(name, read, piece, longest) for name, longest, read in CASES]
    assert not [str(each) for each in found if each is not None]


@pytest.mark.timeout(300)
@pytest.mark.parametrize("piece", [*OFTEN, *mixtures(6)])
def test_no_reader_takes_longer_per_letter_for_a_long_text(piece: str) -> None:
    _check(piece)


@pytest.mark.soak
@pytest.mark.timeout(300)
@pytest.mark.parametrize("piece", [*PIECES, *mixtures(200, seed=7)])
def test_nor_for_any_of_many_texts(piece: str) -> None:
    _check(piece)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("piece", [*PIECES, *PARTICLES])
def test_no_reader_explodes_on_a_short_text(piece: str) -> None:
    """A repetition of what can be taken apart in several ways takes exponential time where the end does not fit."""
    for text in ("1" + piece * 40 + "힣", "민수" + piece * 40 + "x"):
        for _, _, read in CASES:
            with suppress(ValueError):
                read(text)
