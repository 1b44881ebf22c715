"""The words around the memories, in the language that the settings name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from gieok.domain.scope import Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Everything a table or a line says by itself, in one language."""

    user: str
    character: str
    world: str
    remember: str
    supersede: str
    reinforce: str
    retract: str
    ignore: str
    correct: str
    rewind: str
    again: str  #: {n}: how often it was said by now
    memory: str
    score: str
    parts: Mapping[str, str]  #: headings of a score's parts
    weight: str
    averaged: str  #: {parts}: those of which only the ones that found a hit count
    sources: Mapping[str, str]  #: who found a hit; {n}: its place there
    said: str  #: an utterance among memories
    reasons: Mapping[str, str]  #: why a claim is ignored, and why words make no claim
    id: str
    about: str
    attribute: str
    true_from: str
    true_until: str
    known_since: str
    still: str
    pinned: str
    nothing: str
    blocks: Mapping[str, str]
    tokens: str
    over: str  #: {n}: tokens of a question that is longer than {budget}
    personal: str  #: {kinds}: of personal data that were found
    ask: str  #: {how}: what to say for them to be kept
    date: str  #: {at}: a moment; a day without its year

    def named(self, who: str, scope: Scope) -> str:
        """Return whom a speaker or subject id means."""
        if who == "user":
            return scope.user or self.user
        if who in ("character", scope.character):
            return scope.character or self.character
        return self.world if who == "world" else who


