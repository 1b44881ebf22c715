-- Which parts of a bank in parts are to be rid of what was erased; NULL: all.

ALTER TABLE certificates ADD COLUMN bucket integer;
