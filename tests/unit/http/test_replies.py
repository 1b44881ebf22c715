"""What is sent of a reply while it comes in."""

import gieok
from gieok.conversation.events import MemoryUpdate
from gieok.http.replies import event_data
from support.doubts import DoubtfulReader


def test_the_stream_says_what_is_doubtful_and_what_to_ask_about_it(tmp_path):
    with gieok.open(tmp_path / "bank.db", embedder="hashing", extractor=DoubtfulReader()) as bank:
        observed = bank.scope(user="minsu", character="letia").observe("allergy 땅콩?", turn_id="t1")
    name, sent = event_data(MemoryUpdate(observed=observed), "t1")

    assert (name, sent["questions"]) == ("memory_update", ["혹시 땅콩 알레르기가 있으세요?"])
    assert [each["memory"]["doubtful"] for each in sent["decisions"]] == [True]
