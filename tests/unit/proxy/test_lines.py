"""Who says what in the messages of a client, and which requests are of the client's own."""

# ruff: noqa: E501  # what clients send stands here as they send it

import pytest

from gieok.proxy.lines import Line, is_task, lines_in, said_part

GROUP = {"role": "system", "content": "[Start a new group chat. Group members: 레티아, 세라]"}
NUDGE = {"role": "system", "content": "[Write the next reply only as 세라.]"}


def user(text, **more):
    return {"role": "user", "content": text, **more}


def reply(text, **more):
    return {"role": "assistant", "content": text, **more}


def cast(messages, character="세라", name="민수", replies=()):
    lines = lines_in(messages, character=character, user=name, replies=lambda: replies)
    return [(line.role, line.speaker, line.text) for line in lines]


@pytest.mark.parametrize(
    "messages",
    [
        [GROUP, user("안녕"), reply("레티아: 저는 의사예요"), NUDGE],
        [user("안녕"), reply("레티아: 저는 의사예요")],
        [user("민수: 안녕"), reply("레티아: 저는 의사예요")],
        [user("안녕", name="민수"), reply("저는 의사예요", name="레티아")],
        [user("안녕"), reply("저는 의사예요", name="레티아")],
    ],
)
def test_a_line_of_another_member_is_theirs(messages):
    assert cast(messages) == [("user", None, "안녕"), ("user", "레티아", "저는 의사예요")]


def test_the_characters_own_lines_are_told_from_those_of_others():
    said = [GROUP, user("안녕"), reply("레티아: 저는 의사예요\n\n환자가 많아요\n\n세라: 저는 학생이에요"), user("그래")]
    assert cast(said) == [
        ("user", None, "안녕"),
        ("user", "레티아", "저는 의사예요\n\n환자가 많아요"),
        ("assistant", None, "저는 학생이에요"),
        ("user", None, "그래"),
    ]


def test_several_people_in_one_chat_are_kept_apart():
    said = [user("나 의사야", name="소라"), user("나는 학생", name="민수"), reply("반가워요")]
    assert cast(said) == [("user", "소라", "나 의사야"), ("user", None, "나는 학생"), ("assistant", None, "반가워요")]


@pytest.mark.parametrize("own", ["세라", "__", "SERA"])
def test_names_before_the_characters_own_lines_are_taken_off(own):
    character = "sera" if own == "SERA" else "세라"
    said = [user("민수: 안녕"), reply(f"{own}: 어서 와요"), user("민수: 응")]
    assert cast(said, character) == [("user", None, "안녕"), ("assistant", None, "어서 와요"), ("user", None, "응")]


def test_the_one_name_of_a_chat_may_be_the_character_in_another_script():
    assert cast([user("안녕"), reply("레티아: 어서 와요")], "letia")[1] == ("assistant", None, "어서 와요")


@pytest.mark.parametrize(
    "messages",
    [
        [user("뭐 먹지?"), reply("참고: 비빔밥이 좋아요")],
        [user("뭐 먹지?"), reply("오늘의 메뉴: 비빔밥")],  # what she is known to have said
        [user("뭐 먹지?"), reply("음, 글쎄요: 비빔밥?"), user("왜?"), reply("그냥요")],
        [user("질문: 이거 뭐야?"), reply("책이에요")],
    ],
)
def test_a_colon_makes_no_speaker(messages):
    told = [(each["role"], None, each["content"]) for each in messages]
    assert cast(messages, replies={"오늘의 메뉴: 비빔밥"}) == told


@pytest.mark.parametrize("name", ["민수", None])
def test_a_conversation_in_one_message_is_read(name):
    squashed = (
        "너는 세라다. 의사가 아니다.\n\n예시:\n\n민수: 밥 먹었어?\n\n[Start a new Chat]\n\n세라: 어서 와요.\n\n오늘은 어땠어요?"
        "\n\n민수: 고양이를 키워\n\n세라: 귀엽겠네요\n\n민수: 응, 이름은 나비야\n\n[Write the next reply only as 세라.]"
    )
    assert cast([user(squashed)], name=name) == [
        ("assistant", None, "어서 와요.\n\n오늘은 어땠어요?"),
        ("user", None, "고양이를 키워"),
        ("assistant", None, "귀엽겠네요"),
        ("user", None, "응, 이름은 나비야"),
    ]


@pytest.mark.parametrize(
    "text", ["나 고양이 키워", "할 일:\n\n참고: 내일까지\n\n우유 사기", "민수가 그랬어.\n\n소라: 갈게\n\n라고."]
)
def test_a_message_with_paragraphs_is_no_conversation(text):
    assert cast([user(text)]) == [("user", None, text)]


def test_instructions_and_documents_in_a_user_message_are_not_said():
    rag = "### Task:\nRespond to the user query using the provided context.\n<context>\n나는 의사다\n</context>\n{}"
    assert said_part(rag.format("고양이 밥은?")).strip() == "고양이 밥은?"
    assert said_part(rag.format("<user_query>\n고양이 밥은?\n</user_query>")).strip() == "고양이 밥은?"
    assert said_part("안녕\n\n[Continue your last message without repeating its original content.]") == "안녕"
    assert said_part("[그녀가 웃는다]\n\n안녕") == "[그녀가 웃는다]\n\n안녕"
    assert lines_in([user("[Write your next reply from the point of view of 민수.]")]) == [Line(role="user")]


