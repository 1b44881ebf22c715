"""An evening in a bookshop: a chat over server-sent events, with scenes and a director behind them."""

from __future__ import annotations

import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from client import Client, Heard
from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text
from server import actor, director, served

import gieok

SCRIPT = tomllib.loads(Path(__file__).with_name("script.toml").read_text(encoding="utf-8"))
LINES = [line for scene in SCRIPT["scenes"] for line in scene["lines"]]
SIGNS = {"remembered": "+", "reinforced": "=", "superseded": "~", "retracted": "-"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One turn, as the client heard it."""

    reply: str  #: what the deltas add up to
    events: Sequence[str]  #: their names, each once, in order
    learned: Sequence[str]
    sent: str  #: the system message that the model was sent


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """How it went."""

    turns: Mapping[str, Turn]  #: by what was said
    another: str  #: the reply that was asked for instead of one
    asked: int  #: how often the model was asked for a reply
    scenes: Sequence[tuple[str, int]]  #: title and turns, the first first
    causes: Sequence[tuple[str, str, float]]  #: of all that moved the two: sign, axis, points
    facts: Sequence[str]
    style: str  #: how she speaks to the user by now


class Evening:
    """The client's side: what is said, heard and shown."""

    def __init__(self, client: Client, model: Any, console: Console, pace: float) -> None:
        self.client, self.model, self.console, self.pace = client, model, console, pace

    def say(self, line: Mapping[str, Any], **more: Any) -> Turn:
        """Say a line and print the reply as it comes; if the script says so, hang up in the middle and come back."""
        self.console.print(Text.assemble(("지우 ", "blue"), line["say"]))
        events = self.client.say(line["say"], **more)
        heard = list(islice(self._printed(events), 8)) if line.get("hangs_up") else []
        if heard:
            events.close()
            self.console.print(" …(연결이 끊겼다 이어진다)… ", style="yellow", end="")
            events = self.client.say(line["say"], last=heard[-1].id, **more)
        heard += self._printed(events)
        return self._end(heard)

    def another(self, turn_id: str) -> str:
        """Ask for another reply."""
        self.console.print("(다른 대답을 청한다)", style="bright_black")
        return self._end(list(self._printed(self.client.another(turn_id, persona=SCRIPT["persona"])))).reply

    def _printed(self, events: Iterator[Heard]) -> Iterator[Heard]:
        for event in events:
            if event.name == "context":
                self.console.print(Text("루나 ", "magenta"), end="")
            if event.name == "delta":
                self.console.print(Text(event.data["text"]), end="")
                time.sleep(self.pace)
            yield event

    def _end(self, heard: Sequence[Heard]) -> Turn:
        data = {event.name: event.data for event in heard}
        decisions = data["memory_update"]["decisions"]
        learned = [f"{SIGNS[each['decision']]} {each['content']}" for each in decisions if each["decision"] in SIGNS]
        self.console.print(
            "\n     " + "  ".join([f"[{data['emotion']['label']}]", *learned]), style="bright_black", markup=False
        )
        replies = [sent for task, sent in self.model.asked if task == "reply"]
        return Turn(
            reply="".join(event.data["text"] for event in heard if event.name == "delta"),
            events=list(dict.fromkeys(event.name for event in heard)),
            learned=learned,
            sent=replies[-1][0].content,
        )


def play(folder: Path, console: Console, *, pace: float = 0.0, **settings: Any) -> Played:
    """Play the script over a real server with a new bank in `folder`; a letter takes `pace` seconds."""
    models = {"model": actor(LINES), "deep_model": director(LINES, SCRIPT["summary"])}
    turns: dict[str, Turn] = {}
    another = ""
    with (
        gieok.open(folder / "bookshop.db", preset="character", **models, **settings) as bank,
        served(bank) as port,
    ):
        client = Client(port, user="지우", character="루나", world="달빛 서점")
        evening = Evening(client, models["model"], console, pace)
        for scene in SCRIPT["scenes"]:
            at = scene["at"].isoformat()
            set_up = client.ask("POST", "/v1/scenes", {"place": scene["place"], "daytime": scene["daytime"], "at": at})
            console.rule(Text(set_up["title"], "bold"), align="left", style="bright_black")
            for line in scene["lines"]:
                turn_id = f"t{len(turns) + 1}"
                turns[line["say"]] = turn = evening.say(line, turn_id=turn_id, persona=SCRIPT["persona"], at=at)
                if "if_sent" in line:
                    shown = Text(turn.sent)
                    shown.highlight_words([line["if_sent"]], "bold yellow")
                    console.print(Panel(shown, title="모델에게 보낸 것", border_style="bright_black"))
                if "another" in line:
                    another = evening.another(turn_id)
                bank.settle(30)  # as long as somebody takes to type, the director has time to think
        return Played(turns=turns, another=another, **how_it_stands(client, models["model"], console))


def how_it_stands(client: Client, model: Any, console: Console) -> dict[str, Any]:
    """Ask the API what became of the two."""
    scenes = [(scene["title"], scene["turns"]) for scene in client.ask("GET", "/v1/scenes")["items"][::-1]]
    steps = client.ask("GET", "/v1/relationship/trajectory")["items"][::-1]
    causes = [(each["cause"], each["axis"], each["amount"]) for step in steps for each in step["causes"]]
    facts = [fact["content"] for fact in client.ask("GET", "/v1/facts")["items"]]
    style = client.ask("GET", "/v1/manners")["character"]["style"]["value"]
    trust = sorted((amount, cause) for cause, axis, amount in causes if axis == "trust")[::-1]
    table = Table.grid(padding=(0, 2))
    table.add_row("장면", "\n".join(f"{title} ({turns}번 주고받음)" for title, turns in scenes))
    table.add_row("신뢰", ", ".join(f"{cause} {amount:+.2f}" for amount, cause in trust[:3]))
    table.add_row("말투", style)
    table.add_row("기억", "\n".join(facts))
    console.rule(Text("그 뒤", "bold"), align="left", style="bright_black")
    console.print(table)
    asked = sum(task == "reply" for task, _ in model.asked)
    return {"scenes": scenes, "causes": causes, "facts": facts, "style": style, "asked": asked}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        play(Path(folder), Console(), pace=0.02)
