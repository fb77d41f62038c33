-- Where a chain ends is read from its last entry: kept once it cannot differ, and a commit writes a page less.
-- SQLite drops a column only from 3.35 on, so the table is made anew, its triggers with it.
CREATE TABLE streams_left (                                                                          --sqlite
    stream TEXT NOT NULL,                                                                            --sqlite
    fence BIGINT NOT NULL,                                                                           --sqlite
    CONSTRAINT pk_streams PRIMARY KEY (stream)                                                       --sqlite
)                                                                                                    --sqlite
WITHOUT ROWID                                                                                        --sqlite

INSERT INTO streams_left SELECT stream, fence FROM streams                                           --sqlite

DROP TABLE streams                                                                                   --sqlite

ALTER TABLE streams_left RENAME TO streams                                                           --sqlite

CREATE TRIGGER no_delete_of_streams BEFORE DELETE ON streams                                         --sqlite
BEGIN SELECT RAISE(ABORT, 'streams are for ever'); END                                               --sqlite

CREATE TRIGGER streams_go_forward BEFORE UPDATE ON streams                                           --sqlite
WHEN NEW.fence < OLD.fence OR NEW.stream <> OLD.stream                                               --sqlite
BEGIN SELECT RAISE(ABORT, 'streams only go forward'); END                                            --sqlite

ALTER TABLE streams DROP COLUMN sequence, DROP COLUMN hash                                           --postgresql

CREATE OR REPLACE FUNCTION passline_forward() RETURNS trigger LANGUAGE plpgsql AS                    --postgresql
$$ BEGIN IF NEW.fence < OLD.fence OR NEW.stream <> OLD.stream THEN                                   --postgresql
    RAISE EXCEPTION 'streams only go forward'; END IF; RETURN NEW; END $$                            --postgresql
