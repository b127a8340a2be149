-- What the workers of a crawl have decided about texts, until the crawl ends.
CREATE SEQUENCE text_versions;
CREATE TABLE text_holders (
    crawl text NOT NULL, content_hash text NOT NULL, text_group text NOT NULL, version bigint NOT NULL,
    document_id text NOT NULL, url text NOT NULL, claimed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (crawl, content_hash)
);
CREATE INDEX text_holders_by_group ON text_holders (crawl, text_group, version);
-- The documents that the crawl has read; url and near_hash are '' for those whose text another one holds.
CREATE TABLE text_readings (
    crawl text NOT NULL, document_id text NOT NULL, url text NOT NULL, near_hash text NOT NULL,
    read_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (crawl, document_id)
);
CREATE INDEX text_readings_by_near_hash ON text_readings (crawl, left(near_hash, 16)) WHERE near_hash <> '';
