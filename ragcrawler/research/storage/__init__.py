"""What a research remembers, in PostgreSQL with pgvector."""
