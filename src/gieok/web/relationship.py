"""The page "relationship": how close the two are, how that changed, how they speak, feelings and other people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final

from nicegui import ui

from gieok.bank import Mind
from gieok.bank.history import Feeling, MannerStep, Regard, Step, effects, reached
from gieok.domain.emotion import Emotion
from gieok.domain.entity import Entity, Sentiment
from gieok.domain.relationship import AXES, TIME_TOGETHER, TOP, Axis, Habit, Relationship, score, to_next_level
from gieok.domain.state import Cause
from gieok.domain.turn import CHARACTER, USER, Turn
from gieok.errors import UnknownTurn
from gieok.web import kit
from gieok.web.viewer import Viewer
from gieok.words import Words

LEAST: Final = 0.05  #: smallest change that is shown: one tenth, rounded
MOST_POINTS: Final = 160  #: of a line
_CHANGES_PAGE: Final = 10
_PAGE: Final = 20
_MANNERS: Final = 30  #: changes of speech that are shown, the newest
_NAME: Final = 12  #: characters of a speaker beside the chart
_CAUSE: Final = 44  #: characters of a cause in a tooltip
_CAUSES: Final = 4  #: causes in a tooltip
_SMALLEST, _LARGEST = 9, 26  #: points of the feelings
_SPARK_WIDTH, _SPARK_HEIGHT = 96, 28
_SPARK_VALUES: Final = 6  #: sentiments in figures
_SENTIMENT_COLOURS: Final[dict[Sentiment, str]] = {"positive": "good", "neutral": "", "negative": "bad"}
_EMOTIONS: Final[dict[Emotion, tuple[str, str]]] = {  #: colours and shapes
    "neutral": ("var(--dim)", "rect"),
    "sad": ("var(--blue)", "triangle"),
    "happy": ("var(--green)", "circle"),
    "angry": ("var(--red)", "diamond"),
}
_AXES: Final[dict[Axis, tuple[str, str | list[int]]]] = {  #: colours and dashes: lines differ without colours, too
    "trust": ("var(--blue)", "solid"),
    "affection": ("var(--red)", "solid"),
    "respect": ("var(--violet)", "dashed"),
    "rivalry": ("var(--amber)", "dotted"),
    "familiarity": ("var(--green)", [9, 4, 2, 4]),
}
_SOFT_LINES: Final = {"lineStyle": {"color": "var(--soft)"}}


async def build(viewer: Viewer) -> None:
    words, scope = viewer.words, viewer.scope
    kit.style("charts", "relationship")
    kit.heading(words("frame.pages.relationship"))
    now = await viewer.ask(Mind.relationship)
    kit.write(f"{kit.person(CHARACTER, scope, words)} ↔ {kit.person(USER, scope, words)}").classes("r-pair")
    if now.met_at is None:
        kit.notice(words("relationship.not_met"), words("relationship.not_met_hint"))
    else:
        met = words("relationship.met", since=kit.day(now.met_at, viewer), turns=f"{now.turns:,}")
        kit.write(met).classes("g-dim")
    _draw_now(now, words)
    await _draw_course(viewer)
    await _draw_manners(viewer)
    await _draw_feelings(viewer)
    await _draw_people(viewer)


def _draw_now(now: Relationship, words: Words) -> None:
    following, levels = to_next_level(now), words.some("shared.levels")
    values = ", ".join(f"{words(f'shared.axes.{name}')} {now.axis(name):.1f}" for name in AXES)
    with kit.card(words("relationship.now.title")), kit.box("g-split r-now"):
        kit.chart(radar_options(now, words), words("relationship.now.radar", values=values), "r-radar")
        with kit.box("g-stack"):
            with kit.box("r-level"):
                kit.write(levels[now.level]).classes("r-level-name")
                kit.write(words("relationship.now.closeness", score=f"{score(now):.1f}")).classes("g-number")
                if following is None:
                    kit.write(words("relationship.now.top")).classes("g-dim")
                else:
                    level, points = levels[following[0]], f"{following[1]:.1f}"
                    kit.write(words("relationship.now.next", points=points, level=level)).classes("g-dim g-number")
            headings = [words("relationship.now.axis"), words("relationship.now.value")]
            with kit.table(headings, words("relationship.now.axes")):
                for name in AXES:
                    with kit.row(words(f"shared.axes.{name}")), kit.box("", "td"), kit.box("r-bar-row"):
                        with kit.box("r-bar", "span").props("aria-hidden=true"):
                            share = now.axis(name) / TOP
                            ui.element("span").style(f"width: {share:.1%}; background: {_AXES[name][0]}")
                        kit.write(f"{now.axis(name):.1f}", "span", "g-number r-bar-number")


def radar_options(now: Relationship, words: Words) -> kit.Options:
    options = kit.template("radar")
    options["radar"]["indicator"] = [{"name": words(f"shared.axes.{name}"), "max": TOP} for name in AXES]
    options["series"][0]["data"] = [{"value": [round(now.axis(name), 1) for name in AXES]}]
    return options


def span_text(key: str, moments: Sequence[datetime], viewer: Viewer) -> str:
    """Return the text of `key` for the time that is shown; "" where nothing is."""
    if not moments:
        return ""
    since, until = kit.day(min(moments), viewer), kit.day(max(moments), viewer)
    return viewer.words(key, span=since if since == until else f"{since} ~ {until}", count=f"{len(moments):,}")


async def _draw_course(viewer: Viewer) -> None:
    words = viewer.words
    course = await viewer.ask(Mind.course, MOST_POINTS)
    if not course:
        return
    levels = await viewer.ask(Mind.level_changes)
    with kit.card(words("relationship.way.title")):
        about = words(
            "relationship.way.chart", since=kit.day(course[0].at, viewer), until=kit.day(course[-1].at, viewer)
        )
        kit.chart(course_options(course, levels, viewer), about, "r-way")
        if course[-1].relationship.turns > MOST_POINTS:
            kit.hint(words("relationship.way.thinned", most=len(course)))
        kit.write(words("relationship.way.list"), "h3")
        shown = kit.status()
        changes = kit.box("r-changes", "ol")

        async def show(before: int | None) -> int | None:
            steps = await viewer.ask(_steps, before)
            shown.text = span_text("relationship.way.shown", [step.at for step, _ in steps], viewer)
            changes.clear()
            with changes:
                for step, turn in reversed(steps):
                    with kit.box("", "li"):
                        _draw_step(step, turn, viewer)
            return steps[0][0].number if len(steps) == _CHANGES_PAGE and steps[0][0].before is not None else None

        await kit.Pager(show, earlier=words("relationship.earlier"), later=words("relationship.later")).load()


def _steps(mind: Mind, before: int | None) -> list[tuple[Step, Turn | None]]:
    """Return steps with their turns; None where a director changed it without one, or it was rewound meanwhile."""
    found: list[tuple[Step, Turn | None]] = []
    for step in mind.trajectory(_CHANGES_PAGE, before=before):
        turn = None
        if step.turn_id is not None:
            with suppress(UnknownTurn):
                turn = mind.turn(step.turn_id)
        found.append((step, turn))
    return found


def cause_text(cause: Cause, viewer: Viewer) -> str:
    """Return a cause with who said what: "고마움 · 민수 “고마워”". A builder's own sign keeps its name."""
    words = viewer.words
    told = words.label("causes", cause.name)
    if cause.speaker:
        told += f" · {kit.person(cause.speaker, viewer.scope, words)}"
    return f"{told} “{cause.words}”" if cause.words else told


