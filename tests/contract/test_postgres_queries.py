"""The queries of both stores have the same names, and those of PostgreSQL say whose rows they mean."""

import re

from gieok.stores.postgres import pgroonga
from gieok.stores.postgres.connection import QUERIES
from gieok.stores.sqlite.connection import SQL

#: What is about the whole bank, or a server's own: on a cluster it asks every node, or a table that all of them hold.
WHOLE_BANK = {
    "list_scopes", "list_scope_names", "list_characters", "list_scope_marks", "insert_bank",
    "read_bank", "set_next_embedder",
    "clear_staged_vectors",
    "count_unstaged", "count_unembedded", "find_unstaged", "find_unembedded", "stage_vector", "fill_vector",
    "move_index_epoch", "switch_vectors", "switch_embedder", "move_every_index_epoch", "count_everything",
    "find_inconsistencies", "add_model_call", "find_model_calls", "put_access_key", "find_access_key",
    "find_access_keys",
    "add_key_uses",
    "find_key_uses", "find_kept_answer", "drop_old_answers", "put_kept_answer", "put_webhook", "find_webhook",
    "find_webhooks", "lease_webhook", "let_go_of_webhook",
    "drop_webhook", "drop_letters_to", "post_letter", "find_due_letters", "count_letters", "put_off_letter",
    "drop_letter", "put_document", "find_document", "find_documents", "drop_document", "leaf_scopes", "leaf_few_scopes",
    "load_scope_names", "find_siblings_of_character", "sum_up_scopes", "erase_answers", "erase_letters",
    "erase_documents",
    "documents_of_scope", "count_sendings", "put_certificate", "find_certificates", "find_certificate", "find_unproven",
    "count_certificates", "find_secrets", "put_secret", "put_erased", "find_erased", "all_erased", "lift_erased",
    "find_chains", "find_marked_chains", "find_unchained", "find_stray_deeds",
    "find_strays", "load_vouched", "load_documents", "is_certified",
}  # fmt: skip
OWNED = (
    "scopes", "turns", "items", "vectors", "staged_vectors", "keywords", "utterances", "memories", "operations",
    "candidates", "changes", "things", "moves", "leases", "traces", "provisions", "chains", "audit",
)  # fmt: skip
TABLE = re.compile(rf"\b(?:FROM|JOIN|UPDATE|INTO)\s+({'|'.join(OWNED)})\b(?:\s+AS\s+(\w+))?")


def test_both_stores_have_the_same_queries():
    assert set(QUERIES) == set(SQL)


def test_every_query_of_the_hot_path_names_the_owner_of_every_table_it_touches():
    loose = {}
    ranking = {"word_weights": pgroonga.QUERIES["word_weights"]}  # what only PGroonga answers
    for name, sql in (QUERIES | ranking).items():
        if name in WHOLE_BANK:
            continue
        tables = TABLE.findall(sql)
        owners = len(re.findall(r":owner\b|owner = :user|\(:user,|owner = items\.owner", sql))
        if not tables or owners < len(tables):
            loose[name] = (tables, owners)
    assert not loose, loose


def test_what_asks_the_whole_bank_is_still_there():
    assert set(QUERIES) >= WHOLE_BANK
