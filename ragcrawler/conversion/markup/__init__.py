"""Formats with markup of their own, which are made HTML and rendered by the converter of HTML."""
