"""The marker of fields that feeds and payloads leave out."""

# Metadata of a field that stays in this process.
KEPT_INSIDE = {"feed": False}