def _draw_step(step: Step, turn: Turn | None, viewer: Viewer) -> None:
    words, axes = viewer.words, viewer.words.some("shared.axes")
    with kit.box("g-row"):
        kit.write(kit.date_time(step.at, viewer), "span", "g-dim g-small g-number")
        if (level := reached(step)) is not None:
            kit.chip(words("relationship.way.level", level=words(f"shared.levels.{level}")), "good")
    with kit.box("r-reasons", "ul"):
        for group in effects(step):
            seen = [each for each in group if each.axis in axes and abs(each.amount) >= LEAST]
            amounts = ", ".join(f"{axes[each.axis]} {each.amount:+.1f}" for each in seen)
            with kit.box("", "li"):
                kit.write(cause_text(group[0], viewer), "span")
                kit.write(f" {amounts}", "span", "g-dim g-small g-number")
    if not step.causes:
        kit.write(words("relationship.way.nothing")).classes("g-dim")
    with kit.box("r-more"):
        for each in turn.utterances if turn is not None else ():
            with kit.box("", "p"):
                kit.write(f"{kit.person(each.speaker, viewer.scope, words)}: ", "span", "g-dim")
                kit.write(each.text, "span")
        if step.before is not None:
            pairs = ((name, step.before.axis(name), step.relationship.axis(name)) for name in AXES)
            moved = [f"{axes[name]} {old:.1f} → {new:.1f}" for name, old, new in pairs if abs(new - old) >= LEAST]
            if moved:
                kit.hint(" · ".join(moved)).classes("g-number")


