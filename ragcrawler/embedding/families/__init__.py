"""Model families: where models of one origin lie and how they are loaded."""
