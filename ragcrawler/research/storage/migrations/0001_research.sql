CREATE EXTENSION IF NOT EXISTS vector SCHEMA public;

CREATE TABLE templates (
    name text PRIMARY KEY,
    definition jsonb NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE researches (
    id text PRIMARY KEY,
    goal text NOT NULL,
    template jsonb NOT NULL, -- as it was when the research began
    options jsonb NOT NULL,
    embedding_model text NOT NULL,
    state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'ended')),
    end_reason text NOT NULL DEFAULT '',
    began_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz
);

CREATE TABLE questions (
    research_id text NOT NULL REFERENCES researches ON DELETE CASCADE,
    id text NOT NULL,
    parent_node_id text,
    question_text text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('goal', 'seed', 'lead', 'cell')),
    depth integer NOT NULL,
    source_url text NOT NULL DEFAULT '',
    vector vector NOT NULL,
    asked_at timestamptz NOT NULL DEFAULT now(),
    position bigint GENERATED ALWAYS AS IDENTITY,
    PRIMARY KEY (research_id, id),
    FOREIGN KEY (research_id, parent_node_id) REFERENCES questions
);
CREATE INDEX questions_by_text ON questions (question_text);
CREATE INDEX questions_by_parent ON questions (research_id, parent_node_id);

CREATE TABLE snapshots (
    page_hash text PRIMARY KEY,
    markdown text NOT NULL
);

CREATE TABLE pages (
    research_id text NOT NULL REFERENCES researches ON DELETE CASCADE,
    url text NOT NULL,
    page_hash text NOT NULL REFERENCES snapshots,
    title text NOT NULL,
    question_id text NOT NULL,
    parent_url text NOT NULL,
    depth integer NOT NULL,
    state text NOT NULL CHECK (state IN ('read', 'errored')),
    error text NOT NULL DEFAULT '',
    new_facts integer NOT NULL,
    invented integer NOT NULL,
    unread_parts integer NOT NULL,
    is_suspicious boolean NOT NULL,
    read_at timestamptz NOT NULL DEFAULT now(),
    position bigint GENERATED ALWAYS AS IDENTITY,
    PRIMARY KEY (research_id, url),
    FOREIGN KEY (research_id, question_id) REFERENCES questions
);
CREATE INDEX pages_by_url ON pages (url);

CREATE TABLE facts (
    research_id text NOT NULL REFERENCES researches ON DELETE CASCADE,
    id text NOT NULL,
    question_id text NOT NULL,
    row_key text[] NOT NULL,
    extracted_facts jsonb NOT NULL, -- {"path": ..., "value": ..., "normal": ...}
    url text NOT NULL,
    page_hash text NOT NULL REFERENCES snapshots,
    quote_start integer NOT NULL,
    quote_end integer NOT NULL,
    state text NOT NULL CHECK (state IN ('supported', 'derived', 'unverified', 'contradicted')),
    is_suspicious boolean NOT NULL,
    vector vector NOT NULL,
    position bigint GENERATED ALWAYS AS IDENTITY,
    PRIMARY KEY (research_id, id),
    FOREIGN KEY (research_id, question_id) REFERENCES questions
);
CREATE INDEX facts_by_content ON facts USING gin (extracted_facts);
CREATE INDEX facts_by_url ON facts (url);

CREATE TABLE tasks (
    research_id text NOT NULL REFERENCES researches ON DELETE CASCADE,
    url text NOT NULL,
    question_id text NOT NULL,
    parent_url text NOT NULL,
    anchor text NOT NULL,
    depth integer NOT NULL,
    similarity double precision, -- NULL: the user or a search engine named it
    state text NOT NULL DEFAULT 'queued'
        CHECK (state IN ('queued', 'asked', 'done', 'pruned', 'too_deep', 'failed')),
    position bigint GENERATED ALWAYS AS IDENTITY,
    PRIMARY KEY (research_id, url),
    FOREIGN KEY (research_id, question_id) REFERENCES questions
);
CREATE INDEX tasks_by_state ON tasks (research_id, state);
