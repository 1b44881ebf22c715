"""The configuration: one frozen value, read once, at the edge.

What a call gives outright comes first, then `GIEOK_*` environment variables, then `gieok.toml`, then the preset that
one of them names, then the defaults here.
A table in the file joins its name with its keys: `[weights] recency = 0.2` is `weights_recency`.
"""

from __future__ import annotations

import difflib
import os
import re
import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from math import inf
from pathlib import Path
from typing import Any, Final, Literal, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from gieok.errors import ErrorText, InvalidSetting, UnknownSetting
from gieok.presets import DOCUMENT, PRESETS, preset

FILE_NAME: Final = "gieok.toml"
TOKEN_COUNTS: Final = ("auto", "estimate", "bytes", "o200k_base", "cl100k_base")
RETAINED: Final = (
    "fact", "preference", "trait", "event", "opinion", "personal", "constraint", "decision", "todo", "promise",
    "timeline", "profile", "note", "insight", "summary",
)  # fmt: skip
_ABOVE_ZERO: Final = (
    "recall_k", "sharing_scopes", "recent_turns", "context_budget", "context_k", "index_cache_mb", "recall_patience",
    "recency_days", "upkeep_reflect_at", "upkeep_summarise_after", "upkeep_summarise_tokens", "scene_silence_minutes",
    "llm_seconds", "llm_reply_tokens", "postgres_pool", "postgres_seconds", "postgres_staleness", "serve_workers",
    "serve_threads", "serve_body_kb", "serve_page", "serve_at_once", "serve_connections", "proxy_window",
    "erase_seconds", "backup_keep",
)  # fmt: skip
_NOT_NEGATIVE: Final = (
    "promote_threshold", "recent_messages", "context_said", "upkeep_cap", "upkeep_summarise_every", "upkeep_hours",
    "llm_retries", "llm_cooldown", "keep_traces", "serve_per_minute", "backup_hours",
)  # fmt: skip
_PREFIX: Final = "GIEOK_"
_CONFIG: Final = "GIEOK_CONFIG"  #: path of the file to read instead of ./gieok.toml
NEW_KEY: Final = "GIEOK_NEW_KEY"  #: what `gieok rekey` encrypts with from now on