def course_options(course: Sequence[Step], levels: Sequence[Step], viewer: Viewer) -> kit.Options:
    """Return the chart of the axes; each row of data is the time, the five values and the tooltip."""
    words, zone = viewer.words, viewer.bank.settings.zone

    def time(step: Step) -> int:
        """Return the local time as if it were UTC: charts know no other zone."""
        return round(step.at.astimezone(zone).replace(tzinfo=UTC).timestamp() * 1000)

    def tooltip(step: Step) -> str:
        causes = [group[0] for group in effects(step)]
        own = [cause for cause in causes if cause.name != TIME_TOGETHER] or causes
        lines = [kit.date_time(step.at, viewer)]
        lines += [f"{words(f'shared.axes.{name}')} {step.relationship.axis(name):.1f}" for name in AXES]
        return "\n".join([*lines, *(kit.plain(cause_text(cause, viewer), _CAUSE) for cause in own[:_CAUSES])])

    highest = max(step.relationship.axis(name) for step in course for name in AXES)
    top = next(top for top in (20.0, 40.0, 60.0, 80.0, TOP) if highest <= top)  # first points are seen, too
    lines = [
        kit.template(
            "course_line",
            name=words(f"shared.axes.{name}"),
            encode={"x": 0, "y": place + 1},
            showSymbol=len(course) <= 40,
            itemStyle={"color": colour},
            lineStyle={"color": colour, "width": 2, "type": dashes},
        )
        for place, (name, (colour, dashes)) in enumerate(_AXES.items())
    ]
    marks = [(time(step), words(f"shared.levels.{step.relationship.level}")) for step in levels[1:]]
    marked = [{"xAxis": at, "label": {"formatter": level}} for at, level in marks]
    lines[0]["markLine"] = kit.template("course_levels", data=marked)
    ticks = {"color": "var(--dim)", "hideOverlap": True, "formatter": dict(words.some("relationship.ticks"))}
    source = [
        [time(step), *(round(step.relationship.axis(name), 2) for name in AXES), tooltip(step)] for step in course
    ]
    return kit.template(
        "course",
        dataset={"source": source},
        legend=kit.template("legend"),
        xAxis=kit.template("axis", type="time", splitNumber=4, axisLabel=ticks),
        yAxis=kit.template("axis", type="value", min=0, max=top, splitLine=_SOFT_LINES),
        series=lines,
    )


async def _draw_manners(viewer: Viewer) -> None:
    words, scope = viewer.words, viewer.scope
    manners = await viewer.ask(Mind.manners)
    changes = await viewer.ask(Mind.manner_changes)
    with kit.card(words("relationship.manners.title")):
        if not changes:
            kit.write(words("relationship.manners.nothing")).classes("g-dim")
            return
        with kit.box("r-speech", "dl"):
            for who in ("user", "character"):
                speech, name = manners.of(who), kit.person(who, scope, words)
                spoken = words(f"shared.styles.{speech.style.value}") if speech.style else ""
                _draw_habit(words("relationship.manners.speaks", who=name), spoken, speech.style, viewer)
                address = f"“{speech.address.value}”" if speech.address else ""
                _draw_habit(words("relationship.manners.calls", who=name), address, speech.address, viewer)
        kit.write(words("relationship.manners.history"), "h3")
        with kit.box("r-history", "ol"):
            for each in reversed(changes[-_MANNERS:]):
                with kit.box("", "li"):
                    kit.write(kit.date_time(each.at, viewer), "span", "g-dim g-small g-number")
                    with kit.box("", "span"):
                        kit.write(manner_text(each, viewer), "span")
                        if each.change.asked_by is not None:
                            asked = kit.person(each.change.asked_by, scope, words)
                            kit.write(f" ({words('relationship.manners.asked', who=asked)})", "span", "g-dim")


