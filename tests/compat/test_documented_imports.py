"""Every import that the documentation of 0.1.0 showed still works."""

import importlib

import pytest

DOCUMENTED = """
gieok.access.caller Caller let_in
gieok.conversation Conversation
gieok.conversation.aio AsyncConversation
gieok.conversation.events ContextBuilt Delta Done Emotion Failed MemoryUpdate RelationshipUpdate
gieok.conversation.phrasebook Phrasebook
gieok.domain.emotion Emotion asset emotion_of one_hot sprite_label
gieok.domain.emotion_answer normalize told
gieok.domain.judgement Moment
gieok.domain.manners Manners after
gieok.domain.relationship moved new_relationship score
gieok.domain.relationship_rules rules_from
gieok.interop.arriving Whose arrive
gieok.interop.arriving.cards read_card
gieok.interop.arriving.shape Whose
gieok.interop.langgraph GieokStore
gieok.interop.leaving.formats leave
gieok.interop.mem0 AsyncMemory Memory
gieok.interop.pipeline MemoryPipeline
gieok.interop.social SocialMemory
gieok.language.emotions feel feel_reply
gieok.language.living_wording change_sentence
gieok.language.manners manner
gieok.language.signs signs
gieok.mcp.over_http HttpDoor PATH
gieok.prompts.extract extract_prompt
gieok.prompts.quoting Line quoted
gieok.serve.app behind_the_guard create_app
gieok.testing ScriptedModel
""".strip().splitlines()


@pytest.mark.parametrize("line", DOCUMENTED)
def test_a_documented_import_works(line):
    module, *names = line.split()
    found = importlib.import_module(module)

    assert [name for name in names if not hasattr(found, name)] == []
