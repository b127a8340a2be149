ALTER TABLE tasks ADD COLUMN first_score double precision; -- NULL for named URLs, and for links seen before this