WORDS: Final[Mapping[str, Words]] = {
    "ko": Words(
        user="상대",
        character="캐릭터",
        world="세계",
        remember="기억",
        supersede="바뀜",
        reinforce="다시",
        retract="철회",
        ignore="건너뜀",
        correct="고침",
        rewind="되감기",
        again="{n}번째",
        memory="기억",
        score="점수",
        parts={
            "recency": "최근",
            "importance": "중요",
            "relevance": "뜻",
            "keyword": "낱말",
            "strength": "강도",
            "graph": "연결",
        },
        weight="가중치",
        averaged="{parts}: 그 기억을 찾은 방법들의 점수만 평균",
        sources={
            "dense": "뜻{n}",
            "keyword": "낱말{n}",
            "topic": "주제{n}",
            "speaker": "화자{n}",
            "person": "인물{n}",
            "period": "시기{n}",
            "value": "값{n}",
            "included": "지정",
            "rerank": "모델{n}",
        },
        said="말",
        reasons={
            "below_threshold": "중요하지 않음",
            "predictable": "이미 아는 것과 비슷함",
            "nothing_to_retract": "철회할 것이 없음",
            "nothing_to_end": "끝낼 것이 없음",
            "less_certain": "기억하는 내용이 더 확실함",
            "knows_better": "본인이 다르게 말함",
            "ungrounded": "하지 않은 말",
            "not_told": "사실로 한 말이 아님",
            "unknown_attribute": "모르는 항목",
            "unsure": "확실하지 않음",
            "trifling": "사소한 내용",
            "rules_read_it": "이미 알아들은 말",
            "question": "질문",
            "wish": "바람",
            "hypothetical": "가정",
            "command": "부탁",
            "hearsay": "전해 들은 말",
            "statement": "잡담",
            "unread": "아직 읽지 못함",
        },
        id="ID",
        about="대상",
        attribute="속성",
        true_from="부터",
        true_until="까지",
        known_since="알게 된 날",
        still="지금",
        pinned="항상 문맥에 들어감",
        nothing="기억하는 내용이 없어요.",
        blocks={
            "system": "시스템",
            "examples": "예시",
            "preface": "머리말",
            "pinned": "항상 기억할 것",
            "people": "사람과 관계",
            "memories": "떠오르는 기억",
            "summary": "지금까지의 이야기",
            "talk": "최근 대화",
            "message": "새 메시지",
        },
        tokens="토큰",
        over="질문만 {n:,}토큰이라 예산 {budget:,}토큰을 넘어요. 기억은 담지 못했어요.",
        personal="개인 정보: {kinds}",
        ask="상대가 동의할 때까지 가려 둠: gieok edit TURN_ID --text … {how}",
        date="{at.month}월 {at.day}일",
    ),
    "en": Words(
        user="user",
        character="character",
        world="world",
        remember="new",
        supersede="changed",
        reinforce="again",
        retract="retracted",
        ignore="ignored",
        correct="corrected",
        rewind="rewound",
        again="×{n}",
        memory="memory",
        score="score",
        parts={
            "recency": "recent",
            "importance": "import",
            "relevance": "sense",
            "keyword": "words",
            "strength": "firm",
            "graph": "linked",
        },
        weight="weight",
        averaged="{parts}: the mean of those that found it",
        sources={
            "dense": "sense#{n}",
            "keyword": "words#{n}",
            "topic": "topic#{n}",
            "speaker": "speaker#{n}",
            "person": "person#{n}",
            "period": "period#{n}",
            "value": "value#{n}",
            "included": "asked for",
            "rerank": "model#{n}",
        },
        said="said",
        reasons={
            "below_threshold": "not important enough",
            "predictable": "close to what is known",
            "nothing_to_retract": "nothing to retract",
            "nothing_to_end": "nothing to end",
            "less_certain": "known better",
            "knows_better": "they said otherwise",
            "ungrounded": "nobody said so",
            "not_told": "not said as a fact",
            "unknown_attribute": "nothing known by that name",
            "unsure": "not sure enough",
            "trifling": "too slight",
            "rules_read_it": "understood already",
            "question": "a question",
            "wish": "a wish",
            "hypothetical": "a hypothesis",
            "command": "a request",
            "hearsay": "hearsay",
            "statement": "small talk",
            "unread": "not read yet",
        },
        id="id",
        about="about",
        attribute="attribute",
        true_from="from",
        true_until="until",
        known_since="known since",
        still="now",
        pinned="in every context",
        nothing="Nothing is known.",
        blocks={
            "system": "system",
            "examples": "examples",
            "preface": "preface",
            "pinned": "always",
            "people": "people",
            "memories": "memories",
            "summary": "summary",
            "talk": "recent talk",
            "message": "message",
        },
        tokens="tokens",
        over="The question alone takes {n:,} tokens, over the budget of {budget:,}; no memory fits.",
        personal="personal data: {kinds}",
        ask="masked until the user agrees: gieok edit TURN_ID --text … {how}",
        date="{at:%b} {at.day}",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LivingWords:
    """Everything that the tables of a living memory say by themselves, in one language."""

    levels: Mapping[str, str]
    axes: Mapping[str, str]
    axis_headings: Mapping[str, str]  #: short enough for five columns beside others
    causes: Mapping[str, str]  #: a builder's own sign goes by its own name
    emotions: Mapping[str, str]
    styles: Mapping[str, str]
    kinds: Mapping[str, str]  #: of beings
    sentiments: Mapping[str, str]
    passes: Mapping[str, str]
    actions: Mapping[str, str]
    thoughts: Mapping[str, str]  #: what a model is asked for
    closeness: str
    next_level: str  #: {level}, {points} away
    top_level: str
    not_met: str
    known_for: str  #: {since}, {until}, {days}, {turns}
    known_today: str  #: all of it on one day; {since}, {turns}
    spoken: str  #: heading
    style_unknown: str
    calls: str  #: {other}, {name}
    since: str  #: {day}
    asked_by: str  #: {who}
    changes: str  #: heading
    scene: str  #: {title}
    no_changes: str
    more_steps: str  #: {n} earlier ones
    charted: str  #: {path}
    between: str  #: {before}, {after}: levels
    when: str
    why: str
    words: str
    name: str
    kind: str
    times: str
    last_seen: str
    first_seen: str
    sentiment: str
    trust: str
    nobody: str
    aliases: str
    summary: str
    interests: str
    personality: str
    known_facts: str
    moods_towards: str  #: heading: how the sentiment went
    place: str
    tone: str
    topics: str
    turns: str
    goes_on: str
    no_scenes: str
    no_last_time: str
    who: str
    feeling: str
    nothing_felt: str
    nothing_happened: str
    faded: str
    nothing_due: str
    looked_at: str  #: {passes} ran and found nothing
    would: str  #: heading of a dry run
    did: str
    pondered: str  #: {thoughts} that a model was asked for
    unanswered: str  #: {thoughts} that it failed at
    asking: str  #: while models work
    deeply_read: str  #: {n} turns
    directed: str  #: {note}
    moved_only: str  #: a director moved the two and left no note
    left_open: str  #: {n} turns
    busy: str
    counts: Mapping[str, str]  #: new, changed, closed
    more_rows: str  #: {n}
    tidying: str  #: beside the progress bar
    watching: str  #: {seconds}
    stopped: str


KOREAN: Final = LivingWords(
    levels={
        "stranger": "낯선 사이",
        "acquaintance": "얼굴을 아는 사이",
        "friend": "친구 사이",
        "close_friend": "친한 친구 사이",
        "intimate": "아주 가까운 사이",
    },
    axes={"trust": "신뢰", "affection": "애정", "respect": "존중", "rivalry": "경쟁심", "familiarity": "친숙함"},
    axis_headings={
        "trust": "신뢰",
        "affection": "애정",
        "respect": "존중",
        "rivalry": "경쟁",
        "familiarity": "친숙",
    },
    causes={
        "time_together": "함께한 시간",
        "absence": "오랜 공백",
        "moved_in": "옮겨 옴",
        "greeting": "인사",
        "farewell": "작별 인사",
        "self_disclosure": "자기 이야기",
        "thanks": "고마움",
        "praise": "칭찬",
        "comfort": "위로",
        "affection": "애정 표현",
        "apology": "사과",
        "promise": "약속",
        "promise_kept": "지킨 약속",
        "promise_broken": "어긴 약속",
        "rivalry": "경쟁",
        "teasing": "장난",
        "rejection": "거절",
        "insult": "모욕",
        "threat": "위협",
        "director": "연출",
    },
    emotions={"neutral": "담담함", "sad": "슬픔", "happy": "기쁨", "angry": "화남"},
    styles={"formal": "존댓말", "casual": "반말", "intimate": "다정한 반말"},
    kinds={"person": "사람", "pet": "반려동물", "character": "캐릭터", "group": "모임", "thing": "사물"},
    sentiments={"positive": "호감", "neutral": "보통", "negative": "반감"},
    passes={
        "promote": "굳히기",
        "merge": "합치기",
        "prune": "놓아주기",
        "retain": "기한 지난 기억 정리",
        "reflect": "되돌아보기",
        "summarise": "요약",
        "weekly": "주간 기록",
    },
    actions={
        "promote": "굳힘",
        "merge": "합침",
        "forget": "놓아줌",
        "reflect": "깨달음",
        "summarise": "요약",
        "retell": "풀어 씀",
        "settle": "바로잡음",
    },
    thoughts={
        "reflect": "되돌아보기",
        "interpret": "캐릭터의 생각",
        "summarise": "지금까지의 이야기",
        "profile": "사람 소개",
        "conflict": "어긋난 기억",
    },
    closeness="친밀도",
    next_level="{level}까지 {points:.1f}점",
    top_level="더 가까운 사이는 없어요",
    not_met="아직 이야기를 나눈 적이 없어요.",
    known_for="{since}에 처음 만나 {until}까지 {days}일 동안 {turns:,}번 이야기했어요.",
    known_today="{since}에 처음 만나 {turns:,}번 이야기했어요.",
    spoken="말투와 호칭",
    style_unknown="말투는 아직 몰라요",
    calls="{other:을/를} {name:이라고/라고} 부름",
    since="{day}부터",
    asked_by="{who}의 부탁",
    changes="최근 변화",
    scene="장면: {title}",
    no_changes="아직 달라진 것이 없어요.",
    more_steps="이보다 앞선 {n:,}번은 --limit 0으로 볼 수 있어요.",
    charted="그림을 그렸어요: {path}",
    between="두 사람의 사이: {before} → {after}",
    when="언제",
    why="까닭",
    words="말",
    name="이름",
    kind="종류",
    times="횟수",
    last_seen="마지막",
    first_seen="처음",
    sentiment="감정",
    trust="신뢰",
    nobody="아직 아는 사람이 없어요. 대화에 이름이 나오면 기억해요.",
    aliases="다른 이름",
    summary="소개",
    interests="관심사",
    personality="성격",
    known_facts="알고 있는 것",
    moods_towards="감정이 바뀐 과정",
    place="장소",
    tone="분위기",
    topics="이야깃거리",
    turns="대화",
    goes_on="지금",
    no_scenes="아직 함께한 장면이 없어요.",
    no_last_time="아직 지난 만남이 없어요.",
    who="누가",
    feeling="감정",
    nothing_felt="그동안 읽은 감정이 없어요.",
    nothing_happened="여기에 맞는 기억이 없어요.",
    faded="희미해짐",
    nothing_due="지금은 할 일이 없어요.",
    looked_at="살펴봤지만 손댈 것이 없었어요: {passes}",
    would="미리 보기: 실제로 하면 이렇게 돼요. 아직 아무것도 바꾸지 않았어요.",
    did="손질을 마쳤어요: {passes}",
    pondered="모델과 함께 곰곰이 생각해 봤어요: {thoughts}",
    unanswered="모델이 답하지 않아 다음에 다시 물어볼게요: {thoughts}",
    asking="모델에게 물어보는 중…",
    deeply_read="모델이 다시 읽은 대화: {n:,}번",
    directed="다음 대답을 위한 연출 메모: “{note}”",
    moved_only="연출가가 두 사람의 관계를 조금 바꿨어요.",
    left_open=(
        "모델이 아직 읽지 못한 대화가 {n:,}번 남았어요. 다시 실행하면 이어서 읽어요. "
        "줄지 않으면 gieok doctor --ask로 모델을 확인해 보세요."
    ),
    busy="다른 프로세스가 손질하는 중이에요. 끝난 뒤에 다시 해 보세요.",
    counts={"new": "새로 {n}", "changed": "바뀜 {n}", "closed": "지난 기억으로 {n}"},
    more_rows="… 그 밖에 {n:,}가지. --json은 모두 보여 줘요.",
    tidying="기억을 손질하는 중",
    watching="{seconds:g}초마다 살펴봐요. 그만두려면 Ctrl-C.",
    stopped="그만 살펴볼게요.",
)

ENGLISH: Final = LivingWords(
    levels={
        "stranger": "still strangers",
        "acquaintance": "acquaintances",
        "friend": "friends",
        "close_friend": "close friends",
        "intimate": "very close",
    },
    axes={
        "trust": "trust",
        "affection": "affection",
        "respect": "respect",
        "rivalry": "rivalry",
        "familiarity": "familiarity",
    },
    axis_headings={
        "trust": "trust",
        "affection": "affec",
        "respect": "respe",
        "rivalry": "rival",
        "familiarity": "famil",
    },
    causes={
        "time_together": "time together",
        "absence": "a long absence",
        "moved_in": "moved in",
        "self_disclosure": "told of oneself",
        "promise_kept": "a promise kept",
        "promise_broken": "a promise broken",
    },
    emotions={"neutral": "calm", "sad": "sad", "happy": "happy", "angry": "angry"},
    styles={"formal": "polite", "casual": "casual", "intimate": "affectionate"},
    kinds={"person": "person", "pet": "pet", "character": "character", "group": "group", "thing": "thing"},
    sentiments={"positive": "liked", "neutral": "neutral", "negative": "disliked"},
    passes={
        "promote": "promote",
        "merge": "merge",
        "prune": "prune",
        "retain": "retain",
        "reflect": "reflect",
        "summarise": "summarise",
        "weekly": "weekly",
    },
    actions={
        "promote": "promoted",
        "merge": "merged",
        "forget": "let go",
        "reflect": "insight",
        "summarise": "summary",
        "retell": "retold",
        "settle": "settled",
    },
    thoughts={
        "reflect": "reflection",
        "interpret": "the character's view",
        "summarise": "the story so far",
        "profile": "profiles",
        "conflict": "contradictions",
    },
    closeness="closeness",
    next_level="{points:.1f} to {level}",
    top_level="as close as can be",
    not_met="They have not talked yet.",
    known_for="Met on {since}; {turns:,} turns in {days} days, until {until}.",
    known_today="Met on {since}; {turns:,} turns.",
    spoken="how they speak",
    style_unknown="manner not known yet",
    calls="calls {other} {name}",
    since="since {day}",
    asked_by="{who} asked for it",
    changes="latest changes",
    scene="scene: {title}",
    no_changes="Nothing has changed yet.",
    more_steps="{n:,} earlier ones: --limit 0 shows all.",
    charted="drawn: {path}",
    between="the two: {before} → {after}",
    when="when",
    why="why",
    words="words",
    name="name",
    kind="kind",
    times="times",
    last_seen="last seen",
    first_seen="first seen",
    sentiment="sentiment",
    trust="trust",
    nobody="Nobody is known yet; a name that comes up in talk is remembered.",
    aliases="also called",
    summary="summary",
    interests="interests",
    personality="personality",
    known_facts="what is known",
    moods_towards="how the sentiment went",
    place="place",
    tone="tone",
    topics="topics",
    turns="turns",
    goes_on="now",
    no_scenes="No scene yet.",
    no_last_time="There is no last time yet.",
    who="who",
    feeling="feeling",
    nothing_felt="No feeling was read in that time.",
    nothing_happened="No memory fits.",
    faded="faded",
    nothing_due="There is nothing to do now.",
    looked_at="Looked, and found nothing to change: {passes}",
    would="A dry run: this is what would happen. Nothing was changed.",
    did="Upkeep is done: {passes}",
    pondered="A model has thought it over: {thoughts}",
    unanswered="The model gave no answer and will be asked again: {thoughts}",
    asking="asking the models …",
    deeply_read="Turns that a model has read again: {n:,}",
    directed="A note for the next reply: “{note}”",
    moved_only="The director moved the two a little.",
    left_open="{n:,} turns wait for a model. Run it again to go on; if the number stays, see gieok doctor --ask.",
    busy="Another process is at it; try again when it is done.",
    counts={"new": "{n} new", "changed": "{n} changed", "closed": "{n} closed"},
    more_rows="… and {n:,} more; --json shows all.",
    tidying="keeping up",
    watching="Looking every {seconds:g} seconds; Ctrl-C ends it.",
    stopped="No longer looking.",
)

LIVING_WORDS: Final[Mapping[str, LivingWords]] = {"ko": KOREAN, "en": ENGLISH}
