"""LangGraph's long-term store in a gieok bank, without LangChain: pip install "gieok[langgraph]"."""

import gieok
from gieok.interop.langgraph import GieokStore

with gieok.open("memories.db") as bank:
    store = GieokStore(bank)
    minsu = ("users", "민수")

    store.put(minsu, "pet", {"text": "고양이 코코를 키운다", "kind": "pet"})
    store.put(minsu, "food", {"text": "땅콩 알레르기가 있다", "kind": "caution"})
    store.put(minsu, "plan", {"text": "내년에 제주도로 이사할 생각이다", "kind": "plan"})

    for item in store.search(minsu, query="먹으면 안 되는 것이 있어?", limit=1):
        print(item.key, item.value["text"])
    for item in store.search(minsu, filter={"kind": {"$ne": "caution"}}):
        print(item.key, item.value["text"])

    store.delete(minsu, "plan")
    print(store.list_namespaces(), store.get(minsu, "plan"))
