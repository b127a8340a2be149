-- A number is never given twice: the last one and how many there are tell one list from another.
CREATE TABLE kept_out (
    key text PRIMARY KEY, pattern text COLLATE "C" NOT NULL, kind text NOT NULL, text_hash text NOT NULL,
    since text NOT NULL, number bigint GENERATED ALWAYS AS IDENTITY
);
CREATE TABLE taken_out (
    document_id text COLLATE "C" PRIMARY KEY, url text COLLATE "C" NOT NULL, site text COLLATE "C" NOT NULL,
    chunks integer NOT NULL, last_seen text NOT NULL
);
CREATE TABLE removals (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, request text NOT NULL);