HISTORY = "<chat_history>\nUSER: 기타 배우고 싶어\nASSISTANT: 어떤 노래요?\n</chat_history>"
TASKS = {
    "title, Open WebUI": [user(
        "### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.\n### Guidelines:\n- Use "
        f"the chat's primary language.\n### Output:\nJSON format\n### Chat History:\n{HISTORY}")],
    "tags, Open WebUI": [user(
        f"### Task:\nGenerate 1-3 broad tags categorizing the main themes of the chat history.\n### Output:\nJSON\n{HISTORY}")],
    "follow-ups, Open WebUI": [user(
        "### Task:\nSuggest 3-5 relevant follow-up questions or prompts that the user might naturally ask next in this "
        f"conversation as a **user**, based on the chat history.\n### Output:\nJSON format\n{HISTORY}")],
    "search, Open WebUI": [user(
        "### Task:\nAnalyze the chat history to determine the necessity of generating search queries, in the given language."
        f"\n{HISTORY}")],
    "autocompletion, Open WebUI": [user(
        "### Task:\nYou are an autocompletion system. Continue the text in `<text>` based on the **completion type**.\n"
        f"{HISTORY}\n<text>나는</text>")],
    "emoji, Open WebUI": [user(
        "Your task is to reflect the speaker's likely facial expression through a fitting emoji.\nMessage: ```안녕```")],
    "summary, SillyTavern": [user("안녕"), reply("네"), {"role": "system", "content":
        "[Pause your roleplay. Summarize the most important facts and events that have happened in the chat so far. Limit "
        "the summary to 200 words or less. Your response should include nothing but the summary.]"}],
    "summary, SillyTavern, as the user": [user("안녕"), reply("네"), user(
        "[Pause your roleplay. Summarize the most important facts in the chat so far.]")],
    "summary, SillyTavern, one message": [user(
        "너는 레티아다.\n\n민수: 안녕\n\n레티아: 네\n\n[Pause your roleplay. Summarize the most important facts in the chat.]")],
    "expression, SillyTavern": [reply("네"), {"role": "system", "content":
        "Ignore previous instructions. Classify the emotion of the last message. Output just one word."}],
    "summary, RisuAI": [user("user: 안녕\nassistant: 네"), {"role": "system", "content":
        "[Summarize the ongoing role story, It must also remove redundancy and unnecessary text and content.]"}],
    "title, LibreChat": [user(
        "Provide a concise, 5-word-or-less title for the conversation, using title case conventions. Only return the title "
        "itself.\n\nConversation:\nUser: 안녕\nAI: 네")],
    "title, LobeChat": [{"role": "system", "content":
        "You are a professional conversation summarizer. Generate a concise title that captures the essence of the "
        "conversation.\n\nRules:\n- Output ONLY the title text"}, user("user: 안녕\nassistant: 네")],
    "title, NextChat": [user("안녕"), reply("네"), user(
        "Please generate a four to five word title summarizing our conversation without any lead-in, punctuation or "
        "additional text.")],
    "name, Chatbox": [user(
        "Based on the chat history, give this conversation a name.\nKeep it short - 10 characters max, no quotes.\nJust "
        "provide the name, nothing else.\n\n```\nuser: 안녕\n```")],
    "title, in Korean": [user("안녕"), reply("네"), user("지금까지의 대화에 어울리는 제목을 10자 이내로 만들어 줘. 제목만 출력해.")],
}  # fmt: skip


@pytest.mark.parametrize("messages", TASKS.values(), ids=TASKS)
def test_what_a_client_asks_about_a_conversation_is_a_task(messages):
    assert is_task(messages)


@pytest.mark.parametrize(
    "messages",
    [
        [],
        [user("안녕")],
        [user("우리 대화 요약해 줘")],
        [user("내 소설 제목 좀 지어 줘")],
        [user("Can you summarize our conversation?")],
        [user("Write a short story about my cat, without sad parts, only happy ones.")],
        [user("### Task\nCreate a table of tags for my blog, in JSON, only the tags.")],
        [user("### Task:\nRespond to the user query using the provided context.\n<context>\nx\n</context>\n고양이?")],
        [user("(OOC: 이제 밤이야)"), reply("네"), user("[그녀가 웃는다]")],
        [{"role": "system", "content": "You are Letia. Continue the story. Write only her lines."}, user("user: hi")],
        [user("안녕"), reply("네"), {"role": "system", "content": "[Write the next reply only as 세라.]"}],
        [user("안녕"), reply("네"), {"role": "system", "content": "[Continue your last message.]"}],
        [user("안녕"), reply("Generate a title for the conversation, only the title, nothing else")],
    ],
)
def test_a_conversation_is_no_task(messages):
    assert not is_task(messages)
