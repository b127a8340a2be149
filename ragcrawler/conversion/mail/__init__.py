"""Messages of electronic mail."""

from ragcrawler.conversion.mail.convert_message import convert_message

__all__ = ["convert_message"]
