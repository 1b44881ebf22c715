"""Erasing a scope or parts of it, certificates of that, and what was laid down for scopes: holds and retention."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import groupby
from secrets import token_hex
from typing import Final

import numpy as np

from gieok.domain.actor import LIBRARY, Actor
from gieok.domain.audit import CERTIFICATE, DROP, HOLD, LIFT, RELEASE, RETAIN, document_mark
from gieok.domain.erasure import BLANK, Certificate, Words, issued_certificate
from gieok.domain.memory import Hold, Retention
from gieok.domain.recognition import FACT, Imprint, digests, erased_turn_imprints, fact_imprints
from gieok.domain.record import from_record, to_record
from gieok.domain.scope import Scope
from gieok.ports import Holdings, Removal
from gieok.stores.tables.audit import chain_end_of, close_chain, note_of_bank, rewrite_outcome, vouching
from gieok.stores.tables.columns import Row, dump, microseconds, numbered, of_stored
from gieok.stores.tables.connection import Connection
from gieok.stores.tables.rows import operation_row, state_record_from
from gieok.stores.tables.scopes import ScopeRow, begin_scope, find_scope, scope_key

_COUNTED: Final = (
    "turns", "rewound", "utterances", "people", "scenes", "operations", "traces", "unembedded", "documents",
)  # fmt: skip
#: What points to other rows goes before what it points to.
_ERASE: Final = (
    "erase_keywords", "erase_staged_vectors", "erase_utterances", "erase_memories", "erase_items", "erase_traces",
    "erase_turns", "erase_candidates", "erase_changes", "erase_moves", "erase_operations", "erase_things",
    "erase_provisions", "erase_lease", "erase_scope",
)  # fmt: skip
_CHAIN: Final = ("erase_deeds", "erase_chain")
_SENDINGS: Final = ("erase_answers", "erase_letters")  #: what a server still meant to send or to repeat


def put_certificate(
    connection: Connection, certificate: Certificate, *, actor: Actor, scope: Scope | None = None
) -> None:
    """Keep a certificate, or what became of it; `scope`: what it is about, where that is known."""
    if not connection.bound(owner="").value("is_certified", act=CERTIFICATE):  # vouch for those of an earlier version
        for kind, id, text in connection.rows("load_vouched"):
            if kind == "certificate":
                note_of_bank(connection, CERTIFICATE, actor, targets=[id], row=(kind, text))
    record = dump(to_record(certificate))
    connection.run(
        "put_certificate",
        id=certificate.id,
        at=microseconds(certificate.at),
        proven_at=None if certificate.proven_at is None else microseconds(certificate.proven_at),
        record=record,
        user=None if scope is None else scope.user or "",
    )
    note_of_bank(connection, CERTIFICATE, actor, targets=[certificate.id], row=("certificate", record))


def certificates(connection: Connection, /, query: str, **asked: object) -> list[Certificate]:
    return [_certificate(record) for (record,) in connection.rows(query, **asked)]


@of_stored
def _certificate(record: str) -> Certificate:
    return from_record(Certificate, json.loads(record))


def prove(
    connection: Connection,
    unproven: list[Certificate],
    *,
    at: datetime,
    means: str,
    left: Sequence[str],
    actor: Actor,
) -> list[Certificate]:
    given_out = [issued_certificate(certificate, at=at, means=means, left=left) for certificate in unproven]
    for certificate in given_out:
        put_certificate(connection, certificate, actor=actor)
    return given_out


def keep_digests(connection: Connection, scope: Scope, imprints: Iterable[Imprint], certificate_id: str) -> None:
    """Recognise from here on what has these imprints; the bank gets a secret with its first erasure."""
    wanted = list(imprints)
    if not wanted:
        return
    if not (secrets := _secrets(connection)):
        secrets = [token_hex(32)]
        connection.run("put_secret", secret=secrets[0])
    found = sorted(digests(secrets[:1], scope, wanted))
    connection.run("put_erased", digests=dump(found), certificate=certificate_id)


def recognised(
    connection: Connection, scope: Scope, imprints: Iterable[Imprint], among: Collection[str] | None = None
) -> frozenset[Imprint]:
    """Return those of `imprints` that were erased in `scope` before; `among`: whose digests are among these."""
    secrets = _secrets(connection)
    if not secrets:
        return frozenset()
    marked = digests(secrets, scope, imprints)
    if among is None:
        among = {digest for digest, _ in _erased_with(connection, marked)}
    return frozenset(imprint for digest, imprint in marked.items() if digest in among)


def certificates_of(connection: Connection, scope: Scope, imprints: Iterable[Imprint]) -> tuple[str, ...]:
    """Return the ids of the erasures by which what has these imprints is recognised."""
    rows = _erased_with(connection, digests(_secrets(connection), scope, imprints))
    return tuple(sorted({certificate_id for _, certificate_id in rows}))


def _erased_with(connection: Connection, marked: Collection[str]) -> list[Row]:
    return connection.rows("find_erased", digests=dump(list(marked))) if marked else []


def lift(connection: Connection, certificate_id: str, actor: Actor) -> int:
    """Recognise no longer what an erasure took; return how many digests that were."""
    lifted = len(connection.rows("lift_erased", certificate=certificate_id))
    if lifted:
        note_of_bank(connection, LIFT, actor, targets=[certificate_id])
    return lifted


def bring_digests(target: Connection, source: Connection) -> frozenset[str]:
    """Recognise in `target` what `source` recognises; return the digests that were not there."""
    for secret in set(_secrets(source)) - set(_secrets(target)):
        target.run("put_secret", secret=secret)
    there = {digest for _, digest in target.rows("all_erased")}
    brought = source.rows("all_erased")
    for certificate_id, rows in groupby(brought, key=lambda row: row[0]):
        target.run("put_erased", digests=dump([digest for _, digest in rows]), certificate=certificate_id)
    return frozenset(digest for _, digest in brought) - there


def _secrets(connection: Connection) -> list[str]:
    return [secret for (secret,) in connection.rows("find_secrets")]


def _imprints_of(here: ScopeRow) -> set[Imprint]:
    """Return the imprints of all that is kept of a scope."""
    imprints: set[Imprint] = set()
    lines: defaultdict[int, list[tuple[int, str]]] = defaultdict(list)
    ids: dict[int, str] = {}
    for rows in here.connection.windows("turns", ("id", "public_id"), "id", here.first, here.last):
        ids.update(rows)
    for rows in here.connection.windows("utterances", ("turn", "position", "text"), "id", here.first, here.last):
        for turn, position, text in rows:
            lines[turn].append((position, text))
    for turn, said in lines.items():
        imprints.update(erased_turn_imprints(ids[turn], [text for _, text in sorted(said)]))
    for rows in here.connection.windows("memories", FACT, "id", here.first, here.last):
        imprints.update(imprint for row in rows for imprint in fact_imprints(*row))
    return imprints


def put_provision(
    connection: Connection,
    scope: Scope,
    kind: type[Hold | Retention],
    provision: Hold | Retention | None,
    *,
    actor: Actor,
) -> None:
    """Lay something down for a scope, which begins by it if it is new; None takes it back."""
    here = find_scope(connection, scope, hold=True)
    name = kind.__name__.lower()
    before = getattr(here.provisions, name)
    if provision is not None and not here.scope_id:
        begin_scope(connection, scope)
        here = find_scope(connection, scope)
    if provision is None:
        here.connection.run("drop_provision", kind=name)
    else:
        here.connection.run("put_provision", kind=name, record=dump(to_record(provision)))
    here.connection.run("move_scope")
    if provision is None and before is None:
        return
    end = chain_end_of(here)
    record = "" if provision is None else dump(to_record(provision))
    about = vouching((name, record) if record else None)
    if isinstance(provision, Hold):
        end.append(HOLD, provision.since, actor, who="person", why=provision.why, **about)
    else:
        act = RELEASE if kind is Hold else RETAIN
        end.append(act, datetime.now(UTC), actor, who="person", why=record, **about)
    end.close()


def holdings(connection: Connection, scope: Scope, present: datetime, here: ScopeRow | None = None) -> Holdings:
    here = here or find_scope(connection, scope)
    row = here.connection.row("count_holdings", **scope_key(scope)) or ()
    states, types, conclusions = Counter[str](), Counter[str](), Counter[str]()
    for concluded, content_type, state, count in here.connection.rows("count_memories", present=microseconds(present)):
        if concluded:
            conclusions[content_type] += count
        else:
            states[state] += count
            types[content_type] += count
    counts = dict(zip(_COUNTED, row, strict=True))
    return Holdings(**counts, states=dict(states), types=dict(types), conclusions=dict(conclusions))


def erase(
    connection: Connection,
    scope: Scope,
    present: datetime,
    certificate: Certificate | None = None,
    *,
    actor: Actor = LIBRARY,
    chain_too: bool = False,
    held_too: bool = False,
    again: bool = False,
) -> tuple[int, Holdings]:
    """Erase a scope and return the number that it had (0: none), with what was kept of it.

    Of its chain the bare digests are left, and that `actor` erased it; `chain_too`: nothing, for it will be put back.
    A `certificate` is completed with what was kept, and kept itself; what goes is recognised from here on, unless it
    was erased before and is erased `again`. Raises `UnderHold`; `held_too`: not so, for the bank that it was copied
    from knows of the hold, and has it otherwise since.
    """
    here = find_scope(connection, scope, hold=True)
    held = holdings(connection, scope, present, here)
    if not held_too:
        here.provisions.check_hold(scope)
    if certificate is not None:
        sendings = _count_sendings(here.connection, scope)
        put_certificate(connection, replace(certificate, counts={**held.counts, **sendings}), actor=actor, scope=scope)
        if here.scope_id and not again:
            keep_digests(connection, scope, _imprints_of(here), certificate.id)
    if here.scope_id:
        if not chain_too:
            close_chain(here, at=datetime.now(UTC), actor=actor)
        for query in (*(_CHAIN if chain_too else ()), *_ERASE):
            here.connection.run(query)
        state_record_from.cache_clear()
    documents = connection.rows("documents_of_scope", **scope_key(scope))
    if documents:
        marks = [document_mark(json.loads(namespace), key) for namespace, key, _ in documents]
        note_of_bank(connection, DROP, actor, targets=marks)
    for query in (*_SENDINGS, "erase_documents"):
        here.connection.run(query, **scope_key(scope))
    return here.scope_id, held


def erase_together(
    connection: Connection,
    erasures: Sequence[tuple[Scope, datetime, Certificate | None]],
    *,
    actor: Actor,
    again: bool = False,
) -> list[tuple[int, Holdings]]:
    for scope in sorted(str(scope) for scope, _, _ in erasures):  # all of them before the bank's own chain
        connection.hold(scope)
    return [erase(connection, *each, actor=actor, again=again) for each in erasures]


def _count_sendings(connection: Connection, scope: Scope) -> dict[str, int]:
    answers, letters = connection.row("count_sendings", **scope_key(scope)) or (0, 0)
    return {"answers": answers, "letters": letters}


_REWRITTEN: Final = ("id", "request", "why", "turn_id", "channel", "upkeep", "undone")


@dataclass(frozen=True, slots=True)
class Purge:
    """Takes words out of a scope's tables for good, in the transaction of the entry that asks for it."""

    connection: Connection  #: whose queries are about the scope
    scope_id: int
    dimension: int
    items: set[int] = field(default_factory=set)  #: refs of utterances that are gone or blank by now
    turns: set[int] = field(default_factory=set)  #: private ids of turns that lost words
    _lines: dict[tuple[int, str], list[tuple[int, str]]] = field(
        default_factory=dict
    )  #: of turns, by private and own id

    def run(self, scope: Scope, gone: Removal, actor: Actor) -> None:
        """Take everything out; the certificate is completed with what only the tables know, and kept."""
        for operation in gone.operations:
            private_id = numbered(self.scope_id, operation.number)
            row = operation_row(operation, private_id, self.scope_id)
            self.connection.run("rewrite_operation", **{name: row[name] for name in _REWRITTEN})
            rewrite_outcome(self.connection, operation, private_id)
        taken_back = self.connection.rows("find_turns_taken_back", public_ids=dump(sorted(gone.turns)))
        self.turns.update(gone.taken_back, (ref for (ref,) in taken_back))
        for turn in tuple(self.turns):
            self._drop_turn(turn)
        for utterance_id in sorted(gone.blanked):
            self._blank(utterance_id)
        counts = _count_sendings(self.connection, scope)
        words = Words(gone.words)
        documents = self.connection.rows("documents_of_scope", **scope_key(scope)) if words else []
        told = [
            {"namespace": namespace, "key": key}
            for namespace, key, record in documents
            if words.stand_in(json.dumps(json.loads(record), ensure_ascii=False))
        ]
        counts["documents"] = len(told)
        for place in told:
            self.connection.run("drop_document", **place)
        if told:
            marks = [document_mark(json.loads(each["namespace"]), each["key"]) for each in told]
            note_of_bank(self.connection, DROP, actor, targets=marks)
        self.connection.run("erase_traces")
        for query in _SENDINGS:
            self.connection.run(query, **scope_key(scope))
        state_record_from.cache_clear()
        counted = replace(gone.certificate, counts={**gone.certificate.counts, **counts})
        put_certificate(self.connection, counted, actor=actor, scope=scope)
        if not gone.again:
            imprints = set(gone.imprints)
            for (_, turn_id), said in self._lines.items():
                imprints.update(erased_turn_imprints(turn_id, [text for _, text in sorted(said)]))
            keep_digests(self.connection, scope, imprints, gone.certificate.id)

    def _drop_turn(self, turn: int) -> None:
        for (ref,) in self.connection.rows("find_utterances_of_turns", turns=dump([turn])):
            self._note(ref)
            for query in ("delete_keywords", "unstage_vector", "delete_utterance", "delete_item"):
                self.connection.run(query, id=ref)
            self.items.add(ref)
        self.connection.run("delete_trace", turn=turn)
        self.connection.run("delete_turn", id=turn)

    def _note(self, ref: int) -> None:
        """Note what an utterance told, before it goes."""
        for turn, position, text in self.connection.read("utterances", ("turn", "position", "text"), "id", ref, ref):
            [(turn_id,)] = self.connection.read("turns", ("public_id",), "id", turn, turn)
            self._lines.setdefault((turn, turn_id), []).append((position, text))

    def _blank(self, utterance_id: str) -> None:
        """Leave of an utterance only that it was. Its vector is like no other: without one it would wait for one."""
        found = self.connection.row("find_items", public_ids=dump([utterance_id]))
        if found is None:
            return
        ref = found[1]
        self._note(ref)
        self.connection.run("delete_keywords", id=ref)
        self.connection.run("unstage_vector", id=ref)
        self.connection.run("blank_utterance", id=ref, text=BLANK)
        nothing = self.connection.packing.packed(np.zeros((1, self.dimension), np.float32), self.dimension)
        self.connection.run("set_item_index", id=ref, terms=0, marks=0, vector=nothing)
        self.items.add(ref)
        self.turns.update(turn for (turn,) in self.connection.read("utterances", ("turn",), "id", ref, ref))