def _draw_habit(label: str, text: str, habit: Habit | None, viewer: Viewer) -> None:
    words = viewer.words
    with kit.box():
        kit.write(label, "dt", "g-dim g-small")
        with kit.box("", "dd"):
            kit.write(text or words("relationship.manners.unknown")).classes("r-habit" if text else "g-dim")
            if habit is not None:
                since = words("relationship.manners.since", day=kit.day(habit.at, viewer))
                if habit.asked_by is not None:
                    asked = kit.person(habit.asked_by, viewer.scope, words)
                    since += f", {words('relationship.manners.asked', who=asked)}"
                kit.hint(since)


def manner_text(step: MannerStep, viewer: Viewer) -> str:
    change, words = step.change, viewer.words
    styles = words.some("shared.styles") if change.what == "style" else {}
    who, after = kit.person(change.speaker, viewer.scope, words), styles.get(change.after, change.after)
    if change.before is None:
        return words(f"relationship.manners.{change.what}_first", who=who, after=after)
    before = styles.get(change.before, change.before)
    return words(f"relationship.manners.{change.what}_changed", who=who, before=before, after=after)


async def _draw_feelings(viewer: Viewer) -> None:
    words, title = viewer.words, viewer.words("relationship.feelings.title")
    headings = [words(f"relationship.feelings.{each}") for each in ("when", "who", "feeling", "intensity", "by")]
    with kit.card(title):
        if not await viewer.ask(Mind.emotions, limit=1):
            kit.write(words("relationship.feelings.nothing")).classes("g-dim")
            return
        shown = kit.status()
        place = kit.box("g-stack")

        async def show(before: int | None) -> int | None:
            felt = await viewer.ask(Mind.emotions, limit=_PAGE, before=before)
            turns = {each.turn_number: each.at for each in felt}
            shown.text = span_text("relationship.feelings.shown", [*turns.values()], viewer)
            place.clear()
            with place:
                about = words("relationship.feelings.chart", turns=len(turns))
                kit.chart(feelings_options(felt, viewer), about, "r-feelings")
                with kit.box("r-tall"), kit.table(headings, title, "r-felt"):
                    for each in reversed(felt):
                        with kit.row(kit.date_time(each.at, viewer)):
                            kit.cell(kit.person(each.felt.speaker, viewer.scope, words))
                            with kit.box("", "td"):
                                colour = _EMOTIONS[each.felt.emotion][0]
                                kit.box("r-dot", "span").style(f"background: {colour}")
                                kit.write(words(f"relationship.emotions.{each.felt.emotion}"), "span")
                            kit.cell(f"{kit.per_cent(each.felt.intensity)}%", "g-number")
                            kit.cell(kit.source_name(each.felt.by, words), "g-dim g-small")
            first = min(turns)
            return first if len(turns) == _PAGE and first > 1 else None

        await kit.Pager(show, earlier=words("relationship.earlier"), later=words("relationship.later")).load()


def feelings_options(felt: Sequence[Feeling], viewer: Viewer) -> kit.Options:
    """Return a row of points for each speaker, and a series for each emotion."""
    words, scope, zone = viewer.words, viewer.scope, viewer.bank.settings.zone
    turns = {each.turn_number: each.at for each in felt}
    places = {number: place for place, number in enumerate(turns)}
    speakers = list(dict.fromkeys([CHARACTER, USER, *(each.felt.speaker for each in felt)]))

    def point(each: Feeling) -> kit.Options:
        told = words(
            "relationship.feelings.told",
            who=kit.person(each.felt.speaker, scope, words),
            feeling=words(f"relationship.emotions.{each.felt.emotion}"),
            percent=kit.per_cent(each.felt.intensity),
        )
        return {
            "value": [places[each.turn_number], speakers.index(each.felt.speaker)],
            "symbolSize": round(_SMALLEST + (_LARGEST - _SMALLEST) * each.felt.intensity),
            "hover": f"{kit.date_time(each.at, viewer)}\n{kit.plain(told, 60)}",
        }

    times = [f"{at.astimezone(zone):%m/%d %H:%M}" for at in turns.values()]
    names = [kit.plain(kit.person(each, scope, words), _NAME) for each in speakers]
    shown = {"axisLabel": {"color": "var(--ink)", "fontSize": 13}, "splitLine": {"show": True, **_SOFT_LINES}}
    return kit.template(
        "feelings",
        legend=kit.template("legend"),
        xAxis=kit.template("axis", type="category", data=times, boundaryGap=True),
        yAxis=kit.template("axis", type="category", data=names, **shown),
        series=[
            {
                "type": "scatter",
                "name": words(f"relationship.emotions.{emotion}"),
                "symbol": symbol,
                "itemStyle": {"color": colour},
                "emphasis": {"disabled": True},
                "data": [point(each) for each in felt if each.felt.emotion == emotion],
            }
            for emotion, (colour, symbol) in _EMOTIONS.items()
        ],
    )


