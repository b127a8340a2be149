"""Which pages need their scripts run, decided from bytes and addresses alone: no browser, no Scrapy."""
