"""Write banks, backups and exports with the version of gieok that is imported, and record what they answer.

    PYTHONPATH=src:tests python tests/compat/write_fixtures.py

Run it on the version whose files should be kept. They go to `tests/compat/data/<version>/`; a folder that is there is
never overwritten. `test_kept_files.py` opens the files of every version.

    PYTHONPATH=src:tests python tests/compat/write_fixtures.py --answers 0.1.0

records anew what the kept files of a version answer by the code of today. That is right only where an answer was
changed on purpose, such as the order of a recall; the files themselves stay as they were written.
"""

from __future__ import annotations

import json
import lzma
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import gieok
from compat.answers import PRESENT, bank_answers, clock
from compat.kept import DATA, KEY, Kept, imported
from compat.server import running
from gieok.interop.langgraph import GieokStore
from gieok.testing import FixedClock, ScriptedModel

BEGIN = datetime.fromisoformat("2026-03-02T20:00:00+09:00")
#: Day of the story, session, what the user says, what the character replies.
STORY = (
    (0, "첫날", "안녕하세요, 저는 김민수예요", "반가워요, 민수 씨. 저는 레티아예요."),
    (0, "첫날", "저는 스물다섯 살이고 서울에 살아요", "서울이라니 멋지네요!"),
    (0, "첫날", "나 고양이 좋아해", "저도 고양이 좋아해요!"),
    (0, "첫날", "참, 나 땅콩 알레르기 있어", "꼭 기억할게요."),
    (1, "카페", "우리 카페에서 만났네", "*환하게 웃으며* 정말 기뻐요!"),
    (1, "카페", "우리 고양이 이름은 코코야", "코코라니, 귀여운 이름이에요."),
    (1, "카페", "내 친구 지호는 정말 착해", "지호 씨는 좋은 사람이네요."),
    (1, "카페", "이제 갈게, 잘 자", "잘 자요, 내일 봐요."),
    (5, "다툼", "지훈이 때문에 너무 짜증나", "무슨 일이 있었어요?"),
    (5, "다툼", "오늘 시험을 망쳐서 하루 종일 울었어", "많이 속상했겠어요."),
    (5, "다툼", "고마워, 네 덕분에 힘이 났어", "제가 더 고마워요."),
    (9, "반말", "우리 말 놓자", "그래, 우리 말 놓자."),
    (9, "반말", "나를 오빠라고 불러 줘", "응, 오빠!"),
    (9, "반말", "나 간호사로 일하고 있어", "힘든 일 하네, 오빠."),
    (14, "공원", "공원으로 가자", "응, 산책하자!"),
    (14, "공원", "나 매운 음식 좋아해", "나도 떡볶이 좋아해."),
    (14, "공원", "사실 나 파란색을 제일 좋아해", "하늘 같은 색이네."),
    (20, "이사", "나 부산으로 이사했어", "바다 가까워서 좋겠다!"),
    (20, "이사", "내 번호는 010-4482-9173이야", "저장해 둘게."),
    (20, "이사", "다음 주 토요일에 영화 보러 가기로 약속할게", "약속이야!"),
    (28, "영화", "오늘 수진이랑 같이 영화 봤어", "재미있었어?"),
    (28, "영화", "나 복숭아 알레르기 있어", "조심할게."),
    (28, "영화", "복숭아 알레르기 있다는 건 뻥이야", "깜짝이야!"),
    (40, "요즘", "요즘은 강아지가 더 좋아", "마음이 바뀌었구나."),
    (40, "요즘", "직업은 개발자예요", "직업을 바꿨구나, 오빠!"),
    (40, "요즘", "내 이메일은 minsu@example.com이야", "응, 알았어."),
    (60, "봄", "어제 코코가 아파서 병원에 갔어", "코코 괜찮아?"),
    (60, "봄", "코코가 다 나아서 너무 행복해", "다행이다!"),
    (60, "봄", "넌 내 최고의 친구야", "*얼굴을 붉히며* 고마워, 오빠."),
)
CONTENT_TYPES = {
    "fact": "지하철로 출근한다",
    "preference": "비 오는 날을 좋아한다",
    "trait": "낯을 가리는 편이다",
    "event": "한강에서 자전거를 탔다",
    "opinion": "민트초코는 맛있다고 생각한다",
    "personal": "어릴 때 혼자 자랐다",
    "constraint": "밤 열한 시 이후에는 연락하지 않기",
    "decision": "올해는 운동을 시작하기로 했다",
    "todo": "도서관에 책을 반납해야 한다",
    "promise": "생일에 편지를 써 주기로 했다",
    "timeline": "2019년에 대학에 입학했다",
    "profile": "책과 고양이를 좋아하는 사람",
    "note": "창가 자리를 좋아하는 것 같다",
    "insight": "외로울 때 고양이 얘기를 한다",
    "summary": "두 사람은 카페에서 자주 만난다",
}


