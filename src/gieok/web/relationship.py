"""The page "relationship": how it stands between the two, how it came to be so, and whom they speak of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlencode

from nicegui import ui
from nicegui.element import Element

from gieok.bank import Mind
from gieok.bank.history import Feeling, MannerStep, Regard, Step
from gieok.domain.emotion import EMOTIONS, Emotion
from gieok.domain.entity import Entity, Sentiment
from gieok.domain.relationship import (
    AXES,
    LEVELS,
    THRESHOLDS,
    TIME_TOGETHER,
    TOP,
    Axis,
    Habit,
    Level,
    Relationship,
    score,
)
from gieok.domain.scope import Scope
from gieok.domain.state import Cause
from gieok.domain.turn import CHARACTER, USER, Turn
from gieok.errors import UnknownTurn
from gieok.web.kit import (
    DIM,
    INK,
    LINE,
    LOOK,
    PATHS,
    TOLD,
    Leafing,
    Options,
    axis,
    button,
    card,
    cell,
    chart,
    chip,
    day,
    heading,
    legend,
    moment_told,
    notice,
    plain,
    row,
    said,
    table,
)
from gieok.web.visitors import Visitor
from gieok.words import Words


def span_told(name: str, moments: Sequence[datetime], visitor: Visitor) -> str:
    """Return the words of that name for what is shown; "" where nothing is."""
    if not moments:
        return ""
    since, until = day(min(moments), visitor), day(max(moments), visitor)
    span = since if since == until else f"{since} ~ {until}"
    return visitor.words(name, span=span, count=f"{len(moments):,}")


LEAST: Final = 0.05  #: points of a shift that are worth a word: one tenth, rounded


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How close the two are, and how far it is to the next level."""

    level: Level
    score: float
    following: Level | None  #: None: there is no closer one
    missing: float  #: points to that


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One cause, and what it did to the axes."""

    name: str
    speaker: str
    words: str
    amounts: tuple[tuple[Axis, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """One step, as the list tells it."""

    step: Step
    reasons: tuple[Reason, ...]
    values: tuple[tuple[Axis, float, float], ...]  #: before and after, of the axes that moved
    level: Level | None  #: a level that was reached by it
    said: tuple[tuple[str, str], ...]  #: speakers and words of the turn


def named(who: str, scope: Scope | None, words: Words) -> str:
    """Return whom a speaker means, by name where there is one."""
    if who == USER:
        return (scope and scope.user) or words("relationship.user")
    if who == CHARACTER:
        return (scope and scope.character) or words("relationship.character")
    return who


def standing(relationship: Relationship) -> Standing:
    now = score(relationship)
    place = LEVELS.index(relationship.level) + 1
    following = LEVELS[place] if place < len(LEVELS) else None
    missing = max(THRESHOLDS[place] - now, 0.0) if following else 0.0
    return Standing(level=relationship.level, score=now, following=following, missing=missing)


def cause_told(name: str, words: Words) -> str:
    """Return a cause in words; a sign of a builder's own goes by its own name."""
    return words.some("relationship.causes").get(name, name)


def moved(step: Step, turn: Turn | None) -> Moved:
    return Moved(
        step=step,
        reasons=tuple(_reasons(step.causes)),
        values=tuple(_values(step)),
        level=step.relationship.level if step.before and step.before.level != step.relationship.level else None,
        said=tuple((each.speaker, each.text) for each in turn.utterances) if turn else (),
    )


def _reasons(causes: Iterable[Cause]) -> Iterator[Reason]:
    together: dict[tuple[str, str, str], list[Cause]] = {}
    for cause in causes:
        together.setdefault((cause.name, cause.speaker, cause.words), []).append(cause)
    for (name, speaker, words), each in together.items():
        amounts = tuple((axis, cause.amount) for cause in each for axis in AXES if axis == cause.axis)
        yield Reason(name=name, speaker=speaker, words=words, amounts=amounts)


def _values(step: Step) -> Iterator[tuple[Axis, float, float]]:
    if step.before is None:
        return
    for each in AXES:
        before, after = step.before.axis(each), step.relationship.axis(each)
        if abs(after - before) >= LEAST:
            yield each, before, after


def reason_told(reason: Reason, scope: Scope | None, words: Words) -> str:
    """Return a cause with who said what: "고마움 · 민수 “고마워”"."""
    told = cause_told(reason.name, words)
    if reason.speaker:
        told += f" · {named(reason.speaker, scope, words)}"
    return f"{told} “{reason.words}”" if reason.words else told


