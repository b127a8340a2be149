"""Language models that fill in forms: reranking, answers, research."""