Combine = Literal["sum", "mean_of_sources"]
RecencyCurve = Literal["exponential", "half_life"]
RecencySince = Literal["said", "used"]
ByItself = Literal["auto", "off"]
MergeMode = Literal["fuse", "keep"]
Sharing = Literal["none", "user_facts", "character"]
KeysAsked = Literal["auto", "always"]
HistoryRead = Literal["follow", "append"]
MemoryPlace = Literal["merge", "before_last", "system"]
Profile = Literal["full", "light"]
Preparing = Literal["auto", "on", "off"]
KeywordSearch = Literal["auto", "tsvector", "pgroonga"]
PersonalData = Literal["keep", "mask", "drop", "ask"]
PersonalDataInTurns = Literal["mask", "keep", "drop"]
_CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "combine": get_args(Combine),
    "recency_curve": get_args(RecencyCurve),
    "recency_since": get_args(RecencySince),
    "upkeep": get_args(ByItself),
    "behind_the_scenes": get_args(ByItself),
    "upkeep_merge": get_args(MergeMode),
    "language": ("ko", "en"),
    "sharing": get_args(Sharing),
    "serve_keys": get_args(KeysAsked),
    "proxy_history": get_args(HistoryRead),
    "proxy_place": get_args(MemoryPlace),
    "profile": get_args(Profile),
    "postgres_prepare": get_args(Preparing),
    "keyword": get_args(KeywordSearch),
    "pii_turns": get_args(PersonalDataInTurns),
    "tokens": TOKEN_COUNTS,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that can be set. The defaults are what we measured to work best; `load` fills in a preset's values."""

    #: where the memories are kept: a file, or "postgresql://user@host/database"; it may hold a password
    bank: str = field(default="gieok.db", repr=False)
    key: str | None = field(default=None, repr=False)  #: encrypts the whole bank file when set
    key_file: str | None = None  #: or: a file that holds the key, which nobody else may read
    key_command: str | None = field(default=None, repr=False)  #: or: a command that prints the key, run without a shell
    postgres_pool: int = 16  #: connections of one process to a server, at most
    postgres_seconds: float = 30.0  #: that one statement there, or waiting for a connection, may take
    postgres_prepare: Preparing = "auto"  #: whether statements are prepared there; "auto": unless there is a pooler
    #: addresses of standbys to read scopes from, separated by spaces; they may contain passwords
    postgres_replicas: str | None = field(default=None, repr=False)
    postgres_staleness: float = 5.0  #: how many seconds old what a standby returns may be
    #: who ranks words on a server: "pgroonga", "tsvector" (they are counted); "auto": PGroonga where it is installed
    keyword: KeywordSearch = "auto"
    preset: str | None = (
        None  #: "heroine", "social", "character", "care", "vtuber", or "heroine:document" …: as they do
    )
    embedder: str = "universal"  #: or "openai:text-embedding-3-small", "ollama:bge-m3" …; "hashing" for tests
    #: of an OpenAI-compatible endpoint, instead of the one that the name stands for; it may hold a password
    embedder_url: str | None = field(default=None, repr=False)
    embedder_key: str | None = field(default=None, repr=False)  #: its key; without, the provider's variable is read
    language: str = "ko"  #: "ko" or "en": the words around the memories in a context
    #: "light": Korean is read without Kiwi: less memory, a faster start, less found; one for all banks of a process
    profile: Profile = "full"
    timezone: str = "Asia/Seoul"  #: what 어제 and 오늘 mean
    promote_threshold: float = 0.45  #: claims that score less are not remembered
    promotion_type_importance: float = 0.30  #: how much each part of that score counts, which is their weighted mean
    promotion_confidence: float = 0.25
    promotion_future_impact: float = 0.15
    promotion_emotion: float = 0.10
    promotion_recurrence: float = 0.10
    promotion_novelty: float = 0.10
    recall_k: int = 8  #: hits of a recall
    #: what else may be read: "user_facts", what the user told other characters of themself; "character", all that the
    #: character talked about with others
    sharing: Sharing = "none"
    sharing_scopes: int = 30  #: how many of these others, those whose story went on last
    recall_patience: float = 2.0  #: seconds until a slow source is left out of a recall
    search_turns: bool = True  #: search what was said, not only what was understood
    canon: bool = True  #: recall also reads canon; without it, a recall asks one node of a cluster
    recent_turns: int = 8  #: turns quoted in a context
    recent_messages: int = 0  #: above 0: messages quoted in a context, whatever their turns
    context_budget: int = 4_096  #: tokens of a whole context
    tokens: str = (
        "auto"  #: how they are counted: "estimate", "bytes", a tiktoken encoding, "auto": o200k_base or estimate
    )
    context_k: int = 60  #: hits a context may quote, as far as they fit
    context_said: int = 60  #: how many of these may be what was said, in its own words
    caps_memories: int = 1_200  #: tokens of recalled memories in a context
    caps_memory_item: int = 150  #: tokens of one memory
    caps_pinned: int = 400  #: tokens of what is always there
    weights_recency: float = 0.03
    weights_importance: float = 0.04
    weights_relevance: float = 0.45
    weights_keyword: float = 0.80
    weights_strength: float = 0.02
    weights_graph: float = 0.70
    combine: Combine = "sum"  #: or "mean_of_sources": relevance, keyword and graph count as far as they found it
    recency_curve: RecencyCurve = "exponential"  #: exp(−age/days), or "half_life": ½ after so many days
    recency_days: float = 30.0
    recency_since: RecencySince = "said"  #: or "used": the age is counted from the last use in a context
    upkeep: ByItself = "auto"  #: passes run by themselves after turns; "off": only when they are asked for
    upkeep_merge: MergeMode = "fuse"  #: alike memories become one; "keep": the more important one stays
    upkeep_cap: int = 0  #: above 0: current memories in a scope, the weakest go
    upkeep_reflect_at: int = 20  #: new memories until they are thought over
    upkeep_summarise_after: int = 12  #: turns that are not in the summary, at most
    upkeep_summarise_every: int = 0  #: above 0: turns between two summaries
    upkeep_summarise_tokens: int = 6_000  #: unsummarised tokens, at most
    upkeep_hours: float = 6.0  #: merging, pruning and retention by the clock; 0: by turns alone
    backup_folder: str | None = None  #: where a bank that is open makes backups by itself
    backup_hours: float = 24.0  #: between two of them; 0: only when they are asked for
    backup_keep: int = 14  #: backups that are kept there, at least; older ones go
    retain: str = ""  #: days a type of memory is kept: "note=30 event=365"; what is not named is kept for good
    erase_seconds: float = 30.0  #: that erasing waits for whoever still reads an earlier state, before it gives up
    reader_file: str | None = None  #: what `gieok reader teach` wrote; without: <bank>.reader.npz beside a bank file
    relationship_rules: str | None = None  #: a TOML file whose values replace those of `gieok relationship --rules`
    scene_silence_minutes: float = 60.0  #: a longer silence ends a scene
    llm: str | None = None  #: answers and extracts: "openai:gpt-4o-mini", "ollama:qwen3:8b", "gguf:model.gguf" …
    llm_url: str | None = field(default=None, repr=False)  #: as with embedder_url
    llm_key: str | None = field(default=None, repr=False)  #: its key; without, the provider's own variable is read
    llm_price: str = ""  #: of a million tokens, asked and answered: "0.15 0.60"
    llm_deep: str | None = None  #: reflects, summarises and directs; None: nobody does
    llm_deep_url: str | None = field(default=None, repr=False)  #: None: that of `llm`, where both are of one provider
    llm_deep_key: str | None = field(default=None, repr=False)
    llm_deep_price: str = ""
    llm_seconds: float = 30.0  #: until an answer that does not come is given up
    llm_retries: int = 2  #: after a failure that may pass
    llm_cooldown: float = 60.0  #: seconds that nobody asks an endpoint which had enough (429)
    llm_reply_tokens: int = 512  #: of one reply
    deep_extraction: bool = True  #: with a model: it reads the conversation
    llm_reading: str = "batch:6"  #: how many turns it reads at once; "turn": each, "session": when one is over
    director: bool = True  #: with a deep model: it leaves a note for the next turn
    behind_the_scenes: ByItself = "auto"  #: models work by themselves after turns; "off": only when they are asked to
    rewrite_query: bool = False  #: with a model: it says what a short question means, before the search
    rerank: bool = False  #: with a model: it puts the best hits in order
    compress: bool = False  #: with a model: it shortens what the hits say to what matters
    model_emotion: bool = False  #: with a model: it tells what a reply feels like
    keep_traces: int = 100  #: turns of a scope of which is kept how they came about; 0: none
    serve_host: str = "127.0.0.1"  #: where `gieok serve` listens; keys are asked for as soon as others can reach it
    serve_port: int = 8420
    serve_workers: int = 1  #: processes that serve
    serve_threads: int = 2  #: requests that are worked on at once; more only where models rerank or rewrite
    serve_hosts: str = ""  #: names it may also be called by, behind a proxy of your own; then keys are asked for
    serve_origins: str = ""  #: web pages of other origins that may talk to it: "https://app.example"
    serve_keys: KeysAsked = "auto"  #: "always": also from callers on this machine
    serve_tls_cert: str | None = None  #: files
    serve_tls_key: str | None = None
    serve_body_kb: int = 4_096  #: of one request
    serve_page: int = 200  #: things in one answer
    serve_per_minute: int = 600  #: requests of a key; 0: as many as it likes
    serve_at_once: int = 256  #: requests of a key that are under way in one process
    serve_connections: int = 1_000  #: open connections of one process
    serve_log_text: bool = False  #: what was said stands in the log
    proxy_url: str | None = field(default=None, repr=False)  #: the endpoint behind the proxy; None: that of `llm`
    proxy_key: str | None = field(default=None, repr=False)  #: its key; None: that of `llm`, at its own address
    proxy_model: str | None = None  #: what it is asked for when a client names a character; None: that of `llm`
    proxy_window: int = 16_384  #: tokens that it reads at once
    proxy_user: str = "user"  #: who speaks when a client does not say
    proxy_history: HistoryRead = "follow"  #: "append": clients that send no history; nothing is taken back
    #: where memory stands: "merge": what seldom changes in the system message, the rest in the newest user message;
    #: "before_last": all of it there; "system": all of it in the system message
    proxy_place: MemoryPlace = "merge"
    pii_resident: PersonalData = "mask"  #: or "keep", "drop", "ask": what becomes of resident registration numbers
    pii_foreigner: PersonalData = "mask"
    pii_business: PersonalData = "mask"
    pii_passport: PersonalData = "mask"
    pii_licence: PersonalData = "mask"
    pii_phone: PersonalData = "mask"
    pii_account: PersonalData = "mask"
    pii_card: PersonalData = "mask"
    pii_email: PersonalData = "mask"
    pii_address: PersonalData = "mask"
    pii_us_ssn: PersonalData = "mask"
    pii_us_passport: PersonalData = "mask"
    pii_us_licence: PersonalData = "mask"
    pii_us_address: PersonalData = "mask"
    pii_iban: PersonalData = "mask"
    pii_turns: PersonalDataInTurns = "mask"  #: the turn log: "keep": its own words, quoted masked; "drop": without it
    index_cache_mb: int = 256  #: memory for the vectors of the scopes in use
    model_cache: bool = True  #: the encoder's weights are kept uncompressed in the user's cache folder (80 MB)
    warm: bool = True  #: commands run in a process that keeps the models loaded: `gieok warm`

    @property
    def bank_shown(self) -> str:
        """Where the memories are kept, without a password."""
        return shown_location(self.bank)

    @property
    def key_from(self) -> dict[str, str]:
        """Where the key comes from, by the name of the setting that says so; empty: nothing is encrypted."""
        named = {"key": self.key, "key_file": self.key_file, "key_command": self.key_command}
        return {name: value for name, value in named.items() if value is not None}

    @property
    def opened_with(self) -> dict[str, str]:
        """Where the key of the bank itself comes from; on a server that makes backups, the key is theirs alone."""
        return {} if "://" in self.bank and self.backup_folder is not None else self.key_from

    def __post_init__(self) -> None:
        for name in _ABOVE_ZERO:
            self._require(name, getattr(self, name) > 0, ErrorText("rule.above_zero"))
        for name in _NOT_NEGATIVE:
            self._require(name, getattr(self, name) >= 0, ErrorText("rule.not_negative"))
        for each in fields(self):
            if each.name.startswith(("weights_", "caps_", "promotion_")):
                self._require(each.name, 0 <= getattr(self, each.name) < inf, ErrorText("rule.number_not_negative"))
        counted = [getattr(self, each.name) for each in fields(self) if each.name.startswith("promotion_")]
        _require("promotion_…", any(counted), ErrorText("rule.promotion"))
        _require(" and ".join(self.key_from), len(self.key_from) < 2, ErrorText("rule.one_key"))
        self.retention  # noqa: B018  # a wrong one is told at once
        for name in ("llm_price", "llm_deep_price"):
            prices(name, getattr(self, name))
        reading_pace(self.llm_reading)
        self._require("serve_port", 0 <= self.serve_port <= 65_535, ErrorText("rule.port"))
        actions = {each.name: get_args(PersonalData) for each in fields(self) if each.name.startswith("pii_")}
        for name, choices in (actions | _CHOICES).items():
            self._require(name, getattr(self, name) in choices, ErrorText("rule.one_of", known=", ".join(choices)))
        try:
            ZoneInfo(self.timezone)
        except (ZoneInfoNotFoundError, ValueError, OSError) as cause:
            raise InvalidSetting(ErrorText("settings.timezone", name=self.timezone)) from cause

    def _require(self, name: str, holds: bool, rule: ErrorText) -> None:
        if not holds:
            raise InvalidSetting(ErrorText("settings.rule_not", name=name, rule=rule, value=getattr(self, name)))

    def as_preset(self, name: str | None) -> Settings:
        """Return these settings as the preset `name` has them: nothing that presets set is left of what it was.

        None: the defaults, as where no preset is named.
        """
        filled = {} if name is None else preset(name)
        sets = {each for known in PRESETS for each in (*preset(known), *preset(known + DOCUMENT))}
        values: dict[str, Any] = {each.name: each.default for each in fields(self) if each.name in sets}
        return replace(self, preset=name, **(values | {each: _typed(each, value) for each, value in filled.items()}))

    def without_models(self) -> Settings:
        """Return these settings for something that must come out the same whatever models there are."""
        return replace(self, llm=None, llm_deep=None)

    def for_a_trial(self, place: str) -> Settings:
        """Return these settings for a bank at `place` that is thrown away: no key, no model, no backups."""
        own = {"bank": place, "key": None, "key_file": None, "key_command": None, "backup_folder": None}
        return replace(self.without_models(), **own)  # type: ignore[arg-type]  # each of these may be None or is text

    @property
    def reader_place(self) -> Path | None:
        """Where a taught reader is kept; None: a server's bank has nothing beside it."""
        if self.reader_file is not None:
            return Path(self.reader_file)
        return None if "://" in self.bank or self.bank == ":memory:" else Path(f"{self.bank}.reader.npz")

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.timezone)

    @property
    def retention(self) -> dict[str, float]:
        """`retain` as days by type of memory."""
        days: dict[str, float] = {}
        for each in self.retain.replace(",", " ").split():
            name, _, given = each.partition("=")
            try:
                days[name] = float(given)
            except ValueError as cause:
                raise InvalidSetting(ErrorText("settings.retain", retain=self.retain, each=each)) from cause
            _require("retain", days[name] > 0 and name in RETAINED, ErrorText("rule.retain", known=", ".join(RETAINED)))
        return days