def write_story(path: Path) -> None:
    """Write the rich bank: several scopes, everything that can become of a memory, and what a server keeps."""
    now = FixedClock(BEGIN)
    with gieok.open(path, embedder="hashing", clock=now) as bank:
        letia = bank.scope(user="minsu", character="레티아", world="academy")
        play(letia, now)
        told_outright(letia)
        put_right(letia)
        erasures(bank)
        others(bank, now)
        spoken_by_a_model(bank, now)
        letia.maintain(["promote", "merge", "reflect", "summarise", "weekly"])
        now.set(PRESENT - timedelta(days=1))
        store = GieokStore(bank)
        store.put(("users", "민수"), "pet", {"text": "고양이 코코를 키운다", "kind": "pet"})
    desk(path)


def play(mind: gieok.Mind, now: FixedClock) -> None:
    last = ""
    for number, (day, session, text, reply) in enumerate(STORY, 1):
        if session != last:
            now.set(BEGIN + timedelta(days=day))
        now.advance(minutes=2)
        if session == "공원" and last != session:
            mind.start_scene(place="공원", daytime="저녁", session=session, participants=["레티아"], at=now.now())
        context = mind.context(text) if number % 5 == 0 else None
        mind.observe(text, reply=reply, session=session, turn_id=f"t{number}", at=now.now(), context=context)
        last = session
    mind.end_scene(at=now.advance(minutes=5))


def told_outright(mind: gieok.Mind) -> None:
    for type_, content in CONTENT_TYPES.items():
        mind.remember(content, about="user", type=type_, tags=["손으로"])  # type: ignore[arg-type]
    mind.remember("한강에서 자전거를 또 탔다", about="user", type="event")
    mind.remember("수영을 못함", about="user", attribute="skill", value="수영", polarity="-")
    mind.remember("늘 검은 옷을 입음", about="character", type="trait", importance=0.9)
    mind.remember("마법탑은 학교 뒤에 있다", about="world", type="fact")


def put_right(mind: gieok.Mind) -> None:
    """Correct, pin, forget, restore, rewind, reroll and edit."""
    by_content = {each.content: each for each in mind.facts()}
    note = by_content[CONTENT_TYPES["note"]]
    mind.correct(note.id, "복도 쪽 자리를 좋아하는 것 같다")
    mind.pin(by_content[CONTENT_TYPES["trait"]].id)
    mind.forget(by_content[CONTENT_TYPES["opinion"]].id)
    todo = by_content[CONTENT_TYPES["todo"]]
    mind.correct(todo.id, "도서관에 책을 반납했다")
    mind.restore(todo.id, version=1)
    mind.same_person("지호", "지훈")
    mind.different_people("지호", "지훈")
    mind.observe("나 대전으로 이사했어", reply="또 이사했어?", turn_id="taken-back", session="봄")
    mind.rewind("taken-back")
    mind.observe("오늘은 피곤해", reply="그래.", turn_id="rerolled", session="봄")
    mind.reroll("rerolled", "푹 쉬어, 오빠.")
    mind.observe("나 축구 좋아해", reply="그렇구나.", turn_id="edited", session="봄")
    mind.edit("edited", text="나 야구 좋아해")


def others(bank: gieok.MemoryBank, now: FixedClock) -> None:
    sera = bank.scope(user="minsu", character="세라", world="academy")
    sera.observe("나 요즘 잠을 잘 못 자", reply="무슨 걱정 있어요?", session="상담", turn_id="s1", at=now.now())
    sera.observe(
        "우리 아빠는 선생님이야", reply="그렇군요.", session="상담", turn_id="s2", channel="#상담", at=now.now()
    )
    with bank.acting_as("운영자 김"):
        sera.remember("대화는 부드럽게", about="character", type="constraint")
    jiwoo = bank.scope(user="jiwoo", character="레티아", world="academy")
    jiwoo.observe("My name is Jiwoo and I love thrillers", reply="Nice to meet you!", turn_id="j1", present=["세라"])
    bank.keep_for(jiwoo.key, {"note": 30.0, "event": None})
    bank.hold(jiwoo.key, by="운영자 김", why="문의가 있어서")
    canon = bank.scope(character="레티아", world="academy")
    canon.remember("레티아는 마법 학교의 학생이다", about="character", type="fact", importance=1.0)
    bank.scope(world="academy").remember("학교에는 오래된 종탑이 있다", about="world", type="fact")


def spoken_by_a_model(bank: gieok.MemoryBank, now: FixedClock) -> None:
    mind = bank.scope(user="minsu", character="레티아", world="academy")
    model = ScriptedModel({"reply": "오빠, 오늘은 코코랑 뭐 했어?"})
    talk = gieok.Conversation(mind, model, persona="레티아는 다정하다.", session="대화")
    list(talk.say("고양이 보러 갈까?", turn_id="spoken", at=now.advance(minutes=3)))