async def _draw_people(viewer: Viewer) -> None:
    words = viewer.words
    people = await viewer.ask(Mind.entities)
    with kit.card(words("relationship.people.title")):
        if not people:
            kit.write(words("relationship.people.nobody")).classes("g-dim")
            return
        columns = ("name", "kind", "times", "last", "sentiment", "course", "trust")
        headings = [words(f"relationship.people.{each}") for each in columns]

        async def read(start: int | None) -> tuple[list[tuple[Entity, Sequence[Regard]]], int | None]:
            some = people[start or 0 :][:_PAGE]
            end = (start or 0) + len(some)
            courses: Mapping[str, Sequence[Regard]]
            courses = await viewer.ask(Mind.courses_of_regard, [each.id for each in some])
            count.text = words("relationship.people.more", shown=f"{end:,}", all=f"{len(people):,}")
            return [(each, courses.get(each.id, ())) for each in some], end if end < len(people) else None

        def draw(each: tuple[Entity, Sequence[Regard]]) -> None:
            with body:
                _draw_person(*each, viewer)

        with kit.table(headings, words("relationship.people.title"), "r-people") as body:
            pass
        count = kit.status()
        await kit.GrowingList(read, draw, more=words("frame.more")).load()


def _draw_person(each: Entity, regards: Sequence[Regard], viewer: Viewer) -> None:
    words, label = viewer.words, each.sentiment_label()
    with kit.box("", "tr"):
        with kit.box("", "th", scope="row").classes("g-row-name"):
            name = kit.link(each.display_name, kit.PATHS["graph"], of=each.id)
            name.props["aria-label"] = words("relationship.people.graph", name=each.display_name)
            if each.aliases:
                kit.write(f" ({', '.join(each.aliases)})", "span", "g-dim g-small")
        kit.cell(words(f"relationship.kinds.{each.kind}"))
        kit.cell(f"{each.interactions:,}", "g-number")
        kit.cell(kit.day(each.last_seen, viewer))
        with kit.box("", "td"):
            kit.chip(words(f"relationship.sentiments.{label}"), _SENTIMENT_COLOURS[label])
            kit.write(f" {each.sentiment:+.2f}", "span", "g-number")
        with kit.box("", "td"):
            _draw_sentiments(regards, viewer)
        kit.cell(f"{each.trust:.0f}", "g-number")


def sparkline(sentiments: Sequence[float], width: float, height: float) -> str:
    """Return the points of a line through sentiments, -1 at the bottom and 1 at the top; "" for less than two."""
    if len(sentiments) < 2:
        return ""
    gap = width / (len(sentiments) - 1)
    return " ".join(f"{place * gap:.1f},{height * (1 - each) / 2:.1f}" for place, each in enumerate(sentiments))


def _draw_sentiments(regards: Sequence[Regard], viewer: Viewer) -> None:
    """Draw the sentiment over time as a small line, with its values below."""
    words, sentiments = viewer.words, [each.entity.sentiment for each in regards]
    line = sparkline(sentiments, _SPARK_WIDTH, _SPARK_HEIGHT)
    if not line:
        kit.write(words("relationship.people.steady"), "span", "g-dim g-small")
        return
    values = " → ".join(f"{each:+.2f}" for each in sentiments[-_SPARK_VALUES:])
    since, until = kit.day(regards[0].at, viewer), kit.day(regards[-1].at, viewer)
    with kit.box(
        "r-spark",
        "svg",
        viewBox=f"-2 -2 {_SPARK_WIDTH + 4} {_SPARK_HEIGHT + 4}",
        role="img",
        aria_label=words("relationship.people.flow", since=since, until=until, values=values),
    ):
        middle = _SPARK_HEIGHT / 2
        kit.box("r-spark-middle", "line", x1=0, x2=_SPARK_WIDTH, y1=middle, y2=middle)
        kit.box("r-spark-line", "polyline", points=line)
    kit.hint(values).classes("g-number").props("aria-hidden=true")
