-- By which lease of which shared crawl a document was written; whether one with an earlier lease wrote to the store since.
ALTER TABLE documents ADD COLUMN crawl text NOT NULL DEFAULT '', ADD COLUMN lease bigint NOT NULL DEFAULT 0,
    ADD COLUMN is_disturbed boolean NOT NULL DEFAULT false;
CREATE TABLE ended_crawls (crawl text PRIMARY KEY, ended_at timestamptz NOT NULL DEFAULT now());
