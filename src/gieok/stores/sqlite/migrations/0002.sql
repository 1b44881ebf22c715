-- What can be seen of a text at a glance; what was written before bears no mark.

ALTER TABLE items ADD COLUMN marks INTEGER NOT NULL DEFAULT 0;
