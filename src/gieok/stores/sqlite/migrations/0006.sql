-- Whose story went on last.

ALTER TABLE scopes ADD COLUMN latest_at INTEGER NOT NULL DEFAULT 0;

UPDATE scopes SET latest_at = ifnull(
    (
        SELECT at FROM operations
        WHERE scope_id = scopes.id AND undone = 0 AND kind <> 'rewind'
        ORDER BY at DESC LIMIT 1
    ),
    0
);

CREATE INDEX scopes_by_latest ON scopes (latest_at);
