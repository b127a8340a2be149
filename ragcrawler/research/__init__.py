"""Deep research: from a goal and a template to rows of facts, each with the words of a page that bear it out."""
