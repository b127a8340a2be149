"""The commands of `scrapy`. Scrapy imports each module at every call: heavy imports stay inside functions."""
