"""PostgreSQL: one connection that outlives breaks, numbered migrations, and a server of our own."""