MOST_READ: Final = 12  #: turns that a model reads at once


def shown_location(location: str) -> str:
    """Return where a bank is kept without a password: of an address, what stands before the query, and its schema."""
    if "://" not in location:
        return location
    address, _, query = re.sub(r"(://[^:/@]*):.*@", r"\1@", location).partition("?")
    schema = "".join(f"?{each}" for each in query.split("&") if each.startswith("schema="))
    return address + schema


def prices(name: str, given: str) -> tuple[float, float]:
    """Return what a token asked and a token answered cost; `given` are the prices of a million of each."""
    try:
        asked, answered = (float(each) / 1_000_000 for each in (given or "0 0").replace(",", " ").split())
    except ValueError as cause:
        raise InvalidSetting(ErrorText("settings.price", name=name, given=given)) from cause
    _require(name, 0 <= asked < inf and 0 <= answered < inf, ErrorText("rule.price"))
    return asked, answered


def reading_pace(given: str) -> tuple[int, bool]:
    """Return how many turns a model reads at once, and whether it waits until a session is over."""
    name, _, count = given.partition(":")
    if given in ("turn", "session"):
        return (1, False) if given == "turn" else (MOST_READ, True)
    if name != "batch" or not count.isdecimal() or not 1 <= int(count) <= MOST_READ:
        raise InvalidSetting(ErrorText("settings.reading", given=given, most=MOST_READ))
    return int(count), False