def manner_told(step: MannerStep, scope: Scope | None, words: Words) -> str:
    """Return a change of manners as a sentence."""
    change = step.change
    who = named(change.speaker, scope, words)
    before, after = change.before, change.after
    if change.what == "style":
        styles = words.some("relationship.styles")
        before, after = (None if before is None else styles.get(before, before)), styles.get(after, after)
    if before is None:
        return words(f"relationship.manners.{change.what}_first", who=who, after=after)
    return words(f"relationship.manners.{change.what}_changed", who=who, before=before, after=after)


def by_turn(feelings: Sequence[Feeling]) -> list[tuple[int, list[Feeling]]]:
    """Return feelings by the turns they were felt in, in order."""
    turns: dict[int, list[Feeling]] = {}
    for each in feelings:
        turns.setdefault(each.turn_number, []).append(each)
    return list(turns.items())


def sparkline(regards: Sequence[Regard], width: float, height: float) -> str:
    """Return the points of a line through sentiments, -1 at the bottom and 1 at the top; "" for less than two."""
    if len(regards) < 2:
        return ""
    gap = width / (len(regards) - 1)
    level = [height * (1 - each.entity.sentiment) / 2 for each in regards]
    return " ".join(f"{place * gap:.1f},{y:.1f}" for place, y in enumerate(level))


def percent(share: float) -> int:
    return round(share * 100)


def amounts_told(amounts: Iterable[tuple[Axis, float]], axes: Mapping[str, str]) -> str:
    return ", ".join(f"{axes[axis]} {amount:+.1f}" for axis, amount in amounts if abs(amount) >= LEAST)


_PAGE: Final = 20
_WIDE, _HIGH = 96, 28
_KINDS: Final[dict[Sentiment, str]] = {"positive": "good", "neutral": "", "negative": "bad"}
_TOLD: Final = 6  #: sentiments that are told in figures


async def company(visitor: Visitor) -> None:
    words = visitor.words
    people = await visitor.ask(Mind.entities)
    with card(words("relationship.people.title")):
        if not people:
            said(words("relationship.people.nobody")).classes("g-dim")
            return
        columns = ("name", "kind", "times", "last", "sentiment", "course", "trust")
        headings = [words(f"relationship.people.{each}") for each in columns]
        with table(headings, words("relationship.people.title"), "r-people") as body:
            pass
        count = said("").classes("g-dim g-small").props('role="status"')
        shown = 0

        async def more() -> None:
            nonlocal shown
            some = people[shown : shown + _PAGE]
            shown += len(some)
            courses = await visitor.ask(Mind.courses_of_regard, [each.id for each in some])
            with body:
                _rows(some, courses, visitor)
            count.text = words("relationship.people.more", shown=f"{shown:,}", all=f"{len(people):,}")
            further.set_visibility(shown < len(people))

        further = button(words("frame.more"), more, quiet=True)
        await more()


def _rows(people: Sequence[Entity], courses: Mapping[str, Sequence[Regard]], visitor: Visitor) -> None:
    words = visitor.words
    for each in people:
        with ui.element("tr"):
            with ui.element("th").props('scope="row"').classes("g-row-name"):
                link = ui.link(each.display_name, f"{PATHS['graph']}?{urlencode({'of': each.id})}")
                link.props["aria-label"] = words("relationship.people.graph", name=each.display_name)
                if each.aliases:
                    said(f" ({', '.join(each.aliases)})", "span").classes("g-dim g-small")
            cell(words(f"relationship.kinds.{each.kind}"))
            cell(f"{each.interactions:,}", "g-number")
            cell(day(each.last_seen, visitor))
            with ui.element("td"):
                label = each.sentiment_label()
                chip(words(f"relationship.sentiments.{label}"), _KINDS[label])
                said(f" {each.sentiment:+.2f}", "span").classes("g-number")
            with ui.element("td"):
                _course(courses.get(each.id, ()), visitor)
            cell(f"{each.trust:.0f}", "g-number")


