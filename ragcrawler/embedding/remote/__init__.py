"""Dense embeddings by a service: any with OpenAI's interface, or Cohere's."""
