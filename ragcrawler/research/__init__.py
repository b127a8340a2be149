"""Deep research: from a goal and a template to rows of facts, each with the words that bear it out."""