def _course(regards: Sequence[Regard], visitor: Visitor) -> None:
    """Draw the sentiment as a small line, with its figures below."""
    words = visitor.words
    line = sparkline(regards, _WIDE, _HIGH)
    if not line:
        said(words("relationship.people.steady"), "span").classes("g-dim g-small")
        return
    values = " → ".join(f"{each.entity.sentiment:+.2f}" for each in regards[-_TOLD:])
    since, until = day(regards[0].at, visitor), day(regards[-1].at, visitor)
    with ui.element("svg").classes("r-spark") as drawn:
        drawn.props["viewBox"] = f"-2 -2 {_WIDE + 4} {_HIGH + 4}"
        drawn.props["role"] = "img"
        drawn.props["aria-label"] = words("relationship.people.flow", since=since, until=until, values=values)
        middle = ui.element("line").classes("r-spark-middle")
        for name, value in {"x1": 0, "x2": _WIDE, "y1": _HIGH / 2, "y2": _HIGH / 2}.items():
            middle.props[name] = value
        ui.element("polyline").classes("r-spark-line").props["points"] = line
    said(values).classes("g-dim g-small g-number").props("aria-hidden=true")


_COLOURS: Final[dict[Emotion, str]] = {
    "neutral": "var(--dim)",
    "sad": "var(--blue)",
    "happy": "var(--green)",
    "angry": "var(--red)",
}
_SHAPES: Final[dict[Emotion, str]] = {"neutral": "rect", "sad": "triangle", "happy": "circle", "angry": "diamond"}
_NAME: Final = 12  #: letters of a speaker beside the chart
_SMALLEST, _LARGEST = 9, 26


async def feelings(visitor: Visitor) -> None:
    words = visitor.words
    with card(words("relationship.feelings.title")):
        if not await visitor.ask(Mind.emotions, limit=1):
            said(words("relationship.feelings.nothing")).classes("g-dim")
            return
        status = said("").classes("g-dim g-small").props('role="status"')
        shown = ui.element("div").classes("g-stack")

        async def show(before: int | None) -> int | None:
            felt = await visitor.ask(Mind.emotions, limit=_PAGE, before=before)
            turns = by_turn(felt)
            status.text = span_told("relationship.feelings.shown", [each[0].at for _, each in turns], visitor)
            shown.clear()
            with shown:
                chart(
                    feelings_options(felt, visitor),
                    words("relationship.feelings.chart", turns=len(turns)),
                    "r-feelings",
                )
                _table(felt, visitor)
            return turns[0][0] if len(turns) == _PAGE and turns[0][0] > 1 else None

        await Leafing(show, earlier=words("relationship.earlier"), later=words("relationship.later")).start()


def _table(felt: Sequence[Feeling], visitor: Visitor) -> None:
    words = visitor.words
    headings = [words(f"relationship.feelings.{each}") for each in ("when", "who", "feeling", "intensity", "by")]
    with ui.element("div").classes("r-tall"), table(headings, words("relationship.feelings.title"), "r-felt"):
        for each in reversed(felt):
            with row(moment_told(each.at, visitor)):
                cell(named(each.felt.speaker, visitor.scope, words))
                with ui.element("td"):
                    ui.element("span").classes("r-dot").style(f"background: {_COLOURS[each.felt.emotion]}")
                    said(words(f"relationship.emotions.{each.felt.emotion}"), "span")
                cell(f"{percent(each.felt.intensity)}%", "g-number")
                cell(each.felt.by, "g-dim g-small")


def feelings_options(felt: Sequence[Feeling], visitor: Visitor) -> Options:
    """Return a row of points for each speaker, a series for each emotion."""
    words, scope = visitor.words, visitor.scope
    turns = by_turn(felt)
    places = {number: place for place, (number, _) in enumerate(turns)}
    speakers = list(dict.fromkeys([CHARACTER, USER, *(each.felt.speaker for each in felt)]))
    zone = visitor.bank.settings.zone
    days = [f"{each[0].at.astimezone(zone):%m/%d %H:%M}" for _, each in turns]
    return {
        "legend": legend(),
        "grid": {"left": 8, "right": 16, "top": 40, "bottom": 8, "containLabel": True},
        "xAxis": axis(type="category", data=days, boundaryGap=True),
        "yAxis": axis(
            type="category",
            data=[plain(named(each, scope, words), _NAME) for each in speakers],
            axisLabel={"color": INK, "fontSize": 13},
            splitLine={"show": True, "lineStyle": {"color": "var(--soft)"}},
        ),
        "tooltip": {"trigger": "item", ":formatter": TOLD},
        "series": [
            {
                "type": "scatter",
                "name": words(f"relationship.emotions.{emotion}"),
                "symbol": _SHAPES[emotion],
                "itemStyle": {"color": _COLOURS[emotion]},
                "emphasis": {"disabled": True},
                "data": [
                    {
                        "value": [places[each.turn_number], speakers.index(each.felt.speaker)],
                        "symbolSize": round(_SMALLEST + (_LARGEST - _SMALLEST) * each.felt.intensity),
                        "told": f"{moment_told(each.at, visitor)}\n{_told(each, visitor)}",
                    }
                    for each in felt
                    if each.felt.emotion == emotion
                ],
            }
            for emotion in EMOTIONS
        ],
    }


