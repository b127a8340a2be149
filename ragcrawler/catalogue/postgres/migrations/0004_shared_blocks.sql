CREATE TABLE shared_blocks (site text NOT NULL, block text NOT NULL, keeper text NOT NULL, PRIMARY KEY (site, block));
