-- Orders are those of bytes, as in Python and in SQLite; blobs are compressed already.
CREATE TABLE documents (
    document_id text COLLATE "C" PRIMARY KEY, url text COLLATE "C" NOT NULL, site text COLLATE "C" NOT NULL,
    page_hash text NOT NULL, content_hash text NOT NULL, near_hash text NOT NULL, preparation text NOT NULL,
    etag text NOT NULL, last_modified text NOT NULL, fetched_at text NOT NULL, missing_runs integer NOT NULL,
    missing_reason text NOT NULL, first_seen text COLLATE "C" NOT NULL, last_seen text NOT NULL,
    is_unfinished boolean NOT NULL, interval_seconds double precision NOT NULL, due_at double precision NOT NULL
);
CREATE INDEX documents_by_site ON documents (site, document_id);
CREATE INDEX documents_by_content ON documents (content_hash);
-- A URL may be longer than an entry of a tree.
CREATE INDEX documents_by_url ON documents USING hash (url);
CREATE INDEX documents_by_near_hash ON documents (left(near_hash, 16)) WHERE near_hash <> '';
CREATE TABLE chunks (
    document_id text COLLATE "C" NOT NULL, position integer NOT NULL, chunk_id text NOT NULL,
    embed_hash text NOT NULL, payload_hash text NOT NULL, checksum text NOT NULL,
    PRIMARY KEY (document_id, position)
);
CREATE INDEX chunks_by_id ON chunks (chunk_id);
CREATE TABLE texts (document_id text COLLATE "C" PRIMARY KEY, records bytea NOT NULL);
ALTER TABLE texts ALTER COLUMN records SET STORAGE EXTERNAL;
CREATE TABLE markdown (
    document_id text COLLATE "C" PRIMARY KEY, content_hash text NOT NULL, record bytea NOT NULL
);
ALTER TABLE markdown ALTER COLUMN record SET STORAGE EXTERNAL;
CREATE TABLE aliases (
    url_key text PRIMARY KEY, url text COLLATE "C" NOT NULL, document_id text COLLATE "C" NOT NULL
);
CREATE INDEX aliases_by_document ON aliases (document_id);
CREATE TABLE sightings (
    document_id text COLLATE "C" NOT NULL, crawl text NOT NULL, PRIMARY KEY (document_id, crawl)
);