def _told(each: Feeling, visitor: Visitor) -> str:
    words = visitor.words
    return plain(
        words(
            "relationship.feelings.told",
            who=named(each.felt.speaker, visitor.scope, words),
            feeling=words(f"relationship.emotions.{each.felt.emotion}"),
            percent=percent(each.felt.intensity),
        ),
        60,
    )


COLOURS: Final[dict[Axis, str]] = {
    "trust": "var(--blue)",
    "affection": "var(--red)",
    "respect": "var(--violet)",
    "rivalry": "var(--amber)",
    "familiarity": "var(--green)",
}


def present(now: Relationship, visitor: Visitor) -> None:
    words = visitor.words
    with card(words("relationship.now.title")), ui.element("div").classes("g-split r-now"):
        _radar(now, words)
        with ui.element("div").classes("g-stack"):
            _level(standing(now), words)
            _axes(now, words)


def _level(stands: Standing, words: Words) -> None:
    levels = words.some("relationship.levels")
    with ui.element("div").classes("r-level"):
        said(levels[stands.level]).classes("r-level-name")
        said(words("relationship.now.closeness", score=f"{stands.score:.1f}")).classes("g-number")
        if stands.following is None:
            said(words("relationship.now.top")).classes("g-dim")
        else:
            points, level = f"{stands.missing:.1f}", levels[stands.following]
            said(words("relationship.now.next", points=points, level=level)).classes("g-dim g-number")


def _axes(now: Relationship, words: Words) -> None:
    headings = [words("relationship.now.axis"), words("relationship.now.value")]
    with table(headings, words("relationship.now.axes")):
        for axis in AXES:
            with row(words(f"relationship.axes.{axis}")), ui.element("td"), ui.element("div").classes("r-bar-row"):
                with ui.element("span").classes("r-bar").props("aria-hidden=true"):
                    share = now.axis(axis) / TOP
                    ui.element("span").style(f"width: {share:.1%}; background: {COLOURS[axis]}")
                said(f"{now.axis(axis):.1f}", "span").classes("g-number r-bar-number")


def _radar(now: Relationship, words: Words) -> None:
    told = ", ".join(f"{words(f'relationship.axes.{axis}')} {now.axis(axis):.1f}" for axis in AXES)
    chart(radar_options(now, words), words("relationship.now.radar", values=told), "r-radar")


def radar_options(now: Relationship, words: Words) -> Options:
    around = [{"name": words(f"relationship.axes.{axis}"), "max": TOP} for axis in AXES]
    return {
        "radar": {
            "indicator": around,
            "radius": "68%",
            "axisName": {"color": INK, "fontSize": 13},
            "axisLine": {"lineStyle": {"color": LINE}},
            "splitLine": {"lineStyle": {"color": LINE}},
            "splitArea": {"show": False},
            "splitNumber": 4,
        },
        "series": [
            {
                "type": "radar",
                "silent": True,
                "symbolSize": 6,
                "itemStyle": {"color": "var(--green)"},
                "lineStyle": {"color": "var(--green)", "width": 2},
                "areaStyle": {"color": "var(--green)", "opacity": 0.22},
                "data": [{"value": [round(now.axis(axis), 1) for axis in AXES]}],
            }
        ],
    }


_SHOWN = 30  #: changes, the newest


async def speech(visitor: Visitor) -> None:
    words, scope = visitor.words, visitor.scope
    manners = await visitor.ask(Mind.manners)
    changes = await visitor.ask(Mind.manner_changes)
    with card(words("relationship.manners.title")):
        if not changes:
            said(words("relationship.manners.nothing")).classes("g-dim")
            return
        with ui.element("dl").classes("r-speech"):
            for who in ("user", "character"):
                speech, name = manners.of(who), named(who, scope, words)
                style = words.some("relationship.styles").get(speech.style.value) if speech.style else None
                _habit(words("relationship.manners.speaks", who=name), style, speech.style, visitor)
                address = f"“{speech.address.value}”" if speech.address else None
                _habit(words("relationship.manners.calls", who=name), address, speech.address, visitor)
        said(words("relationship.manners.history"), "h3")
        with ui.element("ol").classes("r-history"):
            for each in reversed(changes[-_SHOWN:]):
                with ui.element("li"):
                    said(moment_told(each.at, visitor), "span").classes("g-dim g-small g-number")
                    with ui.element("span"):
                        said(manner_told(each, scope, words), "span")
                        if each.change.asked_by is not None:
                            who = named(each.change.asked_by, scope, words)
                            said(f" ({words('relationship.manners.asked', who=who)})", "span").classes("g-dim")


