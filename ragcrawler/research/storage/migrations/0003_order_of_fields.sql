-- JSONB forgets the order of the fields, which is that of the columns in a report.
ALTER TABLE templates ALTER COLUMN definition TYPE json;
ALTER TABLE researches ALTER COLUMN template TYPE json;