def load(
    path: str | os.PathLike[str] | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    given: Mapping[str, object] | None = None,
) -> Settings:
    """Read settings from `path` (else $GIEOK_CONFIG, else ./gieok.toml if there is one) and the environment.

    What is `given` outright wins, unless it is None; a preset fills in what none of them sets. Unknown names fail.
    """
    variables = os.environ if environment is None else environment
    named = path or variables.get(_CONFIG)
    values = _from_file(Path(named or FILE_NAME), required=bool(named))
    values |= _from_environment(variables)
    outright = {name: value for name, value in (given or {}).items() if value is not None}
    values |= _known(outright, ErrorText("hint.arguments"), str)
    filled = preset(_typed("preset", values["preset"])) if "preset" in values else {}
    return Settings(**{name: _typed(name, value) for name, value in (filled | values).items()})


def _from_file(path: Path, *, required: bool) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as cause:
        if required:
            raise InvalidSetting(ErrorText("settings.no_file", path=path, config=_CONFIG)) from cause
        return {}
    except UnicodeDecodeError as cause:
        raise InvalidSetting(ErrorText("settings.utf8", path=path)) from cause
    except OSError as cause:
        raise InvalidSetting(ErrorText("settings.unreadable", path=path, strerror=cause.strerror)) from cause
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as cause:
        raise InvalidSetting(ErrorText("settings.toml", path=path, cause=cause)) from cause
    values = _known(dict(_flat(tables)), str(path), lambda name: name)
    if "key_command" in values:
        _check_owner(path)
    return values


