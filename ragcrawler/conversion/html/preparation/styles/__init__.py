"""The page's own style sheets, as far as they can hide text."""
