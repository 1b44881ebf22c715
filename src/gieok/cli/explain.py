"""`gieok explain`: what the reader marks in one sentence, what would become of each mark and why. Nothing is stored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final, Literal
from zoneinfo import ZoneInfo

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from gieok.cli.common import AsJson, BankPath, settings_for
from gieok.cli.console import DIM, Terms, show, terminal_words, text, waiting
from gieok.cli.table import Column, Listing
from gieok.domain.attributes import attribute as schema_of
from gieok.domain.claim import Claim
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, USER, Turn, Utterance, checked_text
from gieok.extract.learned.examples import examples
from gieok.extract.learned.reader import Mark, Marks, marks
from gieok.extract.reader import DOUBTFUL, RETRACTS, Reader
from gieok.language.text import has_hangul

Outcome = Literal["firm", "doubtful", "left_out"]
_STYLES: Final = {"firm": "green", "doubtful": "yellow", "left_out": DIM}
_AROUND: Final = 14  #: characters on each side of a mark that are compared with examples
_KEYS: Final = {"grade": "free.grade"}  #: attributes of the tagger that have another name in a bank


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A labelled phrase that the tagger was trained on."""

    phrase: str
    words: str
    holder: Literal["user", "character", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Something that a reader found in the sentence."""

    words: str
    start: int  #: in the sentence
    end: int
    attribute: str
    holder: str  #: "user", "character" or a name; "": nobody can be named
    act: str
    certainty: float
    outcome: Outcome
    why: str | None  #: a key of `cli.explain.why`; None: it is firm
    memory: str | None  #: how it would be worded
    example: Example | None = None  #: the nearest one of the same attribute and act


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What was found in one sentence."""

    text: str
    before: str | None
    reader: str
    retracts: float  #: how likely the sentence takes something back
    marks: tuple[Span, ...]


def explain(
    said: Annotated[str, typer.Argument(metavar="TEXT")],
    before: Annotated[str | None, typer.Option("--before", metavar="TEXT")] = None,
    bank: BankPath = None,
    as_json: AsJson = False,
) -> None:
    checked_text(said)
    if before is not None:
        checked_text(before, "before")
    with waiting(text("explain.loading")):
        found = explained(said, before, settings_for(bank).reader_place)
    show(asdict(found), lambda: explanation_view(found, Terms(terminal_words(), None, ZoneInfo("UTC"))), as_json)


def explained(said: str, before: str | None = None, taught: Path | None = None) -> Explanation:
    """Return what is found in `said`, which answers the character's words `before`; `taught`: by a taught reader."""
    now = datetime.now(UTC)
    told = Utterance(id="2", turn_id="1", speaker=USER, text=said, at=now, position=0)
    asked = [replace(told, id="1", turn_id="0", speaker=CHARACTER, text=before)] if before else []
    reader = Reader(taught if taught is not None and taught.exists() else None)
    marked = marks(told, asked, (), reader.network)
    turn = Turn(id="1", utterances=(told,), at=now, recorded_at=now)
    claims = reader.claims(turn, Scope(user=USER, character=CHARACTER), asked)
    return Explanation(
        text=said,
        before=before,
        reader=reader.name,
        retracts=round(marked.retracts, 3),
        marks=tuple(_spans(said, marked, claims)),
    )


def _spans(said: str, marked: Marks, claims: Sequence[Claim]) -> Iterator[Span]:
    for mark in marked.facts:
        words = said[mark.start : mark.end]
        claim = next((each for each in claims if each.surface == words), None)
        outcome, why = _outcome(mark) if claim is None else _kept(claim, claims)
        yield Span(
            words=words,
            start=mark.start,
            end=mark.end,
            attribute=_KEYS.get(mark.attribute, mark.attribute),
            holder=mark.holder,
            act=mark.act,
            certainty=round(mark.certainty, 3),
            outcome=outcome,
            why=why,
            memory=claim.content if claim else None,
            example=nearest_example(said[max(0, mark.start - _AROUND) : mark.end + _AROUND], mark.attribute, mark.act),
        )


def _kept(claim: Claim, claims: Sequence[Claim]) -> tuple[Outcome, str | None]:
    if claim.act == "retract":
        return "firm", "retracts"
    if not claim.doubtful:
        return "firm", None
    single = claim.attribute is not None and schema_of(claim.attribute).single
    rival = any(each.topic == claim.topic and each.act == claim.act and not each.doubtful for each in claims)
    return "doubtful", "other_value" if single and rival else "less_sure"


def _outcome(mark: Mark) -> tuple[Outcome, str]:
    """Return what becomes of a mark of which the reader made no claim."""
    if mark.act == "not":
        return "left_out", "not_meant"
    if not mark.holder:
        return "left_out", "nobody"
    if mark.certainty < DOUBTFUL:
        return "left_out", "unsure"
    if mark.holder == CHARACTER:
        return "left_out", "of_character"
    return "left_out", "no_value"


def nearest_example(phrase: str, attribute: str, act: str) -> Example | None:
    """Return the example of an attribute and act that shares most letter pairs and triples with `phrase`."""
    own, korean = _grams(phrase), has_hangul(phrase)

    def likeness(each: tuple[str, int, int, str]) -> tuple[float, bool]:
        grams = _grams(each[0])
        return len(own & grams) / (len(own) + len(grams) or 1), has_hangul(each[0]) == korean

    known = examples().get(attribute, {}).get(act, [])
    if not known:
        return None
    best, start, end, holder = max(known, key=likeness)
    whose: dict[str, Literal["user", "character"]] = {"u": "user", "c": "character"}
    return Example(phrase=best, words=best[start:end], holder=whose.get(holder, "other"))


def _grams(phrase: str) -> set[str]:
    letters = "".join(phrase.lower().split())
    return {letters[i : i + size] for size in (2, 3) for i in range(len(letters) - size + 1)}


def explanation_view(found: Explanation, terms: Terms) -> RenderableType:
    shown: list[RenderableType] = []
    if found.before:
        shown.append(Text(f"{terms.named(CHARACTER)}: {found.before}", style=DIM))
    shown += [_sentence(found), ""]
    if found.marks:
        shown.append(_table(found.marks, terms))
    else:
        shown.append(Text(terms("explain.nothing"), style=DIM))
    if found.retracts >= RETRACTS:
        shown += ["", Text(terms("explain.retracts", certainty=f"{found.retracts:.2f}"), style="red")]
    nearest = [mark for mark in found.marks if mark.example]
    if nearest:
        shown += ["", Text(terms("explain.examples"), style=DIM), _nearest(nearest, terms)]
    return Group(*shown, "", Text(terms("explain.stored_nothing", reader=found.reader), style=DIM))


def _sentence(found: Explanation) -> Text:
    line = Text(found.text, style="bold")
    for mark in found.marks:
        line.stylize(f"underline {_STYLES[mark.outcome]}", mark.start, mark.end)
    return line


def _table(rows: Sequence[Span], terms: Terms) -> Listing:
    def outcome(row: Span) -> Text:
        line = Text(terms(f"explain.outcomes.{row.outcome}"), style=_STYLES[row.outcome])
        return line.append(f": {terms(f'explain.why.{row.why}')}", DIM) if row.why else line

    columns = (
        Column("words", lambda row: Text(row.words), style="bold", fold=True),
        Column("attribute", lambda row: Text(terms.words.attribute(row.attribute)), fold=True),
        Column("about", lambda row: Text(terms.named(row.holder) if row.holder else "?"), style="blue", fold=True),
        Column("act", lambda row: Text(terms(f"explain.acts.{row.act}")), fold=True),
        Column("certainty", lambda row: f"{row.certainty:.2f}", right=True),
        Column("outcome", outcome, fold=True, min_width=18),
    )
    return Listing(rows, columns, terms.words)


def _nearest(rows: Sequence[Span], terms: Terms) -> Listing:
    def example(row: Span) -> Text:
        line = Text()
        if row.example is not None:
            line.append(row.example.phrase)
            line.highlight_words([row.example.words], "underline")
            line.append(f"  {terms.label('subjects', row.example.holder)}", DIM)
        return line

    return Listing(rows, (Column(None, lambda row: Text(row.words), style="bold"), Column(None, example, fold=True)))
