-- Whose else a character talks to: those whose story went on last.

CREATE INDEX scopes_by_character ON scopes (character, world, latest_at);