def erasures(bank: gieok.MemoryBank) -> None:
    gone = bank.scope(user="haneul", character="레티아")
    gone.observe("나는 하늘이야. 비밀인데 나 가출했어", reply="…", turn_id="h1")
    bank.erase(user="haneul", by="운영자 김")
    mind = bank.scope(user="minsu", character="레티아", world="academy")
    mind.observe("이건 지워 줘: 통장 비밀번호는 별빛", reply="응.", turn_id="to-erase", session="봄")
    mind.erase(turn="to-erase")


def desk(path: Path) -> None:
    """Have a server keep what it keeps: API keys, a webhook with a letter on its way, an answer to repeat."""
    environment = {**os.environ, "GIEOK_EMBEDDER": "hashing", "GIEOK_BANK": str(path)}
    keys = ["create", "게임 서버", "--role", "admin"], ["create", "민수", "--role", "reader", "--user", "minsu"]
    for each in keys:
        made = subprocess.run(
            [sys.executable, "-m", "gieok", "keys", *each], env=environment, capture_output=True, text=True, check=True
        )
        key_file = path.with_name("keys.json")
        known = json.loads(key_file.read_text()) if key_file.exists() else {}
        key_file.write_text(json.dumps({**known, each[1]: made.stdout.strip()}, ensure_ascii=False, indent=1) + "\n")
    scope = {"user": "minsu", "character": "세라", "world": "academy"}
    with running(path) as client:
        hook = {"url": "http://127.0.0.1:9/gieok", "events": ["memory.remembered"], "secret": "a secret of tests"}
        client.post("/v1/webhooks", json=hook).raise_for_status()
        body = {"text": "나 등산 좋아해", "reply": "산은 좋죠.", "turn_id": "s3", "at": "2026-05-20T10:00:00+09:00"}
        once = {"Idempotency-Key": "once"}
        client.post("/v1/turns", params=scope, json=body, headers=once).raise_for_status()


def write_small(path: Path, **settings: Any) -> None:
    """Write a bank of one short story."""
    now = FixedClock(BEGIN)
    with gieok.open(path, clock=now, **settings) as bank:
        mind = bank.scope(user="minsu", character="레티아")
        for number, (_, session, text, reply) in enumerate(STORY[1:8], 1):
            at = now.advance(minutes=2)
            mind.observe(text, reply=reply, session=session, turn_id=f"t{number}", at=at)


def write_backups(folder: Path, story: Path) -> None:
    """Make a full backup of a copy of the story, let it go on, and make one of what changed."""
    copy = folder.with_name("backed-up.db")
    shutil.copy(story, copy)
    now = clock()
    with gieok.open(copy, embedder="hashing", clock=now) as bank:
        bank.backup(folder)
        mind = bank.scope(user="minsu", character="세라", world="academy")
        mind.observe("나 수원으로 이사했어", reply="멀어졌네요.", turn_id="after", at=now.advance(minutes=1))
        bank.backup(folder)


def write_exports(folder: Path, story: Path) -> None:
    folder.mkdir()
    environment = {**os.environ, "GIEOK_BANK": str(story), "GIEOK_EMBEDDER": "hashing"}
    for format_, name in Kept.EXPORTS.items():
        command = [sys.executable, "-m", "gieok", "export", "--user", "minsu", "--format", format_, str(folder / name)]
        subprocess.run(command, env=environment, check=True, capture_output=True)
    command = [sys.executable, "-m", "gieok", "audit", "export", str(folder / "audit.jsonl")]
    subprocess.run(command, env=environment, check=True, capture_output=True)


def write_json(path: Path, value: Any) -> None:
    path.write_bytes(lzma.compress((json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()))


def write_all(target: Path) -> None:
    target.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        write_story(folder / "story.db")
        write_small(folder / "encoder.db", embedder="universal")
        write_small(folder / "secret.db", embedder="hashing", key=KEY)
        write_backups(folder / "backups", folder / "story.db")
        write_exports(folder / "exports", folder / "story.db")
        for name in ("story.db", "encoder.db"):
            (target / f"{name}.xz").write_bytes(lzma.compress((folder / name).read_bytes()))
        shutil.copy(folder / "secret.db", target)  # what is encrypted does not shrink
        shutil.copy(folder / "keys.json", target)
        for name in ("backups", "exports"):
            with tarfile.open(target / f"{name}.tar.xz", "w:xz") as archive:
                archive.add(folder / name, name)


def record(target: Path) -> None:
    """Record what the kept files answer by the code of today."""
    kept = Kept(target)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for name in Kept.BANKS:
            with kept.opened(name, folder / name) as bank:
                write_json(target / f"{name}.json.xz", bank_answers(bank))
        write_json(target / "imports.json.xz", imported(kept, folder / "imports"))


def main() -> None:
    if "--answers" in sys.argv:
        target = DATA / sys.argv[sys.argv.index("--answers") + 1]
    else:
        target = DATA / gieok.__version__
        write_all(target)
    record(target)
    for path in sorted(target.iterdir()):
        print(f"{path.stat().st_size:>8} {path.name}")


if __name__ == "__main__":
    main()
