"""What `scrapy` can do in this project. Each module is imported at every call: heavy imports stay inside."""