def _habit(what: str, told: str | None, habit: Habit | None, visitor: Visitor) -> None:
    words = visitor.words
    with ui.element("div"):
        said(what, "dt").classes("g-dim g-small")
        with ui.element("dd"):
            said(told or words("relationship.manners.unknown")).classes("r-habit" if told else "g-dim")
            if habit is not None:
                since = words("relationship.manners.since", day=day(habit.at, visitor))
                if habit.asked_by is not None:
                    who = named(habit.asked_by, visitor.scope, words)
                    since += f", {words('relationship.manners.asked', who=who)}"
                said(since).classes("g-dim g-small")


MOST: Final = 160  #: points of a line
_PAGE_WAY: Final = 10
_WORDS: Final = 44  #: letters of a cause where one points at the line
_REASONS: Final = 4  #: causes that are told there
#: told apart without colours, too
_LINES: Final[dict[Axis, str | list[int]]] = {
    "trust": "solid",
    "affection": "solid",
    "respect": "dashed",
    "rivalry": "dotted",
    "familiarity": [9, 4, 2, 4],
}
_TOLD_WAY: Final = "points => points[0].value[6]"  #: the last of each row


async def way(visitor: Visitor) -> None:
    words = visitor.words
    course = await visitor.ask(Mind.course, MOST)
    if not course:
        return
    levels = await visitor.ask(Mind.level_changes)
    with card(words("relationship.way.title")):
        told = words("relationship.way.chart", since=day(course[0].at, visitor), until=day(course[-1].at, visitor))
        chart(way_options(course, levels, visitor), told, "r-way")
        if course[-1].relationship.turns > MOST:
            said(words("relationship.way.thinned", most=len(course))).classes("g-dim g-small")
        said(words("relationship.way.list"), "h3")
        status = said("").classes("g-dim g-small").props('role="status"')
        listing = ui.element("ol").classes("r-changes")

        async def show(before: int | None) -> int | None:
            steps = await visitor.ask(_with_turns, before)
            status.text = span_told("relationship.way.shown", [step.at for step, _ in steps], visitor)
            listing.clear()
            _list(listing, [moved(step, turn) for step, turn in reversed(steps)], visitor)
            return steps[0][0].number if len(steps) == _PAGE_WAY and steps[0][0].before is not None else None

        await Leafing(show, earlier=words("relationship.earlier"), later=words("relationship.later")).start()


def _with_turns(mind: Mind, before: int | None) -> list[tuple[Step, Turn | None]]:
    return [(step, _turn(mind, step.turn_id)) for step in mind.trajectory(_PAGE_WAY, before=before)]


def _turn(mind: Mind, turn_id: str | None) -> Turn | None:
    """Return what was said; a director moves the two without a turn of its own."""
    if turn_id is None:
        return None
    try:
        return mind.turn(turn_id)
    except UnknownTurn:  # it was taken back while this page was read
        return None


def _list(listing: Element, changes: Sequence[Moved], visitor: Visitor) -> None:
    words, scope = visitor.words, visitor.scope
    with listing:
        for each in changes:
            with ui.element("li"):
                with ui.element("div").classes("g-row"):
                    said(moment_told(each.step.at, visitor), "span").classes("g-dim g-small g-number")
                    if each.level is not None:
                        level = words(f"relationship.levels.{each.level}")
                        chip(words("relationship.way.level", level=level), "good")
                with ui.element("ul").classes("r-reasons"):
                    for reason in each.reasons:
                        with ui.element("li"):
                            said(reason_told(reason, scope, words), "span")
                            amounts = amounts_told(reason.amounts, words.some("relationship.axes"))
                            said(f" {amounts}", "span").classes("g-dim g-small g-number")
                if not each.reasons:
                    said(words("relationship.way.nothing")).classes("g-dim")
                _more(each, visitor)


