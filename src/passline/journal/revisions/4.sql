-- House files once each, by digest; balances whole numbers within a range; the revision without Alembic's table.
CREATE TABLE houses (
    digest TEXT NOT NULL,
    file BLOB NOT NULL,                                                                              --sqlite
    file BYTEA NOT NULL,                                                                             --postgresql
    CONSTRAINT pk_houses PRIMARY KEY (digest)
)

CREATE TRIGGER no_update_of_houses BEFORE UPDATE ON houses                                           --sqlite
BEGIN SELECT RAISE(ABORT, 'houses are written once and for ever'); END                               --sqlite

CREATE TRIGGER no_delete_of_houses BEFORE DELETE ON houses                                           --sqlite
BEGIN SELECT RAISE(ABORT, 'houses are written once and for ever'); END                               --sqlite

CREATE TRIGGER houses_for_ever BEFORE UPDATE OR DELETE OR TRUNCATE ON houses                         --postgresql
FOR EACH STATEMENT EXECUTE FUNCTION passline_for_ever()                                              --postgresql

CREATE TABLE accounts_whole (                                                                        --sqlite
    stream TEXT NOT NULL REFERENCES streams (stream),                                                --sqlite
    account TEXT NOT NULL,                                                                           --sqlite
    balance BIGINT NOT NULL,                                                                         --sqlite
    CONSTRAINT pk_accounts PRIMARY KEY (stream, account),                                            --sqlite
    CONSTRAINT ck_accounts_balance CHECK                                                             --sqlite
        (balance >= 0 OR account IN ('bank', 'breakage', 'cage', 'cash', 'promotions', 'tables')),   --sqlite
    CONSTRAINT ck_accounts_whole CHECK (typeof(balance) = 'integer'),                                --sqlite
    CONSTRAINT ck_accounts_range CHECK (balance BETWEEN -1000000000000000000 AND 1000000000000000000) --sqlite
)                                                                                                    --sqlite
WITHOUT ROWID                                                                                        --sqlite

INSERT INTO accounts_whole SELECT stream, account, balance FROM accounts                             --sqlite

DROP TABLE accounts                                                                                  --sqlite

ALTER TABLE accounts_whole RENAME TO accounts                                                        --sqlite

ALTER TABLE accounts ADD CONSTRAINT ck_accounts_range                                                --postgresql
CHECK (balance BETWEEN -1000000000000000000 AND 1000000000000000000)                                 --postgresql

DROP TABLE alembic_version

CREATE TABLE store (revision BIGINT NOT NULL)                                                        --postgresql

INSERT INTO store VALUES (4)                                                                         --postgresql

PRAGMA application_id = 1346458451                                                                   --sqlite

PRAGMA user_version = 4                                                                              --sqlite
