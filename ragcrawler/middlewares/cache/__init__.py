"""The HTTP cache: stored responses, revalidated with conditional requests."""
