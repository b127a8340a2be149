-- A crawl has most of the rows: its name finds nothing.
DROP INDEX text_readings_by_near_hash;
CREATE INDEX text_readings_by_group ON text_readings (left(near_hash, 16)) WHERE near_hash <> '';