def _check_owner(path: Path) -> None:
    """Refuse a file that names a command and may be somebody else's: whoever starts gieok would run it for them."""
    if os.name != "posix":
        return
    found = path.stat()
    if found.st_uid not in (0, os.geteuid()) or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise InvalidSetting(ErrorText("settings.foreign_command", path=path))


def _flat(tables: Mapping[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    flat: list[tuple[str, Any]] = []
    for key, value in tables.items():
        name = prefix + key.replace("-", "_")
        flat.extend(_flat(value, name + "_") if isinstance(value, Mapping) else [(name, value)])
    return flat


def _from_environment(variables: Mapping[str, str]) -> dict[str, Any]:
    named = {
        name[len(_PREFIX) :].lower(): value
        for name, value in variables.items()
        if name.startswith(_PREFIX) and name not in (_CONFIG, NEW_KEY)
    }
    return _known(named, ErrorText("hint.environment"), lambda name: _PREFIX + name.upper())


def _known(values: dict[str, Any], where: str, shown: Any) -> dict[str, Any]:
    names = {each.name for each in fields(Settings)}
    for name in values:
        if name not in names:
            close = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
            raise UnknownSetting(shown(name), shown(close[0]) if close else None, where)
    return values


def _typed(name: str, value: object) -> Any:
    """Return `value` as the type its setting has; numbers and switches may come as text from the environment."""
    defaults: dict[str, Any] = {each.name: each.default for each in fields(Settings)}
    wanted: type[Any] = type(defaults[name])
    if wanted is type(None) or wanted is str:
        _require(name, isinstance(value, str | os.PathLike), ErrorText("rule.text"))
        return os.fspath(value)  # type: ignore[call-overload]  # checked just above
    if wanted is bool:
        switch = {"true": True, "1": True, "on": True, "false": False, "0": False, "off": False}.get(str(value).lower())
        _require(name, switch is not None, ErrorText("rule.switch"))
        return switch
    try:
        if isinstance(value, bool):
            raise ValueError("a switch is not a number")
        return wanted(value)
    except (TypeError, ValueError) as cause:
        key = "settings.whole_number" if wanted is int else "settings.number"
        raise InvalidSetting(ErrorText(key, name=name, value=value)) from cause


def _require(name: str, holds: bool, rule: ErrorText) -> None:
    if not holds:
        raise InvalidSetting(ErrorText("settings.rule", name=name, rule=rule))