def _more(each: Moved, visitor: Visitor) -> None:
    """Show the words of the turn, and the axes before and after it."""
    words, scope = visitor.words, visitor.scope
    with ui.element("div").classes("r-more"):
        for speaker, text in each.said:
            with ui.element("p"):
                said(f"{named(speaker, scope, words)}: ", "span").classes("g-dim")
                said(text, "span")
        if each.values:
            axes = words.some("relationship.axes")
            told = " · ".join(f"{axes[axis]} {before:.1f} → {after:.1f}" for axis, before, after in each.values)
            said(told).classes("g-dim g-small g-number")


def way_options(course: Sequence[Step], levels: Sequence[Step], visitor: Visitor) -> Options:
    """Return the lines; each row is the time, the five values, and what is told of them."""
    words = visitor.words
    rows = [
        [_time(step, visitor), *(round(step.relationship.axis(name), 2) for name in AXES), _told_way(step, visitor)]
        for step in course
    ]
    marks = [
        {"xAxis": _time(step, visitor), "label": {"formatter": words(f"relationship.levels.{step.relationship.level}")}}
        for step in levels[1:]
    ]
    few = len(course) <= 40
    lines = [
        {
            "type": "line",
            "name": words(f"relationship.axes.{name}"),
            "encode": {"x": 0, "y": place + 1},
            "showSymbol": few,
            "symbol": "circle",
            "symbolSize": 5,
            "itemStyle": {"color": COLOURS[name]},
            "lineStyle": {"color": COLOURS[name], "width": 2, "type": _LINES[name]},
            "emphasis": {"disabled": True},
        }
        for place, name in enumerate(AXES)
    ]
    lines[0]["markLine"] = {
        "silent": True,
        "symbol": "none",
        "lineStyle": {"color": DIM, "type": "dashed"},
        "label": {"color": INK, "fontSize": 12, "position": "end"},
        "data": marks,
    }
    return {
        "useUTC": True,
        "dataset": {"source": rows},
        "legend": legend(),
        "grid": {"left": 36, "right": 16, "top": 72, "bottom": 28},
        "xAxis": axis(
            type="time", splitNumber=4, axisLabel={"color": DIM, "hideOverlap": True, "formatter": _ticks(words)}
        ),
        "yAxis": axis(type="value", min=0, max=_ceiling(course), splitLine={"lineStyle": {"color": "var(--soft)"}}),
        "tooltip": {"trigger": "axis", ":formatter": _TOLD_WAY, "axisPointer": {"lineStyle": {"color": DIM}}},
        "series": lines,
    }


def _ticks(words: Words) -> Options:
    """Return how years, months, days and hours stand below a chart."""
    return dict(words.some("relationship.ticks"))


def _ceiling(course: Sequence[Step]) -> float:
    """Return where the scale ends: strangers' first points should be seen, too."""
    highest = max(step.relationship.axis(name) for step in course for name in AXES)
    return next(top for top in (20.0, 40.0, 60.0, 80.0, TOP) if highest <= top)


def _time(step: Step, visitor: Visitor) -> int:
    """Return what the clock of the bank's time zone showed, as if it were UTC: charts know no other zone."""
    shown = step.at.astimezone(visitor.bank.settings.zone).replace(tzinfo=UTC)
    return round(shown.timestamp() * 1000)


def _told_way(step: Step, visitor: Visitor) -> str:
    words, scope = visitor.words, visitor.scope
    axes = words.some("relationship.axes")
    told = moved(step, None)
    own = [reason for reason in told.reasons if reason.name != TIME_TOGETHER] or list(told.reasons)
    lines = [moment_told(step.at, visitor)]
    lines += [f"{axes[name]} {step.relationship.axis(name):.1f}" for name in AXES]
    lines += [plain(reason_told(reason, scope, words), _WORDS) for reason in own[:_REASONS]]
    return "\n".join(lines)


_LOOK = '<link rel="stylesheet" href="/look/relationship.css">'


async def build(visitor: Visitor) -> None:
    words, scope = visitor.words, visitor.scope
    ui.add_head_html(LOOK)
    ui.add_head_html(_LOOK)
    heading(words("relationship.title"))
    now = await visitor.ask(Mind.relationship)
    pair = {"character": named("character", scope, words), "user": named("user", scope, words)}
    said(words("relationship.between", **pair)).classes("r-pair")
    if now.met_at is None:
        notice(words("relationship.not_met"), words("relationship.not_met_hint"))
    else:
        turns = f"{now.turns:,}"
        said(words("relationship.met", since=day(now.met_at, visitor), turns=turns)).classes("g-dim")
    present(now, visitor)
    await way(visitor)
    await speech(visitor)
    await feelings(visitor)
    await company(visitor)
