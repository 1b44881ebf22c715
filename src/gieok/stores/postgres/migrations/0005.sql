-- One server at a time brings the letters to a webhook, and all of them often ask how many wait.

ALTER TABLE webhooks ADD COLUMN holder text NOT NULL DEFAULT '';
ALTER TABLE webhooks ADD COLUMN until bigint NOT NULL DEFAULT 0;

DROP INDEX letters_by_due;
CREATE INDEX letters_by_webhook ON letters (webhook_id, due_at);
